import { mean, rangeOf, sampleSd } from "../../stats/describe.ts";

/** Several runs of the same lead, task and brief in one number. */
export interface Replicated {
  readonly mean: number;
  /** Sample SD (n − 1): it estimates the spread of a next run. Null of one run. */
  readonly sd: number | null;
  readonly min: number;
  readonly max: number;
  /** Runs that have a value. */
  readonly n: number;
}

/**
 * Combined replicates: mean, sample SD and range over the runs that have a value; null when none has. For score, cost,
 * time, slop and defect points. Hidden counts add up (`addHidden`), speeds by `combineSpeeds`. To show one replicate on
 * its own, give only that. (Methodology, "Repeat runs".)
 */
export function combineReplicates(values: readonly (number | null)[]): Replicated | null {
  const there = values.filter((value) => value !== null);
  const [centre, range] = [mean(there), rangeOf(there)];
  if (centre === null || range === null) return null;
  return { mean: centre, sd: sampleSd(there), ...range, n: there.length };
}

/**
 * Whether two ranges overlap: then the configurations are not clearly different. Ranges are closed, so that touching ones
 * overlap. (Methodology, "Repeat runs", "Reading differences".)
 */
export const rangesOverlap = (
  a: { readonly min: number; readonly max: number },
  b: { readonly min: number; readonly max: number },
): boolean => a.min <= b.max && b.min <= a.max;
