import { measuredFastFactor, type TimedRun } from "../score/time.ts";
import type { Data, EntryData, RunData } from "./data-schema.ts";

/** What the fast tier gains, for each configuration that finished on both tiers in the same task and lead. */
export function fastFactors(
  runs: readonly RunData[],
  entries: ReadonlyMap<string, readonly EntryData[]>,
): Data["fast_factors"] {
  const timed = new Map<string, TimedRun[]>();
  for (const run of runs)
    for (const entry of entries.get(run.id) ?? []) {
      if (run.excluded !== null || entry.dnf !== null || entry.seconds === null) continue;
      const list = timed.get(entry.configuration) ?? [];
      list.push({ cell: `${run.task} ${run.lead}`, fast: entry.fast_mode, seconds: entry.seconds });
      timed.set(entry.configuration, list);
    }
  return [...timed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([configuration, list]) => {
      const measured = measuredFastFactor(list);
      return measured === null ? [] : [{ configuration, ...measured }];
    });
}
