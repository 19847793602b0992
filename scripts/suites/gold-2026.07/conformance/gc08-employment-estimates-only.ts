import {
  addCubeContents,
  writeCubeHead,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const YEARS = [2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023];
const SEXES = ["Males", "Females", "Persons"];
/** Written with the footnote mark the publisher glues to it. */
const STATUSES = [
  { written: "Employee", name: "Employee" },
  {
    written: "Owner manager of incorporated enterprise(b)",
    name: "Owner manager of incorporated enterprise",
  },
  {
    written: "Owner manager of unincorporated enterprise(b)",
    name: "Owner manager of unincorporated enterprise",
  },
];
const HOURS = ["Full-time", "Part-time", "Total"];
const TABLES = [
  { wanted: true, caption: "ESTIMATE ('000)", top: 6, low: 60, high: 2_600 },
  { wanted: false, caption: "RELATIVE STANDARD ERROR (%)", top: 42, low: 0.4, high: 9 },
];
const TITLE =
  "Table 10.7: Employed persons by status in main job(a), hours and sex, August 2014 to August 2023";

/** One year and status, by sex and hours. Estimates add up to persons and totals; errors do not. */
function sexByHours(decimal: () => number, adds: boolean): number[][] {
  const grid = SEXES.map(() => HOURS.map(decimal));
  if (!adds) return grid;
  const sum = (...parts: number[]): number =>
    Number(parts.reduce((total, part) => total + part, 0).toFixed(1));
  const inner = grid.slice(0, 2).map(([full = 0, part = 0]) => [full, part, sum(full, part)]);
  return [...inner, HOURS.map((_, h) => sum(...inner.map((row) => row[h] ?? 0)))];
}

/** Two tables of one shape below each other; only the estimates are asked for. */
export const employmentEstimatesOnly: ConformanceMember = {
  id: "gc08-employment-estimates-only",
  title: "Employed persons by year, sex, status and hours, with a table of errors that is not wanted",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "multi_table", "single_table", "time_series"],
  task: "Sheet 'Table 10.7': the estimates, all rows and columns including those of Persons and Total. Below them stands a second table of the same shape with relative standard errors, which is not wanted. Status without footnote marks such as '(b)'. Outputs in this order: year, sex, status, hours, employed.",
  layout:
    "Follows ABS 4125.0 Gender Indicators, Tables 10.4 to 10.10 (in the Data Bank): estimates and, below a caption, a second table of the same shape with relative standard errors; values marked '*' only by their number format. Both label columns are written out on every row, as ABS 6160.0.55.001 Table 2 does, and both header rows over every column.",
  build() {
    const numbers = seededNumbers(41_258);
    const workbook = newWorkbook();
    const head = {
      product: "41250DS0010 Gender Indicators, Australia",
      released: "Released at 11.30am (Canberra time) Tuesday 25 September 2018",
      title: TITLE,
      columns: 2 + STATUSES.length * HOURS.length,
    };
    addCubeContents(workbook, head, [["10.7", TITLE]]);
    const sheet = workbook.addWorksheet("Table 10.7");
    writeCubeHead(sheet, head);
    const rows: (string | number)[][] = [];
    for (const { wanted, caption, top, low, high } of TABLES) {
      writeHeader(sheet, top, 1, caption, "left");
      writeHeader(sheet, top + 2, 1, "Year", "left");
      writeHeader(sheet, top + 2, 2, "Sex", "left");
      STATUSES.forEach(({ written }, s) => {
        HOURS.forEach((hours, h) => {
          writeHeader(sheet, top + 1, 3 + s * HOURS.length + h, written);
          writeHeader(sheet, top + 2, 3 + s * HOURS.length + h, hours);
        });
      });
      YEARS.forEach((year, y) => {
        const grids = STATUSES.map((_, s) =>
          sexByHours(() => numbers.decimal(low / (1 + s), high / (1 + s * 3), 1), wanted),
        );
        SEXES.forEach((sex, x) => {
          const row = top + 3 + y * SEXES.length + x;
          sheet.getCell(row, 1).value = year;
          sheet.getCell(row, 2).value = sex;
          STATUSES.forEach(({ name }, s) => {
            HOURS.forEach((hours, h) => {
              const value = grids[s]?.[x]?.[h] ?? 0;
              const flagged = wanted && s === 2 && numbers.chance(0.05);
              writeValue(sheet, row, 3 + s * HOURS.length + h, value, flagged ? '"*"#,##0.0' : "#,##0.0");
              if (wanted) rows.push([year, sex, name, hours, value]);
            });
          });
        });
      });
    }
    writeNotes(sheet, 77, [
      "* estimate has a relative standard error of 25% to 50% and should be used with caution",
      "(a) At August of each year.",
      "(b) Without or with employees.",
    ]);
    return { workbook, table: { columns: ["year", "sex", "status", "hours", "employed"], rows } };
  },
};
