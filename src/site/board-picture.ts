import { Canvas, type Colour, colourOf, rectangle } from "../lib/picture/canvas.ts";
import { encodePng } from "../lib/picture/png.ts";
import {
  breakText,
  fitText,
  measureText,
  textContours,
  type Weight,
} from "../lib/picture/typeface/typeface.ts";

import { PICTURE_SIZE } from "./picture-paths.ts";

/** What links to a board show: its title and who is first. */
export interface BoardCard {
  readonly benchmark: string;
  readonly title: string;
  /** The best first, at most three. */
  readonly first: readonly CardRow[];
  /** What the score is. */
  readonly unit: string;
  /** Said of the order of the rows, or in their place. */
  readonly note: string;
  /** `2026-11-30` of the newest result; null without one. */
  readonly newest: string | null;
  readonly synthetic: boolean;
}

export interface CardRow {
  readonly place: string;
  readonly name: string;
  /** The lab's letters; nothing where it is not known. */
  readonly mark: string;
  /** `#rrggbb` of the lab. */
  readonly colour: string;
  readonly score: string;
  /** Length of its bar, 0 to 1. */
  readonly share: number;
}

const MARGIN = 72;
const INNER = PICTURE_SIZE.width - 2 * MARGIN;
/** Of the light theme. */
const [GROUND, INK, SOFT, CARD, ACCENT, WARN, WARN_GROUND] = [
  "#ffffff",
  "#1b1d21",
  "#565c66",
  "#eef0f3",
  "#8a5a00",
  "#7a4a00",
  "#fff3d6",
].map(colourOf) as [Colour, Colour, Colour, Colour, Colour, Colour, Colour];

const ROW = { top: 296, height: 76, name: 34, bar: 12 } as const;

/** Draws a board's picture as a PNG file. The same card gives the same bytes. */
export function drawBoardPicture(card: BoardCard): Uint8Array {
  const { width, height } = PICTURE_SIZE;
  const canvas = new Canvas(width, height, GROUND);
  const write = (
    text: string,
    x: number,
    y: number,
    size: number,
    weight: Weight = "regular",
    colour: Colour = INK,
  ): void => canvas.fill(textContours(text, x, y, size, weight), colour);
  canvas.fill([rectangle(0, 0, 16, height)], ACCENT);
  write("Assay", MARGIN, 92, 36, "bold", ACCENT);
  write(card.benchmark, MARGIN + measureText("Assay", 36, "bold") + 20, 92, 30, "regular", SOFT);
  if (card.synthetic) writeSynthetic(canvas);
  const title = breakText(card.title, INNER, 52, "bold", 2);
  for (const [line, text] of title.entries())
    write(text, MARGIN, (title.length === 1 ? 192 : 164) + 60 * line, 52, "bold");
  write(fitText(card.unit, INNER, 26, "regular"), MARGIN, 268, 26, "regular", SOFT);
  for (const [index, row] of card.first.entries()) drawRow(canvas, row, ROW.top + ROW.height * index);
  const note = breakText(card.note, INNER, 26, "regular", 1)[0] ?? "";
  write(note, MARGIN, card.first.length === 0 ? ROW.top + 60 : 562, 26);
  const newest = card.newest === null ? "" : `Newest result ${card.newest}. `;
  write(`${newest}Every score was recomputed from committed evidence.`, MARGIN, 602, 24, "regular", SOFT);
  return encodePng(canvas);
}

function writeSynthetic(canvas: Canvas): void {
  const text = "Synthetic data: no results of any model";
  const wide = measureText(text, 26, "bold");
  const left = PICTURE_SIZE.width - MARGIN - wide;
  canvas.fill([rectangle(left - 16, 56, wide + 32, 50)], WARN_GROUND);
  canvas.fill(textContours(text, left, 90, 26, "bold"), WARN);
}

function drawRow(canvas: Canvas, { place, name, mark, colour, score, share }: CardRow, top: number): void {
  const baseline = top + 38;
  const own = colourOf(colour);
  const right = PICTURE_SIZE.width - MARGIN;
  const scoreWidth = measureText(score, ROW.name, "bold");
  canvas.fill(textContours(place, MARGIN, baseline, ROW.name, "bold"), SOFT);
  const markLeft = MARGIN + 84;
  const letters = measureText(mark, 22, "bold");
  const named = mark === "" ? markLeft : markLeft + Math.max(48, letters + 20) + 16;
  if (mark !== "") drawMark(canvas, mark, own, markLeft, baseline - 34);
  const room = right - scoreWidth - 32 - named;
  canvas.fill(
    textContours(fitText(name, room, ROW.name, "regular"), named, baseline, ROW.name, "regular"),
    INK,
  );
  canvas.fill(textContours(score, right - scoreWidth, baseline, ROW.name, "bold"), INK);
  const [barTop, barWide] = [top + 52, right - markLeft];
  canvas.fill([rectangle(markLeft, barTop, barWide, ROW.bar)], CARD);
  canvas.fill([rectangle(markLeft, barTop, barWide * Math.min(1, Math.max(0, share)), ROW.bar)], own);
}

/** The lab's letters within a frame of its colour. */
function drawMark(canvas: Canvas, mark: string, colour: Colour, left: number, top: number): void {
  const letters = measureText(mark, 22, "bold");
  const wide = Math.max(48, letters + 20);
  canvas.fill([rectangle(left, top, wide, 40)], colour);
  canvas.fill([rectangle(left + 3, top + 3, wide - 6, 34)], GROUND);
  canvas.fill(textContours(mark, left + (wide - letters) / 2, top + 28, 22, "bold"), INK);
}
