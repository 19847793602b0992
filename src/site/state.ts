import {
  EFFORT_VIEWS,
  type EffortView,
  FIRST_SELECTION,
  SCORE_COLUMNS,
  type ScoreColumn,
  type Selection,
} from "../lib/code/aggregate/selection.ts";
import type { Sorting } from "./ui/table.tsx";

/** What the code board shows, and what its address says: every view has one, so that it can be linked to. */
export interface BoardState {
  readonly selection: Selection;
  /** USD a run: the ranking says who is best for it. Null for any cost. */
  readonly budget: number | null;
  /** Order of the ranking table; null for by rank. */
  readonly sorting: Sorting | null;
  /** What lies open over the board; null when nothing does. */
  readonly panel: Panel | null;
}

/** An entry, or the runs behind a configuration (in one task or from one lead, where a cell of a matrix was opened). */
export type Panel =
  | { readonly kind: "entry"; readonly run: string; readonly entry: string }
  | { readonly kind: "runs"; readonly configuration: string; readonly within: string | null };

export const FIRST_STATE: BoardState = {
  selection: FIRST_SELECTION,
  budget: null,
  sorting: null,
  panel: null,
};

const MOST_CHARACTERS = 300;

/**
 * The state that an address names. What cannot be read stands for nothing being said: an address is typed by people and
 * cut by programs.
 * @param query with or without its question mark
 */
export function readState(query: string): BoardState {
  const said = new URLSearchParams(query);
  const text = (name: string): string | null => {
    const value = said.get(name);
    return value === null || value === "" || value.length > MOST_CHARACTERS ? null : value;
  };
  const run = Number(text("run"));
  const budget = Number(text("budget"));
  return {
    selection: {
      lead: text("lead"),
      task: text("task"),
      efforts:
        EFFORT_VIEWS.find((view): view is EffortView => view === text("show")) ?? FIRST_SELECTION.efforts,
      replicate: Number.isSafeInteger(run) && run > 0 ? run : null,
      column:
        SCORE_COLUMNS.find((column): column is ScoreColumn => column === text("by")) ??
        FIRST_SELECTION.column,
    },
    budget: Number.isFinite(budget) && budget > 0 ? budget : null,
    sorting: readSorting(text("sort")),
    panel: readPanel(text("entry"), text("of"), text("in")),
  };
}

function readSorting(value: string | null): Sorting | null {
  const [, column, direction] = /^([a-z-]{1,40})\.(high|low)$/.exec(value ?? "") ?? [];
  if (column === undefined || (direction !== "high" && direction !== "low")) return null;
  return { column, direction };
}

function readPanel(entry: string | null, of: string | null, within: string | null): Panel | null {
  const slash = entry?.lastIndexOf("/") ?? -1;
  if (entry !== null && slash > 0 && slash < entry.length - 1)
    return { kind: "entry", run: entry.slice(0, slash), entry: entry.slice(slash + 1) };
  return of === null ? null : { kind: "runs", configuration: of, within };
}

/** The query of a state, with its question mark; empty for the first one. */
export function writeState({ selection, budget, sorting, panel }: BoardState): string {
  const said = new URLSearchParams();
  const say = (name: string, value: string | number | null, first: string | number | null = null): void => {
    if (value !== null && value !== first) said.set(name, String(value));
  };
  say("task", selection.task);
  say("lead", selection.lead);
  say("show", selection.efforts, FIRST_SELECTION.efforts);
  say("run", selection.replicate);
  say("by", selection.column, FIRST_SELECTION.column);
  say("budget", budget);
  say("sort", sorting === null ? null : `${sorting.column}.${sorting.direction}`);
  if (panel?.kind === "entry") say("entry", `${panel.run}/${panel.entry}`);
  if (panel?.kind === "runs") {
    say("of", panel.configuration);
    say("in", panel.within);
  }
  const query = said.toString();
  return query === "" ? "" : `?${query}`;
}
