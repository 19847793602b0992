import type { ConformanceMember } from "../member.ts";
import { serialOf } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const SHEETS = [
  {
    name: "Data1",
    series: ["New South Wales ;  Mining ;", "New South Wales ;  Retail ;", "Victoria ;  Mining ;"],
  },
  { name: "Data2", series: ["Victoria ;  Retail ;", "Queensland ;  Mining ;", "Queensland ;  Retail ;"] },
  { name: "Data3", series: ["Tasmania ;  Retail ;"] },
];
const DATES = ["2023-02-01", "2023-05-01", "2023-08-01", "2023-11-01"];

/** One table cut into three sheets by column count; each sheet repeats the header rows and the dates. */
export const sisterSheets: ConformanceMember = {
  id: "r9-sister-sheets",
  title: "Employed persons by state and industry, one table over three sheets",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "time_series"],
  task: "Sheets 'Data1', 'Data2' and 'Data3' hold one table. Outputs in this order: date (ISO), series (row 1, runs of blanks as one blank), series_id (row 3), employed; all rows of Data1 first, then Data2, then Data3.",
  layout:
    "Follows ABS 6291.0.55.001, table 05: Data1 to Data3 continue one table, with their own copy of the header rows.",
  build() {
    const numbers = seededNumbers(909);
    const workbook = newWorkbook();
    const rows: (string | number)[][] = [];
    let serial = 1;
    for (const { name, series } of SHEETS) {
      const sheet = workbook.addWorksheet(name);
      sheet.getCell("A2").value = "Unit";
      sheet.getCell("A3").value = "Series ID";
      const ids = series.map(() => `X9${String(serial++).padStart(6, "0")}K`);
      series.forEach((label, c) => {
        sheet.getCell(1, c + 2).value = label;
        sheet.getCell(2, c + 2).value = "000";
        sheet.getCell(3, c + 2).value = ids[c] ?? "";
      });
      DATES.forEach((date, r) => {
        sheet.getCell(r + 4, 1).value = serialOf(date);
        sheet.getCell(r + 4, 1).numFmt = "mmm\\-yyyy";
        series.forEach((label, c) => {
          const employed = numbers.decimal(1, 400, 4);
          sheet.getCell(r + 4, c + 2).value = employed;
          rows.push([date, label.replace(/\s+/g, " "), ids[c] ?? "", employed]);
        });
      });
    }
    return { workbook, table: { columns: ["date", "series", "series_id", "employed"], rows } };
  },
};
