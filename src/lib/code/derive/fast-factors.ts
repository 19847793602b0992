import { detached } from "../../strict-json/detached.ts";
import { measuredFastFactor, type TimedRun } from "../score/time.ts";
import type { Data, EntryData, RunData } from "./data-schema.ts";

/** Times by configuration, gathered run by run. */
export type TimesByConfiguration = Map<string, TimedRun[]>;

/** Adds the times of a run's finished entries. */
export function gatherTimes(times: TimesByConfiguration, run: RunData, entries: readonly EntryData[]): void {
  if (run.excluded !== null) return;
  const cell = detached(`${run.task} ${run.lead}`);
  for (const { configuration, dnf, seconds, fast_mode } of entries) {
    if (dnf !== null || seconds === null) continue;
    const list = times.get(configuration);
    const timed = { cell, fast: fast_mode, seconds };
    if (list === undefined) times.set(detached(configuration), [timed]);
    else list.push(timed);
  }
}

/** What the fast tier gains, for each configuration that finished on both tiers in the same task and lead. */
export const fastFactors = (times: TimesByConfiguration): Data["fast_factors"] =>
  [...times]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([configuration, list]) => {
      const measured = measuredFastFactor(list);
      return measured === null ? [] : [{ configuration, ...measured }];
    });
