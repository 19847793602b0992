import type { ConformanceMember } from "../member.ts";
import { serialOf } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const SERIES = [
  { name: "Hours worked ;  > Market sector ;", unit: "Hours ('000)", id: "X0000001A" },
  { name: "Hours worked ;  > Non-market sector ;", unit: "Hours ('000)", id: "X0000002B" },
  { name: "Jobs ;  > Market sector ;", unit: "Jobs ('000)", id: "X0000003C" },
  { name: "Jobs ;  > Non-market sector ;", unit: "Jobs ('000)", id: "X0000004D" },
];
const QUARTER_ENDS = ["03", "06", "09", "12"];
const FIRST_YEAR = 2018;

/** Ten header rows, one series a column, dates down the first column, an index sheet beside it. */
export const seriesSheet: ConformanceMember = {
  id: "r2-series-sheet",
  title: "Quarterly hours and jobs by sector, time-series sheet",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "time_series", "unit_rows"],
  task: "Sheet 'Data1': every observation of every series. Outputs in this order: date (ISO), series (row 1, runs of blanks as one blank), unit (row 2), series_id (row 10), value.",
  layout:
    "Follows the ABS time-series spreadsheet: R1 series name, R2 unit, R3 type, … R10 series ID, dates from R11; an Index sheet lists the series.",
  build() {
    const numbers = seededNumbers(202);
    const workbook = newWorkbook();
    const index = workbook.addWorksheet("Index");
    const data = workbook.addWorksheet("Data1");
    const dates: string[] = [];
    for (let year = FIRST_YEAR; year < FIRST_YEAR + 5; year++)
      for (const month of QUARTER_ENDS) dates.push(`${year}-${month}-01`);

    index.getCell("A1").value = "TABLE 21. Hours and jobs by sector (invented)";
    ["Data Item Description", "Unit", "Series ID", "Series Start", "Series End", "No. Obs."].forEach(
      (label, at) => {
        index.getCell(3, at + 1).value = label;
      },
    );
    const labels = [
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
    labels.forEach((label, at) => {
      if (label) data.getCell(at + 1, 1).value = label;
    });
    const first = dates[0] ?? "";
    const last = dates.at(-1) ?? "";
    SERIES.forEach((series, at) => {
      const column = at + 2;
      const head = [
        series.name,
        series.unit,
        "Seasonally Adjusted",
        "FLOW",
        "Quarter",
        3,
        serialOf(first),
        serialOf(last),
        dates.length,
        series.id,
      ];
      head.forEach((value, row) => {
        data.getCell(row + 1, column).value = value;
      });
      data.getCell(7, column).numFmt = "mmm\\-yyyy";
      data.getCell(8, column).numFmt = "mmm\\-yyyy";
      [series.name, series.unit, series.id, serialOf(first), serialOf(last), dates.length].forEach(
        (value, c) => {
          index.getCell(at + 4, c + 1).value = value;
        },
      );
    });
    const rows: (string | number)[][] = [];
    dates.forEach((date, at) => {
      const row = at + 11;
      data.getCell(row, 1).value = serialOf(date);
      data.getCell(row, 1).numFmt = "mmm\\-yyyy";
      SERIES.forEach((series, c) => {
        const value = numbers.decimal(200, 900, 3);
        data.getCell(row, c + 2).value = value;
        data.getCell(row, c + 2).numFmt = "0.0;-0.0;0.0;@";
        rows.push([date, series.name.replace(/\s+/g, " "), series.unit, series.id, value]);
      });
    });
    return { workbook, table: { columns: ["date", "series", "unit", "series_id", "value"], rows } };
  },
};
