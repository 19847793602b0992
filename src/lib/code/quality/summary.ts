import type { Quality } from "../schema/quality-schema.ts";

/** Functions with a higher cyclomatic complexity than this are counted apart. */
export const COMPLEX_ABOVE = 10;

export interface QualitySummary {
  /** Lines with code on them. */
  readonly implementation_lines: number;
  /** Comment lines ÷ (comment + implementation lines), 0 to 1; null without lines. */
  readonly comment_share: number | null;
  /** Duplicated ÷ significant lines, 0 to 1; null without significant lines. */
  readonly duplicated_share: number | null;
  /** Warnings of the task's linter; null when it was not asked. */
  readonly lint: number | null;
  /** Mean and maximum over the functions; null when the language has none, or the deliverable. */
  readonly complexity: {
    readonly functions: number;
    readonly mean: number;
    readonly max: number;
    readonly above_10: number;
    /** `tree` or `lizard`: numbers of the two do not share a table. */
    readonly tool: Quality["tool"]["name"];
  } | null;
  /** Why there is no complexity; null when there is. */
  readonly complexity_reason: string | null;
}

/** Derives what is shown of a deliverable's measured counts. Unrounded. */
export function summarizeQuality(quality: Quality): QualitySummary {
  const { implementation, comment, significant, duplicated } = quality.lines;
  const shared = {
    implementation_lines: implementation,
    comment_share: share(comment, comment + implementation),
    duplicated_share: share(duplicated, significant),
    lint: quality.lint?.warnings ?? null,
  };
  if ("unsupported" in quality.complexity) {
    return { ...shared, complexity: null, complexity_reason: quality.complexity.unsupported };
  }
  const numbers = quality.complexity.functions.map(([, , ccn]) => ccn);
  if (numbers.length === 0) {
    return { ...shared, complexity: null, complexity_reason: "no function found" };
  }
  return {
    ...shared,
    complexity: {
      functions: numbers.length,
      mean: numbers.reduce((sum, ccn) => sum + ccn, 0) / numbers.length,
      max: numbers.reduce((most, ccn) => Math.max(most, ccn), 0),
      above_10: numbers.filter((ccn) => ccn > COMPLEX_ABOVE).length,
      tool: quality.tool.name,
    },
    complexity_reason: null,
  };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
