import { sum } from "../../stats/describe.ts";

/** Categories of the hidden suite: whole numbers, pass or fail, never partial credit. */
export interface HiddenCount {
  readonly passed: number;
  readonly total: number;
}

/** Counts add up over runs, `33/33` for 11 categories × 3 runs; null when there is none. (Methodology, "Repeat runs".) */
export const addHidden = (counts: readonly HiddenCount[]): HiddenCount | null =>
  counts.length === 0
    ? null
    : { passed: sum(counts.map(({ passed }) => passed)), total: sum(counts.map(({ total }) => total)) };

/** Share of categories passed, 0 … 1; null when there was none to pass. */
export const hiddenShare = (hidden: HiddenCount | null): number | null =>
  hidden === null || hidden.total === 0 ? null : hidden.passed / hidden.total;

/**
 * Eligible for the top picks: at least 98% of the categories passed, summed over runs (and tasks), decided in whole
 * numbers: 100·passed ≥ 98·total. Nothing measured is not eligible. (Methodology, "Top overall picks".)
 */
export const isEligible = (hidden: HiddenCount | null): boolean =>
  hidden !== null && hidden.total > 0 && 100 * hidden.passed >= 98 * hidden.total;
