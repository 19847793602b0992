import type ExcelJS from "exceljs";

/** What stands above and below a data cube's table. */
export interface CubeHead {
  /** File code and product, as the publisher writes them in row 2. */
  readonly product: string;
  readonly released: string;
  readonly title: string;
  /** Columns the title rows span. */
  readonly columns: number;
}

/** Said in the grid itself, so that nobody takes a conformance workbook for a publication. */
export const INVENTED = "Re-created layout, invented values: not a publication of any statistical office";

/** Rows 1 to 4 of an ABS data cube sheet: who, product, release, title. */
export function writeCubeHead(sheet: ExcelJS.Worksheet, head: CubeHead): void {
  const lines = [INVENTED, head.product, head.released, head.title];
  lines.forEach((text, at) => {
    const cell = sheet.getCell(at + 1, 1);
    cell.value = text;
    cell.font = { name: "Arial", size: at === 0 ? 14 : 10, bold: at === 1 || at === 3 };
  });
  sheet.getColumn(1).width = 52;
  for (let column = 2; column <= head.columns; column++) sheet.getColumn(column).width = 12;
}

/** The Contents sheet that opens an ABS data cube. */
export function addCubeContents(
  workbook: ExcelJS.Workbook,
  head: Pick<CubeHead, "product" | "released">,
  tables: readonly (readonly [number: string | number, title: string])[],
): void {
  const sheet = workbook.addWorksheet("Contents");
  sheet.getCell("A1").value = INVENTED;
  sheet.getCell("A2").value = head.product;
  sheet.getCell("A3").value = head.released;
  sheet.getCell("B5").value = "Contents";
  sheet.getCell("B6").value = "Tables";
  tables.forEach(([number, title], at) => {
    sheet.getCell(at + 7, 2).value = number;
    sheet.getCell(at + 7, 3).value = title;
  });
  sheet.getColumn(3).width = 99;
}

/** Texts one below the other in column A, from `row`. */
export function writeNotes(sheet: ExcelJS.Worksheet, row: number, notes: readonly string[]): void {
  notes.forEach((note, at) => {
    sheet.getCell(row + at, 1).value = note;
    sheet.getCell(row + at, 1).font = { name: "Arial", size: 8 };
  });
}

/** A header cell: bold, wrapped, centred unless told otherwise. */
export function writeHeader(
  sheet: ExcelJS.Worksheet,
  row: number,
  column: number,
  value: string | number,
  horizontal: "center" | "right" | "left" = "center",
): void {
  const cell = sheet.getCell(row, column);
  cell.value = value;
  cell.font = { name: "Arial", size: 8, bold: true };
  cell.alignment = { horizontal, wrapText: true };
}

/** A merged header over the columns `first` to `last` of one row. */
export function writeBand(
  sheet: ExcelJS.Worksheet,
  row: number,
  first: number,
  last: number,
  value: string | number,
): void {
  sheet.mergeCells(row, first, row, last);
  writeHeader(sheet, row, first, value);
}

/** A value with its format, or a formatted empty cell, as a publisher leaves one where nothing is given. */
export function writeValue(
  sheet: ExcelJS.Worksheet,
  row: number,
  column: number,
  value: number | string | null,
  format: string,
): ExcelJS.Cell {
  const cell = sheet.getCell(row, column);
  if (value !== null) cell.value = value;
  cell.numFmt = format;
  cell.alignment = { horizontal: "right" };
  return cell;
}
