import type { Data } from "../derive/data-schema.ts";
import { moveEntries } from "./entries.ts";
import { gainsOf } from "./gains.ts";
import { LISTED, type Movement } from "./movement-schema.ts";
import { byText } from "./moves.ts";
import { type Revised, revisionsOf } from "./revisions.ts";
import {
  type Agreement,
  type JudgeStanding,
  moveAgreement,
  moveJudges,
  moveView,
  type ViewStanding,
} from "./standings.ts";

/** All tasks or one, all leads or one. */
export interface Selection {
  readonly task: string | null;
  readonly lead: string | null;
}

/** What one state of the facts gives for selections of the board. */
export interface Board {
  view(selection: Selection): ViewStanding;
  readonly judges: readonly JudgeStanding[];
  readonly agreement: Agreement | null;
}

export interface MoveInput {
  /** Null where there were no facts. */
  readonly before: Data | null;
  readonly after: Data;
  /** What both give for selections of the board. */
  readonly boards: { readonly before: Board | null; readonly after: Board };
  /** Documents that changed, for their logs of corrections. */
  readonly documents: readonly Revised[];
}

/** Everything that moves between two states of the facts. The same input gives the same movement. */
export function moveData({ before, after, boards, documents }: MoveInput): Movement {
  const entries = moveEntries(before, after);
  const added = gainsOf(before, after);
  return {
    source: { before: before?.source ?? null, after: after.source },
    added,
    revisions: revisionsOf(documents),
    entries,
    views: selectionsOf(entries, added, after).flatMap((selection) => {
      const was = boards.before?.view(selection) ?? null;
      const view = moveView(selection, was, boards.after.view(selection));
      return view === null ? [] : [view];
    }),
    judges: moveJudges(boards.before?.judges ?? [], boards.after.judges),
    agreement: moveAgreement(boards.before?.agreement ?? null, boards.after.agreement),
  };
}

/** Overall; then each task that is touched, over all leads; then each lead that is touched in it. */
function selectionsOf(
  entries: Movement["entries"],
  added: Movement["added"],
  { runs }: Data,
): readonly Selection[] {
  const touched = new Set([...entries.rows.map(({ run }) => run), ...added.runs.rows.map(({ id }) => id)]);
  const cells = runs.filter(({ id }) => touched.has(id)).map(({ task, lead }) => ({ task, lead }));
  const tasks = [...new Set(cells.map(({ task }) => task))].sort(byText);
  const selections: Selection[] = [
    { task: null, lead: null },
    ...tasks.map((task) => ({ task, lead: null })),
    ...tasks.flatMap((task) =>
      [...new Set(cells.filter((cell) => cell.task === task).map(({ lead }) => lead))]
        .sort(byText)
        .map((lead) => ({ task, lead })),
    ),
  ];
  return selections.slice(0, LISTED.views);
}
