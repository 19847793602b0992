import type { SandboxOrder } from "./order.ts";

/**
 * What a sandbox must look like from inside. A short shell script, run as a guest, says what it sees; anything that
 * it sees and should not is a hole. It needs nothing but a shell and is run before every series of hostile runs; the
 * probes of the test suite go much further.
 */

/** Its output is lines `name=value`. */
const SCRIPT = `
field() { sed -n "s/^$1:[[:space:]]*//p" /proc/self/status; }
says() { if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi; }
echo "uid=$(id -u)"
echo "capabilities=$(field CapPrm)$(field CapEff)$(field CapBnd)$(field CapAmb)"
echo "privileges=$(field NoNewPrivs)"
echo "filter=$(field Seccomp)"
echo "interfaces=$(sed -n 's/^ *\\([a-z0-9]*\\):.*/\\1/p' /proc/net/dev | tr '\\n' ' ')"
echo "init=$(tr '\\0' ' ' < /proc/1/cmdline | cut -d' ' -f1)"
echo "variables=$(env | sed 's/=.*//' | sort | tr '\\n' ' ')"
echo "root=$(ls / | tr '\\n' ' ')"
echo "writes-usr=$(says touch /usr/assay-self-test)"
echo "writes-root=$(says touch /assay-self-test)"
echo "writes-dev=$(says touch /dev/assay-self-test)"
echo "mounts=$(says mount -t tmpfs none /job)"
echo "namespaces=$(says unshare --user true)"
echo "raises=$(says prlimit --nofile=1000000:1000000 true)"
echo "sets-clock=$(says date -s @0)"
echo "writes-work=$(says touch /job/file)"
`;

export const selfTestOrder: SandboxOrder = {
  command: ["/bin/sh", "-c", SCRIPT],
  inputs: [],
  work: { bytes: 1024 * 1024, files: 100 },
  limits: {
    wallSeconds: 10,
    cpuSeconds: 5,
    memoryBytes: 128 * 1024 * 1024,
    processes: 16,
    fileBytes: 1024 * 1024,
    outputBytes: 16 * 1024,
    openFiles: 32,
  },
  stdio: "pipes",
};

const ROOT = new Set([
  "bin",
  "dev",
  "etc",
  "lib",
  "lib32",
  "lib64",
  "libx32",
  "proc",
  "sbin",
  "tmp",
  "usr",
  "job",
]);
const VARIABLES = new Set(["HOME", "LANG", "PATH", "PWD", "OLDPWD", "SHLVL", "TMPDIR", "_"]);
const only = (allowed: ReadonlySet<string>) => (value: string) =>
  value.split(" ").every((word) => word === "" || allowed.has(word));
const is = (wanted: string) => (value: string) => value === wanted;

/** Each thing that the script looks at: when it is well, and what it means when it is not. */
const CHECKS: readonly (readonly [name: string, well: (value: string) => boolean, hole: string])[] = [
  ["uid", is("1000"), "the guest is not the throw-away user"],
  ["capabilities", (value) => /^0+$/.test(value), "the guest has capabilities"],
  ["privileges", is("1"), "the guest can gain privileges by executing a file"],
  ["filter", is("2"), "no filter of system calls is in force"],
  ["interfaces", is("lo "), "there is a network beside the sandbox's own loopback"],
  ["init", (value) => value.endsWith("bwrap"), "the processes of the host can be seen"],
  ["variables", only(VARIABLES), "something of the host's environment is there"],
  ["root", only(ROOT), "there are folders that no guest needs"],
  ["writes-usr", is("no"), "the programs can be overwritten"],
  ["writes-root", is("no"), "the root can be written, outside of every bound"],
  ["writes-dev", is("no"), "/dev can be written, outside of every bound"],
  ["mounts", is("no"), "the guest can mount"],
  ["namespaces", is("no"), "the guest can make namespaces of its own"],
  ["raises", is("no"), "the guest can raise its limits"],
  ["sets-clock", is("no"), "the guest can set the clock"],
  ["writes-work", is("yes"), "the guest cannot write where it should"],
];

/** What is wrong with the sandbox that said this; empty when it is sound. Something not said is wrong. */
export function findHoles(output: string): string[] {
  const said = new Map(
    output.split("\n").map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  return CHECKS.filter(([name, well]) => !well(said.get(name) ?? "(nothing)")).map(
    ([name, , hole]) => `${hole} (${name}: ${said.get(name) ?? "not said"})`,
  );
}
