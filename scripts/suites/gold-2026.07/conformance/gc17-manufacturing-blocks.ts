import { writeCubeHead, writeHeader, writeNotes, writeValue } from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const STATES: readonly (readonly [name: string, weight: number])[] = [
  ["New South Wales", 1],
  ["Victoria", 0.93],
  ["Queensland", 0.66],
  ["South Australia", 0.29],
  ["Western Australia", 0.31],
  ["Tasmania", 0.06],
  ["Northern Territory", 0.012],
  ["Australian Capital Territory", 0.015],
];
/** ANZSIC 2006 subdivisions. */
const SUBDIVISIONS: readonly (readonly [code: string, name: string])[] = [
  ["11", "Food product manufacturing"],
  ["12", "Beverage and tobacco product manufacturing"],
  ["13", "Textile, leather, clothing and footwear manufacturing"],
  ["14", "Wood product manufacturing"],
  ["15", "Pulp, paper and converted paper product manufacturing"],
  ["16", "Printing (including the reproduction of recorded media)"],
  ["17", "Petroleum and coal product manufacturing"],
  ["18", "Basic chemical and chemical product manufacturing"],
  ["19", "Polymer product and rubber product manufacturing"],
  ["20", "Non-metallic mineral product manufacturing"],
  ["21", "Primary metal and metal product manufacturing"],
  ["22", "Fabricated metal product manufacturing"],
  ["23", "Transport equipment manufacturing"],
  ["24", "Machinery and equipment manufacturing"],
  ["25", "Furniture and other manufacturing"],
];
/** The row that closes a block has no code. */
const TOTAL = "Total manufacturing";
const MEASURES: readonly (readonly [name: string, unit: string, scale: number])[] = [
  ["Employment at end of June", "no.", 20_000],
  ["Wages and salaries", "$m", 1_400],
  ["Sales and service income", "$m", 9_500],
  ["Industry value added", "$m", 3_100],
  ["Purchases of goods and materials", "$m", 5_600],
  ["Operating profit before tax", "%", 0],
];
const FIRST_ROW = 8;

/** Blocks whose labels stand on every row, with a blank row between; confidential cells blank or `np`. */
export const manufacturingBlocks: ConformanceMember = {
  id: "gc17-manufacturing-blocks",
  title: "Manufacturing by state and subdivision, labels on every row, blank rows between the states",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "single_table", "sparse_data", "stacked_blocks", "unit_rows"],
  task: "Sheet 'Table_2a': every value, with the rows 'Total manufacturing'. Outputs in this order: state, anzsic_code (text as it stands, blank for the totals), industry, measure, unit, value. Units stand in their own row below the measures. Empty cells are no observations; 'np' is one and stays 'np'. Blank rows only separate the states.",
  layout:
    "Follows ABS 8155.0 Australian Industry, data cube 3, Table_2 (states by ANZSIC subdivision, measures in R5, units below): states under each other, here of one year, with state, code and industry written out on every row and a blank row between the blocks.",
  build() {
    const numbers = seededNumbers(72_617);
    const workbook = newWorkbook();
    const sheet = workbook.addWorksheet("Table_2a");
    writeCubeHead(sheet, {
      product: "81550DO003_202223 Australian Industry, 2022-23",
      released: "Invented; 2022-23",
      title: "Table 2a Manufacturing industry by States and territories by ANZSIC subdivision, 2022-23",
      columns: MEASURES.length + 3,
    });
    ["State or territory", "ANZSIC code", "Industry"].forEach((heading, c) => {
      writeHeader(sheet, 5, c + 1, heading, "left");
    });
    sheet.getColumn(1).width = 26;
    sheet.getColumn(3).width = 52;
    MEASURES.forEach(([measure, unit], c) => {
      writeHeader(sheet, 5, c + 4, measure, "right");
      sheet.getCell(6, c + 4).value = unit;
      sheet.getCell(6, c + 4).alignment = { horizontal: "right" };
    });
    const rows: (string | number)[][] = [];
    let row = FIRST_ROW;
    for (const [state, weight] of STATES) {
      const sums = MEASURES.map(() => 0);
      const write = (code: string, industry: string, cells: readonly (number | "np" | null)[]): void => {
        const total = code === "";
        sheet.getCell(row, 1).value = state;
        if (!total) sheet.getCell(row, 2).value = code;
        sheet.getCell(row, 3).value = industry;
        if (total) sheet.getCell(row, 3).font = { italic: true };
        cells.forEach((value, c) => {
          const [measure = "", unit = ""] = MEASURES[c] ?? [];
          writeValue(sheet, row, c + 4, value, unit === "%" ? "0.0" : "#,##0");
          if (value !== null) rows.push([state, code, industry, measure, unit, value]);
        });
        row++;
      };
      for (const [code, industry] of SUBDIVISIONS) {
        const size = weight * numbers.decimal(0.2, 1.8, 3);
        const cells = MEASURES.map(([, unit, scale], c): number | "np" | null => {
          const value =
            unit === "%"
              ? numbers.decimal(-4, 18, 1)
              : Math.round(size * scale * numbers.decimal(0.8, 1.2, 3));
          if (unit !== "%") sums[c] = (sums[c] ?? 0) + value;
          const hidden = numbers.chance(weight < 0.1 ? 0.25 : 0.04);
          return hidden ? (numbers.chance(0.5) ? "np" : null) : value;
        });
        write(code, industry, cells);
      }
      write(
        "",
        TOTAL,
        MEASURES.map(([, unit], c) => (unit === "%" ? numbers.decimal(2, 11, 1) : (sums[c] ?? 0))),
      );
      row++;
    }
    writeNotes(sheet, row, [
      "np not available for publication but included in totals where applicable",
      "Operating profit before tax is a percentage of sales and service income.",
    ]);
    const columns = ["state", "anzsic_code", "industry", "measure", "unit", "value"];
    return { workbook, table: { columns, rows } };
  },
};
