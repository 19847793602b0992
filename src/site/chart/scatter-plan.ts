import type { Box, PlacedLabel } from "./labels.ts";
import { boxOf, type Layout } from "./layout.ts";
import { fullName } from "./look.ts";
import { type Axis, type Extent, linearAxis, linearDomain, logAxis, logDomain } from "./scale.ts";
import type { BudgetMark, ScatterInput, ScatterMark, ScatterPoint } from "./scatter-input.ts";
import { CROWD } from "./scatter-input.ts";
import { labelsOf } from "./scatter-labels.ts";
import { textLength } from "./text-length.ts";
import { moneyTick, numberTick } from "./units.ts";

/** Geometry of a chart of quality against cost: what stands where, before anything is drawn. */

export interface ScatterPlan {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  /** Where cost unknown or 0 is; null when nothing is there. */
  readonly band: Box | null;
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  /** In drawing order: the front last, so that it lies on top. */
  readonly marks: readonly ScatterMark[];
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  readonly budget: BudgetMark | null;
  readonly labels: readonly PlacedLabel[];
  /** Keys of points without a label in the picture. */
  readonly unlabelled: readonly string[];
}

/** Above the plot are the axis' title and the words of the budget. */
const TOP = 32;
/** Free space at the right edge, beside the band and beside the ticks of the score. */
const EDGE = 14;
const BAND_GAP = 12;
const TICK_GAP = 8;
/** A budget this many times beyond the dearest or below the cheapest point is named at the edge instead of drawn to scale. */
const BUDGET_REACH = 8;

export function planScatter(input: ScatterInput, layout: Layout): ScatterPlan {
  const { height, bottom } = layout.scatter;
  const yAxis = scoreAxis(input, { from: height - bottom, to: TOP }, layout);
  const longest = Math.max(...yAxis.ticks.map(({ text }) => textLength(text, layout.tickSize)));
  const left = Math.max(layout.scatter.left, longest + TICK_GAP);
  const hasBand = input.points.some(({ x }) => x === null);
  const right = layout.width - EDGE - (hasBand ? layout.scatter.band + BAND_GAP : 0);
  const plot = boxOf(left, TOP, right, height - bottom);
  const band = hasBand ? boxOf(right + BAND_GAP, TOP, layout.width - EDGE, height - bottom) : null;
  const xAxis = costAxis(input, { from: left, to: right }, layout);
  const marks = marksOf(input.points, { xAxis, yAxis, band, size: layout.scatter.marker });
  const steps = input.steps.map(({ x, y }) => ({ x: xAxis.at(x), y: yAxis.at(y) }));
  const budget = budgetOf(input.budget, xAxis, plot, layout);
  const labels = labelsOf(marks, { plot, band, steps, budget }, layout);
  return { width: layout.width, height, plot, band, xAxis, yAxis, marks, steps, budget, ...labels };
}

function scoreAxis({ points, yTick }: ScatterInput, extent: Extent, layout: Layout): Axis {
  const scores = points.flatMap(({ y, yRange }) => (yRange === null ? [y] : [y, yRange.min, yRange.max]));
  return linearAxis(linearDomain(scores), {
    extent,
    format: yTick ?? numberTick,
    fontSize: layout.tickSize,
    vertical: true,
  });
}

/** Without any cost there is nothing that ticks could measure; those at the far end have to leave the drawing's edge alone. */
function costAxis(input: ScatterInput, extent: Extent, { tickSize }: Layout): Axis {
  const axis = logAxis(costDomain(input), { extent, format: moneyTick, fontSize: tickSize });
  const costs = input.budget !== null || input.points.some(({ x }) => x !== null);
  const inside = axis.ticks.filter(({ at, text }) => at + textLength(text, tickSize) / 2 <= extent.to + EDGE);
  return { ...axis, ticks: costs ? inside : [] };
}

function costDomain({ points, budget }: ScatterInput): [number, number] {
  const costs = points.flatMap(({ x, xRange }) =>
    x === null ? [] : xRange === null ? [x] : [x, xRange.min, xRange.max],
  );
  const domain = logDomain(costs);
  if (budget === null || !(budget > 0)) return domain;
  const near = costs.length === 0 || (budget < domain[1] * BUDGET_REACH && budget > domain[0] / BUDGET_REACH);
  return near ? logDomain([...costs, budget]) : domain;
}

interface MarkRoom {
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  readonly band: Box | null;
  readonly size: number;
}

function marksOf(points: readonly ScatterPoint[], { xAxis, yAxis, band, size }: MarkRoom): ScatterMark[] {
  const inBand = bandPlaces(
    points.filter(({ x }) => x === null),
    yAxis,
    band,
    size,
  );
  const placed = points.map((point) => ({
    point,
    x: point.x === null ? (inBand.get(point.key) ?? 0) : xAxis.at(point.x),
    y: yAxis.at(point.y),
  }));
  const spot = (mark: { x: number; y: number }): string => `${mark.x.toFixed(1)} ${mark.y.toFixed(1)}`;
  const atSpot = new Map<string, string[]>();
  for (const mark of placed) {
    const there = atSpot.get(spot(mark));
    if (there === undefined) atSpot.set(spot(mark), [fullName(mark.point.look)]);
    else there.push(fullName(mark.point.look));
  }
  const marks = placed
    .map(({ point, x, y }): ScatterMark => {
      const { xRange, yRange, onFront } = point;
      const all = atSpot.get(spot({ x, y })) ?? [];
      return {
        point,
        x,
        y,
        size: onFront ? size * 1.25 : points.length > CROWD ? size * 0.6 : size,
        vertical:
          yRange === null ? null : { x1: x, y1: yAxis.at(yRange.min), x2: x, y2: yAxis.at(yRange.max) },
        horizontal:
          xRange === null || point.x === null
            ? null
            : { x1: xAxis.at(xRange.min), y1: y, x2: xAxis.at(xRange.max), y2: y },
        sharing: all.length === 1 ? [] : all.filter((name) => name !== fullName(point.look)),
      };
    })
    .toSorted((a, b) => Number(a.point.onFront) - Number(b.point.onFront));
  return unhidden(marks, spot);
}

/** Of marks at the very same place those below are larger, so that all of them are seen. */
function unhidden(marks: readonly ScatterMark[], spot: (mark: ScatterMark) => string): ScatterMark[] {
  const above = new Map<string, number>();
  return marks
    .toReversed()
    .map((mark) => {
      const there = above.get(spot(mark)) ?? 0;
      above.set(spot(mark), there + 1);
      return { ...mark, size: mark.size * (1 + Math.min(there, 3) * 0.55) };
    })
    .toReversed();
}

/** In the band only the height means something: marks of about the same height stand side by side. */
function bandPlaces(
  points: readonly ScatterPoint[],
  yAxis: Axis,
  band: Box | null,
  size: number,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  if (band === null) return places;
  const step = size * 2.8;
  const slots = Math.max(1, Math.floor((band.width - 2 * size) / step));
  const lowest: number[] = [];
  for (const point of points.toSorted((a, b) => b.y - a.y)) {
    const y = yAxis.at(point.y);
    const free = Array.from({ length: slots }, (_, slot) => slot).find((slot) => {
      const last = lowest[slot];
      return last === undefined || y - last >= step;
    });
    const slot = free ?? 0;
    lowest[slot] = y;
    places.set(point.key, band.x + size * 1.8 + slot * step);
  }
  return places;
}

function budgetOf(budget: number | null, xAxis: Axis, plot: Box, layout: Layout): BudgetMark | null {
  if (budget === null || !(budget > 0)) return null;
  const [low, high] = xAxis.domain;
  const outside = budget < low || budget > high;
  const arrow = budget < low ? "← " : "";
  const text = `${arrow}budget ${moneyTick(budget)}${budget > high ? " →" : ""}`;
  const width = textLength(text, layout.fontSize);
  const x = xAxis.at(budget);
  const from = Math.min(Math.max(x - width / 2, plot.x), plot.x + plot.width - width);
  return { x, text, outside, label: { x: from, y: plot.y - 20, width, height: layout.fontSize * 1.3 } };
}
