import { type DataIndex, indexData, scopeOf } from "../code/aggregate/index-data.ts";
import { judgesTable } from "../code/aggregate/judges.ts";
import { FIRST_SELECTION } from "../code/aggregate/selection.ts";
import type { Data } from "../code/derive/data-schema.ts";
import type { JudgeRecall, RecallChange } from "./report-schema.ts";

/** One verified defect; ids are unique within a task. */
export interface DefectKey {
  readonly task: string;
  readonly defect: string;
}

/**
 * How judge recall moves when a defect counts, in exactly the entries that showed it: each judge's verified defects found, of those in what it
 * reviewed, without the defect and with it. Both sides come from the judges' table of the board, so that the numbers are the board's own.
 * (Methodology, "Verified defects", "Judge recall".) Judges whose counts stay as they are, are left out.
 *
 * @param data facts in which the defect is listed
 * @param places the entries that showed it; others of its list do not count
 */
export function recallChange(
  data: Data,
  { task, defect }: DefectKey,
  places: readonly { readonly run: string; readonly entry: string }[],
): RecallChange {
  const shown = new Set(places.map(({ run, entry }) => `${run}/${entry}`));
  const defects = (keep: (place: { run: string; entry: string }) => boolean): Data["defects"] =>
    data.defects.map((each) =>
      each.task === task && each.id === defect ? { ...each, entries: each.entries.filter(keep) } : each,
    );
  const before = indexData({ ...data, defects: defects(() => false) });
  const after = indexData({ ...data, defects: defects(({ run, entry }) => shown.has(`${run}/${entry}`)) });
  return { task: changes(before, after, task), overall: changes(before, after, null) };
}

function changes(before: DataIndex, after: DataIndex, task: string | null): JudgeRecall[] {
  const was = new Map(tableOf(before, task).map((row) => [row.judge, row.recall]));
  return tableOf(after, task).flatMap(({ judge, name, recall }): JudgeRecall[] => {
    const { found = 0, of = 0 } = was.get(judge) ?? {};
    return found === recall.found && of === recall.of
      ? []
      : [{ judge, name, before: { found, of }, after: { found: recall.found, of: recall.of } }];
  });
}

const tableOf = (index: DataIndex, task: string | null) =>
  judgesTable(scopeOf(index, { ...FIRST_SELECTION, task }), index).judges;
