import { mean, sum } from "../../stats/describe.ts";
import { type Known, known, unknown } from "../../stats/known.ts";

/** Points of a finding by its severity. (Methodology, "Slop score".) */
export const SEVERITY_WEIGHTS = { critical: 4, high: 3, medium: 2, low: 1, nit: 0.5 } as const;

/** The categories that say that text or code is untrue or unnecessary. (Methodology, "Council".) */
export const SLOP_CATEGORIES: ReadonlySet<string> = new Set([
  "misleading-docs",
  "dead-code",
  "redundancy",
  "verbosity",
]);

export interface WeighedFinding {
  readonly severity: keyof typeof SEVERITY_WEIGHTS;
  readonly category: string;
  /** Shown to be wrong: stays in the data and counts in no metric. */
  readonly false_positive: boolean;
}

/** Defect points of one seat: the weights of its valid findings of any category, summed. */
export const seatDefectPoints = (findings: readonly WeighedFinding[]): number =>
  sum(
    findings
      .filter(({ false_positive }) => !false_positive)
      .map(({ severity }) => SEVERITY_WEIGHTS[severity]),
  );

/** Slop of one seat: the weights of its valid findings in the slop categories, summed. */
export const seatSlop = (findings: readonly WeighedFinding[]): number =>
  seatDefectPoints(findings.filter(({ category }) => SLOP_CATEGORIES.has(category)));

/**
 * Mean over all seats that reviewed the entry, those outside the panel too; a seat without findings counts as 0. For
 * `seatSlop` the slop score, for `seatDefectPoints` the defect points of the entry. (Methodology, "Slop score".)
 */
export function meanOverSeats(points: readonly number[]): Known {
  const value = mean(points);
  return value === null ? unknown("no seat reviewed the entry") : known(value);
}
