import type { Meter } from "./budget.ts";
import type { Span } from "./header-cells.ts";
import type { Cell } from "./model.ts";
import type { Direction } from "./recipe-schema.ts";
import { firstIndex } from "./sheet-index.ts";

/**
 * Finding a value's header. Every direction is turned so that the header lies at a smaller `along` than the value, and a
 * displaced one at a smaller `across`; then one search serves all of them.
 */

export type Lookup =
  | { readonly state: "ok"; readonly source: Cell }
  | { readonly state: "missing" }
  | { readonly state: "ambiguous" };

export const MISSING: Lookup = { state: "missing" };
export const AMBIGUOUS: Lookup = { state: "ambiguous" };

export type SearchDirection = Exclude<Direction, "fixed" | "self">;
type Reach = "direct" | "displaced" | "either";

interface Turn {
  readonly alongRows: boolean;
  readonly alongSign: 1 | -1;
  readonly acrossSign: 1 | -1;
  readonly reach: Reach;
}

/** Interval of `across` on one line, or of `along` at one `across`. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly source: Cell;
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * Looks headers up for the values given at construction (what is indexed depends on where they are).
 * `fixed` and `self` need no search and are not handled here.
 */
export function headerFinder(
  direction: SearchDirection,
  spans: readonly Span[],
  values: readonly Place[],
  meter: Meter,
): (value: Place) => Lookup {
  const turn = turnOf(direction);
  meter.spend("work", values.length);
  return turn.reach === "direct"
    ? directFinder(turn, spans, values, meter)
    : lineFinder(turn, spans, values, meter);
}

function turnOf(direction: SearchDirection): Turn {
  const [side, second] = direction.split("-");
  const alongRows = side === "up" || side === "down";
  return {
    alongRows,
    alongSign: side === "up" || side === "left" ? 1 : -1,
    acrossSign: second === "right" || second === "down" ? -1 : 1,
    reach: second === undefined ? "direct" : second === "ish" ? "either" : "displaced",
  };
}

const alongOf = (turn: Turn, place: Place): number =>
  turn.alongSign * (turn.alongRows ? place.row : place.column);
const acrossOf = (turn: Turn, place: Place): number =>
  turn.acrossSign * (turn.alongRows ? place.column : place.row);

function turned(turn: Turn, span: Span): { along: [number, number]; across: [number, number] } {
  const signed = (sign: 1 | -1, low: number, high: number): [number, number] =>
    sign === 1 ? [low, high] : [-high, -low];
  const rows: [number, number] = [span.top, span.bottom];
  const columns: [number, number] = [span.left, span.right];
  const [along, across] = turn.alongRows ? [rows, columns] : [columns, rows];
  return { along: signed(turn.alongSign, ...along), across: signed(turn.acrossSign, ...across) };
}

const distinctSorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** Nearest in the same row or column: per `across` that a value has, the intervals of `along` in order. */
function directFinder(turn: Turn, spans: readonly Span[], values: readonly Place[], meter: Meter) {
  const wanted = distinctSorted(values.map((value) => acrossOf(turn, value)));
  const index = new Map<number, Interval[]>();
  for (const span of spans) {
    const { along, across } = turned(turn, span);
    const first = firstIndex(wanted, (each) => each >= across[0]);
    for (let at = first; at < wanted.length && (wanted[at] as number) <= across[1]; at += 1) {
      meter.spend("work", 1);
      append(index, wanted[at] as number, { from: along[0], to: along[1], source: span.source });
    }
  }
  for (const [across, list] of index) index.set(across, disjoint(list, meter));
  return (value: Place): Lookup => {
    meter.spend("work", 1);
    const list = index.get(acrossOf(turn, value)) ?? [];
    const along = alongOf(turn, value);
    const before = list[firstIndex(list, (each) => each.from >= along) - 1];
    return before === undefined ? MISSING : { state: "ok", source: before.source };
  };
}

/** One line of headers at the same `along`. */
interface Line {
  readonly along: number;
  readonly intervals: readonly Interval[];
  /** Index of the nearest earlier line that reaches further toward smaller `across`; -1 when none does. */
  readonly further: number;
}

/** Nearest line before the value that has a suitable header, then the nearest header on it. */
function lineFinder(turn: Turn, spans: readonly Span[], values: readonly Place[], meter: Meter) {
  const lines = linesOf(turn, spans, values, meter);
  return (value: Place): Lookup => {
    meter.spend("work", 1);
    const along = alongOf(turn, value);
    const across = acrossOf(turn, value);
    let at = firstIndex(lines, (line) => line.along >= along) - 1;
    if (turn.reach === "either") return nearestEitherSide(lines[at]?.intervals ?? [], across);
    // Lines that do not reach back to this `across` cannot help; the next that could is known.
    for (let line = lines[at]; line !== undefined; line = lines[at]) {
      meter.spend("work", 1);
      const before = line.intervals[firstIndex(line.intervals, (each) => each.from > across) - 1];
      if (before !== undefined) return { state: "ok", source: before.source };
      at = line.further;
    }
    return MISSING;
  };
}

function linesOf(turn: Turn, spans: readonly Span[], values: readonly Place[], meter: Meter): Line[] {
  const valueLines = distinctSorted(values.map((value) => alongOf(turn, value)));
  const byAlong = new Map<number, Interval[]>();
  for (const span of spans) {
    const { along, across } = turned(turn, span);
    const interval = { from: across[0], to: across[1], source: span.source };
    append(byAlong, along[1], interval);
    // Of a span several lines deep, a value inside its depth sees the line just before it, any other value the last.
    const first = firstIndex(valueLines, (each) => each > along[0]);
    for (let at = first; at < valueLines.length && (valueLines[at] as number) <= along[1]; at += 1) {
      meter.spend("work", 1);
      append(byAlong, (valueLines[at] as number) - 1, interval);
    }
  }
  const sorted = [...byAlong].sort(([a], [b]) => a - b);
  const lines: Line[] = [];
  for (const [along, list] of sorted) {
    const intervals = disjoint(list, meter);
    const reach = intervals[0]?.from ?? Number.POSITIVE_INFINITY;
    let further = lines.length - 1;
    for (let line = lines[further]; line !== undefined; line = lines[further]) {
      meter.spend("work", 1);
      if ((line.intervals[0]?.from ?? Number.POSITIVE_INFINITY) < reach) break;
      further = line.further;
    }
    lines.push({ along, intervals, further });
  }
  return lines;
}

function nearestEitherSide(intervals: readonly Interval[], across: number): Lookup {
  const after = firstIndex(intervals, (each) => each.from > across);
  const left = intervals[after - 1];
  const right = intervals[after];
  const toLeft = left === undefined ? Number.POSITIVE_INFINITY : Math.max(0, across - left.to);
  const toRight = right === undefined ? Number.POSITIVE_INFINITY : right.from - across;
  if (left === undefined && right === undefined) return MISSING;
  if (toLeft === toRight && left?.source !== right?.source) return AMBIGUOUS;
  const nearest = toLeft <= toRight ? left : right;
  return nearest === undefined ? MISSING : { state: "ok", source: nearest.source };
}

function append(index: Map<number, Interval[]>, key: number, interval: Interval): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [interval]);
  else list.push(interval);
}

/**
 * Sorted, and without overlaps: where two intervals cover the same place (headers of two sheets, or merges that overlap
 * in a damaged file), the one that was found first stands.
 */
function disjoint(list: Interval[], meter: Meter): Interval[] {
  meter.spend("work", list.length);
  const sorted = list.toSorted((a, b) => a.from - b.from);
  if (sorted.every((each, at) => at === 0 || each.from > (sorted[at - 1]?.to ?? 0))) return sorted;
  let kept: Interval[] = [];
  for (const interval of list) {
    meter.spend("work", 5 * kept.length + 1);
    let from = interval.from;
    const pieces: Interval[] = [];
    for (const other of kept) {
      if (other.to < from || other.from > interval.to) continue;
      if (other.from > from) pieces.push({ ...interval, from, to: other.from - 1 });
      from = Math.max(from, other.to + 1);
    }
    if (from <= interval.to) pieces.push({ ...interval, from });
    kept = [...kept, ...pieces].sort((a, b) => a.from - b.from);
  }
  return kept;
}
