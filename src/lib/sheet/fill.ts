import type { Meter } from "./budget.ts";
import type { HeaderArea, Span } from "./header-cells.ts";
import type { Cell, Sheet } from "./model.ts";
import { absentCell, cellAt, cellsBetween, inAny, rowsBetween } from "./sheet-index.ts";
import type { CellTest } from "./where.ts";

export interface FillRule {
  readonly direction: "right" | "left" | "down" | "up";
  /** Null: only the next header and the end of the range end a spread. */
  readonly until: { readonly test: CellTest; readonly dependsOnPosition: boolean } | null;
}

/** A stretch along one line (a row for right and left, a column for down and up), both ends included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}
interface HeaderStretch extends Stretch {
  readonly source: Cell;
}

/**
 * What spreading adds to the headers: along each line, from every header over the cells after it that hold none, up to
 * the next header, the end of the range, or a cell for which `until` holds (which inherits and spreads nothing).
 * Cells of `except` are passed over without inheriting.
 */
export function fillSpans(area: HeaderArea, rule: FillRule, spans: readonly Span[], meter: Meter): Span[] {
  const alongRow = rule.direction === "right" || rule.direction === "left";
  const forward = rule.direction === "right" || rule.direction === "down";
  const added: Span[] = [];
  for (const [line, headers] of linesOf(spans, alongRow, meter)) {
    const ends = new LineEnds(area, rule, alongRow, line, meter);
    for (const stretch of stretchesOf(area, alongRow, line)) {
      const here = headers.filter((header) => header.from >= stretch.from && header.to <= stretch.to);
      here.sort((a, b) => a.from - b.from);
      meter.spend("work", here.length + headers.length + area.ranges.length);
      for (const [index, header] of here.entries()) {
        if (rule.until?.test(header.source, area.sheet) === true) continue;
        const gap = forward
          ? { from: header.to + 1, to: (here[index + 1]?.from ?? stretch.to + 1) - 1 }
          : { from: (here[index - 1]?.to ?? stretch.from - 1) + 1, to: header.from - 1 };
        if (gap.from > gap.to) continue;
        const reached = ends.cutShort(gap, forward);
        for (const piece of withoutHoles(area, alongRow, line, reached, meter)) {
          added.push({ ...rectangle(alongRow, line, piece), source: header.source });
        }
      }
    }
  }
  return added;
}

/** Headers by line. A header that spans several lines spreads along each of them. */
function linesOf(spans: readonly Span[], alongRow: boolean, meter: Meter): Map<number, HeaderStretch[]> {
  const lines = new Map<number, HeaderStretch[]>();
  for (const span of spans) {
    const [first, last] = alongRow ? [span.top, span.bottom] : [span.left, span.right];
    meter.spend("work", last - first + 1);
    const stretch = {
      from: alongRow ? span.left : span.top,
      to: alongRow ? span.right : span.bottom,
      source: span.source,
    };
    for (let line = first; line <= last; line += 1) {
      const list = lines.get(line);
      if (list === undefined) lines.set(line, [stretch]);
      else list.push(stretch);
    }
  }
  return lines;
}

/** The parts of a line inside `from`; ranges that touch or overlap are one. */
function stretchesOf({ ranges }: HeaderArea, alongRow: boolean, line: number): Stretch[] {
  const parts: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const [first, last] = alongRow ? [range.top, range.bottom] : [range.left, range.right];
    if (line < first || line > last) continue;
    parts.push(alongRow ? { from: range.left, to: range.right } : { from: range.top, to: range.bottom });
  }
  parts.sort((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && part.from <= last.to + 1) last.to = Math.max(last.to, part.to);
    else joined.push(part);
  }
  return joined;
}

/** Where `until` ends a spread on one line. */
class LineEnds {
  private readonly area: HeaderArea;
  private readonly rule: FillRule;
  private readonly alongRow: boolean;
  private readonly line: number;
  private readonly meter: Meter;

  constructor(area: HeaderArea, rule: FillRule, alongRow: boolean, line: number, meter: Meter) {
    this.area = area;
    this.rule = rule;
    this.alongRow = alongRow;
    this.line = line;
    this.meter = meter;
  }

  /** The part of `gap` before the first cell, seen in the direction of the spread, for which `until` holds. */
  cutShort(gap: Stretch, forward: boolean): Stretch {
    const stop = this.rule.until === null ? null : this.firstStop(gap, forward, this.rule.until);
    if (stop === null) return gap;
    return forward ? { from: gap.from, to: stop - 1 } : { from: stop + 1, to: gap.to };
  }

  private firstStop(gap: Stretch, forward: boolean, until: NonNullable<FillRule["until"]>): number | null {
    const { sheet } = this.area;
    if (!until.dependsOnPosition && !until.test(absentCell(1, 1), sheet)) {
      // Cells that the file does not hold cannot match: only existing ones are asked.
      const cells = this.existing(sheet, gap);
      for (const cell of forward ? cells : cells.reverse()) {
        const position = this.alongRow ? cell.column : cell.row;
        if (until.test(cell, sheet) && !this.isHole(cell.row, cell.column)) return position;
      }
      return null;
    }
    const step = forward ? 1 : -1;
    for (let at = forward ? gap.from : gap.to; at >= gap.from && at <= gap.to; at += step) {
      // Asking a position that may hold no cell costs about twice as much as walking over one that exists.
      this.meter.spend("cells", 2);
      const [row, column] = this.alongRow ? [this.line, at] : [at, this.line];
      const cell = cellAt(sheet, row, column) ?? absentCell(row, column);
      if (until.test(cell, sheet) && !this.isHole(row, column)) return at;
    }
    return null;
  }

  private isHole(row: number, column: number): boolean {
    this.meter.spend("work", this.area.except.length);
    return inAny(this.area.except, row, column);
  }

  private existing(sheet: Sheet, gap: Stretch): Cell[] {
    if (this.alongRow) {
      const cells = [...cellsBetween(sheet, this.line, gap.from, gap.to)];
      this.meter.spend("cells", cells.length);
      return cells;
    }
    const cells: Cell[] = [];
    for (const row of rowsBetween(sheet, gap.from, gap.to)) {
      this.meter.spend("cells", 1);
      const cell = cellAt(sheet, row, this.line);
      if (cell !== undefined) cells.push(cell);
    }
    return cells;
  }
}

function withoutHoles(
  { except }: HeaderArea,
  alongRow: boolean,
  line: number,
  stretch: Stretch,
  meter: Meter,
): Stretch[] {
  let rest: Stretch[] = stretch.from <= stretch.to ? [stretch] : [];
  for (const hole of except) {
    meter.spend("work", rest.length);
    const [first, last] = alongRow ? [hole.top, hole.bottom] : [hole.left, hole.right];
    if (line < first || line > last) continue;
    const [from, to] = alongRow ? [hole.left, hole.right] : [hole.top, hole.bottom];
    rest = rest.flatMap((part) => {
      const pieces = [
        { from: part.from, to: Math.min(part.to, from - 1) },
        { from: Math.max(part.from, to + 1), to: part.to },
      ];
      return part.to < from || part.from > to ? [part] : pieces.filter((piece) => piece.from <= piece.to);
    });
  }
  return rest;
}

const rectangle = (alongRow: boolean, line: number, { from, to }: Stretch) =>
  alongRow
    ? { top: line, bottom: line, left: from, right: to }
    : { top: from, bottom: to, left: line, right: line };
