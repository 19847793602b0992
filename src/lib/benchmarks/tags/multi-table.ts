import type { Sheet } from "../../sheet/model.ts";
import type { Recipe } from "../../sheet/recipe-schema.ts";
import { sheetNamesOf } from "../../sheet/scope.ts";
import { cellAt, inAny, sheetNamed } from "../../sheet/sheet-index.ts";
import { cellsIn, namedRanges, saysSomething, type TagPredicate } from "./evidence.ts";

/**
 * The source sheet holds more than one logical table: two tables of the recipe lie on one sheet; or a sheet of the
 * recipe holds a further block of at least two by two numbers, outside every rectangle that the recipe names (values,
 * exceptions, headers), with a header above or beside it: a text, a date, or a row or column of years.
 */
export const multiTable: TagPredicate = ({ workbook, recipe }) => {
  const names = recipe.tables.flatMap((table) => [...sheetNamesOf(table)]);
  if (new Set(names).size < names.length) return true;
  return names.some((name) => {
    const sheet = sheetNamed(workbook, name);
    return sheet !== undefined && holdsFurtherBlock(sheet, recipe);
  });
};

const YEAR = { from: 1800, to: 2199 } as const;
/** Rows and columns that a header may lie away from its block. */
const NEAR = 3;

function holdsFurtherBlock(sheet: Sheet, recipe: Recipe): boolean {
  if (sheet.used === null) return false;
  const named = namedRanges(recipe, sheet.name);
  const isFree = (row: number, column: number): boolean =>
    cellAt(sheet, row, column)?.type === "number" && !inAny(named, row, column);
  for (const { row, column, type } of cellsIn(sheet, sheet.used)) {
    if (type !== "number" || inAny(named, row, column)) continue;
    const isBlock = isFree(row, column + 1) && isFree(row + 1, column) && isFree(row + 1, column + 1);
    if (isBlock && hasHeader(sheet, row, column)) return true;
  }
  return false;
}

/** Walks up and left from a block's corner through its numbers to what heads it. */
function hasHeader(sheet: Sheet, row: number, column: number): boolean {
  return heads(sheet, row, column, -1, 0) || heads(sheet, row, column, 0, -1);
}

function heads(sheet: Sheet, row: number, column: number, down: -1 | 0, right: -1 | 0): boolean {
  let gap = 0;
  for (let r = row + down, c = column + right; r >= 1 && c >= 1 && gap < NEAR; r += down, c += right) {
    const cell = cellAt(sheet, r, c);
    if (cell === undefined || !saysSomething(cell)) {
      gap += 1;
      continue;
    }
    if (cell.type === "text" || cell.type === "date") return true;
    if (cell.type === "number" && isYear(cell.value)) return true;
    gap = 0;
  }
  return false;
}

const isYear = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= YEAR.from && value <= YEAR.to;
