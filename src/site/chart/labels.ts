import { textLength } from "./text-length.ts";

/** Where the labels of dots stand: a simple collision pass. All in viewBox units, y downwards. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A dot that wants a label; those that come first choose first. */
export interface LabelRequest {
  readonly key: string;
  /** The words, the longest first: shorter ones are tried where those find no place. */
  readonly texts: readonly string[];
  readonly x: number;
  readonly y: number;
  /** Half the size of its mark. */
  readonly radius: number;
  readonly bold: boolean;
  /** Whether it may stand away from its mark, with a leader line. */
  readonly far: boolean;
}

export interface PlacedLabel {
  readonly key: string;
  readonly text: string;
  /** The end of the text that is anchored, and its base line: text that is shorter than thought stays beside its mark. */
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly box: Box;
  /** From the mark to the label when it could not stand beside it. */
  readonly leader: Segment | null;
}

export interface LabelRoom {
  readonly within: Box;
  /** What no label may cover: marks, other text. */
  readonly obstacles: readonly Box[];
  /** What labels had better not cross: the step front, ranges. */
  readonly lines: readonly Segment[];
  readonly fontSize: number;
}

/** Directions in degrees clockwise from the right, in order of preference. */
const DIRECTIONS = [0, 225, 315, 45, 180, 270, 90, 135, 205, 335, 25, 155, 245, 295, 65, 115] as const;
/** Beside the mark, then further away with a leader line. */
const DISTANCES = [0, 14, 26, 40, 58, 80] as const;
const BESIDE = 3;
/** What a crossing, and a shorter text, are worth in distance. */
const CROSSING = 18;
const CUT = 16;
/** Nearer than so much to something else a label could be taken for its own. */
const NEAR = 5;
const AMBIGUOUS = 8;

/** Whether two boxes share more than their edges. */
export const boxesOverlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Whether a segment goes through a box (Liang–Barsky: what is left of it after clipping at the four edges). */
export function crossesBox({ x1, y1, x2, y2 }: Segment, box: Box): boolean {
  let [enter, leave] = [0, 1];
  const edges = [
    [x1 - x2, x1 - box.x],
    [x2 - x1, box.x + box.width - x1],
    [y1 - y2, y1 - box.y],
    [y2 - y1, box.y + box.height - y1],
  ] as const;
  for (const [towards, room] of edges) {
    if (towards === 0) {
      if (room <= 0) return false;
    } else if (towards < 0) enter = Math.max(enter, room / towards);
    else leave = Math.min(leave, room / towards);
  }
  return enter < leave;
}

/**
 * Finds a place for each label in turn: none covers a mark or another label or leaves the room; of the places left the
 * nearest that crosses the fewest lines. What finds none is in `unplaced`, in the order of the requests.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  room: LabelRoom,
): { readonly placed: PlacedLabel[]; readonly unplaced: string[] } {
  const placed: PlacedLabel[] = [];
  const unplaced: string[] = [];
  const lines = [...room.lines];
  const taken = [...room.obstacles];
  for (const request of requests) {
    const now = { ...room, obstacles: taken, lines };
    const label = bestPlace(request, now);
    if (label === null) unplaced.push(request.key);
    else {
      placed.push(label);
      taken.push(label.box);
      if (label.leader !== null) lines.push(label.leader);
    }
  }
  return { placed, unplaced };
}

function bestPlace(request: LabelRequest, room: LabelRoom): PlacedLabel | null {
  let best: { label: PlacedLabel; badness: number } | null = null;
  for (const [cut, text] of request.texts.entries())
    for (const distance of request.far ? DISTANCES : DISTANCES.slice(0, 1))
      for (const [rank, degrees] of DIRECTIONS.entries()) {
        const least = distance + rank * 0.5 + cut * CUT;
        if (best !== null && least >= best.badness) continue;
        const label = labelAt(request, text, degrees, distance, room.fontSize);
        if (!holds(room.within, label.box)) continue;
        if (room.obstacles.some((box) => boxesOverlap(box, label.box))) continue;
        const badness = least + disturbance(label, request, room);
        if (best === null || badness < best.badness) best = { label, badness };
      }
  return best?.label ?? null;
}

function labelAt(
  { key, x, y, radius, bold }: LabelRequest,
  text: string,
  degrees: number,
  distance: number,
  fontSize: number,
): PlacedLabel {
  const [width, height] = [textLength(text, fontSize, bold), fontSize * 1.15];
  const turn = (degrees * Math.PI) / 180;
  const [right, down] = [snapped(Math.cos(turn)), snapped(Math.sin(turn))];
  const reach = radius + BESIDE + distance;
  // The point of the label that is nearest to the mark.
  const [nearX, nearY] = [x + right * reach, y + down * reach];
  const box = {
    x: right > 0 ? nearX : right < 0 ? nearX - width : nearX - width / 2,
    y: down > 0 ? nearY : down < 0 ? nearY - height : nearY - height / 2,
    width,
    height,
  };
  const leader = { x1: x + right * radius, y1: y + down * radius, x2: nearX, y2: nearY };
  return {
    key,
    text,
    x: nearX,
    y: box.y + fontSize * 0.9,
    anchor: right > 0 ? "start" : right < 0 ? "end" : "middle",
    box,
    leader: distance === 0 ? null : leader,
  };
}

/** Without the noise that would make an edge out of a middle. */
const snapped = (value: number): number => (Math.abs(value) < 1e-9 ? 0 : value);

/** How bad lines through the label are, something else close beside it, and what its leader crosses. */
function disturbance({ box, leader }: PlacedLabel, { x, y }: LabelRequest, room: LabelRoom): number {
  const own = { x: x - 1, y: y - 1, width: 2, height: 2 };
  const others = room.obstacles.filter((other) => !boxesOverlap(own, other));
  const wide = { x: box.x - NEAR, y: box.y, width: box.width + 2 * NEAR, height: box.height };
  const through = room.lines.filter((line) => crossesBox(line, box)).length;
  const near = others.some((other) => boxesOverlap(wide, other)) ? AMBIGUOUS : 0;
  if (leader === null) return near + CROSSING * through;
  const under = others.filter((other) => crossesBox(leader, other)).length;
  const across = room.lines.filter((line) => crossEachOther(line, leader)).length;
  return near + CROSSING * (through + under + across);
}

/** Whether two segments cross, other than at an end. */
function crossEachOther(a: Segment, b: Segment): boolean {
  const side = ({ x1, y1, x2, y2 }: Segment, x: number, y: number): number =>
    Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
  return side(a, b.x1, b.y1) * side(a, b.x2, b.y2) < 0 && side(b, a.x1, a.y1) * side(b, a.x2, a.y2) < 0;
}
