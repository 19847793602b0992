import { contains, intersection, subtract } from "./address.ts";
import type { Meter } from "./budget.ts";
import { type FillRule, fillSpans } from "./fill.ts";
import type { Cell, Range, Sheet } from "./model.ts";
import { cellAt, cellsBetween, rowsBetween } from "./sheet-index.ts";
import type { CellTest } from "./where.ts";

/** A rectangle in which one header cell stands: the cell itself, its merged area, or what it was spread over. */
export interface Span extends Range {
  readonly source: Cell;
}

/** Which cells of one sheet are headers. */
export interface HeaderArea {
  readonly sheet: Sheet;
  readonly ranges: readonly Range[];
  readonly except: readonly Range[];
  readonly where: CellTest;
  readonly expandMerged: boolean;
  readonly fill: FillRule | null;
}

/** A header cell says something: it has a value, and not only white space. */
export const saysSomething = (cell: Cell): boolean =>
  cell.type !== "blank" && !(cell.type === "text" && String(cell.value).trim() === "");

/** Header spans of one sheet, disjoint where the workbook's merges are: cells, then merged areas, then what fill adds. */
export function collectSpans(area: HeaderArea, meter: Meter): Span[] {
  const expanded = area.expandMerged ? mergedSpans(area, meter) : [];
  const cells = headerCells(area, meter).filter((cell) => {
    meter.spend("work", 1 + expanded.length);
    // A merged area says what its top-left cell says, also where the file kept something underneath.
    return !expanded.some((span) => contains(span, cell.row, cell.column));
  });
  const spans: Span[] = [...expanded, ...cells.map(spanOf)];
  return area.fill === null ? spans : [...spans, ...fillSpans(area, area.fill, spans, meter)];
}

const spanOf = (cell: Cell): Span => ({
  top: cell.row,
  bottom: cell.row,
  left: cell.column,
  right: cell.column,
  source: cell,
});

function headerCells({ sheet, ranges, except, where }: HeaderArea, meter: Meter): Cell[] {
  const found = new Set<Cell>();
  for (const range of ranges) {
    for (const row of rowsBetween(sheet, range.top, range.bottom)) {
      const holes = except.filter((hole) => row >= hole.top && row <= hole.bottom);
      const cells = cellsBetween(sheet, row, range.left, range.right);
      meter.spend("cells", cells.length + 1);
      meter.spend("work", except.length + cells.length * holes.length);
      for (const cell of cells) {
        if (holes.some((hole) => cell.column >= hole.left && cell.column <= hole.right)) continue;
        if (saysSomething(cell) && where(cell, sheet)) found.add(cell);
      }
    }
  }
  return [...found];
}

function mergedSpans({ sheet, ranges, except, where }: HeaderArea, meter: Meter): Span[] {
  const spans: Span[] = [];
  for (const merge of sheet.merges) {
    meter.spend("work", 1 + ranges.length);
    const parts = ranges.map((range) => intersection(range, merge)).filter((part) => part !== null);
    if (parts.length === 0) continue;
    const source = cellAt(sheet, merge.top, merge.left);
    if (source === undefined || !saysSomething(source) || !where(source, sheet)) continue;
    for (const part of parts) {
      let rest: Range[] = [part];
      for (const hole of except) {
        meter.spend("work", rest.length);
        rest = rest.flatMap((each) => subtract(each, hole));
      }
      for (const each of rest) spans.push({ ...each, source });
    }
  }
  return spans;
}
