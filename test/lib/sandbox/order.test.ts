import { describe, expect, it } from "vitest";
import { deriveLaunch, pickStageFolder, type SandboxHost } from "../../../src/lib/sandbox/bubblewrap.ts";
import { isRecentKernel } from "../../../src/lib/sandbox/kernel.ts";
import { deriveEnvironment, deriveOrderProblems, type SandboxOrder } from "../../../src/lib/sandbox/order.ts";
import { deriveThrowAwayUid, hasUid } from "../../../src/lib/sandbox/uid.ts";

const order: SandboxOrder = {
  command: ["make", "all"],
  inputs: [{ from: "/data/entry", to: "/in/entry" }],
  work: { bytes: 1_000_000, files: 10 },
  limits: {
    wallSeconds: 10,
    cpuSeconds: 5,
    memoryBytes: 1_000,
    processes: 4,
    fileBytes: 100,
    outputBytes: 100,
    openFiles: 16,
  },
  stdio: "pipes",
};
const host: SandboxHost = {
  stageFolders: ["/media", "/mnt"],
  rootFolders: { "/bin": "usr/bin", "/lib64": null },
  throwAwayUid: 1_900_000_001,
  cgroup: null,
};

/** The argument after each occurrence of a flag. */
const valuesOf = (argv: readonly string[], flag: string): string[] =>
  argv.flatMap((word, index) => (word === flag ? [argv[index + 1] ?? ""] : []));

describe("an order", () => {
  it("that is sound has no problems", () => expect(deriveOrderProblems(order)).toEqual([]));

  it.each(["/", "/usr/bin", "/etc", "/job/x", "/in/../usr", "/in//x", "/in/.hidden", "in/x", "/inside"])(
    "may not mount an input at %s",
    (to) => expect(deriveOrderProblems({ ...order, inputs: [{ from: "/data", to }] })).toHaveLength(1),
  );

  it("may not mount one input in another", () => {
    const inputs = [
      { from: "/a", to: "/in/a" },
      { from: "/b", to: "/in/a/b" },
    ];
    expect(deriveOrderProblems({ ...order, inputs })).toEqual(["input target /in/a/b lies in another one"]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("may not bound anything by %s", (value) => {
    for (const name of Object.keys(order.limits))
      expect(deriveOrderProblems({ ...order, limits: { ...order.limits, [name]: value } })).toHaveLength(1);
    expect(deriveOrderProblems({ ...order, work: { bytes: value, files: value } })).toHaveLength(2);
  });

  it("hands on only variables that it names", () => {
    expect(Object.keys(deriveEnvironment({ ...order, environment: { SEED: "1" } })).sort()).toEqual([
      "HOME",
      "LANG",
      "PATH",
      "SEED",
      "TMPDIR",
    ]);
    expect(deriveOrderProblems({ ...order, environment: { "A=B": "1" } })).toHaveLength(1);
  });
});

describe("the launch", () => {
  const argv = deriveLaunch(host, order, "/media");

  it("drops the uid before bubblewrap, and all capabilities and namespaces in it", () => {
    const bwrap = argv.indexOf("bwrap");
    expect(argv.indexOf("--reuid")).toBeLessThan(bwrap);
    expect(valuesOf(argv, "--reuid")).toEqual(["1900000001"]);
    expect(argv.indexOf("--no-new-privs")).toBeLessThan(bwrap);
    for (const flag of ["user", "ipc", "pid", "net", "uts"]) expect(argv).toContain(`--unshare-${flag}`);
    expect(valuesOf(argv, "--cap-drop")).toEqual(["ALL"]);
    expect(argv).toContain("--die-with-parent");
  });

  it("mounts nothing writable but the three folders of the stage", () => {
    expect(valuesOf(argv, "--bind")).toEqual(["/media/work", "/media/tmp", "/media/shm"]);
    expect(valuesOf(argv, "--remount-ro")).toEqual(["/dev", "/"]);
    expect(argv).not.toContain("--dev-bind");
  });

  it("mounts inputs from the stage, so that their real paths stay outside", () => {
    expect(valuesOf(argv, "--ro-bind")).toContain("/media/in/0");
    expect(argv.slice(argv.indexOf("bwrap"))).not.toContain("/data/entry");
  });

  it("sets every limit hard and soft alike, and the alarm after the harness's own time", () => {
    for (const limit of ["core=0", "cpu=6", "fsize=100", "nofile=16", "nproc=5"]) {
      const [name, value] = limit.split("=");
      expect(argv).toContain(`--${name}=${value}:${value}`);
    }
    expect(argv[argv.indexOf("timeout") + 4]).toBe("15");
  });

  it("lets an ordinary user make a user namespace for the stage", () => {
    const own = deriveLaunch({ ...host, throwAwayUid: null }, order, "/media");
    expect(own.slice(0, 3)).toEqual(["unshare", "--user", "--map-root-user"]);
    expect(own).not.toContain("--reuid");
  });

  it("covers no folder that holds an input", () => {
    const from = (path: string): SandboxOrder => ({ ...order, inputs: [{ from: path, to: "/in/x" }] });
    expect(pickStageFolder(host, order)).toBe("/media");
    expect(pickStageFolder(host, from("/media/disk/entry"))).toBe("/mnt");
    expect(pickStageFolder(host, from("/mediations"))).toBe("/media");
    expect(pickStageFolder({ ...host, stageFolders: ["/media"] }, from("/media"))).toBeNull();
  });
});

describe("the throw-away uid", () => {
  it("is another one for each harness and run, and fits into 31 bits", () => {
    const uids = [1, 2, 4_194_303].flatMap((pid) => [0, 1, 15].map((run) => deriveThrowAwayUid(pid, run)));
    expect(new Set(uids).size).toBe(9);
    expect(Math.max(...uids)).toBeLessThan(2 ** 31);
    expect(Math.min(...uids)).toBeGreaterThan(1_879_048_191);
  });

  it("must be mapped", () => {
    expect(hasUid("         0          0 4294967295\n", 1_900_000_000)).toBe(true);
    expect(hasUid("0 100000 65536\n", 1_900_000_000)).toBe(false);
    expect(hasUid("0 1000 1\n1 1900000000 10\n", 5)).toBe(true);
  });
});

it("kernels that count processes by namespace are told from older ones", () => {
  for (const release of ["5.14.0", "5.15.0-91-generic", "6.8.0", "10.0"])
    expect(isRecentKernel(release)).toBe(true);
  for (const release of ["5.13.19", "4.18.0-553.el8", "5.4.0", "", "next"])
    expect(isRecentKernel(release)).toBe(false);
});
