import type ExcelJS from "exceljs";
import { serialOf } from "../member.ts";
import { INVENTED } from "./abs-cube.ts";

/** One column of a time-series sheet; `values` has one entry per date, null where the series has none. */
export interface Series {
  /** A path such as `Quarterly Index ;  Australia ;  Private ;`. */
  readonly name: string;
  readonly unit: string;
  readonly seriesType: string;
  readonly id: string;
  readonly values: readonly (number | null)[];
}

export interface TimeSeriesWorkbook {
  readonly product: string;
  readonly title: string;
  readonly dataType: string;
  readonly frequency: "Quarter" | "Month";
  readonly collectionMonth: number;
  /** First days of the reference months, ISO. */
  readonly dates: readonly string[];
  readonly sheets: readonly { readonly name: string; readonly series: readonly Series[] }[];
}

/** The row of the first observation; ten header rows stand above it. */
export const FIRST_OBSERVATION_ROW = 11;

const MONTH = "mmm\\-yyyy";
const VALUE = "0.0;\\-0.0;0.0;@";
const ROW_NAMES = [
  "",
  "Unit",
  "Series Type",
  "Data Type",
  "Frequency",
  "Collection Month",
  "Series Start",
  "Series End",
  "No. Obs",
  "Series ID",
];
const INDEX_COLUMNS = [
  "Data Item Description",
  "",
  "",
  "Series Type",
  "Series ID",
  "Series Start",
  "Series End",
  "No. Obs.",
  "Unit",
  "Data Type",
  "Freq.",
  "Collection Month",
];

/** Quarter after quarter (or month after month) from a year and month. */
export function periods(year: number, month: number, count: number, step: 1 | 3): string[] {
  return Array.from({ length: count }, (_, at) => {
    const months = year * 12 + (month - 1) + at * step;
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}-01`;
  });
}

/** An invented series id of the publisher's shape. */
export function seriesId(number: number): string {
  return `X${String(number).padStart(8, "0")}${"ACFJKLRTVWX"[number % 11] ?? "A"}`;
}

interface Extent {
  first: string;
  last: string;
  count: number;
}

function extentOf(series: Series, dates: readonly string[]): Extent {
  const given = dates.filter((_, at) => series.values[at] !== null && series.values[at] !== undefined);
  return { first: given[0] ?? "", last: given.at(-1) ?? "", count: given.length };
}

function writeTitle(sheet: ExcelJS.Worksheet, book: TimeSeriesWorkbook): void {
  sheet.getCell("B2").value = "Time Series Workbook";
  sheet.getCell("B2").font = { name: "Arial", size: 14, bold: true };
  sheet.getCell("B5").value = book.product;
  sheet.mergeCells("B6:L6");
  sheet.getCell("B6").value = book.title;
}

function addIndex(workbook: ExcelJS.Workbook, book: TimeSeriesWorkbook): void {
  const sheet = workbook.addWorksheet("Index");
  writeTitle(sheet, book);
  sheet.getCell("D8").value = "Enquiries";
  INDEX_COLUMNS.forEach((label, at) => {
    if (label) sheet.getCell(10, at + 1).value = label;
    sheet.getCell(10, at + 1).font = { bold: true };
  });
  let row = 12;
  for (const series of book.sheets.flatMap((each) => each.series)) {
    const { first, last, count } = extentOf(series, book.dates);
    const cells: [column: number, value: string | number][] = [
      [1, series.name],
      [4, series.seriesType],
      [5, series.id],
      [6, serialOf(first)],
      [7, serialOf(last)],
      [8, count],
      [9, series.unit],
      [10, book.dataType],
      [11, book.frequency],
      [12, book.collectionMonth],
    ];
    for (const [column, value] of cells) sheet.getCell(row, column).value = value;
    sheet.getCell(row, 6).numFmt = MONTH;
    sheet.getCell(row, 7).numFmt = MONTH;
    row++;
  }
  sheet.getCell(row + 1, 1).value = INVENTED;
  sheet.getColumn(1).width = 60;
}

function addData(
  workbook: ExcelJS.Workbook,
  book: TimeSeriesWorkbook,
  name: string,
  list: readonly Series[],
): void {
  const sheet = workbook.addWorksheet(name);
  ROW_NAMES.forEach((label, at) => {
    if (label) sheet.getCell(at + 1, 1).value = label;
    sheet.getCell(at + 1, 1).font = { name: "Arial", size: 8, bold: true };
  });
  book.dates.forEach((date, at) => {
    const cell = sheet.getCell(FIRST_OBSERVATION_ROW + at, 1);
    cell.value = serialOf(date);
    cell.numFmt = MONTH;
  });
  list.forEach((series, at) => {
    const column = at + 2;
    const { first, last, count } = extentOf(series, book.dates);
    const head = [
      series.name,
      series.unit,
      series.seriesType,
      book.dataType,
      book.frequency,
      book.collectionMonth,
      serialOf(first),
      serialOf(last),
      count,
      series.id,
    ];
    head.forEach((value, row) => {
      const cell = sheet.getCell(row + 1, column);
      cell.value = value;
      cell.alignment = { horizontal: "right", wrapText: row === 0 };
      if (row === 6 || row === 7) cell.numFmt = MONTH;
    });
    series.values.forEach((value, row) => {
      if (value === null) return;
      const cell = sheet.getCell(FIRST_OBSERVATION_ROW + row, column);
      cell.value = value;
      cell.numFmt = VALUE;
    });
    sheet.getColumn(column).width = 14;
  });
  sheet.getColumn(1).width = 14;
  sheet.views = [{ state: "frozen", xSplit: 1, ySplit: 10 }];
}

/**
 * The ABS time-series spreadsheet: an Index sheet, Data sheets with ten header rows and one series a column
 * (dates down the first column), an Enquiries sheet.
 */
export function addTimeSeries(workbook: ExcelJS.Workbook, book: TimeSeriesWorkbook): void {
  addIndex(workbook, book);
  for (const { name, series } of book.sheets) addData(workbook, book, name, series);
  const enquiries = workbook.addWorksheet("Enquiries");
  writeTitle(enquiries, book);
  enquiries.getCell("B10").value = "E N Q U I R I E S";
  enquiries.getCell("B11").value = INVENTED;
}
