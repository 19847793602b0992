import { rangeOf } from "../../stats/describe.ts";
import type { QualityData } from "../derive/data-schema.ts";
import { averageOf, type Nest, resultsIn } from "./nest.ts";

/** Code metrics of a configuration: means over its finished entries, put together as every other number. */
export interface CodeMeans {
  /** Entries that were measured. */
  readonly n: number;
  readonly implementation_lines: number | null;
  /** 0 to 1. */
  readonly comment_share: number | null;
  readonly duplicated_share: number | null;
  /** Warnings of the task's linter. */
  readonly lint: number | null;
  /** Null with a reason when nothing could be parsed, or when different tools did. */
  readonly complexity: {
    readonly mean: number | null;
    /** Largest of all entries. */
    readonly max: number;
    /** Functions above 10, a run. */
    readonly above_10: number | null;
    /** Entries that it comes from. */
    readonly n: number;
  } | null;
  readonly complexity_reason: string | null;
}

/** (Methodology, "Code metrics".) */
export function codeMeansOf(nest: Nest): CodeMeans {
  const average = (read: (quality: QualityData) => number | null | undefined): number | null =>
    averageOf(nest, ({ entry }) => (entry.quality === null ? null : (read(entry.quality) ?? null)));
  const measured = resultsIn(nest).flatMap(({ entry }) => entry.quality ?? []);
  const complexities = measured.flatMap(({ complexity }) => complexity ?? []);
  const tools = new Set(complexities.map(({ tool }) => tool));
  const largest = rangeOf(complexities.map(({ max }) => max));
  const reasons = [...new Set(measured.flatMap(({ complexity_reason }) => complexity_reason ?? []))].sort();
  return {
    n: measured.length,
    implementation_lines: average(({ implementation_lines }) => implementation_lines),
    comment_share: average(({ comment_share }) => comment_share),
    duplicated_share: average(({ duplicated_share }) => duplicated_share),
    lint: average(({ lint }) => lint),
    complexity:
      largest === null || tools.size > 1
        ? null
        : {
            mean: average(({ complexity }) => complexity?.mean),
            max: largest.max,
            above_10: average(({ complexity }) => complexity?.above_10),
            n: complexities.length,
          },
    complexity_reason:
      tools.size > 1
        ? `measured by different tools: ${[...tools].sort().join(", ")}`
        : largest !== null
          ? null
          : measured.length === 0
            ? "not measured"
            : reasons.join("; ") || "not measured",
  };
}
