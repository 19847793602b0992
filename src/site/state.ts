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
  /** The entry whose drawer is open, `run/entry`; null when it is closed. */
  readonly entry: string | null;
}

export const FIRST_STATE: BoardState = {
  selection: FIRST_SELECTION,
  budget: null,
  sorting: null,
  entry: null,
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
    entry: text("entry"),
  };
}

function readSorting(value: string | null): Sorting | null {
  const [, column, direction] = /^([a-z-]{1,40})\.(high|low)$/.exec(value ?? "") ?? [];
  if (column === undefined || (direction !== "high" && direction !== "low")) return null;
  return { column, direction };
}

/** The query of a state, with its question mark; empty for the first one. */
export function writeState({ selection, budget, sorting, entry }: BoardState): string {
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
  say("entry", entry);
  const query = said.toString();
  return query === "" ? "" : `?${query}`;
}
