import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { deriveRanks, RANK_SEED } from "../../lib/code/aggregate/ranks.ts";
import { scoreOf } from "../../lib/code/aggregate/row.ts";
import type { RankedRow } from "../../lib/code/aggregate/shown.ts";
import { deriveView, type View } from "../../lib/code/aggregate/view.ts";

/** Who is best for a budget, and whether that is clear. */
export interface Affordable {
  /** USD a run; null for any. */
  readonly budget: number | null;
  /** With a score and a comparable cost within the budget, at every effort level, the best first. */
  readonly rows: readonly RankedRow[];
  readonly best: RankedRow | null;
  /** Of the others, those not clearly different from the best, in order. */
  readonly rivals: readonly string[];
  /** False where the data cannot tell anybody apart: one judge, say. */
  readonly comparable: boolean;
  /** With a score, and left out because their cost is unknown. */
  readonly unknown: number;
}

/**
 * Who is best for at most so much a run. A cheaper effort level of a model may fit where its best one does not, so every
 * level takes part, whatever the view shows.
 */
export function affordable(index: DataIndex, { selection }: View, budget: number | null): Affordable {
  const all = deriveView(index, { ...selection, efforts: "all" });
  const scored = all.rows.filter((row) => scoreOf(row, selection.column) !== null);
  const rows =
    budget === null
      ? scored
      : scored.filter(({ comparable_cost }) => comparable_cost !== null && comparable_cost <= budget);
  const { ranks } = deriveRanks(index, { ...all, rows }, { seed: RANK_SEED });
  const [best] = rows;
  const group = ranks.find(({ configuration }) => configuration === best?.configuration)?.group;
  const comparable = ranks.some(({ range }) => range !== null);
  return {
    budget,
    rows,
    best: best ?? null,
    rivals: comparable
      ? ranks
          .filter((rank) => rank.group === group && rank.configuration !== best?.configuration)
          .map(({ configuration }) => configuration)
      : [],
    comparable,
    unknown: scored.filter(({ comparable_cost }) => comparable_cost === null).length,
  };
}
