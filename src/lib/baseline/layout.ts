import type { ListedCell } from "./listed-cell.ts";
import type { ListedSheet } from "./listing-parser.ts";

/**
 * The classic view of a statistical table: a block of numbers, header rows above it, label columns at its left, and
 * headings that stand alone in a row between or above the rows they govern.
 */

/** Rows that share their header rows. Row and column numbers are the sheet's. */
export interface Block {
  readonly dataRows: readonly number[];
  /** Rows above with something over the value columns, top to bottom. */
  readonly headerRows: readonly number[];
  /** Cells that stand alone in their row and govern the rows below. */
  readonly headings: readonly { readonly row: number; readonly column: number }[];
}

export interface Layout {
  readonly sheet: ListedSheet;
  readonly valueColumns: readonly number[];
  readonly labelColumns: readonly number[];
  readonly blocks: readonly Block[];
}

/** Texts that stand where a number could not be given. */
const SYMBOL = /^(?:n\.? ?p\.?|n\.? ?a\.?|n\.? ?y\.? ?a\.?|nil|\.\.+|[-–—]+|\*+|\^)$/i;
const YEAR_TEXT = /^(?:FY ?)?(?:19|20)\d\d(?: ?[-–/] ?\d{2,4})?(?: ?\([a-z]+\))?$/;

export const isSymbol = (cell: ListedCell): boolean => cell.kind === "text" && SYMBOL.test(cell.text.trim());

const isYearNumber = (cell: ListedCell): boolean =>
  cell.number !== undefined && Number.isInteger(cell.number) && cell.number >= 1900 && cell.number <= 2100;

/** A year as number or text (`2022`, `2022-23`). */
export const isYear = (cell: ListedCell): boolean =>
  isYearNumber(cell) || (cell.kind === "text" && YEAR_TEXT.test(cell.text.trim()));

const filled = (row: ReadonlyMap<number, ListedCell> | undefined): [number, ListedCell][] =>
  [...(row ?? [])].filter(([, cell]) => cell.kind !== "blank" && cell.text.trim() !== "");

const numbersOf = (row: ReadonlyMap<number, ListedCell> | undefined): [number, ListedCell][] =>
  filled(row).filter(([, cell]) => cell.kind === "number");

/** Finds the table of a sheet, or null when it holds no block of numbers. */
export function findLayout(sheet: ListedSheet): Layout | null {
  const rows = [...sheet.rows.keys()].sort((a, b) => a - b);
  const seriesIds = rows.find((row) => filled(sheet.rows.get(row)).some(([, cell]) => isSeriesId(cell)));
  const numeric = rows.filter((row) => {
    const numbers = numbersOf(sheet.rows.get(row));
    if (numbers.length === 0 || (seriesIds !== undefined && row <= seriesIds)) return false;
    // A row of years alone is a header row, not data.
    return !(numbers.length > 1 && numbers.every(([, cell]) => isYearNumber(cell)));
  });
  const supported = supportedColumns(sheet, numeric);
  if (supported.length === 0) return null;
  const valueColumns = withoutLabelNumbers(sheet, numeric, supported);
  const [firstValue = 1] = valueColumns;
  const isValueColumn = new Set(valueColumns);
  const holdsValues = (row: number): boolean =>
    filled(sheet.rows.get(row)).some(
      ([column, cell]) => isValueColumn.has(column) && (cell.kind === "number" || isSymbol(cell)),
    );
  const dataRows = rows.filter(
    (row) =>
      (numeric.includes(row) || !hasNumbers(sheet, row)) &&
      (seriesIds === undefined || row > seriesIds) &&
      holdsValues(row),
  );
  const blocks = splitBlocks(sheet, rows, dataRows, isValueColumn, firstValue);
  if (blocks.length === 0) return null;
  const labelColumns = [
    ...new Set(dataRows.flatMap((row) => filled(sheet.rows.get(row)).map(([column]) => column))),
  ]
    .filter((column) => column < firstValue)
    .sort((a, b) => a - b);
  return { sheet, valueColumns, labelColumns, blocks };
}

const isSeriesId = (cell: ListedCell): boolean =>
  cell.kind === "text" && /^series id$/i.test(cell.text.trim());

const hasNumbers = (sheet: ListedSheet, row: number): boolean => numbersOf(sheet.rows.get(row)).length > 0;

/**
 * Columns with values in several rows, at least one of them a number; a single value makes a column only in a table
 * that has no more.
 */
function supportedColumns(sheet: ListedSheet, numeric: readonly number[]): number[] {
  const counts = new Map<number, { values: number; numbers: number }>();
  for (const row of numeric)
    for (const [column, cell] of filled(sheet.rows.get(row))) {
      const isNumber = cell.kind === "number";
      if (!isNumber && !isSymbol(cell)) continue;
      const count = counts.get(column) ?? { values: 0, numbers: 0 };
      counts.set(column, { values: count.values + 1, numbers: count.numbers + (isNumber ? 1 : 0) });
    }
  const most = Math.max(0, ...[...counts.values()].map(({ values }) => values));
  return [...counts]
    .filter(([, { values, numbers }]) => numbers > 0 && values >= Math.min(2, most))
    .map(([column]) => column)
    .sort((a, b) => a - b);
}

/** Leading columns that hold years (or other whole-number labels with text at neither side) are labels, not values. */
function withoutLabelNumbers(
  sheet: ListedSheet,
  numeric: readonly number[],
  columns: readonly number[],
): readonly number[] {
  const areYears = (column: number): boolean =>
    numeric.every((row) => {
      const cell = sheet.rows.get(row)?.get(column);
      return cell === undefined || cell.kind !== "number" || isYearNumber(cell);
    });
  let first = 0;
  while (first < columns.length - 1 && areYears(columns[first] ?? 0)) first++;
  return columns.slice(first);
}

function splitBlocks(
  sheet: ListedSheet,
  rows: readonly number[],
  dataRows: readonly number[],
  isValueColumn: ReadonlySet<number>,
  firstValue: number,
): Block[] {
  const isData = new Set(dataRows);
  const over = (row: number): number =>
    filled(sheet.rows.get(row)).filter(([column]) => isValueColumn.has(column)).length;
  const isHeader = (row: number): boolean => {
    const cells = filled(sheet.rows.get(row));
    return over(row) >= 2 || (over(row) === 1 && (isValueColumn.size === 1 || cells.length > 1));
  };
  const blocks: { dataRows: number[]; headerRows: number[]; headings: Block["headings"][number][] }[] = [];
  let between: number[] = [];
  for (const row of rows) {
    if (!isData.has(row)) {
      between.push(row);
      continue;
    }
    const current = blocks.at(-1);
    if (current === undefined || between.some(isHeader)) {
      blocks.push({ dataRows: [row], ...aboveBlock(sheet, between, isHeader, over, firstValue) });
    } else {
      current.dataRows.push(row);
      current.headings.push(...between.flatMap((each) => loneCell(sheet, each)));
    }
    between = [];
  }
  return blocks;
}

/** Header rows and headings above a block's first row: from the bottom up, until a row says nothing about its columns. */
function aboveBlock(
  sheet: ListedSheet,
  above: readonly number[],
  isHeader: (row: number) => boolean,
  over: (row: number) => number,
  firstValue: number,
): Pick<Block, "headerRows"> & { headerRows: number[]; headings: Block["headings"][number][] } {
  const headerRows: number[] = [];
  const headings: Block["headings"][number][] = [];
  for (const row of [...above].reverse()) {
    const merged = sheet.merges.some(
      (range) => range.top === row && range.left >= firstValue && range.right > range.left,
    );
    if (isHeader(row) || (over(row) === 1 && merged)) headerRows.unshift(row);
    else if (headerRows.length === 0) headings.unshift(...loneCell(sheet, row));
    else if (over(row) === 0) break;
    else headerRows.unshift(row);
  }
  // Without header rows, what stands above is a title.
  return { headerRows, headings: headerRows.length === 0 ? [] : headings };
}

function loneCell(sheet: ListedSheet, row: number): { row: number; column: number }[] {
  const cells = filled(sheet.rows.get(row));
  const [cell] = cells;
  return cells.length === 1 && cell !== undefined && cell[1].kind === "text"
    ? [{ row, column: cell[0] }]
    : [];
}
