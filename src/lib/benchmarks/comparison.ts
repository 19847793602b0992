import { digestOf } from "../digest.ts";
import { canonicalCsv } from "../sheet/csv.ts";
import type { Execution } from "../sheet/output.ts";
import type { Fraction, MemberMetrics, MetricId } from "./result-schema.ts";

/** What a metric looks at: the reference and what the contestant's recipe produced, with both CSV digests. */
export interface Comparison {
  readonly reference: Execution;
  readonly produced: Execution;
  /** `sha256:` digests of the canonical CSVs. */
  readonly referenceDigest: string;
  readonly producedDigest: string;
}

/** One metric of a suite member: its meaning as data, its value as an exact fraction with the counts behind it. */
export interface Metric<Id extends MetricId = MetricId> {
  readonly id: Id;
  readonly title: string;
  /** All metrics are shares of a whole. */
  readonly unit: "share";
  readonly direction: "higher-is-better";
  readonly range: readonly [0, 1];
  /** Weight in the composite `provisional-1`; the weights of all metrics add up to 1. */
  readonly weight: Fraction;
  readonly definition: string;
  /** The value of a member whose recipe executed. */
  compute(comparison: Comparison): MemberMetrics[Id];
  /** The value of a failed or skipped member: 0/1, with every count 0 because nothing was compared. */
  readonly zero: MemberMetrics[Id];
  /** True when the fraction is the one its own counts give. */
  consistent(value: MemberMetrics[Id]): boolean;
}

/** Computes the digests once for all metrics. `referenceDigest` may be passed when it is already known. */
export const comparisonOf = (
  reference: Execution,
  produced: Execution,
  referenceDigest: string = digestOf(canonicalCsv(reference.table)),
): Comparison => ({
  reference,
  produced,
  referenceDigest,
  producedDigest: digestOf(canonicalCsv(produced.table)),
});

/** `part` of `whole`; `empty` says what nothing of nothing is worth. */
export function share(part: number, whole: number, empty: 0 | 1): Fraction {
  return whole === 0 ? { numerator: empty, denominator: 1 } : { numerator: part, denominator: whole };
}

/** True when `value` is `part` of `whole`, where nothing of nothing may be worth 0 or 1. */
export function isShare(value: Fraction, part: number, whole: number): boolean {
  if (part > whole) return false;
  if (whole > 0) return value.numerator === part && value.denominator === whole;
  return value.denominator === 1 && (value.numerator === 0 || value.numerator === 1);
}
