import type { Cell, CellType, Range, Sheet, Workbook } from "../../../src/lib/sheet/model.ts";

type Given = string | number | boolean | null | (Partial<Cell> & { value: Cell["value"] });

/** A sheet from rows of plain values (row 1 first); an object sets any property of its cell. */
export function sheetOf(
  name: string,
  rows: readonly (readonly Given[])[],
  more: Partial<Pick<Sheet, "merges" | "hiddenRows" | "hiddenColumns" | "state">> = {},
): Sheet {
  const map = new Map<number, Cell[]>();
  let used: Range | null = null;
  for (const [r, values] of rows.entries())
    for (const [c, given] of values.entries()) {
      if (given === null) continue;
      const properties = typeof given === "object" ? given : { value: given };
      const cell = cellOf(r + 1, c + 1, properties);
      map.set(r + 1, [...(map.get(r + 1) ?? []), cell]);
      if (cell.type !== "blank")
        used =
          used === null
            ? { top: r + 1, left: c + 1, bottom: r + 1, right: c + 1 }
            : {
                top: used.top,
                left: Math.min(used.left, c + 1),
                bottom: r + 1,
                right: Math.max(used.right, c + 1),
              };
    }
  return {
    name,
    state: "visible",
    rows: map,
    rowNumbers: [...map.keys()],
    merges: [],
    hiddenRows: new Set(),
    hiddenColumns: [],
    used,
    ...more,
  };
}

function cellOf(row: number, column: number, given: Partial<Cell> & { value: Cell["value"] }): Cell {
  const types: Record<string, CellType> = { string: "text", number: "number", boolean: "boolean" };
  return {
    row,
    column,
    type: types[typeof given.value] ?? "blank",
    format: "General",
    bold: false,
    italic: false,
    superscript: false,
    indent: 0,
    fill: null,
    comment: null,
    formula: false,
    ...given,
  };
}

export const workbookOf = (...sheets: Sheet[]): Workbook => ({ sheets, date1904: false });
