import type { Picture, PictureCell, Track } from "./layout.ts";
import { cellKey } from "./roles.ts";
import { cutText, padText, safeText, textWidth } from "./text.ts";

export interface TerminalPictureOptions {
  /** Paint as well; the marks are there either way. */
  readonly colour?: boolean;
  /** Columns of the terminal; default 120. */
  readonly width?: number;
}

const RESET = "\u001b[0m";
/** Black on green, black on cyan, dim: told apart in light and dark terminals. */
const PAINT = { value: "\u001b[30;42m", header: "\u001b[30;46m", unused: "\u001b[2m", empty: "" } as const;

const MIN_WIDTH = 3;
const MAX_WIDTH = 22;

/**
 * The picture as text: row numbers down the side, column numbers on top; values in `[ ]`, headers after
 * the letter of the output that takes them (`a:Males`), what the recipe does not use behind a dot. A `!`
 * follows a value whose header is missing or ambiguous. Ends with a legend and a line break.
 */
export function renderTerminal(picture: Picture, options: TerminalPictureOptions = {}): string {
  const limit = Math.max(40, options.width ?? 120);
  const gutter = Math.max(2, String(picture.region.bottom).length + 1);
  const widths = picture.columns.map((track) => columnWidth(picture, track));
  let shown = 0;
  let total = gutter;
  while (shown < widths.length && total + (widths[shown] ?? 0) + 1 <= limit) {
    total += (widths[shown] ?? 0) + 1;
    shown++;
  }
  shown = Math.max(1, shown);
  const columns = picture.columns.slice(0, shown);
  const lines = [
    `${safeText(picture.sheet)}!R${picture.region.top}C${picture.region.left}:R${picture.region.bottom}C${picture.region.right}`,
  ];
  const title = columns.map((track, index) => padText(trackTitle(track, "C"), widths[index] ?? MIN_WIDTH));
  lines.push(trimEnd(`${" ".repeat(gutter)} ${title.join(" ")}`));
  for (const row of picture.rows) {
    if (row.kind === "fold") {
      lines.push(
        `${padText("⋮", gutter, "left")} ${row.last - row.first + 1} rows alike (R${row.first} to R${row.last})`,
      );
      continue;
    }
    const cells = columns.map((column, index) =>
      drawCell(picture, row.index, column, widths[index] ?? MIN_WIDTH, options.colour === true),
    );
    lines.push(trimEnd(`${padText(`R${row.index}`, gutter, "left")} ${cells.join(" ")}`));
  }
  const hiddenColumns = picture.columns
    .slice(shown)
    .reduce((sum, track) => sum + trackSize(track), picture.cut.columns);
  if (hiddenColumns > 0)
    lines.push(`… ${hiddenColumns} more columns to the right; choose a region to see them.`);
  if (picture.cut.rows > 0) lines.push(`… ${picture.cut.rows} more rows below; choose a region to see them.`);
  lines.push("", ...legend(picture, options.colour === true));
  return `${lines.join("\n")}\n`;
}

const trackSize = (track: Track): number => (track.kind === "line" ? 1 : track.last - track.first + 1);

const trackTitle = (track: Track, letter: string): string =>
  track.kind === "line" ? `${letter}${track.index}` : `⋯${track.last - track.first + 1}`;

const trimEnd = (line: string): string => line.replace(/ +$/, "");

function columnWidth(picture: Picture, track: Track): number {
  let width = Math.max(MIN_WIDTH, trackTitle(track, "C").length);
  if (track.kind === "fold") return width;
  for (const row of picture.rows) {
    if (row.kind === "fold") continue;
    const cell = picture.cells.get(cellKey(row.index, track.index));
    if (cell !== undefined) width = Math.max(width, textWidth(cellMark(cell, MAX_WIDTH)));
  }
  return Math.min(width, MAX_WIDTH);
}

/** A cell with its marks, cut to `width` columns. */
function cellMark(cell: PictureCell, width: number): string {
  const text = safeText(cell.text);
  switch (cell.role) {
    case "value": {
      const before = cell.letters === "" ? "[" : `${cell.letters}:[`;
      const after = cell.problem ? "]!" : "]";
      return `${before}${cutText(text, Math.max(1, width - before.length - after.length))}${after}`;
    }
    case "header": {
      const before = `${cutText(cell.letters, 8)}:`;
      return `${before}${cutText(text, Math.max(1, width - before.length))}`;
    }
    case "unused":
      return `·${cutText(text, width - 1)}`;
    default:
      return "";
  }
}

function drawCell(picture: Picture, row: number, column: Track, width: number, colour: boolean): string {
  if (column.kind === "fold") return padText("⋯", width);
  const cell = picture.cells.get(cellKey(row, column.index));
  if (cell === undefined) return " ".repeat(width);
  const text = padText(cellMark(cell, width), width);
  return colour && PAINT[cell.role] !== "" ? `${PAINT[cell.role]}${text}${RESET}` : text;
}

function legend(picture: Picture, colour: boolean): string[] {
  const paint = (code: string, text: string): string => (colour ? `${code}${text}${RESET}` : text);
  const lines: string[] = [];
  if (picture.counts.values > 0) lines.push(`${paint(PAINT.value, "[ ]")} value (${picture.counts.values})`);
  for (const { letters, name, direction } of picture.outputs) {
    lines.push(`${paint(PAINT.header, `${letters}:`)} header "${safeText(name)}" (${direction})`);
  }
  lines.push(`${paint(PAINT.unused, "·")} not used (${picture.counts.unused})`);
  const problems = [...picture.cells.values()].filter(({ problem }) => problem).length;
  if (problems > 0)
    lines.push(`! a header is missing or ambiguous (${problems} value${problems === 1 ? "" : "s"})`);
  return lines;
}
