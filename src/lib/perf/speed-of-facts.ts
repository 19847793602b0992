import type { Perf } from "../code/schema/perf-schema.ts";
import type { Interval } from "../stats/bootstrap.ts";
import { geometricMean } from "../stats/describe.ts";
import { drawLogRatios, intervalOfLogs, meanOfLogs, ratioOfMedians } from "./ratio.ts";

/** What committed samples say about speed. */
export interface FactsSpeed {
  /** Geometric mean over the metrics; above 1 is faster than the reference. */
  readonly ratio: number;
  /** At the protocol's 98.33%. */
  readonly interval: Interval;
}

/**
 * Speed-up over the reference and its interval from the raw samples of an entry, as `analyse` gives them for a measurement: the ratio of
 * medians, and the percentile bootstrap over pairs. Null when a metric has no pairs, or a side lacks samples of the other.
 */
export function speedOfFacts({ metrics, seed = "" }: Pick<Perf, "metrics" | "seed">): FactsSpeed | null {
  const pairs = metrics.map(({ candidate, reference }) =>
    candidate.length !== reference.length
      ? []
      : candidate.map((own, index) => ({ candidate: own, reference: reference[index] ?? Number.NaN })),
  );
  const ratios = pairs.map(ratioOfMedians);
  const ratio = geometricMean(ratios.map((each) => each ?? Number.NaN));
  if (metrics.length === 0 || ratios.includes(null) || ratio === null) return null;
  const draws = pairs.map((each, index) =>
    drawLogRatios(each, { seed: `${seed}/${metrics[index]?.id}/judged` }),
  );
  const interval = intervalOfLogs(meanOfLogs(draws));
  return interval === null ? null : { ratio, interval };
}
