import type { Cell, CellType, TextRun } from "../../lib/sheet/model.ts";
import { shownDate } from "./serial-date.ts";
import type { ItemRun, TextItem } from "./strings-part.ts";
import type { CellStyle } from "./styles-part.ts";

/** Where a cell stands, how it looks, and whether a formula made its value. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
  readonly style: CellStyle;
  readonly formula: boolean;
}

/** One literal, so that all cells share a shape; a workbook makes hundreds of thousands of them. */
export function makeCell(
  { row, column, style, formula }: CellPlace,
  type: CellType,
  value: string | number | boolean | null,
  comment: string | null = null,
): Cell {
  return {
    row,
    column,
    type,
    value,
    format: style.format,
    bold: style.bold,
    italic: style.italic,
    superscript: style.superscript,
    indent: style.indent,
    fill: style.fill,
    comment,
    formula,
  };
}

/** A number, which under a date format is the day that it shows. */
export function numberCell(place: CellPlace, value: number, date1904: boolean): Cell {
  const iso = place.style.showsDate(value) ? shownDate(value, date1904) : null;
  return iso === null ? makeCell(place, "number", value) : dateCell(place, iso, value);
}

export const dateCell = (place: CellPlace, iso: string, serial: number): Cell => ({
  ...makeCell(place, "date", iso),
  serial,
});

export function textCell(place: CellPlace, { text, runs }: TextItem): Cell {
  const cell = makeCell(place, "text", text);
  return runs === null ? cell : { ...cell, runs: runs.map((run) => styledRun(run, place.style)) };
}

/** A run without a font of its own has the cell's. */
const styledRun = ({ text, font }: ItemRun, style: CellStyle): TextRun => {
  const { bold, italic, superscript } = font ?? style;
  return { text, bold, italic, superscript };
};
