import { finished } from "node:stream/promises";
import type { BadEnd, Launch } from "../perf/launch.ts";
import { type ProcessFacts, readProcessFacts } from "../perf/process-facts.ts";
import { type RunningSandbox, startSandboxed } from "../sandbox/run.ts";
import { type Driver, driverOrder } from "./driver.ts";

/**
 * Starts drivers in the sandbox: the first word of what is to be started names which.
 * @param complaint told what they write to standard error, which is read by nobody else
 */
export function launchDrivers(
  drivers: ReadonlyMap<string, Driver>,
  complaint?: (text: string) => void,
): Launch {
  return async ([name = ""], { core, env }) => {
    const driver = drivers.get(name);
    if (driver === undefined) throw new Error(`there is no driver ${name}`);
    const order = driverOrder(driver, core);
    const running = await startSandboxed({ ...order, environment: { ...order.environment, ...env } });
    running.stderr.on("data", (chunk: Buffer) => complaint?.(chunk.toString("latin1")));
    const result = running.ended.then(badEnd);
    // Whoever stops listening early must not be told of a failure by the end of the whole process.
    result.catch(() => undefined);
    return {
      stdin: running.stdin,
      stdout: running.stdout,
      ended: result,
      silent: Promise.allSettled([result, finished(running.stdout, { writable: false })]),
      facts: () => factsOf(running),
      stop: async () => {
        running.stop();
        running.stdout.resume();
        await running.ended;
      },
    };
  };
}

type End = Awaited<RunningSandbox["ended"]>;

/** Exit codes by which a shell, and taskset, say that a program cannot be started. */
const NOT_STARTED: readonly number[] = [126, 127];

function badEnd(end: End): BadEnd | null {
  switch (end.outcome) {
    case "exited":
      return end.code === 0
        ? null
        : { how: `it ended with exit code ${end.code}`, started: !NOT_STARTED.includes(end.code) };
    case "signalled":
      return { how: `it ended with signal ${end.signal}`, started: true };
    case "timed-out":
      return { how: "it took too long", started: true };
    case "over-limit":
      return { how: `it went over its bound on ${end.bound}`, started: true };
    case "stopped":
      return { how: "it was stopped", started: true };
  }
}

/** Of all its processes together; null when none can be read. */
function factsOf({ guests }: RunningSandbox): ProcessFacts | null {
  const all = guests().flatMap((pid) => readProcessFacts(pid) ?? []);
  if (all.length === 0) return null;
  return {
    switches: all.reduce((sum, { switches }) => sum + switches, 0),
    peakBytes: all.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
    cores: [...new Set(all.flatMap(({ cores }) => cores))],
  };
}
