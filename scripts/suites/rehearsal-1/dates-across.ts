import type { ConformanceMember } from "../member.ts";
import { serialOf } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const WEEKS = ["2024-08-17", "2024-08-24", "2024-08-31", "2024-09-07", "2024-09-14"];
const ROWS: [division: string, subdivision: string][] = [
  ["01. A-Agriculture", "01. Agriculture"],
  ["01. A-Agriculture", "02. Aquaculture"],
  ["02. B-Mining", "06. Coal mining"],
  ["02. B-Mining", "07. Oil and gas extraction"],
];

/** Time runs across the columns as dates of the 1904 system; two label columns repeat on every row. */
export const datesAcross: ConformanceMember = {
  id: "r10-dates-across",
  title: "Weekly payroll jobs index by industry, dates across",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["hierarchical_headers", "single_table", "time_series", "transposed_headers"],
  task: "Sheet 'Table 2': index values. Outputs in this order: division, subdivision, week_ending (ISO date), index.",
  layout:
    "Follows ABS 6160.0.55.001 Weekly Payroll Jobs, table 2: week-ending dates across, two label columns; saved in the 1904 date system.",
  build() {
    const numbers = seededNumbers(1010);
    const workbook = newWorkbook({ date1904: true });
    const sheet = workbook.addWorksheet("Table 2");
    sheet.getCell("A1").value = "Payroll jobs by industry subdivision, indexes (invented)";
    sheet.getCell("A3").value = "** Index: first week = 100";
    sheet.getCell("A4").value = "Industry Division";
    sheet.getCell("B4").value = "Industry Subdivision";
    WEEKS.forEach((week, c) => {
      sheet.getCell(4, c + 3).value = serialOf(week, true);
      sheet.getCell(4, c + 3).numFmt = "dd\\-mmm\\-yy";
    });
    const rows: (string | number)[][] = [];
    ROWS.forEach(([division, subdivision], r) => {
      sheet.getCell(r + 5, 1).value = division;
      sheet.getCell(r + 5, 2).value = subdivision;
      WEEKS.forEach((week, c) => {
        const index = numbers.decimal(88, 112, 2);
        sheet.getCell(r + 5, c + 3).value = index;
        sheet.getCell(r + 5, c + 3).numFmt = "0.00";
        rows.push([division, subdivision, week, index]);
      });
    });
    return { workbook, table: { columns: ["division", "subdivision", "week_ending", "index"], rows } };
  },
};
