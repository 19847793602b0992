import {
  addCubeContents,
  writeCubeHead,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const YEARS = [2006, 2010, 2014, 2019, 2022];
const SEXES = ["Males", "Females", "Persons"];
/** Label over the estimates, the same over the errors (the publisher is not always consistent), first year asked. */
const ACTIVITIES: readonly (readonly [label: string, inErrors: string, from: number])[] = [
  ["Administration/clerical work/recruitment", "Administration/clerical work/recruitment", 0],
  ["Befriending/supportive listening", "Befriending/ supportive listening", 0],
  ["Coaching/refereeing/judging", "Coaching/refereeing/judging", 0],
  ["Environmental protection", "Environmental protection", 2],
  ["Preparing/serving food", "Preparing/serving food", 0],
  ["Fundraising/sales", "Fundraising/sales", 0],
  ["Lobbying/advocacy/policy research", "Lobbying/ advocacy/ policy research", 1],
  ["Management/committee work", "Management/committee work", 0],
  ["Performing/media production", "Performing/media production", 0],
  ["Personal care/assistance", "Personal care/assistance", 0],
  ["Repairing/maintenance/gardening", "Repairing/maintenance/gardening", 0],
  ["Search and rescue/first aid/firefighting", "Search and rescue/first aid/ firefighting", 0],
  ["Teaching/providing information", "Teaching/providing information", 0],
  ["Transporting people/goods", "Transporting people/goods", 0],
  ["Online support or moderation", "Online support or moderation", 3],
  ["Other activity", "Other activity", 0],
];
const TOTAL = "Total volunteers(c)";
const COLUMN_STEP = SEXES.length + 1;
const ESTIMATE_TOP = 12;
const ERROR_TOP = ESTIMATE_TOP + ACTIVITIES.length + 7;
const TITLE =
  "Table 10.11: Volunteers by type of activity, by sex, 2006 to 2022 (a)(b), estimates ('000) and relative standard errors";

/** Males, females, and for estimates their sum; for errors a third of its own. */
function threeSexes(table: "estimate" | "error", low: number, high: number, decimal: Decimal): number[] {
  const males = decimal(low, high, 1);
  const females = decimal(low, high, 1);
  return [
    males,
    females,
    table === "estimate" ? Number((males + females).toFixed(1)) : decimal(low, high, 1),
  ];
}
type Decimal = (low: number, high: number, places: number) => number;

/** Rows of one of the two tables, in sheet order; null where a year did not ask. */
function inventedRows(table: "estimate" | "error"): [label: string, values: (number | string | null)[]][] {
  const numbers = seededNumbers(table === "estimate" ? 412_501 : 412_502);
  const [low, high] = table === "estimate" ? [90, 900] : [2.1, 24];
  const rows = ACTIVITIES.map(([label, inErrors, from]): [string, (number | string | null)[]] => [
    table === "estimate" ? label : inErrors,
    YEARS.flatMap((_, year) =>
      threeSexes(table, low, high, numbers.decimal).map((value) => {
        if (year < from) return null;
        return table === "estimate" && numbers.chance(0.02) ? "np" : value;
      }),
    ),
  ]);
  const total = YEARS.flatMap((_, year): (number | string)[] =>
    table === "error" && year > 2
      ? SEXES.map(() => "—")
      : threeSexes(
          table,
          table === "estimate" ? 2_300 : 1.4,
          table === "estimate" ? 2_900 : 3.2,
          numbers.decimal,
        ),
  );
  return [...rows, [TOTAL, total]];
}

/** A table of estimates; below it, without headers of its own, the table of their relative standard errors. */
export const volunteersAndErrors: ConformanceMember = {
  id: "gc06-volunteers-and-errors",
  title: "Volunteers by activity, year and sex: estimates and their relative standard errors",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "multi_table", "sparse_data", "time_series"],
  task: "Sheet 'Table 10.11' holds two tables: estimates, and below the caption RELATIVE STANDARD ERROR (%) their errors, to which the same year and sex at the top of the columns apply. Take both, named estimate and relative_standard_error, estimates first. Activities come without footnote marks such as '(c)', but as each table writes them. 'np' and '—' stand for a value not given: keep the row, value blank. Empty cells (an activity was not asked about in that year) are no observations, nor are the narrow columns between the years. Outputs of each table in this order: activity, year, sex, value.",
  layout:
    "Follows ABS 4125.0 Gender Indicators, Table 10.11 (in the Data Bank): estimates, a caption, then a second table of relative standard errors with slightly different labels and no headers of its own; blank columns between years. Here year and sex stand over every column, where the publisher merges them.",
  build() {
    const workbook = newWorkbook();
    const head = {
      product: "41250DS0010 Gender Indicators, Australia",
      released: "Released at 11.30am (Canberra time) Tuesday 25 September 2018",
      title: TITLE,
      columns: YEARS.length * COLUMN_STEP,
    };
    addCubeContents(workbook, head, [["10.11", TITLE]]);
    const sheet = workbook.addWorksheet("Table 10.11");
    writeCubeHead(sheet, head);
    YEARS.forEach((year, y) => {
      SEXES.forEach((sex, s) => {
        const column = 2 + y * COLUMN_STEP + s;
        writeHeader(sheet, 6, column, year);
        writeHeader(sheet, 7, column, sex);
      });
      if (y > 0) sheet.getColumn(1 + y * COLUMN_STEP).width = 2;
    });
    const rows: (string | number)[][] = [];
    for (const [name, top] of [
      ["estimate", ESTIMATE_TOP],
      ["error", ERROR_TOP],
    ] as const) {
      if (name === "error") writeHeader(sheet, top - 5, 1, "RELATIVE STANDARD ERROR (%)", "left");
      writeHeader(sheet, top - 3, 1, "DETAILED INFORMATION", "left");
      writeHeader(sheet, top - 1, 1, "Volunteering by activity (a)(b)", "left");
      inventedRows(name).forEach(([label, values], r) => {
        sheet.getCell(top + r, 1).value = label;
        values.forEach((value, at) => {
          const year = Math.floor(at / SEXES.length);
          const sex = at % SEXES.length;
          const column = 2 + year * COLUMN_STEP + sex;
          writeValue(sheet, top + r, column, value, name === "estimate" ? "#,##0.0" : "0.0");
          if (value === null) return;
          rows.push([
            name === "estimate" ? "estimate" : "relative_standard_error",
            label === TOTAL ? "Total volunteers" : label,
            YEARS[year] ?? "",
            SEXES[sex] ?? "",
            typeof value === "string" ? "" : value,
          ]);
        });
      });
    }
    writeNotes(sheet, ERROR_TOP + ACTIVITIES.length + 3, [
      "— nil or rounded to zero (including null cells)",
      "np not available for publication",
      "",
      "(a) The same activity for several organisations is counted once.",
      "(b) More than one activity may be named.",
      "(c) Does not add to the activities.",
    ]);
    return { workbook, table: { columns: ["table", "activity", "year", "sex", "value"], rows } };
  },
};
