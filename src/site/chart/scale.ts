import { scaleLinear, scaleLog } from "d3-scale";
import { textLength } from "./text-length.ts";

/** Scales of the charts: domains with padding, ticks that people would choose, and what stands at them. */

export interface Tick {
  readonly value: number;
  readonly text: string;
  /** In viewBox units. */
  readonly at: number;
}

export interface Axis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly Tick[];
  /** Place of a value in viewBox units, kept within the axis. A value that a log axis cannot show is at its beginning. */
  readonly at: (value: number) => number;
}

export interface Extent {
  readonly from: number;
  readonly to: number;
}

export interface AxisOptions {
  readonly extent: Extent;
  readonly format: (value: number) => string;
  readonly fontSize: number;
  /** Vertical axes count lines for the room of a label, horizontal ones its length. */
  readonly vertical?: boolean;
}

/** Free space between the labels of two ticks, in viewBox units. */
const GAP = 10;
/** Empty part of a domain at each end, of its length. */
const PADDING = 0.06;

/**
 * Domain of a log scale around all positive finite values, with padding: half to double the value when there is only one,
 * 0.1 to 10 without any.
 */
export function logDomain(values: readonly number[]): [number, number] {
  const there = values.filter((value) => value > 0 && Number.isFinite(value));
  if (there.length === 0) return [0.1, 10];
  const [low, high] = extremes(there);
  if (high / low < 1.0001) return [low / 2, high * 2];
  const factor = Math.max((high / low) ** PADDING, 1.05);
  return [low / factor, high * factor];
}

/**
 * Domain of a linear scale around all finite values: with padding, or from 0 for bars. A tenth of the value to
 * both sides when there is only one, 0 to 1 without any.
 */
export function linearDomain(values: readonly number[], fromZero = false): [number, number] {
  const there = values.filter(Number.isFinite);
  if (there.length === 0) return [0, 1];
  const [low, high] = extremes(there);
  if (fromZero) {
    const [start, end] = [Math.min(0, low), Math.max(0, high)];
    if (end - start < 1e-9) return [0, 1];
    return [start * (1 + PADDING), end * (1 + PADDING)];
  }
  const least = Math.max(Math.abs(low), Math.abs(high), 1) * 1e-6;
  if (high - low < least) {
    const around = Math.abs(low) < 1e-9 ? 0.5 : Math.abs(low) * 0.1;
    return [low - around, high + around];
  }
  const padding = (high - low) * PADDING;
  return [low - padding, high + padding];
}

function extremes(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** A log axis with ticks at 1, 2 and 5 of each power of ten, or fewer where they find no room. */
export function logAxis(domain: readonly [number, number], options: AxisOptions): Axis {
  const { from, to } = options.extent;
  const scale = scaleLog().domain(domain).range([from, to]).clamp(true);
  const at = (value: number): number => (value > 0 ? scale(value) : from);
  return { domain, at, ticks: firstThatFits(logTicks(domain), at, options) };
}

function logTicks([low, high]: readonly [number, number]): number[][] {
  const inside = (value: number): boolean => value >= low && value <= high;
  const decades = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, place) => Math.floor(Math.log10(low)) + place,
  );
  const of = (mantissas: readonly number[], stride = 1): number[] =>
    decades
      .filter((decade) => decade % stride === 0)
      .flatMap((decade) => mantissas.map((mantissa) => Number(`${mantissa}e${decade}`)))
      .filter(inside);
  const narrow = high / low < 5 ? [6, 5, 4, 3, 2].map((n) => scaleLinear().domain([low, high]).ticks(n)) : [];
  const middle = high / low < 12 ? [of([1, 1.5, 2, 3, 4, 6, 8]), of([1, 2, 3, 5])] : [];
  const wide = [of([1, 2, 5]), of([1, 5]), ...[1, 2, 3, 4, 6, 12, 24].map((stride) => of([1], stride))];
  return [...narrow, ...middle, ...wide]
    .map((ticks) => ticks.filter(inside))
    .filter(({ length }) => length > 0);
}

/** A linear axis with round ticks. */
export function linearAxis(domain: readonly [number, number], options: AxisOptions): Axis {
  const { from, to } = options.extent;
  const scale = scaleLinear().domain(domain).range([from, to]).clamp(true);
  const most = Math.max(2, Math.floor(Math.abs(to - from) / (options.vertical === true ? 48 : 64)));
  const choices = Array.from({ length: most - 1 }, (_, less) => scale.ticks(most - less));
  return { domain, at: scale, ticks: firstThatFits(choices, scale, options) };
}

/** Steps between ticks of time, in seconds. */
const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800,
];

/** A linear axis of seconds with ticks at round seconds, minutes and hours. */
export function timeAxis(domain: readonly [number, number], options: AxisOptions): Axis {
  const [low, high] = domain;
  if (high < 2 || high > 30 * 86_400) return linearAxis(domain, options);
  const { at } = linearAxis(domain, options);
  const choices = TIME_STEPS.filter((step) => (high - low) / step <= 24).map((step) =>
    Array.from({ length: Math.floor(high / step) + 1 }, (_, n) => n * step).filter((value) => value >= low),
  );
  return { domain, at, ticks: firstThatFits(choices, at, options) };
}

/** The first choice whose labels leave each other room and that has two ticks; else the first that has one. */
function firstThatFits(
  choices: readonly (readonly number[])[],
  at: (value: number) => number,
  { format, fontSize, vertical = false }: AxisOptions,
): Tick[] {
  const drawn = choices.map((values) =>
    values.map((value): Tick => ({ value, text: format(value), at: at(value) })),
  );
  const fits = (ticks: readonly Tick[]): boolean =>
    ticks.every((tick, place) => {
      const next = ticks[place + 1];
      if (next === undefined) return true;
      const room = vertical
        ? fontSize
        : (textLength(tick.text, fontSize) + textLength(next.text, fontSize)) / 2;
      return Math.abs(next.at - tick.at) >= room + GAP;
    });
  const fitting = drawn.filter(fits);
  return (
    fitting.find(({ length }) => length >= 2) ??
    fitting.find(({ length }) => length === 1) ??
    drawn[0]?.slice(0, 1) ??
    []
  );
}
