import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { numberText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import { scoreOf } from "../../lib/code/aggregate/row.ts";
import type { ScoreColumn } from "../../lib/code/aggregate/selection.ts";
import type { Affordable } from "./affordable.ts";
import { Name, PlainName } from "./names.tsx";

interface AnswerProps {
  readonly index: DataIndex;
  readonly column: ScoreColumn;
  readonly found: Affordable;
}

/** Rivals named in the sentence; the table shows them all. */
const MOST_NAMED = 4;

/** In a sentence or two: who is best for the budget, and whether that is clear. */
export function Answer({ index, column, found }: AnswerProps): JSX.Element {
  const { budget, best, rows, unknown } = found;
  const within = budget === null ? "At any cost" : `For at most ${usdText(budget)} a run`;
  if (best === null)
    return (
      <p class="answer">
        {within}, nothing has a score{unknown > 0 ? ` (of ${unknown} the cost is unknown)` : ""}.
      </p>
    );
  return (
    <p class="answer">
      {within}, the best is{" "}
      <strong>
        <Name index={index} configuration={best.configuration} />
      </strong>
      : {column} score {numberText(scoreOf(best, column))} at {usdText(best.comparable_cost)} a run.{" "}
      {clarity(found, index)}
      {budget === null
        ? ""
        : ` ${rows.length} ${rows.length === 1 ? "configuration is" : "configurations are"} within it.`}
      {budget === null || unknown === 0 ? "" : ` Of ${unknown} more the cost is unknown.`}
    </p>
  );
}

function clarity({ comparable, rivals, rows }: Affordable, index: DataIndex): ComponentChildren {
  if (rows.length < 2) return "There is nothing to compare it with.";
  if (!comparable) return "Whether it is clearly better, these data cannot tell.";
  if (rivals.length === 0) return "It is clearly better than every other.";
  const named = rivals.slice(0, MOST_NAMED);
  return (
    <>
      It is <strong>not clearly different</strong> from{" "}
      {named.map((configuration, place) => (
        <>
          {place === 0 ? "" : place === named.length - 1 && rivals.length === named.length ? " and " : ", "}
          <PlainName index={index} configuration={configuration} />
        </>
      ))}
      {rivals.length > named.length ? ` and ${rivals.length - named.length} more` : ""}.
    </>
  );
}
