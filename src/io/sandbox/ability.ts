import type { Finding } from "../../lib/findings.ts";
import { findHoles, selfTestOrder } from "../../lib/sandbox/self-test.ts";
import { findCgroupParents, makeCgroup } from "./cgroup.ts";
import { SandboxError } from "./error.ts";
import { readArchitecture, readSandboxHost } from "./host.ts";
import { runSandboxed } from "./run.ts";

/** One thing that is isolated or bounded, and by what. */
export interface SandboxWay {
  readonly what: string;
  readonly by: string;
}

export interface SandboxAbility {
  /** Whether hostile code may be run here at all. */
  readonly isolates: boolean;
  readonly ways: readonly SandboxWay[];
  /** Why not, or what is weaker here than it could be. */
  readonly findings: readonly Finding[];
}

const fault = (error: SandboxError): Finding => ({
  code: error.code,
  severity: "error",
  message: error.message,
  hint: error.hint,
});

async function runSelfTest(): Promise<Finding[]> {
  const run = await runSandboxed(selfTestOrder);
  const holes =
    run.outcome === "exited" && run.code === 0
      ? findHoles(run.stdout.toString("utf8"))
      : [`the self-test did not end by itself: ${run.outcome}`];
  return holes.map((hole) => ({
    code: "sandbox-hole",
    severity: "error",
    message: `The sandbox of this host has a hole: ${hole}.`,
    hint: "Run nothing hostile here. docs/sandbox.md says which part isolates what.",
  }));
}

function describeWays(hasCgroup: boolean, root: boolean): SandboxWay[] {
  return [
    { what: "files", by: "a mount namespace with /usr, parts of /etc and the inputs, read-only" },
    { what: "processes", by: "a pid namespace; its end is the end of all of them" },
    { what: "network", by: "an empty network namespace" },
    { what: "privileges", by: "a user namespace, no capabilities, no new privileges" },
    { what: "system calls", by: `a seccomp filter for ${readArchitecture()}` },
    {
      what: "user",
      by: root
        ? "a throw-away uid that nobody has"
        : "the harness's own uid, which has no rights outside the sandbox",
    },
    { what: "disk", by: "a file system in memory, bounded in bytes and files by the kernel" },
    {
      what: "memory and processes",
      by: hasCgroup
        ? "a cgroup, and limits of each process"
        : "limits of each process, and for their sum a sampler every 20 ms",
    },
    { what: "time", by: "the harness, and an alarm of its own in the stage" },
  ];
}

/** Whether a cgroup can really be made here: being allowed to look is not enough. */
async function tryCgroup(): Promise<boolean> {
  const cgroup = makeCgroup(selfTestOrder, `assay-sandbox-${process.pid}-ability`, findCgroupParents());
  await cgroup?.close();
  return cgroup !== null;
}

/** Says what this host can isolate, by trying it. Never throws for what a host cannot do. */
export async function sandboxAbility(): Promise<SandboxAbility> {
  try {
    const { throwAwayUid } = readSandboxHost();
    const hasCgroup = await tryCgroup();
    const holes = await runSelfTest();
    const coarse: Finding = {
      code: "sandbox-coarse",
      severity: "notice",
      message: "No cgroup can be made here: memory of all processes together is only looked at every 20 ms.",
      hint: "Run the job where it may make cgroups of version 2 with the controllers memory and pids.",
    };
    return {
      isolates: holes.length === 0,
      ways: describeWays(hasCgroup, throwAwayUid !== null),
      findings: [...holes, ...(hasCgroup ? [] : [coarse])],
    };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return { isolates: false, ways: [], findings: [fault(error)] };
  }
}
