import type { Execution } from "../sheet/output.ts";
import { comparisonOf } from "./comparison.ts";
import { metricsOf, zeroMetrics } from "./metrics.ts";
import { sampleMismatches } from "./mismatches.ts";
import type { MemberMetrics, Mismatch, Status } from "./result-schema.ts";

export interface MemberScore {
  /** `passed`: same CSV digest; `partial`: executed, different; `failed`: nothing was produced. */
  readonly status: Exclude<Status, "skipped">;
  readonly metrics: MemberMetrics;
  /** At most 20; none for a passed or failed member. */
  readonly mismatches: Mismatch[];
  /** Digest and size of the produced table; null when nothing was produced. */
  readonly output: { readonly sha256: string; readonly rows: number; readonly columns: number } | null;
}

/**
 * Scores one member: what the reference recipe gives against what the contestant's recipe gave (null when it never
 * executed). `referenceDigest` saves recomputing the reference's CSV.
 */
export function compareExecutions(
  reference: Execution,
  produced: Execution | null,
  referenceDigest?: string,
): MemberScore {
  if (produced === null) return { status: "failed", metrics: zeroMetrics(), mismatches: [], output: null };
  const comparison = comparisonOf(reference, produced, referenceDigest);
  const passed = comparison.referenceDigest === comparison.producedDigest;
  return {
    status: passed ? "passed" : "partial",
    metrics: metricsOf(comparison),
    mismatches: passed ? [] : sampleMismatches(reference, produced),
    output: {
      sha256: comparison.producedDigest,
      rows: produced.table.rows.length,
      columns: produced.table.columns.length,
    },
  };
}
