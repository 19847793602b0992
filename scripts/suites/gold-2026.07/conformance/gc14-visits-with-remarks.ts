import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const BRANCHES = [
  "Central Library",
  "Harbour Branch",
  "Hillside Branch",
  "Millbrook Branch",
  "Northgate Branch",
  "Old Town Branch",
  "Riverside Branch",
  "Station Branch",
  "Westfield Branch",
  "Mobile Library",
];
/** Columns left and right of the column of remarks. */
const BEFORE = ["Visits", "Loans", "Renewals"];
const AFTER = ["Events", "Computer sessions"];
const REMARKS: Readonly<Record<string, string>> = {
  "Hillside Branch": "closed for repairs from May",
  "Northgate Branch": "opened in March; no computers yet",
  "Station Branch": "counter replaced, visits estimated",
};
/** Texts that stand where a number would. */
const INSTEAD: Readonly<Record<string, string>> = {
  "Hillside Branch/Events": "see remark",
  "Riverside Branch/Renewals": "counted under Loans",
  "Mobile Library/Visits": "not counted (1)",
};
const EMPTY = new Set([
  "Northgate Branch/Renewals",
  "Northgate Branch/Computer sessions",
  "Old Town Branch/Events",
  "Mobile Library/Computer sessions",
]);

/** A column of remarks between the columns of numbers, and explanations in cells where a number is expected. */
export const visitsWithRemarks: ConformanceMember = {
  id: "gc14-visits-with-remarks",
  title: "Library use by branch, with remarks inside the table",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["footnote_contamination", "single_table", "sparse_data"],
  task: "Sheet 'Use by branch': the numbers of the five measures, one row per branch and measure that has a number. Outputs in this order: branch, measure, count. Empty cells, the remarks and other explanations in the table are no observations.",
  layout:
    "A plain cross-tabulation as a town publishes it, with a column of remarks between its columns of numbers; no particular publication.",
  build() {
    const numbers = seededNumbers(72_614);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Use by branch");
    sheet.getCell("A1").value = "Town libraries: use by branch, last year (invented)";
    sheet.getCell("A1").font = { bold: true, size: 13 };
    sheet.getCell("A2").value = "Number";
    const headings = ["Branch", ...BEFORE, "Remarks", ...AFTER];
    headings.forEach((heading, c) => {
      const cell = sheet.getCell(4, c + 1);
      cell.value = heading;
      cell.font = { bold: true };
      cell.border = { bottom: { style: "thin" } };
    });
    sheet.getColumn(1).width = 22;
    sheet.getColumn(BEFORE.length + 2).width = 34;
    const rows: (string | number)[][] = [];
    BRANCHES.forEach((branch, at) => {
      const row = at + 5;
      sheet.getCell(row, 1).value = branch;
      headings.forEach((measure, c) => {
        if (c === 0) return;
        const cell = sheet.getCell(row, c + 1);
        if (measure === "Remarks") {
          const remark = REMARKS[branch];
          if (remark !== undefined) cell.value = remark;
          cell.font = { italic: true };
          return;
        }
        cell.numFmt = "#,##0";
        const key = `${branch}/${measure}`;
        const count = measure === "Events" ? numbers.integer(4, 180) : numbers.integer(900, 68_000);
        const instead = INSTEAD[key];
        if (instead !== undefined) cell.value = instead;
        if (instead !== undefined || EMPTY.has(key)) return;
        cell.value = count;
        rows.push([branch, measure, count]);
      });
    });
    sheet.getCell(BRANCHES.length + 6, 1).value = "(1) The mobile library has no door counter.";
    return { workbook, table: { columns: ["branch", "measure", "count"], rows } };
  },
};
