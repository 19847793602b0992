import { SALT_BYTES } from "../../lib/perf/wire.ts";
import { type Answer, type Case, DEFAULT_SECONDS } from "../../lib/task/kit.ts";
import { runSample } from "../perf/sample.ts";
import type { Driver } from "./driver.ts";
import { launchDrivers } from "./launch.ts";

const MAX_ANSWER = 64 * 2 ** 20;

/** Puts one case to a fresh driver in the sandbox. @throws SandboxError when the sandbox failed: nothing may be concluded then. */
export async function askDriver(
  driver: Driver,
  { content, seconds }: Omit<Case, "accepts">,
): Promise<Answer> {
  const outcome = await runSample(
    ["driver"],
    { content, iterations: 1, salt: new Uint8Array(SALT_BYTES) },
    {
      cwd: "/",
      env: {},
      core: null,
      limits: {
        timeoutMs: 1000 * (seconds ?? DEFAULT_SECONDS),
        maxOutputBytes: MAX_ANSWER,
        maxMemoryBytes: driver.limits.memoryBytes,
      },
      launch: launchDrivers(new Map([["driver", driver]])),
    },
  );
  return outcome.ok
    ? { kind: "answer", bytes: outcome.sample.output }
    : { kind: "fault", what: outcome.fault.message };
}
