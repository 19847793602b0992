import { contains } from "./address.ts";
import type { Cell, Range, Sheet, Workbook } from "./model.ts";

/** Searching a sheet without ever touching cells it does not hold. */

/** Index of the first element for which `reaches` holds, in a list where it holds from some element on. */
export function firstIndex<T>(list: readonly T[], reaches: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reaches(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function cellAt(sheet: Sheet, row: number, column: number): Cell | undefined {
  const cells = sheet.rows.get(row);
  if (cells === undefined) return undefined;
  const found = cells[firstIndex(cells, (cell) => cell.column >= column)];
  return found?.column === column ? found : undefined;
}

/** Numbers of the rows that hold cells, from `top` to `bottom`. */
export function* rowsBetween(sheet: Sheet, top: number, bottom: number): Generator<number> {
  const { rowNumbers } = sheet;
  for (let index = firstIndex(rowNumbers, (row) => row >= top); index < rowNumbers.length; index += 1) {
    const row = rowNumbers[index] as number;
    if (row > bottom) return;
    yield row;
  }
}

/** Existing cells of one row, from `left` to `right`, ascending. */
export function cellsBetween(sheet: Sheet, row: number, left: number, right: number): readonly Cell[] {
  const cells = sheet.rows.get(row) ?? [];
  const from = firstIndex(cells, (cell) => cell.column >= left);
  const to = firstIndex(cells, (cell) => cell.column > right);
  return from === 0 && to === cells.length ? cells : cells.slice(from, to);
}

/** What an address holds that the file does not mention. */
export const absentCell = (row: number, column: number): Cell => ({
  row,
  column,
  type: "blank",
  value: null,
  format: "General",
  bold: false,
  italic: false,
  superscript: false,
  indent: 0,
  fill: null,
  comment: null,
  formula: false,
});

export function isHidden(sheet: Sheet, row: number, column: number): boolean {
  return (
    sheet.hiddenRows.has(row) ||
    sheet.hiddenColumns.some((span) => column >= span.first && column <= span.last)
  );
}

export const sheetNamed = (workbook: Workbook, name: string): Sheet | undefined =>
  workbook.sheets.find((sheet) => sheet.name === name);

export const inAny = (ranges: readonly Range[], row: number, column: number): boolean =>
  ranges.some((range) => contains(range, row, column));
