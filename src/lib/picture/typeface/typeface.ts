import { type Contour, type Point, rectangle } from "../canvas.ts";
import { safeText } from "../text.ts";
import outlines from "./outlines.json" with { type: "json" };

/**
 * Text as outlines: Inter (SIL Open Font License, beside this file), in two weights. `outlines.json` was made by
 * `scripts/site/typeface.ts`: each glyph's advance and contours in thousandths of the font's size, control points of
 * quadratic curves marked with `~`.
 */

export type Weight = "regular" | "bold";

interface Glyph {
  readonly advance: number;
  readonly contours: readonly (readonly PlacedPoint[])[];
}

interface PlacedPoint extends Point {
  readonly on: boolean;
}

const EM = 1000;
/** Straight lines that stand for one curve: more are not seen at sizes used here. */
const STEPS = 5;

/** Stands for a character that the typeface does not have: an empty box. */
const MISSING: Glyph = {
  advance: 640,
  contours: [rectangle(70, 0, 500, 700), rectangle(130, 60, 380, 580).toReversed()].map((contour) =>
    contour.map((point) => ({ ...point, on: true })),
  ),
};

/** A character, its advance and its contours. */
type Packed = (string | number)[];

const byCharacter = (glyphs: readonly Packed[]): ReadonlyMap<string, Packed> =>
  new Map(glyphs.map((glyph) => [String(glyph[0]), glyph]));

const faces = { regular: byCharacter(outlines.regular.glyphs), bold: byCharacter(outlines.bold.glyphs) };

function glyphOf(character: string, weight: Weight): Glyph {
  const packed = faces[weight].get(character);
  if (packed === undefined) return MISSING;
  const [, advance, shape] = packed;
  const contours = shape === "" ? [] : String(shape).split("/");
  return { advance: Number(advance), contours: contours.map((contour) => pointsOf(contour.split(" "))) };
}

const pointsOf = (words: readonly string[]): PlacedPoint[] =>
  Array.from({ length: words.length / 2 }, (_, index) => {
    const x = words[2 * index] ?? "";
    return {
      x: Number(x.replace("~", "")),
      y: Number(words[2 * index + 1]),
      on: !x.startsWith("~"),
    };
  });

/** Width of a text, pixels. */
export const measureText = (text: string, size: number, weight: Weight): number =>
  [...safeText(text)].reduce((sum, character) => sum + glyphOf(character, weight).advance, 0) * (size / EM);

/** The text, cut to fit a width with an ellipsis where something was cut off. */
export function fitText(text: string, width: number, size: number, weight: Weight): string {
  if (measureText(text, size, weight) <= width) return text;
  const characters = [...text];
  let kept = characters.length;
  while (kept > 0 && measureText(`${characters.slice(0, kept).join("").trimEnd()}…`, size, weight) > width)
    kept -= 1;
  return `${characters.slice(0, kept).join("").trimEnd()}…`;
}

/**
 * Breaks a text at spaces into lines that fit a width; what is left over at the last line is cut.
 * @param most lines at most
 */
export function breakText(text: string, width: number, size: number, weight: Weight, most: number): string[] {
  const lines: string[] = [];
  let words = text.split(" ").filter((word) => word !== "");
  while (words.length > 0 && lines.length < most - 1) {
    let count = words.length;
    while (count > 1 && measureText(words.slice(0, count).join(" "), size, weight) > width) count -= 1;
    lines.push(fitText(words.slice(0, count).join(" "), width, size, weight));
    words = words.slice(count);
  }
  return words.length === 0 ? lines : [...lines, fitText(words.join(" "), width, size, weight)];
}

/** Outlines of a text whose baseline begins at `x`, `y`. */
export function textContours(text: string, x: number, y: number, size: number, weight: Weight): Contour[] {
  const scale = size / EM;
  let pen = x;
  return [...safeText(text)].flatMap((character) => {
    const { advance, contours } = glyphOf(character, weight);
    const left = pen;
    pen += advance * scale;
    return contours.map((contour) =>
      flattened(contour).map((point) => ({ x: left + point.x * scale, y: y - point.y * scale })),
    );
  });
}

/** Curves as straight lines. Between two control points lies a point of the curve, in their middle. */
function flattened(contour: readonly PlacedPoint[]): Point[] {
  const between = (a: Point, b: Point): PlacedPoint => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true });
  const all = contour.flatMap((point, index): PlacedPoint[] => {
    const next = contour[(index + 1) % contour.length] ?? point;
    return point.on || next.on ? [point] : [point, between(point, next)];
  });
  const first = all.findIndex(({ on }) => on);
  const ordered = [...all.slice(first), ...all.slice(0, first)];
  return ordered.flatMap((point, index) => {
    if (point.on) return [point];
    const from = ordered[index - 1] ?? point;
    const to = ordered[(index + 1) % ordered.length] ?? point;
    return Array.from({ length: STEPS - 1 }, (_, step) => curvePoint(from, point, to, (step + 1) / STEPS));
  });
}

/** Of a quadratic curve at `t` from 0 to 1. */
function curvePoint(from: Point, control: Point, to: Point, t: number): Point {
  const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  return { x: a * from.x + b * control.x + c * to.x, y: a * from.y + b * control.y + c * to.y };
}
