import { type Interval, intervalOf } from "../stats/bootstrap.ts";
import { median, sum } from "../stats/describe.ts";
import { randomFrom } from "../stats/random.ts";
import { DRAWS, LEVEL } from "./rule.ts";
import type { Pair } from "./samples.ts";

/** How an interval is drawn: the seed, and for tests fewer draws. */
export interface DrawOptions {
  readonly seed: string;
  /** Default 10,000. */
  readonly draws?: number;
}

/**
 * Speed-up of the candidate: median of the reference's samples ÷ median of the candidate's; above 1 is faster. Null without pairs, or
 * when a median is not positive.
 */
export function ratioOfMedians(pairs: readonly Pair[]): number | null {
  const reference = median(pairs.map((pair) => pair.reference));
  const candidate = median(pairs.map((pair) => pair.candidate));
  return reference !== null && candidate !== null && reference > 0 && candidate > 0
    ? reference / candidate
    : null;
}

/** exp of the median of ln(reference ÷ candidate) over the pairs: the check beside the ratio of medians. Null without pairs. */
export function medianOfRatios(pairs: readonly Pair[]): number | null {
  const middle = median(pairs.map(({ reference, candidate }) => Math.log(reference / candidate)));
  return middle === null ? null : Math.exp(middle);
}

/**
 * ln of the ratio of medians, for each draw of the bootstrap over pairs. Draws as many pairs as there are, with replacement, in the
 * order of `bootstrap` of src/lib/stats and with its stream of random numbers, so that both give the same; but the medians come from
 * counts over samples that were sorted once.
 */
export function drawLogRatios(
  pairs: readonly Pair[],
  { seed, draws = DRAWS }: DrawOptions,
): Float64Array<ArrayBuffer> {
  const n = pairs.length;
  const logs = new Float64Array(n === 0 ? 0 : draws);
  const random = randomFrom(seed);
  const candidate = sortedWithOrder(pairs.map((pair) => pair.candidate));
  const reference = sortedWithOrder(pairs.map((pair) => pair.reference));
  const counts = new Uint32Array(n);
  for (let draw = 0; draw < logs.length; draw += 1) {
    counts.fill(0);
    for (let drawn = 0; drawn < n; drawn += 1) {
      const row = random.below(n);
      counts[row] = (counts[row] ?? 0) + 1;
    }
    logs[draw] = Math.log(countedMedian(reference, counts) / countedMedian(candidate, counts));
  }
  return logs;
}

interface Sorted {
  readonly values: Float64Array;
  readonly rows: Uint32Array;
}

function sortedWithOrder(values: readonly number[]): Sorted {
  const rows = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  return { rows, values: Float64Array.from(rows, (row) => values[row] ?? Number.NaN) };
}

/** Median of the values, each taken as often as its row was drawn. */
function countedMedian({ values, rows }: Sorted, counts: Uint32Array): number {
  const n = rows.length;
  const lowAt = (n - 1) >>> 1;
  const highAt = n >>> 1;
  let seen = 0;
  let low = Number.NaN;
  for (let position = 0; position < n; position += 1) {
    seen += counts[rows[position] ?? 0] ?? 0;
    const value = values[position] ?? Number.NaN;
    if (Number.isNaN(low) && seen > lowAt) low = value;
    if (seen > highAt) return low === value ? low : low + (value - low) * 0.5;
  }
  return low;
}

/** Interval of a ratio from draws of its logarithm; null of none. */
export function intervalOfLogs(logs: Float64Array<ArrayBuffer>, level: number = LEVEL): Interval | null {
  const interval = intervalOf(Float64Array.from(logs).sort(), level);
  return interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) };
}

/** Draws of the logarithm of a geometric mean: draw by draw the mean over the metrics. All lists have one length. */
export function meanOfLogs(metrics: readonly Float64Array<ArrayBuffer>[]): Float64Array<ArrayBuffer> {
  const [first] = metrics;
  if (first === undefined) return new Float64Array(0);
  return first.map((_, draw) => sum(metrics.map((logs) => logs[draw] ?? Number.NaN)) / metrics.length);
}
