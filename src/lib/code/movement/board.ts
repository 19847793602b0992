import { type DataIndex, indexData } from "../aggregate/index-data.ts";
import type { JudgeRow } from "../aggregate/judges.ts";
import { deriveView, type View } from "../aggregate/view.ts";
import type { Data } from "../derive/data-schema.ts";
import type { Board, Selection } from "./move.ts";
import type { JudgeStanding, ViewStanding } from "./standings.ts";

/** What the page shows of one state of the facts, as far as movements compare it: the very views that the page is made of. */
export function boardOf(data: Data): Board {
  const index = indexData(data);
  const overall = viewOf(index, { task: null, lead: null });
  const { single, average } = overall.judges.icc;
  return {
    view: (selection) =>
      standingOf(selection.task === null && selection.lead === null ? overall : viewOf(index, selection)),
    judges: overall.judges.judges.map(judgeStanding),
    agreement: { single: single.value, average: average.value },
  };
}

/** Every effort level has a place of its own: nothing that moves hides behind a better one of the same model. */
const viewOf = (index: DataIndex, { task, lead }: Selection): View =>
  deriveView(index, { task, lead, efforts: "all", replicate: null, column: "final" });

const standingOf = ({ rows, picks, leads }: View): ViewStanding => ({
  ranked: rows.flatMap(({ configuration, rank, final }) =>
    rank === null || final.value === null ? [] : [{ configuration, rank, score: final.value }],
  ),
  picks: picks.picks.map(({ configuration, value }) => ({ configuration, value })),
  leads: (leads?.leads ?? []).map(({ lead, median }) => ({ lead, median })),
});

const judgeStanding = ({ judge, n, mean, offset, r, recall }: JudgeRow): JudgeStanding => ({
  judge,
  scored: n,
  mean,
  offset: offset.value,
  r: r.value,
  recall: recall.share.value,
});
