import { type Known, known, unknown } from "../../stats/known.ts";

/** That one entry has one verified defect. Ids are unique over runs and tasks. */
export interface DefectPair {
  readonly defect: string;
  readonly entry: string;
}

export interface Recall {
  /** Pairs that the judge reported. */
  readonly found: number;
  /** Pairs in entries that the judge reviewed. */
  readonly of: number;
  /** found ÷ of, 0 … 1. */
  readonly share: Known;
}

const keyOf = ({ defect, entry }: DefectPair): string => JSON.stringify([defect, entry]);

/**
 * Verified defects found: of the (defect, entry) pairs in entries that the judge reviewed, the share that it reported. A
 * defect reported twice counts once. (Methodology, "Verified defects", "Judge recall".)
 * @param pairs every verified defect in every entry that has it
 * @param reviewed the entries that the judge reviewed
 * @param reported the pairs that its valid findings report
 */
export function judgeRecall(
  pairs: readonly DefectPair[],
  reviewed: ReadonlySet<string>,
  reported: readonly DefectPair[],
): Recall {
  const listed = new Set(pairs.filter(({ entry }) => reviewed.has(entry)).map(keyOf));
  const found = new Set(reported.map(keyOf).filter((key) => listed.has(key))).size;
  const share =
    listed.size === 0 ? unknown("no verified defect in what it reviewed") : known(found / listed.size);
  return { found, of: listed.size, share };
}

/** A finding of a candidate judge, held against the list of verified defects. */
export interface TrialFinding {
  readonly entry: string;
  /** The verified defect that it reports; null for findings that nobody verified. */
  readonly defect: string | null;
  readonly false_positive: boolean;
}

export interface Trial extends Recall {
  readonly findings: number;
  readonly false_positives: number;
  /**
   * Of the findings whose truth is known, the share that is true: those that report a verified defect ÷ (those + false
   * positives). Unverified findings count for neither.
   */
  readonly precision: Known;
}

/**
 * One row of the trials table: how many verified defects a candidate judge or effort level finds, and how many false
 * positives it raises. (Methodology, "Verified defects", "Trials".)
 */
export function judgeTrial(
  pairs: readonly DefectPair[],
  reviewed: ReadonlySet<string>,
  findings: readonly TrialFinding[],
): Trial {
  const reported = findings.flatMap(({ entry, defect, false_positive }) =>
    defect === null || false_positive ? [] : [{ entry, defect }],
  );
  const listed = new Set(pairs.map(keyOf));
  const confirmed = reported.filter((pair) => listed.has(keyOf(pair))).length;
  const wrong = findings.filter(({ false_positive }) => false_positive).length;
  return {
    ...judgeRecall(pairs, reviewed, reported),
    findings: findings.length,
    false_positives: wrong,
    precision:
      confirmed + wrong === 0 ? unknown("no finding was verified") : known(confirmed / (confirmed + wrong)),
  };
}
