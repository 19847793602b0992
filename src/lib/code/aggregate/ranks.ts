import { hiddenShare } from "../score/hidden.ts";
import {
  finalSeatValues,
  type RankedEntry,
  type RankRangeOptions,
  type RankRanges,
  rankRanges,
  type SeatValue,
} from "../score/rank-ranges.ts";
import { type DataIndex, isLive, type Result, scopeOf } from "./index-data.ts";
import type { ScoreColumn } from "./selection.ts";
import type { View } from "./view.ts";

/** Who draws with the same seed sees the same ranges of ranks: on the page and in `bench data view`. */
export const RANK_SEED = "assay";

/**
 * How sure each rank of a view is: a range of ranks and groups "not clearly different", of the shown configurations that
 * have a score, in the view's column. Takes far longer than the view, so a page asks for it apart. The same seed gives the
 * same ranges.
 */
export function deriveRanks(index: DataIndex, view: View, options: RankRangeOptions): RankRanges {
  const { selection } = view;
  const shown = new Set(view.rows.filter(({ rank }) => rank !== null).map((row) => row.configuration));
  const entries = scopeOf(index, selection).results.filter(
    ({ entry }) => isLive(entry) && shown.has(entry.configuration),
  );
  return rankRanges(
    entries.flatMap((result) => rankedEntry(result, selection.column)),
    options,
  );
}

function rankedEntry({ entry, run }: Result, column: ScoreColumn): RankedEntry[] {
  if (entry[column] === null) return [];
  const seats = column === "final" ? finalSeats({ entry, run }) : councilSeats({ entry, run });
  return seats.length === 0
    ? []
    : [{ configuration: entry.configuration, task: run.task, lead: run.lead, seats }];
}

type Scored = Pick<Result, "entry" | "run">;

const councilSeats = ({ entry, run }: Scored): SeatValue[] =>
  entry.seats
    .filter(({ judge }) => run.panel.includes(judge))
    .map(({ judge, score }) => ({ judge, value: score }));

function finalSeats({ entry, run }: Scored): SeatValue[] {
  const share = hiddenShare(entry.hidden);
  return share === null ? [] : finalSeatValues(entry.seats, run.panel, share);
}
