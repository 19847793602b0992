import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { runSandboxed, type SandboxedRun } from "../../../src/io/sandbox/run.ts";
import type { SandboxLimits, SandboxOrder } from "../../../src/lib/sandbox/order.ts";

/** A place to try the sandbox in: compiled probes, an order to start from, and looks at the host before and after. */

const SOURCES = join(import.meta.dirname, "probes");
const MIB = 1024 * 1024;

/** Why probes cannot run here; null when they can. Where CI is set they must. */
export function findObstacle(): string | null {
  const has = (tool: string): boolean => spawnSync(tool, ["--version"], { stdio: "ignore" }).status === 0;
  if (process.platform !== "linux") return `no sandbox for ${process.platform} yet`;
  const missing = ["gcc", "bwrap", "prlimit", "setpriv"].filter((tool) => !has(tool));
  return missing.length === 0 ? null : `missing: ${missing.join(", ")}`;
}

/**
 * A folder of the test's own that every user can look into, as a job's inputs are. In /tmp itself: the folder for temporary
 * files that `npm test` sets is closed to others.
 */
export function makeField(): string {
  const field = mkdtempSync("/tmp/assay-field-");
  spawnSync("chmod", ["755", field]);
  return field;
}

/** Compiles every probe into `folder`. */
export function compileProbes(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(SOURCES)) {
    const source = join(SOURCES, name);
    const target = join(folder, basename(name, ".c"));
    const shared = name === "clock.c" ? ["-shared", "-fPIC"] : [];
    const { status, stderr } = name.endsWith(".c")
      ? spawnSync("gcc", ["-O1", ...shared, "-o", target, source], { encoding: "utf8" })
      : spawnSync("cp", [source, join(folder, name)], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} does not compile: ${stderr}`);
  }
}

/**
 * Bounds this process and all that it starts, so that a probe that finds a hole meets the next wall. What is needed for
 * compiling and for the sandbox itself is far below.
 */
export function boundOurselves(): void {
  const bounds = [`--fsize=${1024 * MIB}`, "--core=0", "--nproc=8192"];
  spawnSync("prlimit", ["--pid", `${process.pid}`, ...bounds]);
}

export const LIMITS: SandboxLimits = {
  wallSeconds: 10,
  cpuSeconds: 8,
  memoryBytes: 128 * MIB,
  processes: 24,
  fileBytes: 8 * MIB,
  outputBytes: 64 * 1024,
  openFiles: 64,
};

export const WORK = { bytes: 32 * MIB, files: 500 };

export interface Changes {
  readonly limits?: Partial<SandboxLimits>;
  readonly order?: Partial<SandboxOrder>;
}

/** An order that runs a probe out of `folder`, found at /in/probes inside. */
export function orderProbe(
  folder: string,
  command: SandboxOrder["command"],
  changes: Changes = {},
): SandboxOrder {
  const { inputs = [], ...order } = changes.order ?? {};
  return {
    command,
    work: WORK,
    stdio: "pipes",
    ...order,
    inputs: [{ from: folder, to: "/in/probes" }, ...inputs],
    limits: { ...LIMITS, ...changes.limits },
  };
}

/** Runs one probe. */
export function runProbe(
  folder: string,
  [name, ...args]: readonly [string, ...string[]],
  changes: Changes = {},
): Promise<SandboxedRun> {
  return runSandboxed(orderProbe(folder, [`/in/probes/${name}`, ...args], changes));
}

/** What a probe says that it got at: nothing, when the sandbox holds. */
export const leaksOf = (run: SandboxedRun): string[] =>
  run.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line.startsWith("LEAK"));

/** Command lines of living processes that have `marker` in them. */
export function findProcesses(marker: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return line.includes(marker) ? [line.replaceAll("\0", " ")] : [];
      } catch {
        return [];
      }
    });
}

/** Everything that a run could leave on the host, as one value: equal before and after. */
export function lookAtHost(field: string): unknown {
  const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  return {
    mounts: readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .filter((line) => line.includes("assay-sandbox")),
    stages: ["/media", "/mnt", "/srv", "/dev/shm"].map(list),
    field: readdirSync(field, { recursive: true }).map(String).sort(),
    processes: findProcesses(field),
    throwAway: listThrowAway(),
  };
}

/** Living processes under a throw-away uid of this harness. */
function listThrowAway(): string[] {
  const first = 1_900_000_000 + 16 * process.pid;
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
      return uid >= first && uid < first + 16 && !/^State:\s+Z/m.test(status);
    } catch {
      return false;
    }
  });
}

/** Removes the field, and what got away from a sandbox with a hole, so that a test that fails harms nobody. */
export function removeField(field: string): void {
  for (const pid of listThrowAway()) process.kill(Number(pid), "SIGKILL");
  rmSync(field, { recursive: true, force: true });
}
