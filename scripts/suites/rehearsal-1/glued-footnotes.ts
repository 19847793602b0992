import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const SEXES = ["Males", "Females", "Persons"];
const CONDITIONS: [label: string, mark: string | null][] = [
  ["Arthritis", "(a)"],
  ["Asthma", null],
  ["Back problems", "(b)(c)"],
  ["Diabetes mellitus", "(ab)"],
  ["Mental and behavioural conditions", null],
];

/** Footnote marks glued to labels, one of them a superscript run; symbols and blanks among the values; notes below. */
export const gluedFootnotes: ConformanceMember = {
  id: "r7-glued-footnotes",
  title: "Health conditions by sex with footnote marks and suppressed cells",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["single_table", "sparse_data"],
  task: "Sheet 'Table 7': estimates by condition and sex. Outputs in this order: condition (without footnote marks such as '(a)'), sex, estimate. Cells that say 'n.p.' or '..' are observations without a value: keep the row, value blank. Truly blank cells are no observations; footnotes below are not either.",
  layout:
    "Follows the ABS National Health Survey's summary tables and AIHW tables: marks glued to labels, superscript runs, 'n.p.' among numbers.",
  build() {
    const numbers = seededNumbers(707);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 7");
    sheet.getCell("A1").value = "Table 7. Selected conditions by sex ('000, invented)";
    SEXES.forEach((sex, c) => {
      sheet.getCell(4, c + 2).value = sex;
    });
    const symbols = new Map([
      ["1,0", "n.p."],
      ["3,1", ".."],
      ["4,2", "n.p."],
    ]);
    const blanks = new Set(["2,1", "3,2"]);
    const rows: (string | number)[][] = [];
    CONDITIONS.forEach(([label, mark], at) => {
      const cell = sheet.getCell(at + 5, 1);
      if (mark === "(b)(c)") {
        cell.value = { richText: [{ text: label }, { text: mark, font: { vertAlign: "superscript" } }] };
      } else cell.value = mark === null ? label : `${label}${mark}`;
      SEXES.forEach((sex, c) => {
        const key = `${at},${c}`;
        if (blanks.has(key)) return;
        const symbol = symbols.get(key);
        const value = symbol ?? numbers.decimal(20, 4000, 1);
        sheet.getCell(at + 5, c + 2).value = value;
        rows.push([label, sex, symbol === undefined ? value : ""]);
      });
    });
    [
      "(a) Includes rheumatism.",
      "(b) Includes disc disorders.",
      "(c) Self-reported.",
      "(ab) All types.",
    ].forEach((note, at) => {
      sheet.getCell(at + 11, 1).value = note;
    });
    return { workbook, table: { columns: ["condition", "sex", "estimate"], rows } };
  },
};
