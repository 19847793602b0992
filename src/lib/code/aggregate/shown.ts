import { bestPer } from "../score/best.ts";
import { byText, inRankOrder, ranksOf } from "../score/order.ts";
import { type Row, scoreOf } from "./row.ts";
import type { EffortView, ScoreColumn } from "./selection.ts";

/** A row with its place in the view. */
export interface RankedRow extends Row {
  /** From 1; equal scores share the better one. Null without a score. */
  readonly rank: number | null;
}

/** What is kept once of each: the model, the lab, or every configuration. */
export const keyOfRow =
  (efforts: EffortView): ((row: Row) => string) =>
  ({ configuration, model, vendor }) =>
    efforts === "best-per-model" ? model : efforts === "best-per-lab" ? vendor : configuration;

/**
 * The rows that a view shows, in order of rank: of each model or lab the effort level with the highest score of the column
 * (ties to the cheaper, then by configuration), or all. What has no score comes after them, by configuration; a model or
 * lab without any score is there with its first one, so that nobody vanishes. (Methodology, "Aggregation on the site".)
 */
export function shownRows(rows: readonly Row[], efforts: EffortView, column: ScoreColumn): RankedRow[] {
  const keyOf = keyOfRow(efforts);
  const ranked = rows.map((row) => ({ configuration: row.configuration, cost: row.comparable_cost, row }));
  const scored = bestPer(
    ranked,
    ({ row }) => keyOf(row),
    ({ row }) => scoreOf(row, column),
  ).map(({ row }) => row);
  const ranks = ranksOf(scored.map((row) => scoreOf(row, column) ?? 0));
  const seen = new Set(scored.map(keyOf));
  const unscored = rows
    .filter((row) => scoreOf(row, column) === null)
    .toSorted((a, b) => byText(a.configuration, b.configuration))
    .filter((row) => {
      const key = keyOf(row);
      return !seen.has(key) && seen.add(key);
    });
  return [
    ...scored.map((row, index) => ({ ...row, rank: ranks[index] ?? null })),
    ...unscored.map((row) => ({ ...row, rank: null })),
  ];
}

/** Rows by a number of theirs, ties by cost and configuration; rows without it are left out. */
export const rowsBy = <T extends Row>(
  rows: readonly T[],
  numberOf: (row: T) => number | null,
  direction: "high-first" | "low-first",
): T[] =>
  inRankOrder(
    rows.map((row) => ({ configuration: row.configuration, cost: row.comparable_cost, row })),
    ({ row }) => {
      const number = numberOf(row);
      return number === null ? null : direction === "high-first" ? number : -number;
    },
  ).map(({ row }) => row);
