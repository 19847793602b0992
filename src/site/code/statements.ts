import { type DataIndex, scopeOf } from "../../lib/code/aggregate/index-data.ts";
import { rowsOf, type View } from "../../lib/code/aggregate/view.ts";
import type { RankRanges } from "../../lib/code/score/rank-ranges.ts";
import { type Caveat, caveatsOf } from "./caveats.ts";
import type { Grounds, Statement } from "./statement.ts";
import { selfPreferenceStatements, strictestStatement } from "./statements-council.ts";
import { cheapestStatement, leaderStatement, valueStatement } from "./statements-scores.ts";
import { fastStatements, leadsStatement, tasksStatement } from "./statements-work.ts";

/** What a selection says, and what to keep in mind about it. */
export interface Statements {
  readonly statements: readonly Statement[];
  readonly caveats: readonly Caveat[];
}

/**
 * The Findings section of a selection: who leads, what is worth its price, which lead, which judge, and how strong each
 * of it is. Of an empty selection there are no statements.
 * @param ranks from `deriveRanks` of the same view
 */
export function deriveStatements(index: DataIndex, view: View, ranks: RankRanges): Statements {
  const scope = scopeOf(index, view.selection);
  const grounds: Grounds = { index, view, ranks, scope, all: rowsOf(scope, view.selection, index) };
  const maybe = [
    leaderStatement(grounds),
    valueStatement(grounds),
    cheapestStatement(grounds),
    leadsStatement(grounds),
    tasksStatement(grounds),
    strictestStatement(grounds),
    ...selfPreferenceStatements(grounds),
    ...fastStatements(grounds),
  ];
  return { statements: maybe.filter((statement) => statement !== null), caveats: caveatsOf(grounds) };
}
