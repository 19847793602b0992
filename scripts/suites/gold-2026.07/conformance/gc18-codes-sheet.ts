import { writeCubeHead, writeHeader, writeNotes, writeValue } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

/** SA4 regions of the Australian Statistical Geography Standard: codes and names are the classification's own. */
const BLOCKS: readonly (readonly [
  heading: string,
  regions: readonly (readonly [code: string, name: string])[],
])[] = [
  [
    "Greater Hobart and rest of Tasmania",
    [
      ["601", "Hobart"],
      ["602", "Launceston and North East"],
      ["603", "South East"],
      ["604", "West and North West"],
    ],
  ],
  [
    "Greater Adelaide",
    [
      ["401", "Adelaide - Central and Hills"],
      ["402", "Adelaide - North"],
      ["403", "Adelaide - South"],
      ["404", "Adelaide - West"],
    ],
  ],
  [
    "Rest of South Australia",
    [
      ["405", "Barossa - Yorke - Mid North"],
      ["406", "South Australia - Outback"],
      ["407", "South Australia - South East"],
    ],
  ],
  [
    "Greater Perth",
    [
      ["502", "Mandurah"],
      ["503", "Perth - Inner"],
      ["504", "Perth - North East"],
      ["505", "Perth - North West"],
      ["506", "Perth - South East"],
      ["507", "Perth - South West"],
    ],
  ],
];
const MEASURES: readonly (readonly [name: string, low: number, high: number, places: 0 | 1])[] = [
  ["Usual residents", 32_000, 560_000, 0],
  ["Private dwellings", 14_000, 240_000, 0],
  ["Persons per household", 2.1, 2.9, 1],
  ["Median age (years)", 33, 48, 0],
];
const FIRST_ROW = 7;

/** The table gives codes only; the sheet `Codes` lists the names, line for line where the table has the codes. */
export const codesSheet: ConformanceMember = {
  id: "gc18-codes-sheet",
  title: "Residents and dwellings by region code, names of the regions on a sheet of their own",
  publisher: "abs",
  difficulty: "easy",
  feature_tags: ["metadata_sheet", "single_table", "stacked_blocks"],
  task: "Sheet 'Table 1': every value of every block. The table names its regions by code only; the sheet 'Codes' gives the name of each code, in the same row as the code has in the table. Outputs in this order: region (its name), measure, value. The headings that open the blocks are not wanted.",
  layout:
    "Follows ABS data cubes on Statistical Areas Level 4 that give regions by code, in blocks below each other, and explain the codes on another sheet; here that sheet keeps the table's rows. No particular table.",
  build() {
    const numbers = seededNumbers(72_618);
    const workbook = newWorkbook();
    const table = workbook.addWorksheet("Table 1");
    const codes = workbook.addWorksheet("Codes");
    const head = { product: "Regional summary by Statistical Area Level 4", released: "Invented; one year" };
    writeCubeHead(table, {
      ...head,
      title: "Table 1 Residents and dwellings by region code",
      columns: MEASURES.length + 2,
    });
    writeCubeHead(codes, { ...head, title: "Names of the codes in Table 1", columns: 2 });
    table.getColumn(1).width = 12;
    codes.getColumn(1).width = 12;
    codes.getColumn(2).width = 40;
    ["Level", "Code"].forEach((heading, c) => {
      writeHeader(table, 5, c + 1, heading, "left");
    });
    ["Code", "Region"].forEach((heading, c) => {
      writeHeader(codes, 5, c + 1, heading, "left");
    });
    MEASURES.forEach(([measure], c) => {
      writeHeader(table, 5, c + 3, measure, "right");
    });
    const rows: (string | number)[][] = [];
    let row = FIRST_ROW;
    for (const [heading, regions] of BLOCKS) {
      for (const sheet of [table, codes]) {
        sheet.getCell(row, 1).value = heading;
        sheet.getCell(row, 1).font = { bold: true };
      }
      row++;
      for (const [code, name] of regions) {
        table.getCell(row, 1).value = "SA4";
        table.getCell(row, 2).value = code;
        codes.getCell(row, 1).value = code;
        codes.getCell(row, 2).value = name;
        MEASURES.forEach(([measure, low, high, places], c) => {
          const value = places === 0 ? numbers.integer(low, high) : numbers.decimal(low, high, places);
          writeValue(table, row, c + 3, value, places === 0 ? "#,##0" : "0.0");
          rows.push([name, measure, value]);
        });
        row++;
      }
      row++;
    }
    writeNotes(table, row, ["Codes are explained on the sheet Codes."]);
    return { workbook, table: { columns: ["region", "measure", "value"], rows } };
  },
};
