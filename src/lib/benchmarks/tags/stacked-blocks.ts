import { evidenceOf, saysSomething, type TagPredicate, type ValuesEvidence } from "./evidence.ts";

/**
 * The values of one table on one sheet form at least two runs of rows, one below the other, with one or more rows without
 * values between them, which share at least one column of values.
 */
export const stackedBlocks: TagPredicate = (input) =>
  evidenceOf(input).some(({ values }) => values.some(isStacked));

function isStacked({ selected, rows }: ValuesEvidence): boolean {
  const runOf = new Map<number, number>();
  let run = 0;
  let before = Number.NaN;
  for (const row of [...rows].sort((a, b) => a - b)) {
    if (row !== before + 1) run += 1;
    runOf.set(row, run);
    before = row;
  }
  // A column whose values lie in two runs is shared by both.
  const first = new Map<number, number>();
  for (const cell of selected) {
    const at = runOf.get(cell.row);
    if (at === undefined || !saysSomething(cell)) continue;
    const seen = first.get(cell.column);
    if (seen === undefined) first.set(cell.column, at);
    else if (seen !== at) return true;
  }
  return false;
}
