import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { deriveRanks, RANK_SEED } from "../../lib/code/aggregate/ranks.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import { type Affordable, affordable } from "./affordable.ts";
import { deriveStatements, type Statements } from "./statements.ts";

/** What takes longer than the view: how sure the ranks are, who is best for the budget, and what that says. */
export interface Compared {
  readonly ranks: RankRanges;
  readonly found: Affordable;
  /** What the view says, and how strongly. */
  readonly statements: Statements;
}

/** Of a view of `index`; the same every time. */
export function compare(index: DataIndex, view: View, budget: number | null): Compared {
  const ranks = deriveRanks(index, view, { seed: RANK_SEED });
  return { ranks, found: affordable(index, view, budget), statements: deriveStatements(index, view, ranks) };
}
