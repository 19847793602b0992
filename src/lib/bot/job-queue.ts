import { median } from "../stats/describe.ts";
import { parseRunTitle, timeOf } from "./jobs.ts";
import type { RunFacts } from "./trust.ts";

/** Who is before whom at a host, and how long that takes. Pure. */

export interface QueuePlace {
  /** Jobs that the host has to do before this one, the one at work among them. */
  readonly ahead: number;
  /** When it is expected to begin, milliseconds since 1970; null where no job of the kind before it ever succeeded here. */
  readonly expected: number | null;
}

/** So many earlier jobs say how long one takes. */
const LOOK_BACK = 10;
const MINUTE_MS = 60_000;
/** Expected times are told in steps of this, so that a look at the same queue gives the same words. Milliseconds. */
const STEP_MS = 5 * MINUTE_MS;

const hostOf = (run: RunFacts): string | null => parseRunTitle(run.title)?.host ?? null;

/** Median time that runs of this workflow took on this host, milliseconds; null where none succeeded. */
export function usualDuration(runs: readonly RunFacts[], like: RunFacts): number | null {
  const took = runs
    .filter((run) => run.conclusion === "success" && run.path === like.path && hostOf(run) === hostOf(like))
    .slice(0, LOOK_BACK)
    .map(({ startedAt, updatedAt }) => (timeOf(updatedAt) ?? 0) - (timeOf(startedAt) ?? 0));
  return median(took.filter((ms) => ms >= 0));
}

/**
 * Where a run waits among all runs for its host, which serves them in the order in which they came. Those that wait for reviewers hold
 * nobody up. `runs`: of all workflows of jobs, newest first. `now`: milliseconds since 1970.
 */
export function placeOf(run: RunFacts, runs: readonly RunFacts[], now: number): QueuePlace {
  const host = hostOf(run);
  const before = runs.filter(
    (other) =>
      other.id < run.id &&
      other.status !== "completed" &&
      other.status !== "waiting" &&
      hostOf(other) === host,
  );
  let left = 0;
  for (const other of before) {
    const usual = usualDuration(runs, other);
    if (usual === null) return { ahead: before.length, expected: null };
    const gone = other.status === "in_progress" ? now - (timeOf(other.startedAt) ?? now) : 0;
    left += Math.max(MINUTE_MS, usual - gone);
  }
  return { ahead: before.length, expected: Math.ceil((now + left) / STEP_MS) * STEP_MS };
}
