import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { deriveRanks, RANK_SEED } from "../../lib/code/aggregate/ranks.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import { type Affordable, affordable } from "./affordable.ts";

/** What takes longer than the view: how sure the ranks are, and who is best for the budget. */
export interface Compared {
  readonly ranks: RankRanges;
  readonly found: Affordable;
}

/** Of a view of `index`; the same every time. */
export const compare = (index: DataIndex, view: View, budget: number | null): Compared => ({
  ranks: deriveRanks(index, view, { seed: RANK_SEED }),
  found: affordable(index, view, budget),
});
