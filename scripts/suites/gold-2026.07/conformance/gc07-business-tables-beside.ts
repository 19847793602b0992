import type ExcelJS from "exceljs";
import {
  addCubeContents,
  writeCubeHead,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const ORGANISATIONS = ["Companies", "Sole proprietors", "Partnerships", "Trusts"];
const EMPLOYMENT_SIZES = ["Non-employing", "1-4", "5-19", "20-199", "200+"];
const TURNOVER_SIZES = [
  "Zero to less than $50k",
  "$50k to less than $200k",
  "$200k to less than $2m",
  "$2m to less than $5m",
  "$5m to less than $10m",
  "$10m or more",
];
const INDUSTRIES: [code: string, name: string][] = [
  ["A", "Agriculture, Forestry and Fishing"],
  ["B", "Mining"],
  ["C", "Manufacturing"],
  ["D", "Electricity, Gas, Water and Waste Services"],
  ["E", "Construction"],
  ["F", "Wholesale Trade"],
  ["G", "Retail Trade"],
  ["H", "Accommodation and Food Services"],
  ["I", "Transport, Postal and Warehousing"],
  ["J", "Information Media and Telecommunications"],
  ["K", "Financial and Insurance Services"],
  ["L", "Rental, Hiring and Real Estate Services"],
  ["M", "Professional, Scientific and Technical Services"],
  ["N", "Administrative and Support Services"],
  ["O", "Public Administration and Safety"],
  ["P", "Education and Training"],
  ["Q", "Health Care and Social Assistance"],
  ["R", "Arts and Recreation Services"],
  ["S", "Other Services"],
  ["X", "Currently Unknown"],
];
const AREAS: [state: string, area: string][] = [
  ["New South Wales", "Greater Sydney"],
  ["New South Wales", "Rest of state"],
  ["Victoria", "Greater Melbourne"],
  ["Victoria", "Rest of state"],
  ["Queensland", "Greater Brisbane"],
  ["Queensland", "Rest of state"],
  ["South Australia", "Greater Adelaide"],
  ["South Australia", "Rest of state"],
  ["Western Australia", "Greater Perth"],
  ["Western Australia", "Rest of state"],
  ["Tasmania", "Greater Hobart"],
  ["Tasmania", "Rest of state"],
  ["Northern Territory", "Greater Darwin"],
  ["Northern Territory", "Rest of territory"],
  ["Australian Capital Territory", "Canberra"],
  ["Other Territories", "Other Territories"],
];

/** One of the two tables: where its corner lies, its two row labels, its two levels of column labels. */
interface Block {
  readonly name: string;
  readonly caption: string;
  /** First label column and the row of the upper column labels. */
  readonly column: number;
  readonly row: number;
  readonly labels: readonly (readonly [string, string])[];
  readonly sizes: readonly string[];
  readonly seed: number;
  readonly withheld: (label: string, organisation: string, size: string) => boolean;
}

const LEFT: Block = {
  name: "by_industry",
  caption: "BY INDUSTRY DIVISION AND EMPLOYMENT SIZE RANGE",
  column: 1,
  row: 7,
  labels: INDUSTRIES,
  sizes: EMPLOYMENT_SIZES,
  seed: 81_651,
  withheld: (code, organisation, size) =>
    (code === "X" && size !== "Non-employing") ||
    (size === "200+" && organisation === "Sole proprietors" && "BDKO".includes(code)),
};
const RIGHT: Block = {
  name: "by_area",
  caption: "BY AREA AND ANNUAL TURNOVER SIZE RANGE",
  // Two label columns, four times five value columns, an empty column.
  column: 2 + ORGANISATIONS.length * EMPLOYMENT_SIZES.length + 2,
  // One row further down than on the left.
  row: 8,
  labels: AREAS,
  sizes: TURNOVER_SIZES,
  seed: 81_652,
  withheld: (state, organisation, size) =>
    state === "Other Territories" && (organisation === "Trusts" || size.startsWith("$5m")),
};

function writeBlock(sheet: ExcelJS.Worksheet, block: Block): (string | number)[][] {
  const numbers = seededNumbers(block.seed);
  const firstRow = block.row + 2;
  const firstColumn = block.column + 2;
  writeHeader(sheet, block.row - 2, block.column, block.caption, "left");
  sheet.getColumn(block.column + 1).width = 34;
  ORGANISATIONS.forEach((organisation, o) => {
    block.sizes.forEach((size, s) => {
      const column = firstColumn + o * block.sizes.length + s;
      writeHeader(sheet, block.row, column, organisation);
      writeHeader(sheet, block.row + 1, column, size);
    });
  });
  const rows: (string | number)[][] = [];
  block.labels.forEach(([upper, lower], r) => {
    sheet.getCell(firstRow + r, block.column).value = upper;
    sheet.getCell(firstRow + r, block.column + 1).value = lower;
    ORGANISATIONS.forEach((organisation, o) => {
      block.sizes.forEach((size, s) => {
        const column = firstColumn + o * block.sizes.length + s;
        const withheld = block.withheld(upper, organisation, size) || numbers.chance(0.02);
        const value = numbers.integer(s === 0 ? 900 : 3, Math.floor(60_000 / (1 + s * s * 6)));
        const cell = writeValue(sheet, firstRow + r, column, withheld ? null : value, "#,##0");
        if (withheld) cell.note = "Not for publication";
        else rows.push([upper, lower, organisation, size, value]);
      });
    });
  });
  return rows;
}

/** Two tables beside each other, of different stubs and heights, the right one shifted down by a row. */
export const businessTablesBeside: ConformanceMember = {
  id: "gc07-business-tables-beside",
  title: "Businesses by legal organisation: an industry table beside an area table",
  publisher: "abs",
  difficulty: "hard",
  feature_tags: ["hierarchical_headers", "multi_table", "sparse_data"],
  task: "Sheet 'Table 1' holds two tables side by side; take both, named by_industry (left) and by_area (right), the left one first. Each has two label columns and two rows of labels over its columns; the right one starts a row lower. Empty cells are withheld and are no observations. Outputs of by_industry in this order: industry_code, industry, legal_organisation, employment_size, businesses. Outputs of by_area in this order: state, area, legal_organisation, turnover_size, businesses. The columns of the whole are thus table, industry_code, industry, legal_organisation, employment_size, state, area, turnover_size, businesses; what a table does not have stays blank.",
  layout:
    "Follows ABS 8165.0 Counts of Australian Businesses, data cube 1 (in the Data Bank), whose tables cross industry, area, legal organisation, employment size and turnover size and leave suppressed cells empty with the reason in a comment; two of them stand side by side on one sheet with a blank column between, as the yearly blocks of ABS 3301.0 Births, Table 4.1, do.",
  build() {
    const workbook = newWorkbook();
    const head = {
      product: "8165.0 Counts of Australian Businesses, including Entries and Exits",
      released: "Released at 11.30 am (Canberra time) 27 August 2024",
      title: "Table 1 Businesses by type of legal organisation and size, June 2024 (no.)",
      columns: RIGHT.column + 1 + ORGANISATIONS.length * TURNOVER_SIZES.length,
    };
    addCubeContents(workbook, head, [[1, head.title]]);
    const sheet = workbook.addWorksheet("Table 1");
    writeCubeHead(sheet, head);
    const left = writeBlock(sheet, LEFT);
    const right = writeBlock(sheet, RIGHT);
    writeNotes(sheet, LEFT.row + 2 + INDUSTRIES.length + 1, [
      "Size ranges are those at the end of the financial year.",
      "Invented values, 2026",
    ]);
    return {
      workbook,
      table: {
        columns: [
          "table",
          "industry_code",
          "industry",
          "legal_organisation",
          "employment_size",
          "state",
          "area",
          "turnover_size",
          "businesses",
        ],
        rows: [
          ...left.map(([code = "", name = "", organisation = "", size = "", value = ""]) => [
            LEFT.name,
            code,
            name,
            organisation,
            size,
            "",
            "",
            "",
            value,
          ]),
          ...right.map(([state = "", area = "", organisation = "", size = "", value = ""]) => [
            RIGHT.name,
            "",
            "",
            organisation,
            "",
            state,
            area,
            size,
            value,
          ]),
        ],
      },
    };
  },
};
