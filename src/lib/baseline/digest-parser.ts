import { type ListedCell, parseText, parseValue } from "./listed-cell.ts";

/** Row number to column number to cell. */
export type RowsOfCells = Map<number, Map<number, ListedCell>>;

/** One line may fill so many cells: what a workbook holds, not what a line can claim. */
const MAX_FILLED = 2_000_000;

const VALUE = String.raw`"(?:[^"\\]|\\.)*"|error\("(?:[^"\\]|\\.)*"\)|[^ ;]+`;
const MARKS = String.raw`(?: (?:[a-z]+=)?(?:"(?:[^"\\]|\\.)*"|[^ ;"@]+))*`;
const CELL = new RegExp(String.raw`C([0-9]+)(?:-([0-9]+))?=(${VALUE})(${MARKS})(?:; |$)`, "gy");
const PLACED = new RegExp(
  String.raw`(${VALUE})(${MARKS}) @((?:R[0-9]+(?:-[0-9]+)?|\+[0-9]+)(?: (?:R[0-9]+(?:-[0-9]+)?|\+[0-9]+))*)(?:; |$)`,
  "gy",
);

/**
 * Reads one line of a listing or digest into `rows`. A line of cells gives them; a line that sums up numbers or a column
 * gives cells of the kind it tells of, with the values it tells of where it does not say which stands where.
 */
export function digestLine(line: string, rows: RowsOfCells): void {
  const head = /^R([0-9]+)(?:-([0-9]+))? /.exec(line);
  if (head === null) return;
  const top = Number(head[1]);
  const bottom = Number(head[2] ?? head[1]);
  if (bottom < top || bottom - top > MAX_FILLED) return;
  const rest = line.slice(head[0].length);
  if (rest.startsWith("numbers: ")) fillNumbers(rest.slice("numbers: ".length), top, bottom, rows);
  else if (/^C[0-9]+: /.test(rest)) fillColumn(rest, top, bottom, rows);
  else fillCells(rest, top, bottom, rows);
}

function put(rows: RowsOfCells, row: number, column: number, cell: ListedCell): void {
  const cells = rows.get(row);
  if (cells === undefined) rows.set(row, new Map([[column, cell]]));
  else cells.set(column, cell);
}

/** `C1="Sydney" b indent=1; C2-5=12.5 f1` */
function fillCells(text: string, top: number, bottom: number, rows: RowsOfCells): void {
  for (const [, first, last = first, value = "", marks = ""] of text.matchAll(CELL)) {
    const cell = cellOf(value, marks);
    if ((Number(last) - Number(first) + 1) * (bottom - top + 1) > MAX_FILLED) return;
    for (let row = top; row <= bottom; row++)
      for (let column = Number(first); column <= Number(last); column++) put(rows, row, column, cell);
  }
}

function cellOf(value: string, marks: string): ListedCell {
  const superscript = / marks=("(?:[^"\\]|\\.)*")/.exec(marks)?.[1];
  return {
    ...parseValue(value),
    bold: / b(?: |$)/.test(marks),
    marks: superscript === undefined ? "" : parseText(superscript),
  };
}

/** `C2-251 f2 38500 from -3.2 to 1212.1; C252 …`: the first and last row are listed by themselves. */
function fillNumbers(text: string, top: number, bottom: number, rows: RowsOfCells): void {
  for (const piece of text.split("; ")) {
    const found = /^C([0-9]+)(?:-([0-9]+))?.* [0-9]+(?: whole)? from (\S+) to (\S+)/.exec(piece);
    if (found === null) continue;
    const [, first, last = first, least = "0", most = "0"] = found;
    if ((Number(last) - Number(first) + 1) * (bottom - top + 1) > MAX_FILLED) return;
    const bold = / b(?: |$)/.test(piece.slice(0, piece.indexOf(" from ")));
    const ends = [least, most].map((value) => ({ ...cellOf(value, ""), bold }));
    for (let row = top + 1; row < bottom; row++)
      for (let column = Number(first); column <= Number(last); column++)
        put(rows, row, column, ends[row % 2] as ListedCell);
  }
}

/** `C1: 2593 cells, 8 distinct: "NSW" @R5-402; "Vic." @R403 +33`, or `C1: 18 cells, 2006 to 2023 in steps of 1` */
function fillColumn(text: string, top: number, bottom: number, rows: RowsOfCells): void {
  const head = /^C([0-9]+): ([0-9]+) cells, /.exec(text);
  if (head === null) return;
  const column = Number(head[1]);
  const rest = text.slice(head[0].length);
  const steps = /^(\S+) to \S+ in steps of (\S+)/.exec(rest);
  if (steps !== null) {
    for (let row = top; row <= bottom; row++) {
      const number = Number(steps[1]) + (row - top) * Number(steps[2]);
      put(rows, row, column, cellOf(String(number), ""));
    }
    return;
  }
  const placed = new Set<number>();
  let sample: ListedCell | null = null;
  for (const [, value = "", marks = "", places = ""] of rest
    .replace(/^[0-9]+ distinct: /, "")
    .matchAll(PLACED)) {
    const cell = cellOf(value, marks);
    sample ??= cell;
    for (const [, first, last = first] of places.matchAll(/R([0-9]+)(?:-([0-9]+))?/g))
      for (let row = Math.max(top, Number(first)); row <= Math.min(bottom, Number(last)); row++) {
        put(rows, row, column, cell);
        placed.add(row);
      }
  }
  // Cells that are counted only stand somewhere in the rows that are left; a column that is full leaves no choice.
  let left = Number(head[2]) - placed.size;
  if (sample === null) return;
  for (let row = top; row <= bottom && left > 0; row++) {
    if (placed.has(row)) continue;
    put(rows, row, column, sample);
    left--;
  }
}
