import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const YEARS = [2021, 2022];
const SEXES = ["a Male", "b Female"];
const FUNCTIONS = ["a Teaching staff", "b Specialist support", "c Administrative"];
const STATES = ["a NSW", "b Vic.", "c Qld"];

/** A pivot table: fields written once and left blank below, closed by total rows that are not observations. */
export const pivotFill: ConformanceMember = {
  id: "r6-pivot-fill",
  title: "School staff by year, sex, function and state, pivot layout",
  publisher: "synthetic",
  difficulty: "hard",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "stacked_blocks", "time_series"],
  task: "Sheet 'Table 1': one row per year, sex, function and state, without totals of any kind. Outputs in this order: year, sex, function, state, staff. Year and sex are written once and hold until the next label; the rows '2021 Total', '2022 Total' and 'Grand Total' and the column 'Total' are not wanted.",
  layout:
    "Follows ABS Schools, table 50a: row fields C1:C3 as a pivot table writes them, states across, year totals between.",
  build() {
    const numbers = seededNumbers(606);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 1");
    sheet.getCell("A1").value = "Table 1. In-school staff (invented)";
    sheet.getCell("A4").value = "Sum of staff";
    sheet.getCell("D4").value = "State/Territory";
    ["Year", "Sex", "Function", ...STATES, "Total"].forEach((label, c) => {
      sheet.getCell(5, c + 1).value = label;
    });
    const rows: (string | number)[][] = [];
    const grand = STATES.map(() => 0);
    const writeTotals = (row: number, label: string, totals: readonly number[]): void => {
      sheet.getCell(row, 1).value = label;
      totals.forEach((total, s) => {
        sheet.getCell(row, s + 4).value = total;
      });
      sheet.getCell(row, 4 + STATES.length).value = totals.reduce((sum, total) => sum + total, 0);
    };
    let row = 6;
    for (const year of YEARS) {
      const yearTotals = STATES.map(() => 0);
      SEXES.forEach((sex, x) => {
        FUNCTIONS.forEach((role, f) => {
          if (x === 0 && f === 0) sheet.getCell(row, 1).value = year;
          if (f === 0) sheet.getCell(row, 2).value = sex;
          sheet.getCell(row, 3).value = role;
          let sum = 0;
          STATES.forEach((state, s) => {
            const staff = numbers.integer(500, 70_000);
            sheet.getCell(row, s + 4).value = staff;
            yearTotals[s] = (yearTotals[s] ?? 0) + staff;
            grand[s] = (grand[s] ?? 0) + staff;
            sum += staff;
            rows.push([year, sex, role, state, staff]);
          });
          sheet.getCell(row, 4 + STATES.length).value = sum;
          row++;
        });
      });
      writeTotals(row++, `${year} Total`, yearTotals);
    }
    writeTotals(row, "Grand Total", grand);
    return { workbook, table: { columns: ["year", "sex", "function", "state", "staff"], rows } };
  },
};
