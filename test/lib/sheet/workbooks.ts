import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import type { Cell, Range, Sheet, Workbook } from "../../../src/lib/sheet/model.ts";
import type { Execution } from "../../../src/lib/sheet/output.ts";
import type { Recipe } from "../../../src/lib/sheet/recipe-schema.ts";
import { recipeSchema } from "../../../src/lib/sheet/recipe-schema.ts";

/** Small workbooks in memory. A grid is rows of cells from R1C1; `null` is no cell at all. */

export type CellSpec = string | number | boolean | null | Partial<Omit<Cell, "row" | "column">>;

export interface SheetSpec {
  readonly name?: string;
  readonly grid: readonly (readonly CellSpec[])[];
  readonly merges?: readonly Range[];
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly { first: number; last: number }[];
}

export function cellOf(row: number, column: number, spec: Exclude<CellSpec, null>): Cell {
  const given: Partial<Cell> = typeof spec === "object" ? spec : { value: spec };
  const value = given.value ?? null;
  const type =
    value === null
      ? "blank"
      : typeof value === "number"
        ? "number"
        : typeof value === "boolean"
          ? "boolean"
          : "text";
  return {
    type,
    value,
    format: "General",
    bold: false,
    italic: false,
    superscript: false,
    indent: 0,
    fill: null,
    comment: null,
    formula: false,
    ...given,
    row,
    column,
  };
}

export function sheetFrom(cells: readonly Cell[], spec: Omit<SheetSpec, "grid"> = {}): Sheet {
  const rows = new Map<number, Cell[]>();
  for (const cell of [...cells].sort((a, b) => a.row - b.row || a.column - b.column)) {
    rows.set(cell.row, [...(rows.get(cell.row) ?? []), cell]);
  }
  const valued = cells.filter((cell) => cell.type !== "blank");
  const rowsOf = valued.map((cell) => cell.row);
  const columnsOf = valued.map((cell) => cell.column);
  return {
    name: spec.name ?? "S",
    state: "visible",
    rows,
    rowNumbers: [...rows.keys()],
    merges: spec.merges ?? [],
    hiddenRows: new Set(spec.hiddenRows),
    hiddenColumns: spec.hiddenColumns ?? [],
    used:
      valued.length === 0
        ? null
        : {
            top: Math.min(...rowsOf),
            left: Math.min(...columnsOf),
            bottom: Math.max(...rowsOf),
            right: Math.max(...columnsOf),
          },
  };
}

export function workbookOf(specs: readonly SheetSpec[], date1904 = false): Workbook {
  return {
    date1904,
    sheets: specs.map((spec) =>
      sheetFrom(
        spec.grid.flatMap((row, r) =>
          row.flatMap((cell, c) => (cell === null ? [] : [cellOf(r + 1, c + 1, cell)])),
        ),
        spec,
      ),
    ),
  };
}

export const merge = (top: number, left: number, bottom: number, right: number): Range => ({
  top,
  left,
  bottom,
  right,
});

type TableInput = Omit<Recipe["tables"][number], "sheet"> & { sheet?: string | string[] };

/** A recipe of these tables (on sheet `S` unless they say otherwise), through the schema. */
export const recipeOf = (...tables: TableInput[]): Recipe =>
  recipeSchema.parse({ version: 1, tables: tables.map((table) => ({ sheet: "S", ...table })) });

/** Executes and expects success. */
export function executed(workbook: Workbook, ...tables: TableInput[]): Execution {
  const outcome = executeRecipe(workbook, recipeOf(...tables));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, null, 1));
  return outcome.value;
}

/** Rows of the tidy table, cells joined by `|`, for readable expectations. */
export const rowsOf = (workbook: Workbook, ...tables: TableInput[]): string[] =>
  executed(workbook, ...tables).table.rows.map((row) => row.join("|"));

/** Codes of the findings of a recipe that fails. */
export function codesOf(workbook: Workbook, ...tables: TableInput[]): string[] {
  const outcome = executeRecipe(workbook, recipeOf(...tables));
  if (outcome.ok) throw new Error("expected findings");
  return outcome.findings.map((finding) => finding.code);
}
