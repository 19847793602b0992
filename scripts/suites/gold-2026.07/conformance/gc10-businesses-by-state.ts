import { writeCubeHead, writeHeader, writeNotes, writeValue } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

/** State and how many businesses it has, against the largest. */
const STATES: readonly (readonly [name: string, weight: number])[] = [
  ["New South Wales", 1],
  ["Victoria", 0.82],
  ["Queensland", 0.58],
  ["South Australia", 0.19],
  ["Western Australia", 0.29],
  ["Tasmania", 0.05],
  ["Northern Territory", 0.02],
  ["Australian Capital Territory", 0.04],
  ["Other Territories/Currently Unknown", 0.002],
];
const INDUSTRIES = [
  "Agriculture, Forestry and Fishing",
  "Mining",
  "Manufacturing",
  "Electricity, Gas, Water and Waste Services",
  "Construction",
  "Wholesale Trade",
  "Retail Trade",
  "Accommodation and Food Services",
  "Transport, Postal and Warehousing",
  "Information Media and Telecommunications",
  "Financial and Insurance Services",
  "Rental, Hiring and Real Estate Services",
  "Professional, Scientific and Technical Services",
  "Administrative and Support Services",
  "Education and Training",
  "Health Care and Social Assistance",
  "Other Services",
];
const TOTAL_ROW = "All Industries";
const SIZES = ["Non–employing", "1–4 employees", "5–19 employees", "20–199 employees", "200+ employees"];
/** Share of the businesses in each size; small states leave the last ones empty. */
const SHARES = [0.6, 0.28, 0.09, 0.025, 0.005];

/** States under each other, each name alone in bold on the row that opens its block; totals are bold as well. */
export const businessesByState: ConformanceMember = {
  id: "gc10-businesses-by-state",
  title: "Businesses by main state, industry division and employment size, states stacked",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "sparse_data", "stacked_blocks"],
  task: "Sheet 'Table 10': counts of businesses at the end of June, every row of every state with the row 'All Industries', every column with 'Total'. A state's name stands alone on the row that opens its block and governs the rows below it until the next one. Outputs in this order: state, industry, employment_size, businesses. Empty cells are no observations; 'np' is one and stays 'np'.",
  layout:
    "Follows ABS 8165.0 Counts of Australian Businesses, data cube 1, tables 1 and 4: a column heading row, a row of units, blocks opened by a heading alone on its row; here the blocks are states (table 4's list) and the rows industry divisions (table 1's list).",
  build() {
    const numbers = seededNumbers(72_610);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 10");
    const columns = [...SIZES, "Total"];
    writeCubeHead(sheet, {
      product: "8165.0 Counts of Australian Businesses, including Entries and Exits",
      released: "Invented; June 2024",
      title: "Table 10 Businesses by Main State by Industry Division by Employment Size Range, June 2024 (a)",
      columns: columns.length + 1,
    });
    columns.forEach((size, c) => {
      writeHeader(sheet, 5, c + 2, size, "right");
      sheet.getCell(6, c + 2).value = "no.";
    });
    const rows: (string | number)[][] = [];
    let row = 7;
    for (const [state, weight] of STATES) {
      sheet.getCell(row, 1).value = state;
      sheet.getCell(row, 1).font = { bold: true };
      row++;
      const totals = columns.map(() => 0);
      const write = (industry: string, cells: readonly (number | "np" | null)[], bold: boolean): void => {
        sheet.getCell(row, 1).value = industry;
        if (bold) sheet.getCell(row, 1).font = { bold };
        cells.forEach((businesses, c) => {
          const cell = writeValue(sheet, row, c + 2, businesses, "#,##0");
          if (bold) cell.font = { bold };
          if (businesses === null) return;
          rows.push([state, industry, columns[c] ?? "", businesses]);
        });
        row++;
      };
      for (const industry of INDUSTRIES) {
        const scale = weight * numbers.decimal(9_000, 140_000, 1);
        const counts = SHARES.map((share) => Math.round(scale * share * numbers.decimal(0.6, 1.4, 3)));
        const total = counts.reduce((sum, count) => sum + count, 0);
        [...counts, total].forEach((count, c) => {
          totals[c] = (totals[c] ?? 0) + count;
        });
        const shown = counts.map((count) => (count === 0 ? null : count < 3 ? ("np" as const) : count));
        write(industry, [...shown, total], false);
      }
      write(TOTAL_ROW, totals, true);
    }
    writeNotes(sheet, row + 1, [
      "np not available for publication but included in totals where applicable",
      "(a) Businesses are counted in the state of their main location.",
    ]);
    return { workbook, table: { columns: ["state", "industry", "employment_size", "businesses"], rows } };
  },
};
