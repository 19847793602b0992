import { writeCubeHead, writeNotes } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const YEARS = [2023, 2022, 2021, 2020, 2019, 2018];
const STATES: readonly (readonly [name: string, weight: number])[] = [
  ["a NSW", 1],
  ["b Vic.", 0.85],
  ["c Qld", 0.7],
  ["d SA", 0.23],
  ["e WA", 0.38],
  ["f Tas.", 0.07],
  ["g NT", 0.03],
  ["h ACT", 0.06],
];
const AFFILIATIONS: readonly (readonly [first: string, second: string, weight: number])[] = [
  ["a Government", "a Government", 0.65],
  ["b Non-government", "b Catholic", 0.2],
  ["b Non-government", "c Independent", 0.15],
];
const SEXES = ["a Male", "b Female"];
const LEVELS = [
  "a Pre-year 1",
  "b Lower primary",
  "c Upper primary",
  "d Junior secondary",
  "e Senior secondary",
  "f Ungraded",
];
const FIELDS = ["Year", "State/Territory", "Affiliation 1", "Affiliation 2"];
const FIRST_ROW = 10;

/** Combinations that never occur: a pivot table has no row for them. */
const isAbsent = (year: number, state: string, second: string): boolean =>
  (state === "g NT" && second === "b Catholic" && year < 2021) ||
  (state === "f Tas." && second === "c Independent" && year === 2019);

/** Four row fields written once each as a staircase, two column fields of which the outer one is written once. */
export const studentsPivot: ConformanceMember = {
  id: "gc11-students-pivot",
  title: "School students by year, state, affiliation, sex and level, pivot layout",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "sparse_data", "time_series"],
  task: "Sheet 'Table 1': a pivot table. One row per year, state, affiliation, sex and school level that has a count; empty cells are no observations, and totals of any kind are not wanted. Row fields in columns 1 to 4 and the outer column field are written once and hold until the next label of their field. Outputs in this order: year, state, affiliation_1, affiliation_2, sex, school_level, students. Labels stay as they stand, with their sorting letter.",
  layout:
    "Follows ABS Schools, table 50a, sheet 'Table 1': a pivot table from row 7 with its row fields as a staircase in the first columns, sorting letters before the labels, newest year first; here with two column fields and their subtotal columns, and with row totals switched off.",
  build() {
    const numbers = seededNumbers(72_611);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 1");
    const firstColumn = FIELDS.length + 1;
    const groupWidth = LEVELS.length + 1;
    const lastColumn = firstColumn + SEXES.length * groupWidth;
    writeCubeHead(sheet, {
      product: "Schools, 2023",
      released: "Invented; 2018 to 2023",
      title:
        "Table 43c: Number of Full-time Students by Affiliation, Sex and School Level, States and Territories, 2018-2023",
      columns: lastColumn,
    });
    sheet.getCell(7, 1).value = "Sum of Full-time Student Count";
    sheet.getCell(7, firstColumn).value = "Sex";
    sheet.getCell(7, firstColumn + 1).value = "School Level";
    SEXES.forEach((sex, x) => {
      const left = firstColumn + x * groupWidth;
      sheet.getCell(8, left).value = sex;
      sheet.getCell(8, left + LEVELS.length).value = `${sex} Total`;
      LEVELS.forEach((level, at) => {
        sheet.getCell(9, left + at).value = level;
      });
    });
    sheet.getCell(8, lastColumn).value = "Grand Total";
    FIELDS.forEach((field, c) => {
      sheet.getCell(9, c + 1).value = field;
    });

    const rows: (string | number)[][] = [];
    let row = FIRST_ROW;
    let above: readonly (string | number)[] = [];
    for (const year of YEARS) {
      for (const [state, stateWeight] of STATES) {
        for (const [first, second, weight] of AFFILIATIONS) {
          if (isAbsent(year, state, second)) continue;
          const labels = [year, state, first, second];
          // A label is written when it, or one to its left, changes; the innermost one stands on every row.
          const from = labels.findIndex((label, c) => label !== above[c]);
          labels.forEach((label, c) => {
            if (c >= from || c === labels.length - 1) sheet.getCell(row, c + 1).value = label;
          });
          above = labels;
          let rowTotal = 0;
          SEXES.forEach((sex, x) => {
            const left = firstColumn + x * groupWidth;
            let sum = 0;
            LEVELS.forEach((level, at) => {
              const ungraded = level === "f Ungraded";
              const scale = 90_000 * stateWeight * weight * (ungraded ? 0.004 : 1);
              const students = Math.round(scale * numbers.decimal(0.7, 1.3, 3));
              if (ungraded && (students < 12 || numbers.chance(0.15))) return;
              sheet.getCell(row, left + at).value = students;
              sum += students;
              rows.push([year, state, first, second, sex, level, students]);
            });
            sheet.getCell(row, left + LEVELS.length).value = sum;
            rowTotal += sum;
          });
          sheet.getCell(row, lastColumn).value = rowTotal;
          row++;
        }
      }
    }
    writeNotes(sheet, row + 1, [
      "(a) Ungraded students are those who cannot readily be allocated to a year of education.",
    ]);
    const columns = ["year", "state", "affiliation_1", "affiliation_2", "sex", "school_level", "students"];
    return { workbook, table: { columns, rows } };
  },
};
