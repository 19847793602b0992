/*
 * Descriptive statistics over plain lists. Of nothing there is no statistic: empty lists give null, never 0.
 * Sums are compensated (Neumaier), so that the order of a list moves a mean by no more than its last digit.
 */

/** Sum with Neumaier's compensation: the error does not grow with the length. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** Arithmetic mean, Σx ÷ n. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length;

/** Middle value in order; of an even number the mean of the middle two. */
export const median = (values: readonly number[]): number | null => quantile(values, 0.5);

/**
 * Quantile of type 7 (Hyndman & Fan, The American Statistician 50 (1996) 361–365; the default of R and NumPy): linear
 * between order statistics at position (n − 1)·p, counted from 0. `p` in 0 … 1.
 */
export const quantile = (values: readonly number[], p: number): number | null =>
  quantileOfSorted(
    values.toSorted((a, b) => a - b),
    p,
  );

/** As `quantile`, of values that are in ascending order already. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number | null {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) return null;
  return low === high ? low : low + (high - low) * (position - below);
}

/** Sample standard deviation, √(Σ(x − x̄)² ÷ (n − 1)): estimates the spread of a next value. Null for fewer than two. */
export function sampleSd(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/** Geometric mean, exp(mean of ln x). Null for an empty list, or when a value is not positive and finite. */
export function geometricMean(values: readonly number[]): number | null {
  if (!values.every((value) => value > 0 && Number.isFinite(value))) return null;
  const [first] = values;
  // Of equal values it is that value, without the rounding of logarithms.
  if (first !== undefined && values.every((value) => value === first)) return first;
  const logs = mean(values.map(Math.log));
  return logs === null ? null : Math.exp(logs);
}

/** Smallest and largest value; null of an empty list. */
export function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return values.length === 0 ? null : { min, max };
}
