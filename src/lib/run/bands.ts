import type { Cell, Sheet } from "../sheet/model.ts";
import { isListed } from "./listing.ts";

/**
 * Splits a sheet into bands for the structural digest: rows that follow each other and hold numbers of like style in
 * the same columns, as the rows of a table do. Labels and symbols do not decide: they are told apart later.
 */
export interface Band {
  /** Consecutive row numbers, ascending. */
  readonly rows: readonly number[];
  /** Columns that hold numbers, ascending; empty for rows without numbers. */
  readonly columns: ReadonlySet<number>;
}

/** Number cells of a row that decide about its band. */
interface RowShape {
  readonly row: number;
  readonly styles: ReadonlyMap<number, string>;
  /** A row of years heads columns: it never joins a row of values. */
  readonly isYears: boolean;
  /** Columns with anything in them, for rows without numbers. */
  readonly filled: string;
}

/** `likeOf` gives what two numbers of one column must share to stand in one band. */
export function splitBands(sheet: Sheet, likeOf: (cell: Cell) => string): Band[] {
  const bands: { rows: number[]; styles: Map<number, string>; shape: RowShape }[] = [];
  for (const row of sheet.rowNumbers) {
    const cells = (sheet.rows.get(row) ?? []).filter(isListed);
    if (cells.length === 0) continue;
    const shape = shapeOf(row, cells, likeOf);
    const current = bands.at(-1);
    if (current !== undefined && current.rows.at(-1) === row - 1 && joins(current, shape)) {
      current.rows.push(row);
      for (const [column, style] of shape.styles) current.styles.set(column, style);
    } else bands.push({ rows: [row], styles: new Map(shape.styles), shape });
  }
  return bands.map(({ rows, styles }) => ({
    rows,
    columns: new Set([...styles.keys()].sort((a, b) => a - b)),
  }));
}

function shapeOf(row: number, cells: readonly Cell[], likeOf: (cell: Cell) => string): RowShape {
  const numbers = cells.filter(({ type }) => type === "number");
  return {
    row,
    styles: new Map(numbers.map((cell) => [cell.column, likeOf(cell)])),
    isYears: numbers.length >= 3 && numbers.every(({ value }) => isYear(value)),
    filled: numbers.length > 0 ? "" : cells.map(({ column, type }) => `${column}${type[0]}`).join(" "),
  };
}

/** A whole number that can be a year of our time. */
export const isYear = (value: Cell["value"]): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1900 && value <= 2100;

/** No number differs in style from its column in the band, and most columns have their number. */
function joins(
  band: { readonly styles: ReadonlyMap<number, string>; readonly shape: RowShape },
  row: RowShape,
): boolean {
  if (row.styles.size === 0) return band.styles.size === 0 && band.shape.filled === row.filled;
  if (band.shape.isYears !== row.isYears) return false;
  let shared = 0;
  for (const [column, style] of row.styles) {
    const known = band.styles.get(column);
    if (known === undefined) continue;
    if (known !== style) return false;
    shared++;
  }
  return shared * 2 >= Math.max(row.styles.size, band.styles.size);
}
