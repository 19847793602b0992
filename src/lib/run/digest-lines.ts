import type { Cell, Sheet } from "../sheet/model.ts";
import { type Band, isYear } from "./bands.ts";
import { clip } from "./clip.ts";
import type { DigestLevel } from "./digest-levels.ts";
import { isListed, marksOf, quote, spans, valueText } from "./listing.ts";

/** Styles of one column that are told apart in a line about it; more are marked by an ellipsis. */
const MAX_STYLES = 4;

/** What every line of a sheet's digest is written with. */
export interface DigestPen {
  readonly sheet: Sheet;
  readonly formats: ReadonlyMap<string, string>;
  readonly level: DigestLevel;
}

/** A line with its rows, and what became of the cells that it is the account of. */
export interface DigestLine {
  readonly top: number;
  readonly bottom: number;
  /** What follows the row numbers. */
  readonly cells: string;
  /** True for a row written as in the listing: equal ones under each other are joined. */
  readonly isRow: boolean;
  readonly listed: number;
  readonly summed: number;
  readonly omitted: number;
}

const column = (first: number, last: number): string => (first === last ? `C${first}` : `C${first}-${last}`);

/** Style and number format of a cell as the listing marks them, without what is particular to its text. */
export function styleOf(cell: Cell, formats: ReadonlyMap<string, string>): string {
  const { runs: _runs, ...plain } = cell;
  return marksOf({ ...plain, comment: null }, formats).join(" ");
}

/** A text cut to what the level shows says how long it is. */
const shortText = (text: string, max: number): string =>
  text.length <= max ? text : `${clip(text, max)}… [of ${text.length} characters]`;

/** Value and marks of a cell, without its column. */
function body(cell: Cell, { formats, level }: DigestPen): string {
  const text = (given: string): string => shortText(given, level.text);
  const isLong = cell.type === "text" && String(cell.value).length > level.text;
  const value = isLong ? quote(text(String(cell.value))) : valueText(cell);
  const comment = cell.comment === null ? null : text(cell.comment);
  return [value, ...marksOf({ ...cell, comment }, formats)].join(" ");
}

/** A row as the listing has it, runs of equal cells joined. */
export function rowLine(row: number, cells: readonly Cell[], pen: DigestPen): DigestLine {
  const runs: { first: number; last: number; text: string; cells: number }[] = [];
  for (const cell of cells) {
    const text = body(cell, pen);
    const run = runs.at(-1);
    if (run !== undefined && run.last === cell.column - 1 && run.text === text) {
      run.last = cell.column;
      run.cells++;
    } else runs.push({ first: cell.column, last: cell.column, text, cells: 1 });
  }
  const shown = runs.slice(0, pen.level.pieces);
  const left = runs.slice(shown.length);
  const omitted = left.reduce((sum, run) => sum + run.cells, 0);
  const parts = shown.map(({ first, last, text }) => `${column(first, last)}=${text}`);
  if (omitted > 0)
    parts.push(`${column(left[0]?.first ?? 0, left.at(-1)?.last ?? 0)} not shown: ${omitted} cells`);
  return {
    top: row,
    bottom: row,
    cells: parts.join("; "),
    isRow: true,
    listed: cells.length - omitted,
    summed: 0,
    omitted,
  };
}

/** What a column of a band holds. */
interface BandColumn {
  readonly column: number;
  readonly numbers: Cell[];
  readonly labels: Cell[];
}

/** The lines of a long band: its numbers by column, its first and last row, and its labels. */
export function bandLines(band: Band, pen: DigestPen): DigestLine[] {
  const { sheet, level } = pen;
  const top = band.rows[0] ?? 0;
  const bottom = band.rows.at(-1) ?? 0;
  const cellsOf = (row: number): Cell[] => (sheet.rows.get(row) ?? []).filter(isListed);
  const columns = new Map<number, BandColumn>();
  for (const row of band.rows)
    for (const cell of cellsOf(row)) {
      const known = columns.get(cell.column) ?? { column: cell.column, numbers: [], labels: [] };
      columns.set(cell.column, known);
      (cell.type === "number" ? known.numbers : known.labels).push(cell);
    }
  const ordered = [...columns.values()].sort((a, b) => a.column - b.column);
  const summarise = band.rows.length >= level.labelRows;
  const firstNumbers = ordered.find(({ numbers }) => numbers.length > 0)?.column;
  const asLabels = ordered.filter((each) => isLabelColumn(each, each.column === firstNumbers));
  const asNumbers = ordered.filter((each) => each.numbers.length > 0 && !asLabels.includes(each));
  const isEdge = ({ row }: Cell): boolean => row === top || row === bottom;
  /** Cells that no row line lists: the lines of columns account for them. */
  const isOwn = (cell: Cell): boolean => !isEdge(cell) && (cell.type !== "number" || cell.comment === null);
  const rows = band.rows.map((row) => {
    if (row === top || row === bottom) return rowLine(row, cellsOf(row), pen);
    const told = cellsOf(row).filter(
      (cell) => (cell.type !== "number" && !summarise) || (cell.type === "number" && cell.comment !== null),
    );
    return told.length === 0 ? null : rowLine(row, told, pen);
  });
  const columnLine = (cells: readonly Cell[]): DigestLine => ({
    top,
    bottom,
    isRow: false,
    ...columnText(cells, pen, isOwn),
  });
  return [
    ...numberLine(band, asNumbers, pen, (cells) => cells.filter(isOwn).length),
    ...asLabels.map(({ numbers }) => columnLine(numbers)),
    ...(summarise
      ? ordered.filter(({ labels }) => labels.length > 0).map(({ labels }) => columnLine(labels))
      : []),
    ...rows.filter((line) => line !== null),
  ];
}

/** Numbers that tell rows apart rather than being measured: years, or whole numbers that repeat in the first column. */
function isLabelColumn({ numbers }: BandColumn, isFirst: boolean): boolean {
  if (numbers.length < 2 || !numbers.every(({ value }) => Number.isInteger(value))) return false;
  if (numbers.every(({ value }) => isYear(value))) return true;
  if (!isFirst) return false;
  const distinct = new Set(numbers.map(({ value }) => value)).size;
  return distinct * 2 <= numbers.length || Math.abs(stepOf(numbers) ?? 0) === 1;
}

/** The constant difference of numbers in consecutive rows, or null. */
function stepOf(cells: readonly Cell[]): number | null {
  const [first, second] = cells;
  if (first === undefined || second === undefined) return null;
  const step = Number(second.value) - Number(first.value);
  const isSteady = cells.every(
    (cell, at) => cell.row === first.row + at && Number(cell.value) === Number(first.value) + at * step,
  );
  return isSteady && step !== 0 ? step : null;
}

function numberLine(
  band: Band,
  columns: readonly BandColumn[],
  { level, formats }: DigestPen,
  summedOf: (cells: readonly Cell[]) => number,
): DigestLine[] {
  if (columns.length === 0) return [];
  const pieces: { first: number; last: number; style: string; columns: BandColumn[] }[] = [];
  for (const each of columns) {
    const styles = new Set(each.numbers.map((cell) => styleOf(cell, formats)));
    const style =
      [...styles].sort().slice(0, MAX_STYLES).join(" | ") + (styles.size > MAX_STYLES ? " | …" : "");
    const piece = pieces.at(-1);
    if (piece !== undefined && piece.last === each.column - 1 && piece.style === style) {
      piece.last = each.column;
      piece.columns.push(each);
    } else pieces.push({ first: each.column, last: each.column, style, columns: [each] });
  }
  const shown = pieces.slice(0, level.pieces);
  const left = pieces.slice(shown.length);
  const parts = shown.map((piece) => pieceText(piece, band.rows.length));
  const summed = (list: typeof pieces): number =>
    list.reduce((sum, piece) => sum + piece.columns.reduce((n, each) => n + summedOf(each.numbers), 0), 0);
  const omitted = summed(left);
  if (left.length > 0)
    parts.push(`${column(left[0]?.first ?? 0, left.at(-1)?.last ?? 0)} not shown: ${omitted} cells`);
  const [top, bottom] = [band.rows[0] ?? 0, band.rows.at(-1) ?? 0];
  return [
    {
      top,
      bottom,
      cells: `numbers: ${parts.join("; ")}`,
      isRow: false,
      listed: 0,
      summed: summed(shown),
      omitted,
    },
  ];
}

/** `C2-251 f2 38500 from -3.2 to 1212.1, 10 blank` */
function pieceText(
  piece: { first: number; last: number; style: string; columns: readonly BandColumn[] },
  rows: number,
): string {
  let [count, labels, least, most] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isWhole = true;
  for (const each of piece.columns) {
    count += each.numbers.length;
    labels += each.labels.length;
    for (const { value } of each.numbers) {
      const number = Number(value);
      least = Math.min(least, number);
      most = Math.max(most, number);
      isWhole &&= Number.isInteger(number);
    }
  }
  const blank = rows * piece.columns.length - count - labels;
  return [
    column(piece.first, piece.last),
    piece.style,
    String(count),
    isWhole ? "whole" : "",
    `from ${least} to ${most}`,
    labels > 0 ? `and ${labels} other` : "",
    blank > 0 ? `and ${blank} blank` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** `C1: 2595 cells, 8 distinct: "NSW" @R3-402; "Vic." @R403 R410 +33; 2 distinct in 40 cells not shown` */
function columnText(
  cells: readonly Cell[],
  pen: DigestPen,
  isOwn: (cell: Cell) => boolean,
): Pick<DigestLine, "cells" | "listed" | "summed" | "omitted"> {
  const [first] = cells;
  const name = `C${first?.column ?? 0}: ${cells.length} cells, `;
  const own = cells.filter(isOwn).length;
  const marks = (cell: Cell | undefined): string =>
    cell === undefined ? "" : marksOf(cell, pen.formats).join(" ");
  const isPlain = first?.type === "number" && cells.every((cell) => marks(cell) === marks(first));
  const step = isPlain ? stepOf(cells) : null;
  if (step !== null)
    return {
      cells: `${name}${[first?.value, "to", cells.at(-1)?.value, "in steps of", step, marks(first)].join(" ").trimEnd()}`,
      listed: 0,
      summed: own,
      omitted: 0,
    };
  const values = new Map<string, Cell[]>();
  for (const cell of cells) {
    const text = body(cell, pen);
    const known = values.get(text);
    if (known === undefined) values.set(text, [cell]);
    else known.push(cell);
  }
  const shown = [...values].slice(0, pen.level.distinct);
  const left = [...values.values()].slice(shown.length).flat();
  const parts = shown.map(
    ([text, found]) =>
      `${text} @${placesText(
        found.map(({ row }) => row),
        pen.level.places,
      )}`,
  );
  if (left.length > 0) parts.push(`${values.size - shown.length} distinct in ${left.length} cells not shown`);
  const omitted = left.filter(isOwn).length;
  return {
    cells: `${name}${values.size} distinct: ${parts.join("; ")}`,
    listed: 0,
    summed: own - omitted,
    omitted,
  };
}

/** Row spans where a value stands; the rows of those that are not shown are counted. */
function placesText(rows: readonly number[], max: number): string {
  const places = spans(rows).split(" ");
  const shown = places.slice(0, max);
  const told = shown.reduce((sum, place) => {
    const [first = 0, last = first] = place.split("-").map(Number);
    return sum + last - first + 1;
  }, 0);
  const more = rows.length - told;
  return [...shown.map((place) => `R${place}`), ...(more > 0 ? [`+${more}`] : [])].join(" ");
}
