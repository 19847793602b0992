/*
 * The numbers of the protocol, in one place. docs/perf.md says where each comes from.
 */

/** Pairs after which the samples are looked at: 15 at least, 31 as a rule, 61 where 31 leave it open. */
export const LOOKS: readonly number[] = [15, 31, 61];

/** How often all looks together may see a difference where there is none. */
export const FALSE_ALARMS = 0.05;

/**
 * Coverage of the interval at each look, 1 − 0.05 ÷ 3: Bonferroni's bound over the looks. It holds however the looks depend on each
 * other, and they do: later ones hold the pairs of earlier ones.
 */
export const LEVEL: number = 1 - FALSE_ALARMS / LOOKS.length;

/** Bootstrap draws. */
export const DRAWS = 10_000;

/** A ratio within ±2% of 1 (as a factor) counts as the same speed; the reference against itself must be that well known. */
export const SAME_WITHIN = 0.02;

/** Largest spread of one side's samples, as a share of their size. */
export const MAX_CV = 0.03;

/** Robust standard deviations from the median at which a sample is counted as an outlier. None is removed. */
export const OUTLIER_DEVIATIONS = 5;

/** Involuntary context switches that a typical sample may have before the host counts as disturbed. */
export const MAX_SWITCHES = 10;

/** Shortest batch of the reference, in nanoseconds: what one sample times. */
export const MIN_BATCH_NS = 200_000_000;

/** Warm-up: samples of each side in a block, how far two successive blocks may differ, and when it ends in any case. */
export const WARM_UP = { block: 3, within: 0.01, mostNs: 60_000_000_000 } as const;

/** How often a whole measurement is made again because its host was noisy or disturbed. */
export const REPEATS = 1;
