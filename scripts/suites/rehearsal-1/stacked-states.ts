import type { ConformanceMember } from "../member.ts";
import { newWorkbook, seededNumbers } from "../workbook.ts";

const STATES = ["New South Wales", "Victoria", "Queensland", "Tasmania"];
const INDUSTRIES = ["Agriculture", "Mining", "Construction", "Retail trade"];
const COLUMNS = ["Entries", "Exits", "Operating at end of year"];

/** Blocks under each other, each opened by a state's name merged across the table. */
export const stackedStates: ConformanceMember = {
  id: "r4-stacked-states",
  title: "Business entries and exits by state and industry, stacked blocks",
  publisher: "synthetic",
  difficulty: "medium",
  feature_tags: ["filled_spans", "hierarchical_headers", "single_table", "stacked_blocks"],
  task: "Sheet 'Table 4': all counts. Outputs in this order: state, industry, measure, businesses. A state's name stands alone in the row that opens its block and governs the rows below it.",
  layout:
    "Follows ABS 8165.0 Counts of Australian Businesses: blocks opened by a merged heading row, industries below.",
  build() {
    const numbers = seededNumbers(404);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table 4");
    sheet.getCell("A1").value = "Table 4. Businesses by state and industry (invented)";
    COLUMNS.forEach((measure, c) => {
      sheet.getCell(5, c + 2).value = measure;
      sheet.getCell(6, c + 2).value = "no.";
    });
    const rows: (string | number)[][] = [];
    let row = 7;
    for (const state of STATES) {
      sheet.mergeCells(row, 1, row, COLUMNS.length + 1);
      sheet.getCell(row, 1).value = state;
      sheet.getCell(row, 1).font = { bold: true };
      row++;
      for (const industry of INDUSTRIES) {
        sheet.getCell(row, 1).value = industry;
        COLUMNS.forEach((measure, c) => {
          const businesses = numbers.integer(20, 52_000);
          sheet.getCell(row, c + 2).value = businesses;
          sheet.getCell(row, c + 2).numFmt = "#,##0";
          rows.push([state, industry, measure, businesses]);
        });
        row++;
      }
    }
    return { workbook, table: { columns: ["state", "industry", "measure", "businesses"], rows } };
  },
};
