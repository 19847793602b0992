import { quantileOfSorted } from "./describe.ts";
import { randomFrom } from "./random.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly seed: string | number;
  /** Resamples; default 2,000. */
  readonly draws?: number;
  /** Coverage; default 0.95. */
  readonly level?: number;
}

export interface Bootstrapped {
  /** Null when there are fewer than two rows, or no draw had a statistic. */
  readonly interval: Interval | null;
  /** Draws that had a statistic. */
  readonly draws: number;
}

export const DEFAULT_DRAWS = 2000;
export const DEFAULT_LEVEL = 0.95;

/**
 * Percentile bootstrap (Efron, The Annals of Statistics 7 (1979) 1–26): resamples the rows with replacement, as many as
 * there are, and takes the quantiles (type 7) at (1 ± level) ÷ 2 of the statistic over the draws. What belongs together (a
 * pair of timings, all scores of one entry) is one row. Draws without a statistic (null) are left out and counted.
 */
export function bootstrap<T>(
  rows: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
  options: BootstrapOptions,
): Bootstrapped {
  if (rows.length < 2) return { interval: null, draws: 0 };
  const { draws = DEFAULT_DRAWS, level = DEFAULT_LEVEL, seed } = options;
  const random = randomFrom(seed);
  const results: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const sample = rows.map(() => rows[random.below(rows.length)] as T);
    const result = statistic(sample);
    if (result !== null) results.push(result);
  }
  return { interval: intervalOf(Float64Array.from(results).sort(), level), draws: results.length };
}

/** The interval that leaves (1 − level) ÷ 2 of the sorted values on each side; null of none. */
export function intervalOf(sorted: ArrayLike<number>, level: number): Interval | null {
  const low = quantileOfSorted(sorted, (1 - level) / 2);
  const high = quantileOfSorted(sorted, (1 + level) / 2);
  return low === null || high === null ? null : { low, high };
}
