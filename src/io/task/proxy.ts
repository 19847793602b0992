import { chmod, cp } from "node:fs/promises";
import { join } from "node:path";
import { parseInstructions } from "../../lib/perf/proxy.ts";
import { runSample, type SampleOutcome, type Work } from "../perf/sample.ts";
import { SandboxError } from "../sandbox/error.ts";
import { runSandboxed } from "../sandbox/run.ts";
import type { Driver } from "./driver.ts";
import { launchDrivers } from "./launch.ts";

/** Where the plug-in lies in the sandbox. */
const COUNTER = "/opt/count";
const MIB = 2 ** 20;
const TIMEOUT_MS = 60_000;

/**
 * Builds the counting plug-in of `tools/qemu-count` with the host's own compiler.
 * @param scratch a folder for it; gives the folder that drivers get to see
 * @throws SandboxError when the host cannot: nothing is said about any deliverable then
 */
export async function buildCounter(repository: string, scratch: string): Promise<string> {
  const source = join(scratch, "count");
  await cp(join(repository, "tools/qemu-count"), source, { recursive: true });
  await chmod(source, 0o755);
  const to = join(scratch, "count-built");
  const { outcome, ...end } = await runSandboxed({
    command: ["gcc", "-shared", "-fPIC", "-O2", "-o", "count.so", "/in/count/count.c"],
    inputs: [{ from: source, to: "/in/count" }],
    work: { bytes: 64 * MIB, files: 100, to },
    limits: {
      wallSeconds: 60,
      cpuSeconds: 60,
      memoryBytes: 512 * MIB,
      processes: 16,
      fileBytes: 16 * MIB,
      outputBytes: MIB,
      openFiles: 64,
    },
    stdio: "pipes",
  });
  if (outcome !== "exited" || !("code" in end) || end.code !== 0)
    throw new SandboxError(
      "sandbox-tool",
      "The plug-in that counts instructions does not build here.",
      "Install gcc and libc6-dev: instructions are counted by a plug-in that is built on the host.",
    );
  return to;
}

export interface CountedSample {
  readonly outcome: SampleOutcome;
  /** Of the whole process; null when the emulator did not say. */
  readonly instructions: number | null;
}

/** Runs a driver once under an emulator that counts. @throws SandboxError */
export async function countSample(driver: Driver, counter: string, work: Work): Promise<CountedSample> {
  let said = "";
  const counting: Driver = {
    ...driver,
    inputs: [...driver.inputs, { from: counter, to: COUNTER }],
    environment: { ...driver.environment, QEMU_PLUGIN: `file=${COUNTER}/count.so`, QEMU_LOG: "plugin" },
  };
  const launch = launchDrivers(new Map([["driver", counting]]), (text) => {
    said = (said + text).slice(-1000);
  });
  const outcome = await runSample(["driver"], work, {
    cwd: "/",
    env: {},
    core: null,
    limits: { timeoutMs: TIMEOUT_MS, maxOutputBytes: 64 * MIB, maxMemoryBytes: driver.limits.memoryBytes },
    launch,
  });
  return { outcome, instructions: parseInstructions(said) };
}
