import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const YEARS = [2020, 2021, 2022];
const LABELS = ["Births", "Fertility rate"];
const UNITS = ["no.", "rate"];
const AREAS: [state: string, areas: string[]][] = [
  ["NEW SOUTH WALES", ["Major cities", "Inner regional", "Outer regional"]],
  ["VICTORIA", ["Major cities", "Inner regional"]],
  ["TASMANIA", ["Inner regional", "Outer regional", "Remote"]],
];

/** Yearly blocks beside each other with a blank column between; suppressed cells say `np`. */
export const sideBySideYears: ConformanceMember = {
  id: "r5-side-by-side-years",
  title: "Births by remoteness area, yearly blocks side by side",
  publisher: "synthetic",
  difficulty: "hard",
  feature_tags: [
    "filled_spans",
    "hierarchical_headers",
    "merged_cells",
    "single_table",
    "sparse_data",
    "stacked_blocks",
    "time_series",
    "unit_rows",
  ],
  task: "Sheet 'Table 4.1': one row per state, area, year and measure. Outputs in this order: state (the capitals heading above), area, year, measure, unit, value. Cells that say 'np' are observations and stay 'np'; blank columns between the years and blank cells are not.",
  layout:
    "Follows ABS 3301.0 Births, table 4: blocks of columns keyed by a merged year, state headings in capitals, a blank separator column.",
  build() {
    const numbers = seededNumbers(505);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 4.1");
    sheet.mergeCells("A1:XFD1");
    sheet.getCell("A1").value = "Table 4.1 Births, remoteness areas (invented)";
    const rows: (string | number)[][] = [];
    const leftOf = (block: number): number => 2 + block * (LABELS.length + 1);
    YEARS.forEach((year, block) => {
      const left = leftOf(block);
      sheet.mergeCells(6, left, 6, left + LABELS.length - 1);
      sheet.getCell(6, left).value = year;
      LABELS.forEach((label, at) => {
        sheet.getCell(7, left + at).value = label;
        sheet.getCell(8, left + at).value = UNITS[at] ?? "";
      });
    });
    let row = 9;
    for (const [state, areas] of AREAS) {
      sheet.getCell(row, 1).value = state;
      sheet.getCell(row, 1).font = { bold: true };
      row++;
      for (const area of areas) {
        sheet.getCell(row, 1).value = area;
        YEARS.forEach((year, block) => {
          LABELS.forEach((label, at) => {
            const suppressed = numbers.chance(0.15);
            const blank = !suppressed && label === "Fertility rate" && numbers.chance(0.12);
            if (blank) return;
            const value = suppressed
              ? "np"
              : label === "Births"
                ? numbers.integer(3, 60_000)
                : numbers.decimal(1.2, 2.4, 2);
            const cell = sheet.getCell(row, leftOf(block) + at);
            cell.value = value;
            if (typeof value === "number") cell.numFmt = label === "Births" ? "#,##0" : "0.00";
            rows.push([state, area, year, label, UNITS[at] ?? "", value]);
          });
        });
        row++;
      }
    }
    sheet.getCell(row + 1, 1).value = "np not published";
    return { workbook, table: { columns: ["state", "area", "year", "measure", "unit", "value"], rows } };
  },
};
