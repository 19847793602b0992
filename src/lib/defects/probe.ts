import type { PROBE_STATES } from "../job/report-schema.ts";
import type { Answer } from "../task/kit.ts";

/*
 * A probe is a small program that shows one defect: `tasks/<task>/probes/<file>`. By the ending of its name it is
 *   .ts  a module that exports `probe`, a `Probe`: what the task's driver is asked, and what the answers show. Judged outside of the sandbox.
 *   .sh  a shell script that is run in the sandbox and answers by its exit code alone (`PROBE_EXIT`).
 * Both come to one of PROBE_STATES for each entry. `docs/defects.md` says how one is written.
 */

export type ProbeState = (typeof PROBE_STATES)[number];

/** What a probe that asks the driver can see in its answers. `unclear` when they fit neither the defect nor its absence. */
export type Sight = "present" | "absent" | "unclear";

/** One question to the task's driver, asked of a fresh process. */
export interface ProbeCase {
  readonly content: Uint8Array;
  /** For the answer; default 10 s. */
  readonly seconds?: number;
}

/** It may lie far from this repository: so it imports nothing but types, and its own neighbours. */
export interface Probe {
  readonly cases: readonly ProbeCase[];
  /** Answers in the order of the cases. Must be total: an answer is whatever a hostile program wrote, or that it wrote none. */
  readonly look: (answers: readonly Answer[]) => Sight;
}

/** What the exit code of a script says. Any other code, a signal or a limit: it failed, and nobody can tell. */
export const PROBE_EXIT = { absent: 0, present: 1, ours: 3 } as const;

export const stateOfExit = (code: number | null): ProbeState =>
  code === PROBE_EXIT.absent ? "absent" : code === PROBE_EXIT.present ? "present" : "failed";

export const stateOfSight = (sight: Sight): ProbeState => (sight === "unclear" ? "failed" : sight);

/** How a probe is run, by the ending of its name; null when it is neither. */
export const probeForm = (file: string): "driver" | "script" | null =>
  file.endsWith(".ts") ? "driver" : file.endsWith(".sh") ? "script" : null;

/** Whether what a module exports as `probe` is one. */
export function isProbe(value: unknown): value is Probe {
  if (typeof value !== "object" || value === null || !("cases" in value) || !("look" in value)) return false;
  const { cases, look } = value;
  return (
    typeof look === "function" &&
    Array.isArray(cases) &&
    cases.length > 0 &&
    cases.every((each) => typeof each === "object" && each !== null && each.content instanceof Uint8Array)
  );
}
