import type { Interval } from "../stats/bootstrap.ts";
import { geometricMean, median } from "../stats/describe.ts";
import {
  type DrawOptions,
  drawLogRatios,
  intervalOfLogs,
  meanOfLogs,
  medianOfRatios,
  ratioOfMedians,
} from "./ratio.ts";
import { LOOKS, MAX_CV, MAX_SWITCHES, SAME_WITHIN } from "./rule.ts";
import type { MetricSamples, Pair } from "./samples.ts";
import { countOutliers, hasTwoClusters, successiveCv } from "./spread.ts";

/** `inconclusive`: the samples leave it open, or the host was noisy or disturbed. Never a guess. */
export type Verdict = "faster" | "slower" | "same" | "inconclusive";
export type Flag = "noisy" | "disturbed" | "inconclusive";

/** A speed-up and what the samples leave open; above 1 is faster. */
export interface Estimate {
  readonly ratio: number;
  readonly interval: Interval;
}

export interface MetricAnalysis extends Estimate {
  readonly id: string;
  /** Median of the pairs' ratios, beside `ratio`; far apart, the host changed during the run. */
  readonly check: number;
  /** The reference against itself. */
  readonly noise: Estimate;
  /** Spread from sample to sample, as a share. */
  readonly cv: { readonly candidate: number; readonly reference: number };
  /** Samples far from their side's median, both sides. */
  readonly outliers: number;
}

export interface Analysis {
  /** Pairs of each metric. */
  readonly pairs: number;
  readonly metrics: readonly MetricAnalysis[];
  /** Geometric mean over the metrics. */
  readonly speed: Estimate;
  /** The same of the reference against itself: what this host shows where nothing differs. */
  readonly floor: Estimate;
  readonly verdict: Verdict;
  readonly flags: readonly Flag[];
  /** Why a flag was set, one sentence each. */
  readonly reasons: readonly string[];
}

/** What the harness saw beside the samples. */
export interface Circumstances {
  /** Involuntary context switches of each sample; empty where the platform does not tell. */
  readonly switches: readonly number[];
  /** What changed on the host during the run, one sentence each. */
  readonly changes: readonly string[];
}

const CALM: Circumstances = { switches: [], changes: [] };

/**
 * Judges interleaved pairs. The speed is the geometric mean over metrics of the ratios of medians, its interval the percentile
 * bootstrap over pairs at 98.33% (`LEVEL`).
 *
 * `faster` or `slower`: the interval excludes 1 and the speed lies outside the interval of the reference against itself. `same`: neither,
 * and the interval lies within ±2%. A noisy or disturbed host decides nothing, except that identical programs are the same. Null when
 * a metric has fewer than two pairs.
 * @throws RangeError when metrics have different numbers of pairs
 */
export function analyse(
  metrics: readonly MetricSamples[],
  options: DrawOptions,
  circumstances: Circumstances = CALM,
): Analysis | null {
  const pairs = metrics[0]?.pairs.length ?? 0;
  if (metrics.some(({ pairs: own, noise }) => own.length !== pairs || noise.length !== pairs))
    throw new RangeError("every metric needs as many pairs, and as many of the reference with itself");
  if (pairs < 2) return null;
  const judged = metrics.map((metric) => drawLogRatios(metric.pairs, drawing(options, metric.id, "judged")));
  const noise = metrics.map((metric) => drawLogRatios(metric.noise, drawing(options, metric.id, "noise")));
  const analysed = metrics.map((metric, index) =>
    analyseMetric(metric, judged[index] ?? new Float64Array(0), noise[index] ?? new Float64Array(0)),
  );
  const speed = combined(analysed, judged);
  const floor = combined(
    analysed.map((metric) => metric.noise),
    noise,
  );
  const noisy = [...whyNoisy(analysed), ...floorReasons(floor)];
  const disturbed = whyDisturbed(metrics, analysed, circumstances);
  const calm = noisy.length === 0 && disturbed.length === 0;
  const identical = metrics.every((metric) => metric.identical === true);
  const verdict = identical ? "same" : calm ? verdictOf(speed, floor) : "inconclusive";
  const flags: Flag[] = [];
  if (noisy.length > 0) flags.push("noisy");
  if (disturbed.length > 0) flags.push("disturbed");
  if (verdict === "inconclusive") flags.push("inconclusive");
  return { pairs, metrics: analysed, speed, floor, verdict, flags, reasons: [...noisy, ...disturbed] };
}

/** Whether a look ends the measurement: it says something, or it is the last one. */
export const isSettled = (analysis: Analysis): boolean =>
  analysis.verdict !== "inconclusive" || analysis.pairs >= (LOOKS.at(-1) ?? 0);

/** Whether a finished measurement is to be made again: the host, not the programs, left it open. */
export const asksForRepeat = ({ verdict, flags }: Analysis): boolean =>
  verdict === "inconclusive" && (flags.includes("noisy") || flags.includes("disturbed"));

const drawing = ({ seed, ...options }: DrawOptions, id: string, which: string): DrawOptions => ({
  ...options,
  seed: `${seed}/${id}/${which}`,
});

function analyseMetric(
  { id, pairs, noise }: MetricSamples,
  judged: Float64Array<ArrayBuffer>,
  drawn: Float64Array<ArrayBuffer>,
): MetricAnalysis {
  const candidate = pairs.map((pair) => pair.candidate);
  const reference = pairs.map((pair) => pair.reference);
  return {
    id,
    ...estimate(pairs, judged),
    check: medianOfRatios(pairs) ?? Number.NaN,
    noise: estimate(noise, drawn),
    cv: { candidate: successiveCv(candidate) ?? 0, reference: successiveCv(reference) ?? 0 },
    outliers: countOutliers(candidate) + countOutliers(reference),
  };
}

const UNKNOWN: Interval = { low: 0, high: Number.POSITIVE_INFINITY };

const estimate = (pairs: readonly Pair[], logs: Float64Array<ArrayBuffer>): Estimate => ({
  ratio: ratioOfMedians(pairs) ?? Number.NaN,
  interval: intervalOfLogs(logs) ?? UNKNOWN,
});

const combined = (metrics: readonly Estimate[], draws: readonly Float64Array<ArrayBuffer>[]): Estimate => ({
  ratio: geometricMean(metrics.map(({ ratio }) => ratio)) ?? Number.NaN,
  interval: intervalOfLogs(meanOfLogs(draws)) ?? UNKNOWN,
});

function verdictOf({ ratio, interval }: Estimate, floor: Estimate): Verdict {
  if (interval.low > 1 && ratio > floor.interval.high) return "faster";
  if (interval.high < 1 && ratio < floor.interval.low) return "slower";
  return isWithin(interval) ? "same" : "inconclusive";
}

/** Within ±2% of 1, as a factor. */
const isWithin = ({ low, high }: Interval): boolean =>
  low >= 1 / (1 + SAME_WITHIN) && high <= 1 + SAME_WITHIN;

function floorReasons({ interval }: Estimate): string[] {
  const { low, high } = interval;
  const shown = `${percent(low - 1)} to ${percent(high - 1)}`;
  if (low > 1 || high < 1) return [`the reference differs from itself: ${shown}`];
  // Half the width on the scale of ratios, wherever its middle lies.
  return Math.sqrt(high / low) > 1 + SAME_WITHIN ? [`the reference against itself is open by ${shown}`] : [];
}

const whyNoisy = (metrics: readonly MetricAnalysis[]): string[] =>
  metrics.flatMap(({ id, cv }) =>
    (["candidate", "reference"] as const)
      .filter((side) => cv[side] > MAX_CV)
      .map((side) => `${id}: samples of the ${side} vary by ${percent(cv[side])} from one to the next`),
  );

function whyDisturbed(
  samples: readonly MetricSamples[],
  metrics: readonly MetricAnalysis[],
  { switches, changes }: Circumstances,
): string[] {
  const reasons = [...changes];
  const typical = median(switches) ?? 0;
  if (typical >= MAX_SWITCHES)
    reasons.push(`other work took the core away ${Math.round(typical)} times in a typical sample`);
  for (const { id, pairs } of samples)
    for (const side of ["candidate", "reference"] as const)
      if (hasTwoClusters(pairs.map((pair) => pair[side])))
        reasons.push(`${id}: samples of the ${side} fall into two clusters`);
  for (const { id, ratio, check, interval } of metrics)
    if (Math.abs(Math.log(ratio / check)) > Math.log(interval.high / interval.low))
      reasons.push(`${id}: the ratio of medians and the median of ratios disagree`);
  return reasons;
}

/** A share as a percentage with two digits. */
export const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
