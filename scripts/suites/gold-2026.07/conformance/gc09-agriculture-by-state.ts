import {
  addCubeContents,
  writeCubeHead,
  writeHeader,
  writeNotes,
  writeValue,
} from "../../layouts/abs-cube.ts";
import type { ConformanceMember } from "../../member.ts";
import { newWorkbook, seededNumbers } from "../../workbook.ts";

const STATES = ["NSW", "Vic.", "Qld", "SA", "WA", "Tas.", "NT", "ACT", "Australia"];
const CLASSES = [
  "0111 Nursery Production (Under Cover)",
  "0112 Nursery Production (Outdoors)",
  "0113 Turf Growing",
  "0114 Floriculture Production (Under Cover)",
  "0115 Floriculture Production (Outdoors)",
  "0121 Mushroom Growing",
  "0122 Vegetable Growing (Under Cover)",
  "0123 Vegetable Growing (Outdoors)",
  "0131 Grape Growing",
  "0132 Kiwifruit Growing",
  "0133 Berry Fruit Growing",
  "0134 Apple and Pear Growing",
  "0135 Stone Fruit Growing",
  "0136 Citrus Fruit Growing",
  "0137 Olive Growing",
  "0139 Other Fruit and Tree Nut Growing",
  "0141 Sheep Farming (Specialised)",
  "0142 Beef Cattle Farming (Specialised)",
  "0143 Beef Cattle Feedlots (Specialised)",
  "0144 Sheep-Beef Cattle Farming",
  "0145 Grain-Sheep or Grain-Beef Cattle Farming",
  "0146 Rice Growing",
  "0149 Other Grain Growing",
  "0151 Sugar Cane Growing",
  "0152 Cotton Growing",
  "0159 Other Crop Growing n.e.c.",
  "0160 Dairy Cattle Farming",
  "0171 Poultry Farming (Meat)",
  "0172 Poultry Farming (Eggs)",
  "0180 Deer Farming",
  "0191 Horse Farming",
  "0192 Pig Farming",
  "0193 Beekeeping",
  "0199 Other Livestock Farming n.e.c.",
];
/** Classes that a state or territory has no business in, by the state's column. */
const ABSENT: readonly (readonly [state: number, codes: string])[] = [
  [2, "0132 0180"],
  [3, "0132 0146 0151 0152"],
  [4, "0146 0151 0152"],
  [1, "0151 0152"],
  [5, "0146 0151 0152 0136 0137"],
  [6, "0132 0133 0134 0135 0146 0151 0152 0160 0180 0192"],
  [7, "0121 0132 0143 0146 0151 0152 0160 0171 0180 0192"],
];
const WANTED_TOP = 7;
/** Under the counts: the same row labels with percentages, which nobody asked for. */
const CHANGE_TOP = WANTED_TOP + CLASSES.length + 4;
const TITLE = "Table 5 Agricultural businesses by industry class and main state, June 2024";

const isAbsent = (label: string, state: number): boolean =>
  ABSENT.some(([column, codes]) => column === state && codes.split(" ").includes(label.slice(0, 4)));

/** One column of row labels, one row of column labels, holes of two kinds, and the same again in percent below. */
export const agricultureByState: ConformanceMember = {
  id: "gc09-agriculture-by-state",
  title: "Agricultural businesses by class and state, with a table of changes that is not wanted",
  publisher: "abs",
  difficulty: "medium",
  feature_tags: ["multi_table", "single_table", "sparse_data"],
  task: "Sheet 'Table 5': the counts of businesses in the upper table, with the column Australia. The lower table with percentage changes is not wanted. 'np' is a count withheld: keep the row, value blank. Empty cells (no such business in that state) are no observations. Outputs in this order: industry_class (as it stands, with its code), state, businesses.",
  layout:
    "Follows ABS 8165.0 Counts of Australian Businesses, data cube 1 (in the Data Bank): one column of row labels, a row of column labels over a row of units, suppressed and empty cells; a second table with the same row labels below it, as ABS 4125.0 Gender Indicators sets one table under another.",
  build() {
    const numbers = seededNumbers(81_655);
    const workbook = newWorkbook();
    const head = {
      product: "8165.0 Counts of Australian Businesses, including Entries and Exits",
      released: "Released at 11.30 am (Canberra time) 27 August 2024",
      title: TITLE,
      columns: 1 + STATES.length,
    };
    addCubeContents(workbook, head, [[5, TITLE]]);
    const sheet = workbook.addWorksheet("Table 5");
    writeCubeHead(sheet, head);
    const rows: (string | number)[][] = [];
    for (const [unit, top] of [
      ["no.", WANTED_TOP],
      ["%", CHANGE_TOP],
    ] as const) {
      if (unit === "%") writeHeader(sheet, top - 3, 1, "PERCENTAGE CHANGE SINCE JUNE 2023", "left");
      STATES.forEach((state, s) => {
        writeHeader(sheet, top - 2, 2 + s, state, "right");
        writeHeader(sheet, top - 1, 2 + s, unit, "right");
      });
      CLASSES.forEach((label, r) => {
        sheet.getCell(top + r, 1).value = label;
        STATES.forEach((state, s) => {
          if (isAbsent(label, s)) {
            writeValue(sheet, top + r, 2 + s, null, "#,##0");
            return;
          }
          const national = s === STATES.length - 1;
          const withheld = !national && numbers.chance(0.05);
          if (unit === "%") {
            writeValue(sheet, top + r, 2 + s, withheld ? "np" : numbers.decimal(-9, 12, 1), "0.0");
            return;
          }
          const count = numbers.integer(national ? 900 : 3, national ? 9_000 : s > 5 ? 60 : 2_400);
          writeValue(sheet, top + r, 2 + s, withheld ? "np" : count, "#,##0");
          rows.push([label, state, withheld ? "" : count]);
        });
      });
    }
    writeNotes(sheet, CHANGE_TOP + CLASSES.length + 1, [
      "np not available for publication but included in totals",
      "Invented values, 2026",
    ]);
    return { workbook, table: { columns: ["industry_class", "state", "businesses"], rows } };
  },
};
