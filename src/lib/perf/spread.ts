import { mean, median, sampleSd } from "../stats/describe.ts";
import { OUTLIER_DEVIATIONS } from "./rule.ts";

/** Makes a median absolute deviation an estimate of a normal distribution's standard deviation: 1 ÷ Φ⁻¹(3/4). */
const MAD_TO_SD = 1.4826;

/** 1.4826 × the median distance from the median. Null of an empty list. */
export function robustSd(values: readonly number[]): number | null {
  const centre = median(values);
  if (centre === null) return null;
  const deviation = median(values.map((value) => Math.abs(value - centre)));
  return deviation === null ? null : MAD_TO_SD * deviation;
}

/**
 * Spread of a side from sample to sample, as a share of its size: the robust standard deviation of the differences of successive
 * logarithms, ÷ √2. Unlike MAD ÷ median it does not count a drift of the host, which pairs cancel, as noise (the idea: von Neumann,
 * Annals of Mathematical Statistics 12 (1941) 367–395, mean square successive difference). Null for fewer than three samples.
 */
export function successiveCv(samples: readonly number[]): number | null {
  if (samples.length < 3) return null;
  const steps = samples.slice(1).map((value, index) => Math.log(value / (samples[index] ?? value)));
  const spread = robustSd(steps);
  return spread === null ? null : spread / Math.SQRT2;
}

/** Samples beyond median ± 5 × 1.4826·MAD. They are counted, never removed. */
export function countOutliers(samples: readonly number[]): number {
  const centre = median(samples);
  const spread = robustSd(samples);
  if (centre === null || spread === null) return 0;
  return samples.filter((value) => Math.abs(value - centre) > OUTLIER_DEVIATIONS * spread).length;
}

/** How far apart two clusters must lie, in their own spreads, and which share of the samples the smaller one must hold. */
const CLUSTER_DISTANCE = 6;
const CLUSTER_SHARE = 0.15;
const CLUSTER_LEAST = 3;

/**
 * Whether samples fall into two clusters, as on a host that moves a process between fast and slow cores. The logarithms are cut where
 * the sum of squares within both parts is least; two clusters are there when each part holds at least 15% of the samples (and
 * three) and D = √2·|x̄₁ − x̄₂| ÷ √(s₁² + s₂²) (Ashman, Bird & Zepf, The Astronomical Journal 108 (1994) 2348) is at least 6. Cut like
 * this, one normal cluster has a D of 2.7 and a steady drift one of 3.5.
 */
export function hasTwoClusters(samples: readonly number[]): boolean {
  const logs = samples.map(Math.log).toSorted((a, b) => a - b);
  const least = Math.max(CLUSTER_LEAST, Math.ceil(CLUSTER_SHARE * logs.length));
  let best = { within: Number.POSITIVE_INFINITY, cut: -1 };
  for (let cut = least; cut <= logs.length - least; cut += 1) {
    const within = squares(logs.slice(0, cut)) + squares(logs.slice(cut));
    if (within < best.within) best = { within, cut };
  }
  if (best.cut < 0) return false;
  const [low, high] = [logs.slice(0, best.cut), logs.slice(best.cut)];
  const distance = Math.abs((mean(high) ?? 0) - (mean(low) ?? 0));
  const spread = Math.hypot(sampleSd(low) ?? 0, sampleSd(high) ?? 0);
  return distance > 0 && Math.SQRT2 * distance >= CLUSTER_DISTANCE * spread;
}

const squares = (values: readonly number[]): number => (sampleSd(values) ?? 0) ** 2 * (values.length - 1);
