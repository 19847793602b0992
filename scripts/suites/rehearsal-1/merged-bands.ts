import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const MEASURES = ["Operating income", "Wages and salaries", "Persons employed"];
const UNITS = ["$m", "$m", "'000"];
const YEARS = ["2020-21", "2021-22", "2022-23"];
const INDUSTRIES: [code: string, name: string][] = [
  ["11", "Food product manufacturing"],
  ["12", "Beverage manufacturing"],
  ["13", "Textile manufacturing"],
  ["14", "Wood product manufacturing"],
  ["15", "Pulp and paper manufacturing"],
];

/** Three header rows: a measure merged over its years, the year, the unit. */
export const mergedBands: ConformanceMember = {
  id: "r3-merged-bands",
  title: "Manufacturing by measure, financial year and industry",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "merged_cells", "single_table", "time_series", "unit_rows"],
  task: "Sheet 'Table_1': all values. Outputs in this order: industry (as it stands, with its code), measure, financial_year, unit, value. The measure stands in a merged cell over its years.",
  layout:
    "Follows ABS 8155.0 Australian Industry, data cube 3: measure merged over financial years, unit row below.",
  build() {
    const numbers = seededNumbers(303);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table_1");
    sheet.mergeCells("A1:J1");
    sheet.getCell("A1").value = "Manufacturing industry, by ANZSIC subdivision (invented values)";
    sheet.getCell("A5").value = "Industry";
    MEASURES.forEach((measure, m) => {
      const left = 2 + m * YEARS.length;
      sheet.mergeCells(5, left, 5, left + YEARS.length - 1);
      sheet.getCell(5, left).value = measure;
      sheet.getCell(5, left).alignment = { horizontal: "center" };
      YEARS.forEach((year, y) => {
        sheet.getCell(6, left + y).value = year;
        sheet.getCell(7, left + y).value = UNITS[m] ?? "";
      });
    });
    const rows: (string | number)[][] = [];
    INDUSTRIES.forEach(([code, name], at) => {
      const row = at + 8;
      sheet.getCell(row, 1).value = `${code} ${name}`;
      MEASURES.forEach((measure, m) => {
        YEARS.forEach((year, y) => {
          const value =
            measure === "Persons employed" ? numbers.decimal(4, 240, 1) : numbers.integer(300, 95_000);
          const cell = sheet.getCell(row, 2 + m * YEARS.length + y);
          cell.value = value;
          cell.numFmt = "#,##0.0";
          rows.push([`${code} ${name}`, measure, year, UNITS[m] ?? "", value]);
        });
      });
    });
    return { workbook, table: { columns: ["industry", "measure", "financial_year", "unit", "value"], rows } };
  },
};
