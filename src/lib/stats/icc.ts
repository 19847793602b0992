import { fQuantile } from "./beta.ts";
import type { Interval } from "./bootstrap.ts";
import { mean, sum } from "./describe.ts";
import { type Known, known, unknown } from "./known.ts";

/** Mean squares of the two-way analysis of variance without replication. */
export interface MeanSquares {
  /** Between rows (entries), n − 1 degrees of freedom. */
  readonly rows: number;
  /** Between columns (judges), k − 1 degrees of freedom. */
  readonly columns: number;
  /** Residual, (n − 1)(k − 1) degrees of freedom. */
  readonly error: number;
}

export interface Icc {
  /** Entries: rows in which every judge has a score. */
  readonly n: number;
  /** Judges. */
  readonly k: number;
  readonly squares: MeanSquares | null;
  /** ICC(2,1): agreement between single judges. */
  readonly single: Known;
  /** ICC(2,k): reliability of the mean over the judges. */
  readonly average: Known;
  /** 95% intervals; null where they are not defined. Below about ten entries they are so wide that a point misleads. */
  readonly singleInterval: Interval | null;
  readonly averageInterval: Interval | null;
}

/** What is smaller than this share of the mean squares is rounding. */
const TOLERANCE = 1e-12;

/**
 * Intraclass correlation, two-way random effects, absolute agreement (Shrout & Fleiss, Psychological Bulletin 86 (1979)
 * 420–428; McGraw & Wong, Psychological Methods 1 (1996) 30–46 and 390, there ICC(A,1) and ICC(A,k)).
 *
 *     ICC(2,1) = (MSR − MSE) ÷ (MSR + (k − 1)·MSE + k·(MSC − MSE)/n)
 *     ICC(2,k) = (MSR − MSE) ÷ (MSR + (MSC − MSE)/n)
 *
 * Undefined: fewer than two entries or judges, no variance at all, a denominator that is not positive. Negative values
 * mean no agreement beyond chance and are shown. Rows are entries, columns judges, all complete.
 * @throws RangeError when rows differ in length.
 */
export function icc(matrix: readonly (readonly number[])[]): Icc {
  const n = matrix.length;
  const k = matrix[0]?.length ?? 0;
  if (matrix.some((row) => row.length !== k))
    throw new RangeError("every entry needs a score of every judge");
  const none = { squares: null, singleInterval: null, averageInterval: null };
  if (n < 2 || k < 2) {
    const reason = unknown(n < 2 ? "fewer than two entries" : "fewer than two judges");
    return { n, k, ...none, single: reason, average: reason };
  }
  const squares = meanSquares(matrix);
  const { rows, columns, error } = squares;
  const size = rows + columns + error;
  const scale = sum(matrix.flat().map((value) => value * value)) / (n * k);
  if (size <= TOLERANCE * scale) {
    const reason = unknown("all scores are equal");
    return { n, k, ...none, squares, single: reason, average: reason };
  }
  const ratio = (denominator: number): Known =>
    denominator <= TOLERANCE * size
      ? unknown("the judges differ so much that the formula's denominator is not positive")
      : known((rows - error) / denominator);
  const single = ratio(rows + (k - 1) * error + (k * (columns - error)) / n);
  const average = ratio(rows + (columns - error) / n);
  const singleInterval = single.value === null ? null : intervalOfSingle(squares, n, k, single.value);
  return {
    n,
    k,
    squares,
    single,
    average,
    singleInterval,
    averageInterval:
      average.value === null || singleInterval === null ? null : stepUpInterval(singleInterval, k),
  };
}

/** Sums of squares from residuals: `total − rows − columns` would lose digits and could come out negative. */
export function meanSquares(matrix: readonly (readonly number[])[]): MeanSquares {
  const n = matrix.length;
  const k = matrix[0]?.length ?? 0;
  const rowMeans = matrix.map((row) => mean(row) ?? 0);
  const columnMeans = Array.from({ length: k }, (_, j) => mean(matrix.map((row) => row[j] ?? 0)) ?? 0);
  const grand = mean(rowMeans) ?? 0;
  const square = (values: readonly number[]): number => sum(values.map((value) => value * value));
  return {
    rows: (k * square(rowMeans.map((value) => value - grand))) / (n - 1),
    columns: (n * square(columnMeans.map((value) => value - grand))) / (k - 1),
    error:
      square(
        matrix.flatMap((row, i) =>
          row.map((value, j) => value - (rowMeans[i] ?? 0) - (columnMeans[j] ?? 0) + grand),
        ),
      ) /
      ((n - 1) * (k - 1)),
  };
}

/** Spearman–Brown: reliability of the mean of k judges from that of one, k·ρ ÷ (1 + (k − 1)·ρ). */
export const spearmanBrown = (single: number, k: number): number => (k * single) / (1 + (k - 1) * single);

/**
 * 95% interval of ICC(2,1) by F quantiles with Satterthwaite's degrees of freedom v. Null without residual variance, and
 * where the approximation breaks down: for strongly negative values v is so small that it would leave out the value itself.
 */
function intervalOfSingle(squares: MeanSquares, n: number, k: number, rho: number): Interval | null {
  const { rows, columns, error } = squares;
  if (error <= TOLERANCE * (rows + columns + error)) return null;
  const f = columns / error;
  const rest = n * (1 + (k - 1) * rho) - k * rho;
  const v = ((k - 1) * (n - 1) * (k * rho * f + rest) ** 2) / ((n - 1) * (k * rho * f) ** 2 + rest ** 2);
  if (!(v > 0)) return null;
  const f1 = fQuantile(0.975, n - 1, v);
  const f2 = fQuantile(0.975, v, n - 1);
  const spread = k * columns + (k * n - k - n) * error;
  const low = (n * (rows - f1 * error)) / (f1 * spread + n * rows);
  const high = (n * (f2 * rows - error)) / (spread + n * f2 * rows);
  return low <= rho && rho <= high && Number.isFinite(high - low) ? { low, high } : null;
}

/** The bounds of the mean's reliability; null when the lower one has left the range in which the step is monotone. */
function stepUpInterval({ low, high }: Interval, k: number): Interval | null {
  return 1 + (k - 1) * low <= TOLERANCE ? null : { low: spearmanBrown(low, k), high: spearmanBrown(high, k) };
}
