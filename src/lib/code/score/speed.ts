import { geometricMean, median } from "../../stats/describe.ts";
import { type Known, known, unknown } from "../../stats/known.ts";

/** One metric of a task's workload. */
export interface MetricSpeed {
  readonly id: string;
  readonly speedup: number | null;
}

/** What one perf job measured. */
export interface TaskSpeed {
  /** False when the workload's output was wrong: then speed is not scored. */
  readonly output_correct: boolean;
  /** Instruction counts in place of timings; never comparable with real timings. */
  readonly proxy: boolean;
  readonly metrics: readonly MetricSpeed[];
}

/**
 * Speed-up = median reference time ÷ median candidate time; above 1 is faster. Both in the same unit. Unknown without
 * samples, or when a median is not positive. (Methodology, "Speed".)
 */
export function speedup(reference: readonly number[], candidate: readonly number[]): Known {
  const [ours, theirs] = [median(reference), median(candidate)];
  if (ours === null || theirs === null) return unknown("no samples");
  if (!(ours > 0 && theirs > 0)) return unknown("a median time is not positive");
  const ratio = ours / theirs;
  return ratio > 0 && Number.isFinite(ratio) ? known(ratio) : unknown("the two times cannot be compared");
}

/**
 * Speed of one entry in one task: the geometric mean over the task's metrics. Unknown when the output was wrong or a
 * metric is missing: a mean over other metrics is not comparable. (Methodology, "Speed".)
 * @param ids the metrics that the task has
 */
export function taskSpeed(measured: TaskSpeed, ids: readonly string[]): Known {
  if (!measured.output_correct) return unknown("the perf workload's output was wrong");
  return speedOverMetrics(measured.metrics, ids);
}

/** Geometric mean over exactly the given metrics; unknown when one is missing. */
export function speedOverMetrics(metrics: readonly MetricSpeed[], ids: readonly string[]): Known {
  const found = new Map(metrics.map(({ id, speedup: value }) => [id, value]));
  const missing = ids.filter((id) => (found.get(id) ?? null) === null);
  if (ids.length === 0) return unknown("the task has no speed metric");
  if (missing.length > 0) return unknown(`not measured: ${missing.join(", ")}`);
  const value = geometricMean(ids.map((id) => found.get(id) ?? 0));
  return value === null ? unknown("a speed-up is not positive and finite") : known(value);
}

/** One speed among several that may be put together. */
export interface CombinedSpeed {
  readonly speedup: number | null;
  readonly proxy: boolean;
}

/**
 * Geometric mean over replicates of one task, or over tasks. Real timings and proxies are never mixed: proxies are left
 * out, and only when nothing but proxies is there they make a number of their own, marked as proxy. `n` counts what went
 * in. (Methodology, "Speed" and "Repeat runs".)
 */
export function combineSpeeds(speeds: readonly CombinedSpeed[]): {
  readonly speedup: number | null;
  readonly proxy: boolean;
  readonly n: number;
} {
  const there = speeds.filter(
    (speed): speed is { speedup: number; proxy: boolean } => speed.speedup !== null,
  );
  const real = there.filter(({ proxy }) => !proxy);
  const used = real.length > 0 ? real : there;
  return {
    speedup: geometricMean(used.map((each) => each.speedup)),
    proxy: used.length > 0 && real.length === 0,
    n: used.length,
  };
}

/** Overall speed of a configuration: the geometric mean over tasks with real timings; proxies stay out altogether. */
export function overallSpeed(tasks: readonly CombinedSpeed[]): {
  readonly speedup: number | null;
  readonly n: number;
} {
  const { speedup: value, n } = combineSpeeds(tasks.filter(({ proxy }) => !proxy));
  return { speedup: value, n };
}

/** An expert baseline as the speed chart marks it. */
export interface Baseline {
  readonly title: string;
  readonly metrics: readonly MetricSpeed[];
  /** Why it does not meet the contestants' contract; null when it does. */
  readonly note: string | null;
}

/** The baseline's title, with a `*` when it does not meet the contestants' contract. */
export const baselineLabel = ({ title, note }: Pick<Baseline, "title" | "note">): string =>
  note === null ? title : `${title} *`;

/** Title with a `*` when the baseline does not meet the contestants' contract, and its speed. (Methodology, "Speed".) */
export const baselineMark = (
  { title, metrics, note }: Baseline,
  ids: readonly string[],
): { readonly label: string; readonly speed: Known; readonly note: string | null } => ({
  label: baselineLabel({ title, note }),
  speed: speedOverMetrics(metrics, ids),
  note,
});
