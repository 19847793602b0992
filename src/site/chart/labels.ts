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
  /**
   * Whether every label gets a place if there is one, however far, in the order of the requests. Otherwise those that can
   * stand beside their mark undisturbed come first, and those that stand badly are left out.
   */
  readonly must: boolean;
}

/** Directions in degrees clockwise from the right, in order of preference. */
const DIRECTIONS = [0, 225, 315, 45, 180, 270, 90, 135, 205, 335, 25, 155, 245, 295, 65, 115] as const;
/** Beside the mark, then further away with a leader line. */
const DISTANCES = [0, 14, 26, 40, 58, 80] as const;
const BESIDE = 3;
/** What a crossing, and a shorter text, are worth in distance. */
const CROSSING = 18;
const CUT = 24;
/** Nearer than so much to something else a label could be taken for its own. */
const NEAR = 5;
const AMBIGUOUS = 8;
/** Less than any distance, crossing, cut or closeness is worth. */
const UNDISTURBED = 7.9;
/** Far away, or across several lines: such a label confuses more than it tells. */
const BAD = 90;

/** Whether two boxes share more than their edges. */
export const boxesOverlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Whether a segment goes through a box. */
export function crossesBox(segment: Segment, box: Box): boolean {
  const { x1, y1, x2, y2 } = segment;
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  if (x1 <= box.x && x2 <= box.x) return false;
  if (x1 >= right && x2 >= right) return false;
  if (y1 <= box.y && y2 <= box.y) return false;
  if (y1 >= bottom && y2 >= bottom) return false;
  // It reaches from one side of the box, or its inside, to another: level and upright ones go through.
  return x1 === x2 || y1 === y2 || slantCrosses(segment, box);
}

/** Whether the corners of the box are not all on one side of the line. */
function slantCrosses(segment: Segment, { x, y, width, height }: Box): boolean {
  const first = sideOf(segment, x, y);
  return (
    first !== sideOf(segment, x + width, y) ||
    first !== sideOf(segment, x, y + height) ||
    first !== sideOf(segment, x + width, y + height)
  );
}

/** On which side of the line through a segment a point is: 1, -1, or 0 on it. */
const sideOf = ({ x1, y1, x2, y2 }: Segment, x: number, y: number): number =>
  Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));

/**
 * Finds a place for each label: none covers a mark or another label or leaves the room. Of the places left it is the nearest
 * that crosses the fewest lines. What finds none is in `unplaced`, in the order of the requests.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  room: LabelRoom,
): { readonly placed: PlacedLabel[]; readonly unplaced: string[] } {
  const placed = new Map<LabelRequest, PlacedLabel>();
  const taken = [...room.obstacles];
  const lines = [...room.lines];
  const place = (request: LabelRequest, most: number): void => {
    const label = bestPlace(request, { ...room, obstacles: taken, lines }, most);
    if (label === null) return;
    placed.set(request, label);
    taken.push(label.box);
    if (label.leader !== null) lines.push(label.leader);
  };
  if (!room.must) for (const request of requests) place(request, UNDISTURBED);
  const most = room.must ? Number.POSITIVE_INFINITY : BAD;
  for (const request of requests) if (!placed.has(request)) place(request, most);
  return {
    placed: [...placed.values()],
    unplaced: requests.filter((request) => !placed.has(request)).map(({ key }) => key),
  };
}

/** The best place that is less bad than `most`. */
function bestPlace(request: LabelRequest, room: LabelRoom, most: number): PlacedLabel | null {
  const { x, y } = request;
  const own = { x: x - 1, y: y - 1, width: 2, height: 2 };
  const around = { lines: room.lines, others: room.obstacles.filter((other) => !boxesOverlap(own, other)) };
  let best: PlacedLabel | null = null;
  let least = most;
  for (const [cut, text] of request.texts.entries())
    for (const distance of request.far ? DISTANCES : DISTANCES.slice(0, 1))
      for (const [rank, degrees] of DIRECTIONS.entries()) {
        const away = distance + rank * 0.5 + cut * CUT;
        if (away >= least) continue;
        const label = labelAt(request, text, degrees, distance, room.fontSize);
        if (!holds(room.within, label.box)) continue;
        if (room.obstacles.some((box) => boxesOverlap(box, label.box))) continue;
        const badness = away + disturbance(label, around, least - away);
        if (badness < least) [best, least] = [label, badness];
      }
  return best;
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

interface Around {
  readonly lines: readonly Segment[];
  /** Obstacles other than the label's own mark. */
  readonly others: readonly Box[];
}

/**
 * How bad it is what lines go through the label, what else is close beside it, and what its leader crosses.
 * @param enough from where on the exact number does not matter
 */
function disturbance({ box, leader }: PlacedLabel, { lines, others }: Around, enough: number): number {
  const wide = { x: box.x - NEAR, y: box.y, width: box.width + 2 * NEAR, height: box.height };
  let bad = others.some((other) => boxesOverlap(wide, other)) ? AMBIGUOUS : 0;
  for (const line of lines) {
    if (bad >= enough) return bad;
    if (crossesBox(line, box)) bad += CROSSING;
    if (leader !== null && crossEachOther(line, leader)) bad += CROSSING;
  }
  if (leader === null) return bad;
  for (const other of others) {
    if (bad >= enough) return bad;
    if (crossesBox(leader, other)) bad += CROSSING;
  }
  return bad;
}

/** Whether two segments cross, other than at an end. */
const crossEachOther = (a: Segment, b: Segment): boolean =>
  sideOf(a, b.x1, b.y1) * sideOf(a, b.x2, b.y2) < 0 && sideOf(b, a.x1, a.y1) * sideOf(b, a.x2, a.y2) < 0;
