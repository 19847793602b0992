import type { Reference } from "./address.ts";
import type { Meter } from "./budget.ts";
import type { Cell, Range, Sheet } from "./model.ts";
import { finisher, type Read, takeFrom } from "./reading.ts";
import type { ValuesRule } from "./recipe-schema.ts";
import { rangesOn, referencesOf } from "./scope.ts";
import { absentCell, cellsBetween, rowsBetween } from "./sheet-index.ts";
import { compileWhere } from "./where.ts";

/** A value cell and its scalar; the scalar is blank for a kept blank or a blanked symbol. */
export interface Value {
  readonly cell: Cell;
  readonly read: Exclude<Read, { kind: "missing" }>;
}

const BLANK: Value["read"] = { kind: "scalar", text: "" };

/** Collects a table's values, sheet by sheet. */
export function valueCollector(rule: ValuesRule, date1904: boolean, meter: Meter): (sheet: Sheet) => Value[] {
  const from = referencesOf(rule.from);
  const except = referencesOf(rule.except);
  const where = compileWhere(rule.where, meter);
  const finish = finisher(rule, undefined, meter, date1904);
  const symbols = new Set(rule.symbols?.texts.map((text) => text.normalize("NFC").trim()));
  const readCell = (cell: Cell, sheet: Sheet): Value["read"] | null => {
    meter.spend("work", 6);
    const taken = takeFrom(cell, sheet, rule, date1904, meter);
    if (taken === null) return BLANK;
    if (symbols.has(taken.text.trim()) && (taken.type === "text" || taken.type === "error")) {
      if (rule.symbols?.as === "drop") return null;
      return rule.symbols?.as === "blank" ? BLANK : { kind: "scalar", text: taken.text };
    }
    const [read] = finish(taken);
    return read === undefined || read.kind === "missing" ? BLANK : read;
  };
  return (sheet) => {
    const values: Value[] = [];
    for (const cell of cellsOf(sheet, from, except, rule.blanks === "keep", meter)) {
      if (!where(cell, sheet)) continue;
      const read = readCell(cell, sheet);
      if (read === null) continue;
      meter.spend("rows", 1);
      values.push({ cell, read });
    }
    return values;
  };
}

/** Cells of the ranges in order; with `keepBlanks` also those without a value, held by the file or not. */
function* cellsOf(
  sheet: Sheet,
  from: readonly Reference[],
  except: readonly Reference[],
  keepBlanks: boolean,
  meter: Meter,
): Generator<Cell> {
  const holes = rangesOn(except, sheet.name);
  for (const range of rangesOn(from, sheet.name)) {
    for (const row of keepBlanks ? everyRow(range) : rowsBetween(sheet, range.top, range.bottom)) {
      const existing = cellsBetween(sheet, row, range.left, range.right);
      const cells = keepBlanks ? withAbsent(existing, row, range) : existing;
      meter.spend("cells", cells.length + 1);
      const rowHoles = holes.filter((hole) => row >= hole.top && row <= hole.bottom);
      meter.spend("work", holes.length + rowHoles.length * cells.length);
      for (const cell of cells) {
        if (cell.type === "blank" && !keepBlanks) continue;
        if (rowHoles.some((hole) => cell.column >= hole.left && cell.column <= hole.right)) continue;
        yield cell;
      }
    }
  }
}

function* everyRow(range: Range): Generator<number> {
  for (let row = range.top; row <= range.bottom; row += 1) yield row;
}

function withAbsent(existing: readonly Cell[], row: number, range: Range): Cell[] {
  const cells: Cell[] = [];
  let next = 0;
  for (let column = range.left; column <= range.right; column += 1) {
    const cell = existing[next];
    if (cell?.column === column) {
      cells.push(cell);
      next += 1;
    } else {
      cells.push(absentCell(row, column));
    }
  }
  return cells;
}
