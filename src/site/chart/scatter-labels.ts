import { type Box, type LabelRequest, type PlacedLabel, placeLabels, type Segment } from "./labels.ts";
import { boxOf, type Layout } from "./layout.ts";
import { shortName } from "./look.ts";
import { type BudgetMark, CROWD, type ScatterMark, type ScatterPoint } from "./scatter-input.ts";
import { textLength } from "./text-length.ts";

/** The names beside the marks of a chart of quality against cost. */

/** More labels than these are never tried. */
const MOST_LABELS = 80;

export interface LabelSurroundings {
  readonly plot: Box;
  readonly band: Box | null;
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  readonly budget: BudgetMark | null;
}

/** Labels of the marks, those of the front first, and whose found no place. */
export function labelsOf(
  marks: readonly ScatterMark[],
  { plot, band, steps, budget }: LabelSurroundings,
  layout: Layout,
): { labels: PlacedLabel[]; unlabelled: string[] } {
  const crowded = marks.length > CROWD;
  const inOrder = marks.toSorted(
    (a, b) => Number(b.point.onFront) - Number(a.point.onFront) || b.point.y - a.point.y,
  );
  const wanted = inOrder.filter(({ point }) => !crowded || point.onFront).slice(0, MOST_LABELS);
  const boxOfMark = ({ x, y, size }: ScatterMark): Box => boxOf(x - size, y - size, x + size, y + size);
  const room = {
    // In a crowd there is no free ground: labels of the front may lie on marks behind it.
    obstacles: [
      ...marks.filter(({ point }) => !crowded || point.onFront).map(boxOfMark),
      ...(budget === null ? [] : [budget.label]),
    ],
    lines: [
      ...segmentsOf(steps),
      ...beyondOf(steps, plot),
      ...(budget === null || budget.outside ? [] : [uprightAt(budget.x, plot)]),
      ...marks.flatMap(({ vertical, horizontal }) => [vertical ?? [], horizontal ?? []].flat()),
    ],
    fontSize: layout.fontSize,
    must: false,
  };
  const requestOf = ({ point, x, y, size }: ScatterMark): LabelRequest => ({
    key: point.key,
    texts: textsOf(point, layout),
    x,
    y,
    radius: size,
    bold: point.onFront,
    far: point.onFront || layout.scatter.leaders === "all",
  });
  const isInBand = ({ point }: ScatterMark): boolean => point.x === null;
  const inPlot = wanted.filter((mark) => !isInBand(mark));
  const front = placeLabels(inPlot.filter(({ point }) => point.onFront).map(requestOf), {
    ...room,
    within: plot,
    must: true,
  }).placed;
  const behind = placeLabels(inPlot.filter(({ point }) => !point.onFront).map(requestOf), {
    ...room,
    within: plot,
    obstacles: [...room.obstacles, ...front.map(({ box }) => box)],
    lines: [...room.lines, ...front.flatMap(({ leader }) => leader ?? [])],
  }).placed;
  const apart =
    band === null
      ? []
      : placeLabels(bandRequests(wanted.filter(isInBand), band, layout), { ...room, within: band }).placed;
  const labels = [...front, ...behind, ...apart];
  const labelled = new Set(labels.map(({ key }) => key));
  return { labels, unlabelled: inOrder.map(({ point }) => point.key).filter((key) => !labelled.has(key)) };
}

/** A name is rather shortened than left out. */
function textsOf({ look }: ScatterPoint, { scatter: { label } }: Layout): string[] {
  const full = shortName(look, label);
  const short = shortName(look, Math.max(12, Math.round(label / 2)));
  return short === full ? [full] : [full, short];
}

/** The step line goes on to the dear end. */
const beyondOf = (steps: LabelSurroundings["steps"], plot: Box): Segment[] =>
  steps.slice(-1).map(({ x, y }) => ({ x1: x, y1: y, x2: plot.x + plot.width, y2: y }));

const uprightAt = (x: number, plot: Box): Segment => ({ x1: x, y1: plot.y, x2: x, y2: plot.y + plot.height });

function bandRequests(marks: readonly ScatterMark[], band: Box, layout: Layout): LabelRequest[] {
  const columns = Math.floor((band.width - layout.scatter.marker * 4) / textLength("n", layout.fontSize));
  return marks.map(({ point, x, y, size }) => ({
    key: point.key,
    texts: [shortName(point.look, columns)],
    x,
    y,
    radius: size,
    bold: false,
    far: false,
  }));
}

function segmentsOf(corners: readonly { readonly x: number; readonly y: number }[]): Segment[] {
  return corners.slice(1).flatMap((corner, place) => {
    const before = corners[place];
    return before === undefined ? [] : [{ x1: before.x, y1: before.y, x2: corner.x, y2: corner.y }];
  });
}
