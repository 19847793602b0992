import { cutText } from "../../lib/picture/text.ts";
import { type Box, boxesOverlap } from "./labels.ts";
import { boxOf, type Layout } from "./layout.ts";
import { fullName, type MarkLook, shortName } from "./look.ts";
import { type Axis, linearAxis, linearDomain, logAxis, logDomain, timeAxis } from "./scale.ts";
import type { Range } from "./scatter-input.ts";
import { fitText, textLength } from "./text-length.ts";

/** Geometry of horizontal bars: what stands where, before anything is drawn. */

/** Bars begin at 0, of speed-ups at 1×, from which slower ones go left and faster ones right. */
export type BarScale = "linear" | "log" | "time";

export interface Bar {
  readonly key: string;
  readonly look: MarkLook;
  /** In place of the name: what this bar of the configuration above is. Null for a bar with its name. */
  readonly part: string | null;
  /** The end of the bar. */
  readonly value: number;
  /** The end of a part that is estimated, drawn as an outline; null without one. */
  readonly extended: number | null;
  readonly range: Range | null;
  /** Nothing finished: drawn hatched, and always with words. */
  readonly hatched: boolean;
  /** Words at the end of the bar; null without any. */
  readonly words: string | null;
  /** The number, as it is shown. */
  readonly text: string;
  readonly description: string;
  readonly tip: readonly string[];
}

/** A line across all bars, with words above it. */
export interface Rule {
  readonly key: string;
  readonly value: number;
  readonly text: string;
}

export interface BarsInput {
  readonly bars: readonly Bar[];
  readonly rules: readonly Rule[];
  readonly scale: BarScale;
  readonly format: (value: number) => string;
}

export interface BarRow {
  readonly bar: Bar;
  /** The row's whole height, which is what the pointer finds. */
  readonly row: Box;
  readonly name: { readonly text: string; readonly x: number; readonly y: number };
  readonly number: { readonly x: number; readonly y: number };
  readonly box: Box;
  readonly extension: Box | null;
  readonly range: { readonly from: number; readonly to: number; readonly y: number } | null;
  readonly words: {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly anchor: "start" | "end";
  } | null;
}

export interface RuleMark extends Rule {
  readonly x: number;
  /** Where its words stand; staggered so that none lies on another. */
  readonly label: Box;
}

export interface BarsPlan {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly axis: Axis;
  /** Where bars begin, in viewBox units. */
  readonly origin: number;
  readonly rows: readonly BarRow[];
  readonly rules: readonly RuleMark[];
  /** What is said below the bars of those that are not drawn; null when all are. */
  readonly rest: { readonly text: string; readonly x: number; readonly y: number } | null;
}

const RULE_LINE = 17;
const AXIS_HEIGHT = 26;
const REST_HEIGHT = 22;
/** A longer list of bars is read in the table; these come first. */
export const MOST_BARS = 100;

export function planBars({ bars: all, rules, scale, format }: BarsInput, layout: Layout): BarsPlan {
  const bars = all.slice(0, MOST_BARS);
  const { names, values, row } = layout.bars;
  const [left, right] = [names === 0 ? 10 : names, layout.width - values - (values === 0 ? 10 : 6)];
  const options = { extent: { from: left, to: right }, format, fontSize: layout.tickSize };
  const ends = [
    ...bars.flatMap(({ value, extended, range }) => [
      value,
      extended ?? value,
      range?.min ?? value,
      range?.max ?? value,
    ]),
    ...rules.map((rule) => rule.value),
  ];
  const axis =
    scale === "log"
      ? logAxis(aroundOne(ends), options)
      : (scale === "time" ? timeAxis : linearAxis)(linearDomain(ends, true), options);
  const marked = placeRules(rules, axis, left, right, layout);
  const deepest = marked.reduce((most, { label }) => Math.max(most, label.y + label.height), 0);
  const top = deepest === 0 ? 6 : deepest + 4;
  const origin = axis.at(scale === "log" ? 1 : 0);
  const plot = boxOf(left, top, right, top + bars.length * row);
  const rows = bars.map((bar, place) =>
    rowOf(
      bar,
      boxOf(0, top + place * row, layout.width, top + (place + 1) * row),
      { axis, origin, plot },
      layout,
    ),
  );
  const bottom = plot.y + plot.height + AXIS_HEIGHT;
  const more = all.length - bars.length;
  return {
    width: layout.width,
    height: bottom + (more === 0 ? 0 : REST_HEIGHT),
    plot,
    axis,
    origin,
    rows,
    rules: marked,
    rest:
      more === 0
        ? null
        : { text: `and ${more} more bars, in the table`, x: left, y: bottom + layout.fontSize },
  };
}

/** A log domain in which 1× has a place with some room on both sides. */
function aroundOne(values: readonly number[]): [number, number] {
  const there = values.filter((value) => value > 0 && Number.isFinite(value));
  if (there.every((value) => value === 1)) return [0.5, 2];
  return logDomain([...there, 1]);
}

/** Words of the rules in as many lines as they need, from left to right. */
function placeRules(
  rules: readonly Rule[],
  axis: Axis,
  left: number,
  right: number,
  layout: Layout,
): RuleMark[] {
  const placed: RuleMark[] = [];
  for (const rule of rules.toSorted((a, b) => a.value - b.value)) {
    const text = fitText(rule.text, right - left, layout.tickSize);
    const width = textLength(text, layout.tickSize);
    const x = axis.at(rule.value);
    const from = Math.max(left, Math.min(x - width / 2, right - width));
    let label: Box = { x: from, y: 0, width: width + 6, height: RULE_LINE };
    while (placed.some((other) => boxesOverlap(other.label, label)))
      label = { ...label, y: label.y + RULE_LINE };
    placed.push({ ...rule, text, x, label });
  }
  return placed;
}

interface RowRoom {
  readonly axis: Axis;
  readonly origin: number;
  readonly plot: Box;
}

function rowOf(bar: Bar, row: Box, { axis, origin, plot }: RowRoom, layout: Layout): BarRow {
  const above = layout.bars.names === 0;
  const thickness = layout.bars.bar;
  const y = above ? row.y + row.height - thickness - 6 : row.y + (row.height - thickness) / 2;
  const end = axis.at(bar.value);
  const box = boxOf(Math.min(origin, end), y, Math.max(origin, end), y + thickness);
  const extension = bar.extended === null ? null : boxOf(end, y, axis.at(bar.extended), y + thickness);
  const range =
    bar.range === null
      ? null
      : { from: axis.at(bar.range.min), to: axis.at(bar.range.max), y: y + thickness / 2 };
  const baseline = above ? row.y + layout.fontSize + 4 : row.y + row.height / 2 + layout.fontSize * 0.35;
  const number = textLength(bar.text, layout.fontSize);
  const room = above ? layout.width - number - 48 : layout.bars.names - 34;
  const columns = Math.floor(room / textLength("n", layout.fontSize));
  return {
    bar,
    row,
    name: {
      text: bar.part === null ? shortName(bar.look, columns) : cutText(bar.part, columns),
      x: above ? 28 : 22,
      y: baseline,
    },
    number: { x: layout.width - (above ? 10 : 4), y: baseline },
    box,
    extension,
    range,
    words: wordsOf(bar.words, { box, extension, range, plot }, layout),
  };
}

/** Words stand behind the end of everything drawn; without room there, at the end of the plot on the bar. */
function wordsOf(
  text: string | null,
  { box, extension, range, plot }: Pick<BarRow, "box" | "extension" | "range"> & { readonly plot: Box },
  layout: Layout,
): BarRow["words"] {
  if (text === null) return null;
  const end = Math.max(
    box.x + box.width,
    extension === null ? 0 : extension.x + extension.width,
    range?.to ?? 0,
  );
  const y = box.y + box.height / 2 + layout.tickSize * 0.35;
  const fits = end + 6 + textLength(text, layout.tickSize) <= plot.x + plot.width;
  return fits
    ? { text, x: end + 6, y, anchor: "start" }
    : { text, x: Math.min(end, plot.x + plot.width) - 4, y, anchor: "end" };
}

/** The name of a bar for people: of a part, with the configuration that it is a part of. */
export const barName = ({ look, part }: Pick<Bar, "look" | "part">): string =>
  part === null ? fullName(look) : `${fullName(look)}, ${part}`;
