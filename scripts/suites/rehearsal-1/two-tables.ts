import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const YEARS = [2006, 2011, 2016];
const SEXES = ["Males", "Females"];
const TABLES = [
  { name: "estimate", caption: "ESTIMATE ('000)", top: 5 },
  { name: "error", caption: "RELATIVE STANDARD ERROR (%)", top: 12 },
];

/** Two logical tables of one shape under each other on one sheet. */
export const twoTables: ConformanceMember = {
  id: "r8-two-tables",
  title: "Carers by sex: estimates and their relative standard errors",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["multi_table", "time_series"],
  task: "Sheet 'Table 10.1': two tables, named estimate and error in the recipe (estimates from row 5, relative standard errors from row 12). Outputs of each in this order: sex, year, value.",
  layout:
    "Follows ABS 4125.0 Gender Indicators: a table of estimates, then a second table of the same shape with errors.",
  build() {
    const numbers = seededNumbers(808);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 10.1");
    sheet.getCell("A1").value = "10.1 Carers by sex (invented)";
    const rows: (string | number)[][] = [];
    for (const { name, caption, top } of TABLES) {
      sheet.mergeCells(top, 2, top, YEARS.length + 1);
      sheet.getCell(top, 2).value = caption;
      YEARS.forEach((year, c) => {
        sheet.getCell(top + 1, c + 2).value = year;
      });
      SEXES.forEach((sex, r) => {
        sheet.getCell(top + 2 + r, 1).value = sex;
        YEARS.forEach((year, c) => {
          const value = name === "estimate" ? numbers.decimal(300, 900, 1) : numbers.decimal(1, 9, 2);
          sheet.getCell(top + 2 + r, c + 2).value = value;
          rows.push([name, sex, year, value]);
        });
      });
    }
    return { workbook, table: { columns: ["table", "sex", "year", "value"], rows } };
  },
};
