import type { Cell, Sheet } from "../../sheet/model.ts";
import { cellsBetween } from "../../sheet/sheet-index.ts";
import {
  cellsIn,
  evidenceOf,
  saysSomething,
  type TableEvidence,
  type TagPredicate,
  type ValuesEvidence,
} from "./evidence.ts";

/**
 * A text that is neither a selected value nor a header stands
 * - inside the ranges of the values (what `except` cuts out of them included), in a row or column that holds values; or
 * - in the row directly below the lowest row of values, between the first column of row labels and the last column of
 *   values, when that row holds no numbers in the columns of values (a row of labels and numbers that the recipe leaves
 *   out, such as a total, is data and no note).
 * Symbols that the recipe lists (`np`) and headings that it uses as headers are no notes.
 */
export const footnoteContamination: TagPredicate = (input) => {
  const tables = evidenceOf(input);
  const read = new Set<string>();
  const key = (sheet: string, row: number, column: number): string => `${sheet}!${row},${column}`;
  for (const { values, outputs } of tables) {
    for (const { sheet, selected } of values)
      for (const cell of selected) read.add(key(sheet.name, cell.row, cell.column));
    for (const { uses } of outputs)
      for (const { source } of uses) read.add(key(source.sheet, source.row, source.column));
  }
  return tables.some((table) => {
    const symbols = new Set(table.rule.values.symbols?.texts);
    const isNote = (sheet: Sheet, cell: Cell): boolean =>
      cell.type === "text" &&
      saysSomething(cell) &&
      !symbols.has(String(cell.value).trim()) &&
      !read.has(key(sheet.name, cell.row, cell.column));
    return table.values.some((values) => isInside(values, isNote) || isBelow(table, values, isNote));
  });
};

type NoteTest = (sheet: Sheet, cell: Cell) => boolean;

function isInside({ sheet, ranges, rows, columns }: ValuesEvidence, isNote: NoteTest): boolean {
  for (const range of ranges)
    for (const cell of cellsIn(sheet, range))
      if ((rows.has(cell.row) || columns.has(cell.column)) && isNote(sheet, cell)) return true;
  return false;
}

function isBelow(
  { outputs }: TableEvidence,
  { sheet, rows, columns }: ValuesEvidence,
  isNote: NoteTest,
): boolean {
  if (rows.size === 0) return false;
  const labels = outputs
    .filter(({ axis }) => axis === "row")
    .flatMap(({ uses }) => uses.map(({ source }) => source))
    .filter((source) => source.sheet === sheet.name)
    .map(({ column }) => column);
  const below = [...rows].reduce((a, b) => Math.max(a, b)) + 1;
  const left = [...labels, ...columns].reduce((a, b) => Math.min(a, b));
  const right = [...columns].reduce((a, b) => Math.max(a, b));
  const cells = cellsBetween(sheet, below, left, right);
  const isData = cells.some(({ type, column }) => type === "number" && columns.has(column));
  return !isData && cells.some((cell) => isNote(sheet, cell));
}
