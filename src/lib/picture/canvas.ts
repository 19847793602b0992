/** Drawing into pixels: areas within outlines, with smooth edges. The same calls give the same pixels everywhere. */

export interface Point {
  readonly x: number;
  /** Downwards, as in pictures. */
  readonly y: number;
}

/** Closed: its last point is joined to the first. */
export type Contour = readonly Point[];

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Rows that each pixel is looked at in. Along a row coverage is exact. */
const ROWS = 8;

/** `#rrggbb` as a colour. @throws RangeError for anything else */
export function colourOf(text: string): Colour {
  const [, red = "", green = "", blue = ""] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (red === "") throw new RangeError(`no colour: ${text}`);
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

export const rectangle = (x: number, y: number, width: number, height: number): Contour => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

interface Crossing {
  readonly x: number;
  readonly direction: 1 | -1;
}

export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, row by row. */
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(3 * width * height);
    for (let at = 0; at < this.pixels.length; at += 1) this.pixels[at] = ground[at % 3] ?? 0;
  }

  /** Fills what lies within contours (non-zero winding). What lies beyond the picture is not drawn. */
  fill(contours: readonly Contour[], colour: Colour): void {
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    for (const { x, y } of contours.flat()) {
      left = Math.min(left, Math.floor(x));
      right = Math.max(right, Math.ceil(x));
      top = Math.min(top, Math.floor(y));
      bottom = Math.max(bottom, Math.ceil(y));
    }
    [left, top] = [Math.max(0, left), Math.max(0, top)];
    [right, bottom] = [Math.min(this.width, right), Math.min(this.height, bottom)];
    if (right <= left || bottom <= top) return;
    const lines = crossings(contours, top, bottom);
    const coverage = new Float64Array(right - left);
    for (let y = top; y < bottom; y += 1) {
      coverage.fill(0);
      for (let row = 0; row < ROWS; row += 1)
        addSpans(coverage, left, lines[(y - top) * ROWS + row] ?? [], 1 / ROWS);
      this.#blend(left, y, coverage, colour);
    }
  }

  /** @param left the pixel that the first coverage is about */
  #blend(left: number, y: number, coverage: Float64Array, colour: Colour): void {
    for (const [x, covered] of coverage.entries()) {
      const share = Math.min(1, covered);
      if (share <= 0) continue;
      const at = 3 * (y * this.width + left + x);
      for (let part = 0; part < 3; part += 1) {
        const under = this.pixels[at + part] ?? 0;
        this.pixels[at + part] = Math.round(under + share * ((colour[part] ?? 0) - under));
      }
    }
  }
}

/** Where each row is crossed, from the first row of `top` to the last one above `bottom`. */
function crossings(contours: readonly Contour[], top: number, bottom: number): Crossing[][] {
  const lines: Crossing[][] = Array.from({ length: (bottom - top) * ROWS }, () => []);
  for (const contour of contours)
    for (const [index, from] of contour.entries()) {
      const to = contour[(index + 1) % contour.length] ?? from;
      const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
      const direction = from.y < to.y ? 1 : -1;
      const line = (y: number): number => (y - top) * ROWS - 0.5;
      const first = Math.max(0, Math.ceil(line(upper.y)));
      const last = Math.min(lines.length, Math.ceil(line(lower.y)));
      for (let at = first; at < last; at += 1) {
        const y = top + (at + 0.5) / ROWS;
        const x = upper.x + ((y - upper.y) * (lower.x - upper.x)) / (lower.y - upper.y);
        lines[at]?.push({ x, direction });
      }
    }
  return lines;
}

/** Adds to each pixel of a row, from `left` on, the share of it that lies within. */
function addSpans(coverage: Float64Array, left: number, line: Crossing[], weight: number): void {
  line.sort((a, b) => a.x - b.x);
  let winding = 0;
  for (const [index, { x, direction }] of line.entries()) {
    winding += direction;
    const next = line[index + 1];
    if (winding === 0 || next === undefined) continue;
    const from = Math.max(0, x - left);
    const to = Math.min(coverage.length, next.x - left);
    for (let pixel = Math.floor(from); pixel < to; pixel += 1) {
      const share = Math.min(to, pixel + 1) - Math.max(from, pixel);
      coverage[pixel] = (coverage[pixel] ?? 0) + weight * share;
    }
  }
}
