import { writeCubeHead, writeHeader, writeNotes, writeValue } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const YEARS = ["2020-21", "2021-22", "2022-23", "2023-24"];
/** Businesses at the start of the first year. */
const SIZES: readonly (readonly [label: string, start: number])[] = [
  ["Non–employing", 1_320_000],
  ["1–4", 640_000],
  ["5–19", 210_000],
  ["20–199", 55_000],
  ["200+", 4_200],
];
/** Stands alone before the sizes with employees. */
const EMPLOYING = "Employing";
const COLUMNS: readonly (readonly [measure: string, unit: "no." | "%"])[] = [
  ["Operating at start of financial year", "no."],
  ["Entries - \nBirths", "no."],
  ["Entries - \nOther", "no."],
  ["Exits - \nCancellations", "no."],
  ["Exits - \nOther", "no."],
  ["Net movement of surviving businesses", "no."],
  ["Operating at end of financial year", "no."],
  ["Change", "no."],
  ["Percentage change", "%"],
  ["Entry rate", "%"],
  ["Exit rate", "%"],
];

interface Movement {
  readonly start: number;
  readonly births: number;
  readonly otherEntries: number;
  readonly cancellations: number;
  readonly otherExits: number;
  readonly net: number;
}

/** The numbers of one row, in the order of COLUMNS. Rates are per cent of the businesses at the start. */
function cellsOf(moved: Movement): number[] {
  const { start, births, otherEntries, cancellations, otherExits, net } = moved;
  const end = start + births + otherEntries - cancellations - otherExits + net;
  const rate = (part: number): number => Math.round((part / start) * 1000) / 10;
  return [
    start,
    births,
    otherEntries,
    cancellations,
    otherExits,
    net,
    end,
    end - start,
    rate(end - start),
    rate(births + otherEntries),
    rate(cancellations + otherExits),
  ];
}

const sumOf = (moves: readonly Movement[]): Movement => {
  const sum = (part: (moved: Movement) => number): number =>
    moves.reduce((total, moved) => total + part(moved), 0);
  return {
    start: sum((moved) => moved.start),
    births: sum((moved) => moved.births),
    otherEntries: sum((moved) => moved.otherEntries),
    cancellations: sum((moved) => moved.cancellations),
    otherExits: sum((moved) => moved.otherExits),
    net: sum((moved) => moved.net),
  };
};

/** Years under each other, each alone on the row that opens its block; a second kind of heading inside the blocks. */
export const turnoverByYear: ConformanceMember = {
  id: "gc13-turnover-by-year",
  title: "Business entries and exits by employment size, financial years stacked, with a row of units",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: [
    "filled_spans",
    "hierarchical_headers",
    "single_table",
    "stacked_blocks",
    "time_series",
    "unit_rows",
  ],
  task: "Sheet 'Table 13c': every value of every year, totals included. The financial year stands alone on the row that opens its block; the row 'Employing' inside each block is a heading without values and not wanted as an output. Outputs in this order: financial_year, employment_size, measure, unit, value. Measures as one line (a line break in a heading counts as a blank). The unit is in the row below the column headings.",
  layout:
    "Follows ABS 8165.0 Counts of Australian Businesses, data cube 1, tables 13a and 17: column headings with line breaks in R5, units in R6, blocks opened by a financial year alone on its row, sizes below with the heading 'Employing' between; here the year rows are not merged.",
  build() {
    const numbers = seededNumbers(72_613);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 13c");
    writeCubeHead(sheet, {
      product: "8165.0 Counts of Australian Businesses, including Entries and Exits",
      released: "Invented; June 2020 to June 2024",
      title: "Table 13c Businesses by Employment Size Range, June 2020 – June 2024 (a)(b)",
      columns: COLUMNS.length + 1,
    });
    COLUMNS.forEach(([measure, unit], c) => {
      writeHeader(sheet, 5, c + 2, measure, "right");
      sheet.getCell(6, c + 2).value = unit;
      sheet.getCell(6, c + 2).alignment = { horizontal: "right" };
    });
    const rows: (string | number)[][] = [];
    let row = 7;
    const opening = new Map<string, number>(SIZES);
    for (const year of YEARS) {
      sheet.getCell(row, 1).value = year;
      sheet.getCell(row, 1).font = { bold: true };
      row++;
      const write = (size: string, moved: Movement, total: boolean): void => {
        const name = sheet.getCell(row, 1);
        name.value = size;
        if (total) name.font = { bold: true };
        else if (size !== "Non–employing") name.alignment = { indent: 1 };
        cellsOf(moved).forEach((value, c) => {
          const [measure = "", unit = ""] = COLUMNS[c] ?? [];
          const cell = writeValue(sheet, row, c + 2, value, unit === "%" ? "0.0" : "#,##0");
          if (total) cell.font = { bold: true };
          rows.push([year, size, measure.replace(/\s+/g, " "), unit, value]);
        });
        row++;
      };
      const moves = SIZES.map(([size], at): Movement => {
        const start = opening.get(size) ?? 0;
        const part = (low: number, high: number): number =>
          Math.round((start * numbers.decimal(low, high, 4)) / (at + 1));
        const moved = {
          start,
          births: part(0.08, 0.14),
          otherEntries: part(0.03, 0.06),
          cancellations: part(0.07, 0.12),
          otherExits: part(0.02, 0.05),
          net: numbers.integer(-4_000, 4_000) % Math.max(1, Math.round(start / 12)),
        };
        opening.set(size, cellsOf(moved)[6] ?? 0);
        return moved;
      });
      moves.forEach((moved, at) => {
        if (at === 1) {
          sheet.getCell(row, 1).value = EMPLOYING;
          row++;
        }
        write(SIZES[at]?.[0] ?? "", moved, false);
      });
      write("Total employing", sumOf(moves.slice(1)), true);
      write("Total", sumOf(moves), true);
    }
    writeNotes(sheet, row + 1, [
      "(a) Employment size is that at the end of the financial year.",
      "(b) Businesses that move between sizes are counted in the size they reach.",
    ]);
    const columns = ["financial_year", "employment_size", "measure", "unit", "value"];
    return { workbook, table: { columns, rows } };
  },
};
