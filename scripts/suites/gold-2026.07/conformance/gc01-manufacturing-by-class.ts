import {
  addCubeContents,
  writeBand,
  writeCubeHead,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const MEASURES = [
  { name: "Employment at end June", unit: "no.", low: 300, high: 9_000 },
  { name: "Wages and salaries", unit: "$m", low: 20, high: 900 },
  { name: "Sales and service income", unit: "$m", low: 150, high: 6_500 },
  { name: "Industry value added", unit: "$m", low: 40, high: 1_900 },
];
const YEARS = ["2020-21", "2021-22", "2022-23"];

/** Codes and names of the ANZSIC 2006 classification; two digits a subdivision, three a group, four a class. */
const INDUSTRIES = [
  "15 Pulp, paper and converted paper product manufacturing",
  "151 Pulp, paper and paperboard manufacturing",
  "1510 Pulp, paper and paperboard manufacturing",
  "152 Converted paper product manufacturing",
  "1521 Corrugated paperboard and paperboard container manufacturing",
  "1522 Paper bag manufacturing",
  "1523 Paper stationery manufacturing",
  "1524 Sanitary paper product manufacturing",
  "1529 Other converted paper product manufacturing",
  "16 Printing (including the reproduction of recorded media)",
  "161 Printing and printing support services",
  "1611 Printing",
  "1612 Printing support services",
  "162 Reproduction of recorded media",
  "1620 Reproduction of recorded media",
  "17 Petroleum and coal product manufacturing",
  "170 Petroleum and coal product manufacturing",
  "1701 Petroleum refining and petroleum fuel manufacturing",
  "1709 Other petroleum and coal product manufacturing",
  "18 Basic chemical and chemical product manufacturing",
  "181 Basic chemical manufacturing",
  "1811 Industrial gas manufacturing",
  "1812 Basic organic chemical manufacturing",
  "1813 Basic inorganic chemical manufacturing",
  "182 Basic polymer manufacturing",
  "1821 Synthetic resin and synthetic rubber manufacturing",
  "1829 Other basic polymer manufacturing",
  "183 Fertiliser and pesticide manufacturing",
  "1831 Fertiliser manufacturing",
  "1832 Pesticide manufacturing",
  "184 Pharmaceutical and medicinal product manufacturing",
  "1841 Human pharmaceutical and medicinal product manufacturing",
  "1842 Veterinary pharmaceutical and medicinal product manufacturing",
  "185 Cleaning compound and toiletry preparation manufacturing",
  "1851 Cleaning compound manufacturing",
  "1852 Cosmetic and toiletry preparation manufacturing",
  "189 Other basic chemical product manufacturing",
  "1891 Photographic chemical product manufacturing",
  "1892 Explosive manufacturing",
  "1899 Other basic chemical product manufacturing n.e.c.",
  "19 Polymer product and rubber product manufacturing",
  "191 Polymer product manufacturing",
  "1911 Polymer film and sheet packaging material manufacturing",
  "1912 Rigid and semi-rigid polymer product manufacturing",
  "1913 Polymer foam product manufacturing",
  "1914 Tyre manufacturing",
  "1915 Adhesive manufacturing",
  "1916 Paint and coatings manufacturing",
  "1919 Other polymer product manufacturing",
  "192 Natural rubber product manufacturing",
  "1920 Natural rubber product manufacturing",
  "20 Non-metallic mineral product manufacturing",
  "201 Glass and glass product manufacturing",
  "2010 Glass and glass product manufacturing",
  "202 Ceramic product manufacturing",
  "2021 Clay brick manufacturing",
  "2029 Other ceramic product manufacturing",
  "203 Cement, lime, plaster and concrete product manufacturing",
  "2031 Cement and lime manufacturing",
  "2032 Plaster product manufacturing",
  "2033 Ready-mixed concrete manufacturing",
  "2034 Concrete product manufacturing",
  "209 Other non-metallic mineral product manufacturing",
  "2090 Other non-metallic mineral product manufacturing",
];
const ROWS = ["Manufacturing", ...INDUSTRIES];
const WITHHELD =
  "not available for publication but included in totals where applicable, unless otherwise indicated";
const CAUTION =
  "estimate has a relative standard error of 10% to less than 25% and should be used with caution";
const FIRST_ROW = 8;

const codeOf = (label: string): string => /^[0-9]*/.exec(label)?.[0] ?? "";

/** Classes get invented values; every level above is the sum of its classes, before anything is withheld. */
function inventedValues(): Map<string, number[]> {
  const numbers = seededNumbers(20_260_701);
  const classes = new Map<string, number[]>();
  for (const label of INDUSTRIES) {
    const code = codeOf(label);
    if (code.length !== 4) continue;
    classes.set(
      code,
      MEASURES.flatMap(({ low, high }) => YEARS.map(() => numbers.integer(low, high))),
    );
  }
  const sums = new Map<string, number[]>();
  for (const label of ROWS) {
    const code = codeOf(label);
    const below = [...classes].filter(([each]) => each.startsWith(code)).map(([, values]) => values);
    sums.set(
      label,
      Array.from({ length: MEASURES.length * YEARS.length }, (_, at) =>
        below.reduce((sum, values) => sum + (values[at] ?? 0), 0),
      ),
    );
  }
  return sums;
}

/** Row labels of four depths told apart only by the length of their code; suppressed cells are empty. */
export const manufacturingByClass: ConformanceMember = {
  id: "gc01-manufacturing-by-class",
  title: "Manufacturing by ANZSIC class, measure and financial year",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["hierarchical_headers", "merged_cells", "single_table", "sparse_data", "time_series"],
  published_in_bank: true,
  task: "Sheet 'Table_1': every value given, of every row. The row labels stand in one column but mix four depths of the ANZSIC classification, told apart by the length of the code in front: no code is the division, two digits a subdivision, three a group, four a class. Put each row's label, as it stands with its code, into the one column of its own depth and leave the other three blank. Cells left empty are withheld from publication and are no observations; units are not wanted. Outputs in this order: division, subdivision, group, class, measure, financial_year, value.",
  layout:
    "Re-creates the layout of ABS 8155.0 Australian Industry 2022-23, data cube 3, Table_1 (Manufacturing industry by ANZSIC class; in the Data Bank): measure merged over three financial years, year, unit; labels of four depths in one column; withheld cells empty with the reason in a comment. Six of its subdivisions, other values.",
  build() {
    const numbers = seededNumbers(81_550_003);
    const workbook = newWorkbook();
    const head = {
      product: "81550DO003_202223 Australian Industry, 2022-23",
      released: "Released at 11:30 am (Canberra time) Fri 31 May 2024",
      title: "Table 1 Manufacturing industry by ANZSIC class",
      columns: 1 + MEASURES.length * YEARS.length,
    };
    addCubeContents(workbook, head, [[1, "Manufacturing industry by ANZSIC class"]]);
    const sheet = workbook.addWorksheet("Table_1");
    writeCubeHead(sheet, head);
    sheet.getCell("A4").note = "Selected subdivisions only.";
    MEASURES.forEach(({ name, unit }, m) => {
      const left = 2 + m * YEARS.length;
      writeBand(sheet, 5, left, left + YEARS.length - 1, name);
      YEARS.forEach((year, y) => {
        writeHeader(sheet, 6, left + y, year, "right");
        writeHeader(sheet, 7, left + y, unit, "right");
      });
    });
    sheet.getCell("B5").note = "Includes working proprietors and partners of unincorporated businesses.";
    sheet.getCell("K5").note = "Excludes support payments.";

    const values = inventedValues();
    const rows: (string | number)[][] = [];
    ROWS.forEach((label, r) => {
      const row = FIRST_ROW + r;
      const depth = Math.max(0, codeOf(label).length - 1);
      sheet.getCell(row, 1).value = label;
      // Whole years of a small class are withheld, now and then a single figure.
      const wholeYear = depth === 3 && numbers.chance(0.16) ? numbers.integer(0, 2) : null;
      (values.get(label) ?? []).forEach((value, at) => {
        const year = at % YEARS.length;
        const withheld =
          depth > 0 &&
          ((year === wholeYear && at >= YEARS.length) || numbers.chance(depth === 3 ? 0.03 : 0.015));
        const cell = writeValue(sheet, row, 2 + at, withheld ? null : value, "#,##0");
        if (withheld) {
          cell.note = WITHHELD;
          return;
        }
        if (depth > 1 && numbers.chance(0.05)) cell.note = CAUTION;
        const levels = ["", "", "", ""];
        levels[depth] = label;
        rows.push([...levels, MEASURES[Math.floor(at / YEARS.length)]?.name ?? "", YEARS[year] ?? "", value]);
      });
    });
    writeNotes(sheet, FIRST_ROW + ROWS.length + 2, ["Invented values, 2026"]);
    return {
      workbook,
      table: {
        columns: ["division", "subdivision", "group", "class", "measure", "financial_year", "value"],
        rows,
      },
    };
  },
};
