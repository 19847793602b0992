import { NARROW, WIDE } from "./layout.ts";
import { CROWD, type ScatterInput } from "./scatter-input.ts";
import { planScatter } from "./scatter-plan.ts";

/** What has to be said under a chart of quality against cost: how to read it, and what it leaves to the table. */
export function scatterNotes(input: ScatterInput): string[] {
  if (input.points.length === 0) return [];
  const [wide = 0, narrow = 0] = [WIDE, NARROW].map((layout) => planScatter(input, layout).unlabelled.length);
  const crowded = input.points.length > CROWD;
  const ranges = input.points.some(({ xRange, yRange }) => xRange !== null || yRange !== null);
  return [
    ...(input.steps.length === 0 ? [] : ["The step line is the best score there is for a budget."]),
    ...(ranges
      ? [
          "Lines through a mark are the range over repeat runs; where two ranges overlap, the two are not clearly different.",
        ]
      : []),
    ...(crowded
      ? [
          `Of more than ${CROWD} marks only those of the front are labelled and reached by keyboard; the table has all.`,
        ]
      : unlabelledNotes(wide, narrow, input.points.length)),
  ];
}

function unlabelledNotes(wide: number, narrow: number, all: number): string[] {
  const where = "hover or focus them, or see the table.";
  if (wide === 0 && narrow === 0) return [];
  if (wide === 0) return [`In a narrow window ${narrow} of ${all} marks have no room for a label: ${where}`];
  return [`${wide} of ${all} marks have no room for a label, in a narrow window ${narrow}: ${where}`];
}

/** Corners of a step line through points from cheap to dear: level to the next cost, then up to its score. */
export function cornersOf(
  front: readonly { readonly x: number; readonly y: number }[],
): { x: number; y: number }[] {
  const corners: { x: number; y: number }[] = [];
  for (const point of front) {
    const last = corners.at(-1);
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    if (last !== undefined) corners.push({ x: point.x, y: last.y });
    corners.push(point);
  }
  return corners;
}
