import {
  addCubeContents,
  INVENTED,
  writeBand,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const YEARS = [2001, "2004–05", "2007–08", "2011–12", "2014–15", "2017–18", 2022];
/** As written over the columns, and without its footnote mark. */
const MEASURES = [
  { written: "Proportion", name: "Proportion" },
  { written: "Proportion (age standardised)(a)", name: "Proportion (age standardised)" },
];
const COLUMNS = MEASURES.length * YEARS.length;

/**
 * A line of the table: its label, its footnote marks, and what the table says for it. `from` is the first survey that
 * asked (an index into YEARS); before it the cells say `na`, or are empty where the topic was not in the survey at all.
 */
type Line =
  | { kind: "band"; label: string }
  | { kind: "topic"; label: string; merged?: boolean }
  | {
      kind: "row";
      label: string | number;
      marks?: string;
      base: number;
      from?: number;
      before?: "na" | "empty";
    }
  | { kind: "total"; label: string; marks?: string; from?: number; before?: "na" | "empty" };

const row = (
  label: string | number,
  base: number,
  more: { marks?: string; from?: number; before?: "na" | "empty" } = {},
): Line => ({ kind: "row", label, base, ...more });
const total = (
  label: string,
  more: { marks?: string; from?: number; before?: "na" | "empty" } = {},
): Line => ({ kind: "total", label, ...more });

const LINES: readonly Line[] = [
  { kind: "band", label: "PERSONS ALL AGES" },
  { kind: "topic", label: "Number of selected chronic conditions(b)" },
  row("No selected chronic conditions", 55, { from: 2 }),
  row(1, 26, { from: 2 }),
  row(2, 11, { from: 2 }),
  row("3 or more", 8, { from: 2 }),
  row("Has 1 or more selected chronic conditions", 45, { from: 2 }),
  row("Has 2 or more selected chronic conditions", 19, { from: 2 }),
  total("Total persons, all ages", { from: 2 }),
  { kind: "topic", label: "Selected current long-term conditions(c)" },
  row("Arthritis", 15, { marks: "(d)" }),
  row("Asthma", 11),
  row("Back problems (dorsopathies)", 16, { marks: "(e)" }),
  row("Cancer (malignant neoplasms)", 1.6),
  row("Chronic obstructive pulmonary disease (COPD)", 2.6, { marks: "(f)" }),
  row("Diabetes mellitus", 4.6, { marks: "(g)" }),
  row("Hayfever and allergic rhinitis", 18),
  row("Heart, stroke and vascular disease", 4.6, { marks: "(h)" }),
  row("Hypertension", 10.4, { marks: "(i)" }),
  row("Kidney disease", 0.8, { marks: "(j)" }),
  row("Mental and behavioural conditions", 15, { marks: "(k)(l)(m)" }),
  row("Osteoporosis", 3.3, { marks: "(n)" }),
  total("Total persons, all ages"),
  total("Total persons, all ages"),
  { kind: "band", label: "PERSONS AGED 15 YEARS AND OVER" },
  { kind: "topic", label: "Self-assessed health status" },
  row("Excellent", 20),
  row("Very good", 35),
  row("Excellent / Very good", 55),
  row("Good", 29),
  row("Fair", 11),
  row("Poor", 4.3),
  row("Fair / Poor", 15),
  total("Total persons, 15 years and over"),
  { kind: "band", label: "PERSONS AGED 18 YEARS AND OVER" },
  { kind: "topic", label: "Health risk factors" },
  { kind: "topic", label: "Alcohol consumption" },
  row("Did not exceed lifetime risk guidelines", 81),
  row("Exceeded lifetime risk guidelines", 18, { marks: "(o)" }),
  row("Did not exceed single occasion risk guidelines", 56, { from: 3 }),
  row("Exceeded single occasion risk guidelines", 42, { marks: "(p)", from: 3 }),
  total("Total persons, 18 years and over", { marks: "(q)" }),
  { kind: "topic", label: "Adult alcohol guideline", merged: true },
  row("Exceeded guideline", 27, { marks: "(r)", from: 6, before: "empty" }),
  row("Consumed more than 10 drinks in the last week", 18, { from: 6, before: "empty" }),
  row("Consumed 5 or more drinks on any day at least monthly", 21, { from: 6, before: "empty" }),
  total("Total persons, 18 years and over", { from: 6, before: "empty" }),
  { kind: "topic", label: "Body Mass Index(s)(t)(u)", merged: true },
  row("Underweight (less than 18.5)", 1.7, { from: 2 }),
  row("Normal range (18.5 to less than 25.0)", 35, { from: 2 }),
  row("Overweight (25.0 to less than 30.0)", 35, { from: 2 }),
  row("Obese (30.0 or more)", 28, { from: 2 }),
  row("Overweight / Obese (25.0 or more)", 63, { from: 2 }),
  total("Total persons, 18 years and over", { marks: "(v)(w)(x)", from: 2 }),
  { kind: "topic", label: "Blood pressure", merged: true },
  row("High blood pressure (≥140 / 90 mmHg)", 22, { marks: "(ac)", from: 3 }),
  total("Total persons, 18 years and over", { marks: "(v)(w)(x)", from: 3 }),
  { kind: "topic", label: "Psychological distress", merged: true },
  row("High / Very high psychological distress", 12.6, { marks: "(ad)" }),
  total("Total persons, 18 years and over", { marks: " (ae)" }),
  { kind: "topic", label: "Smoker status(af)", merged: true },
  row("Never smoked", 52),
  row("Current daily smoker", 17),
  total("Total persons, 18 years and over"),
  { kind: "topic", label: "Physical activity guidelines(ag)", merged: true },
  row("Met guidelines", 17, { from: 4, before: "empty" }),
  row("Did not meet guideline", 82, { from: 4, before: "empty" }),
  row("Zero minutes of physical activity in last week", 18, { marks: "(ah)", from: 2 }),
  total("Total persons, 18 years and over", { from: 2 }),
  total("Total persons, 18 years and over"),
];
const FIRST_ROW = 8;
const TITLE = "Table 1.3 Summary health characteristics, 2001 to 2022, proportion of persons";
const NOTES = [
  "# Proportion has a high margin of error and should be used with caution.",
  "na not available.",
  "(a) Standardised to one age structure, so that years can be compared.",
  "(b) Ten groups of conditions.",
  "(c) Lasting six months or more.",
  "(d) Of any kind.",
  "(e) Includes disc disorders.",
  "(q) Includes those who did not remember.",
  "(ac) As measured.",
  "(af) Does not include e-cigarettes.",
];

/** Bands inside the grid, two merged header levels, `na` beside empty cells, a flag that only the format shows. */
export const healthProportions: ConformanceMember = {
  id: "gc02-health-proportions",
  title: "Summary health characteristics: two proportions by survey year under population bands",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: [
    "hierarchical_headers",
    "merged_cells",
    "single_table",
    "sparse_data",
    "stacked_blocks",
    "time_series",
  ],
  published_in_bank: true,
  task: "Sheet 'Table 1.3_Proportions': all proportions. The population (PERSONS ALL AGES and so on) stands in a merged band and holds for the rows below it, up to the next band; the measure is merged over its seven survey years. Topic headings in the first column (rows without figures) are not wanted. Characteristics and measures come without footnote marks such as '(d)' or '(k)(l)(m)'; everything else of the label stays. 'na' is an observation without a value: keep its row, value blank. Empty cells are no observations. The flag is '#' where the number is displayed with a leading #, otherwise blank. Rows that occur twice stay twice. Outputs in this order: population, characteristic, measure, survey_year (as written), flag, percent.",
  layout:
    "Re-creates the layout of the ABS National Health Survey 2022, data cube 1, Table 1.3_Proportions (in the Data Bank): measure merged over seven survey years that are numbers and texts, unit band, population bands merged across the grid, topic headings without values, footnote letters glued to labels, row labels that are numbers, low reliability shown only by the number format. The publisher writes 'na' throughout; here some topics are left empty before their first survey. Other values.",
  build() {
    const numbers = seededNumbers(20_220_103);
    const workbook = newWorkbook();
    const product = "National Health Survey, 2022 — Australia";
    const released = "Released at 11:30am (Canberra time) 15 December 2023";
    addCubeContents(workbook, { product, released }, [["1.3", TITLE]]);
    const sheet = workbook.addWorksheet("Table 1.3_Proportions");
    [`This tab has one table. ${INVENTED}`, "Summary Health Characteristics", TITLE, product].forEach(
      (text, at) => {
        sheet.getCell(at + 1, 1).value = text;
      },
    );
    MEASURES.forEach(({ written }, m) => {
      const left = 2 + m * YEARS.length;
      writeBand(sheet, 5, left, left + YEARS.length - 1, written);
      YEARS.forEach((year, y) => {
        writeHeader(sheet, 6, left + y, year, "right");
      });
    });
    writeBand(sheet, 7, 2, 1 + COLUMNS, "PROPORTION OF PERSONS (%)");

    const rows: (string | number)[][] = [];
    let population = "";
    LINES.forEach((line, at) => {
      const r = FIRST_ROW + at;
      if (line.kind === "band") {
        population = line.label;
        writeBand(sheet, r, 2, 1 + COLUMNS, line.label);
        return;
      }
      const label = sheet.getCell(r, 1);
      label.alignment = { wrapText: true };
      if (line.kind === "topic") {
        label.value = line.label;
        label.font = { name: "Arial", size: 8, bold: true };
        if (line.merged) sheet.mergeCells(r, 2, r, 1 + COLUMNS);
        return;
      }
      label.value = line.marks === undefined ? line.label : `${line.label}${line.marks}`;
      for (let c = 0; c < COLUMNS; c++) {
        const year = c % YEARS.length;
        const measure = MEASURES[Math.floor(c / YEARS.length)]?.name ?? "";
        const key = [population, line.label, measure, YEARS[year] ?? ""];
        if (year < (line.from ?? 0)) {
          if (line.before === "empty") {
            writeValue(sheet, r, 2 + c, null, "#,##0.0");
          } else {
            writeValue(sheet, r, 2 + c, "na", "#,##0.0");
            rows.push([...key, "", ""]);
          }
          continue;
        }
        const value =
          line.kind === "total" ? 100 : numbers.decimal(line.base * 0.88, Math.min(99, line.base * 1.12), 1);
        const flagged = line.kind === "row" && line.base < 5 && numbers.chance(0.22);
        writeValue(sheet, r, 2 + c, value, flagged ? '"#"#,##0.0' : "#,##0.0");
        rows.push([...key, flagged ? "#" : "", value]);
      }
    });
    writeNotes(sheet, FIRST_ROW + LINES.length + 1, NOTES);
    sheet.getColumn(1).width = 70;
    return {
      workbook,
      table: {
        columns: ["population", "characteristic", "measure", "survey_year", "flag", "percent"],
        rows,
      },
    };
  },
};
