import { geometricMean, mean } from "../../stats/describe.ts";
import { groupBy } from "./group.ts";

/** How much longer the standard tier is assumed to take where nobody measured it. */
export const ASSUMED_FAST_FACTOR = 2;

/** A measured ratio of standard to fast wall time, of one configuration on both tiers. */
export interface FastFactor {
  readonly factor: number;
  /** Pairs of cells that it comes from. */
  readonly pairs: number;
}

export interface TimeBar {
  /** Wall clock from the first to the last logged event. */
  readonly measured_seconds: number;
  /** End of the estimated standard-tier extension; null for runs at the standard tier. */
  readonly extended_seconds: number | null;
  /** Where the extension's factor comes from; null without one. */
  readonly basis: "assumed" | "measured" | null;
  readonly factor: number | null;
}

/**
 * The bar of the time chart. A run on the fast tier is extended to 2 × its measured time; that is an assumption, which a
 * measured ratio of the same configuration replaces. (Methodology, "Time and fast mode".)
 */
export function timeBar(seconds: number, fast: boolean, measured: FastFactor | null = null): TimeBar {
  if (!fast) return { measured_seconds: seconds, extended_seconds: null, basis: null, factor: null };
  const factor = measured?.factor ?? ASSUMED_FAST_FACTOR;
  return {
    measured_seconds: seconds,
    extended_seconds: seconds * factor,
    basis: measured === null ? "assumed" : "measured",
    factor,
  };
}

/** Wall time of one entry of one configuration. */
export interface TimedRun {
  /** What must be alike for two times to be compared: task and lead. */
  readonly cell: string;
  readonly fast: boolean;
  readonly seconds: number;
}

/**
 * Measured factor of one configuration: in every cell with runs on both tiers the mean standard time ÷ the mean fast
 * time; then the geometric mean over cells. Null where no cell has both.
 */
export function measuredFastFactor(runs: readonly TimedRun[]): FastFactor | null {
  const cells = groupBy(
    runs.filter(({ seconds }) => seconds > 0),
    ({ cell }) => cell,
  );
  const ratios = [...cells.values()].flatMap((inCell) => {
    const of = (tier: boolean): number | null =>
      mean(inCell.filter(({ fast }) => fast === tier).map(({ seconds }) => seconds));
    const [standard, fast] = [of(false), of(true)];
    return standard === null || fast === null ? [] : [standard / fast];
  });
  const factor = geometricMean(ratios);
  return factor === null ? null : { factor, pairs: ratios.length };
}
