/** Outlines of a TrueType font (OpenType specification, `glyf` outlines), as far as drawing single characters needs it. */

export interface Outline {
  /** Font units. */
  readonly advance: number;
  /** Closed contours of points; what is not on the curve is a control point of a quadratic curve. */
  readonly contours: readonly (readonly OutlinePoint[])[];
}

export interface OutlinePoint {
  readonly x: number;
  /** Upwards. */
  readonly y: number;
  readonly on: boolean;
}

export interface TrueType {
  readonly unitsPerEm: number;
  /** Of a character; of one that the font does not have, null. */
  outline(character: string): Outline | null;
}

/** Flags of a point of a simple glyph. */
const POINT = { on: 1, xShort: 2, yShort: 4, repeat: 8, xSame: 16, ySame: 32 } as const;
/** Flags of a part of a composite glyph. */
const PART = { words: 1, xy: 2, scale: 8, more: 32, scales: 64, matrix: 128 } as const;

/** @throws Error for a font without TrueType outlines or without a Unicode table of the common form. */
export function readTrueType(bytes: Uint8Array): TrueType {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + 16 * view.getUint16(4); at += 16)
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  const table = (name: string): number => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`the font has no table ${name}`);
    return at;
  };
  const [glyf, loca, hmtx] = [table("glyf"), table("loca"), table("hmtx")];
  const longOffsets = view.getInt16(table("head") + 50) === 1;
  const metrics = view.getUint16(table("hhea") + 34);
  const glyphOf = readCharacterMap(view, table("cmap"));

  const place = (glyph: number): { at: number; empty: boolean } => {
    const offset = (index: number): number =>
      longOffsets ? view.getUint32(loca + 4 * index) : 2 * view.getUint16(loca + 2 * index);
    return { at: glyf + offset(glyph), empty: offset(glyph) === offset(glyph + 1) };
  };
  const contours = (glyph: number): OutlinePoint[][] => {
    const { at, empty } = place(glyph);
    if (empty) return [];
    const count = view.getInt16(at);
    return count >= 0 ? readSimple(view, at + 10, count) : readComposite(view, at + 10, contours);
  };
  const outlineOf = (glyph: number): Outline => ({
    advance: view.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1)),
    contours: contours(glyph),
  });
  return {
    unitsPerEm: view.getUint16(table("head") + 18),
    outline: (character) => {
      const glyph = glyphOf(character.codePointAt(0) ?? 0);
      return glyph === 0 ? null : outlineOf(glyph);
    },
  };
}

/** Code point to glyph, by the table's format 4: the Basic Multilingual Plane. */
function readCharacterMap(view: DataView, cmap: number): (code: number) => number {
  let format4: number | null = null;
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const at = cmap + view.getUint32(cmap + 8 + 8 * index);
    if (view.getUint16(at) === 4) format4 = at;
  }
  if (format4 === null) throw new Error("the font has no character map of format 4");
  const ends = format4 + 14;
  const bytes = view.getUint16(format4 + 6);
  return (code) => {
    for (let segment = 0; segment < bytes; segment += 2) {
      if (view.getUint16(ends + segment) < code) continue;
      const start = view.getUint16(ends + bytes + 2 + segment);
      if (start > code) return 0;
      const delta = view.getUint16(ends + 2 * bytes + 2 + segment);
      const rangeAt = ends + 3 * bytes + 2 + segment;
      const range = view.getUint16(rangeAt);
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = view.getUint16(rangeAt + range + 2 * (code - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

function readSimple(view: DataView, start: number, count: number): OutlinePoint[][] {
  const ends = Array.from({ length: count }, (_, index) => view.getUint16(start + 2 * index));
  const points = (ends[count - 1] ?? -1) + 1;
  let at = start + 2 * count;
  at += 2 + view.getUint16(at);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = view.getUint8(at++);
    const times = (flag & POINT.repeat) === 0 ? 1 : 1 + view.getUint8(at++);
    for (let time = 0; time < times; time += 1) flags.push(flag);
  }
  const axis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -view.getUint8(at++) : view.getUint8(at++);
      else if ((flag & same) === 0) {
        value += view.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = axis(POINT.xShort, POINT.xSame);
  const ys = axis(POINT.yShort, POINT.ySame);
  return ends.map((end, index) => {
    const first = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    return flags.slice(first, end + 1).map((flag, offset) => ({
      x: xs[first + offset] ?? 0,
      y: ys[first + offset] ?? 0,
      on: (flag & POINT.on) !== 0,
    }));
  });
}

function readComposite(
  view: DataView,
  start: number,
  contours: (glyph: number) => OutlinePoint[][],
): OutlinePoint[][] {
  const parts: OutlinePoint[][] = [];
  for (let at = start, flags: number = PART.more; (flags & PART.more) !== 0; ) {
    flags = view.getUint16(at);
    const glyph = view.getUint16(at + 2);
    if ((flags & PART.xy) === 0) throw new Error("parts that are placed by points are not supported");
    const words = (flags & PART.words) !== 0;
    const [dx, dy] = words
      ? [view.getInt16(at + 4), view.getInt16(at + 6)]
      : [view.getInt8(at + 4), view.getInt8(at + 5)];
    at += words ? 8 : 6;
    const scales =
      (flags & PART.matrix) !== 0 ? 4 : (flags & PART.scales) !== 0 ? 2 : (flags & PART.scale) !== 0 ? 1 : 0;
    const read = Array.from({ length: scales }, (_, index) => view.getInt16(at + 2 * index) / 16384);
    at += 2 * scales;
    const [a = 1, second = a, third = 0, fourth = a] = read;
    const matrix = scales === 4 ? [a, second, third, fourth] : [a, 0, 0, scales === 2 ? second : a];
    const [xx = 1, xy = 0, yx = 0, yy = 1] = matrix;
    for (const contour of contours(glyph))
      parts.push(contour.map(({ x, y, on }) => ({ x: xx * x + yx * y + dx, y: xy * x + yy * y + dy, on })));
  }
  return parts;
}
