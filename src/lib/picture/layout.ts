import type { Cell, Range, Sheet } from "../sheet/model.ts";
import { canonicalValue } from "../sheet/scalar.ts";
import { cellKey, type PictureOutput, type PictureRoles } from "./roles.ts";

/** A row or column of the picture: one of the sheet, or a fold over several that look alike. */
export type Track =
  | { readonly kind: "line"; readonly index: number }
  | { readonly kind: "fold"; readonly first: number; readonly last: number };

/** What a cell is in the picture. `unused`: it holds something that the recipe does not take. */
export type Role = "value" | "header" | "unused" | "empty";

export interface PictureCell {
  readonly role: Role;
  /** One line of text, not yet cut. */
  readonly text: string;
  /** Letters of the outputs that take this header. */
  readonly letters: string;
  /** A value with a missing or ambiguous header. */
  readonly problem: boolean;
}

/** A sheet region, folded to a bounded size and ready to draw. */
export interface Picture {
  readonly sheet: string;
  readonly region: Range;
  readonly rows: readonly Track[];
  readonly columns: readonly Track[];
  /** Cells by row, then column, of the tracks that are lines; empty cells are left out. */
  readonly cells: ReadonlyMap<string, PictureCell>;
  readonly outputs: readonly PictureOutput[];
  readonly counts: { readonly values: number; readonly headers: number; readonly unused: number };
  /** Rows and columns of the region that are in no track, because even folded it was too large. */
  readonly cut: { readonly rows: number; readonly columns: number };
}

export interface LayoutOptions {
  /** Most tracks down and across; default 60 and 30. */
  readonly maxRows?: number;
  readonly maxColumns?: number;
  /** What a cell shows; by default its stored value. */
  readonly textOf?: (cell: Cell) => string | null;
  /** By cell key, what else tells cells of one role apart: lines that differ in it do not fold together. */
  readonly signs?: ReadonlyMap<string, string>;
}

/**
 * Smallest region with every value and header of the roles, or the sheet's used range when there are
 * none, or its first cell.
 */
export function defaultRegion(sheet: Sheet, roles: PictureRoles): Range {
  let region: Range | null = null;
  for (const keys of [roles.values.keys(), roles.headers.keys()]) {
    for (const key of keys) {
      const match = /^R([0-9]+)C([0-9]+)$/.exec(key);
      if (match === null) continue;
      const row = Number(match[1]);
      const column = Number(match[2]);
      region =
        region === null
          ? { top: row, left: column, bottom: row, right: column }
          : {
              top: Math.min(region.top, row),
              left: Math.min(region.left, column),
              bottom: Math.max(region.bottom, row),
              right: Math.max(region.right, column),
            };
    }
  }
  return region ?? sheet.used ?? { top: 1, left: 1, bottom: 1, right: 1 };
}

/**
 * Lays out a region. When it has more rows or columns than allowed, runs of neighbours in which every
 * cell plays the same role fold to one track; what is still too much is cut at the end and counted.
 * Cost goes with the cells the sheet holds, not with the region's size.
 */
export function layoutPicture(
  sheet: Sheet,
  region: Range,
  roles: PictureRoles,
  options: LayoutOptions = {},
): Picture {
  const textOf = options.textOf ?? canonicalValue;
  const cells = new Map<string, PictureCell>();
  const rowMarks = new Map<number, string>();
  const columnMarks = new Map<number, string>();
  const counts = { values: 0, headers: 0, unused: 0 };
  const place = (cell: Cell): void => {
    const key = cellKey(cell.row, cell.column);
    const drawn = drawCell(cell, key, roles, textOf);
    if (drawn.role === "empty") return;
    cells.set(key, drawn);
    if (drawn.role === "value") counts.values++;
    else if (drawn.role === "header") counts.headers++;
    else counts.unused++;
    const mark = `${drawn.role === "header" ? `h${drawn.letters}` : drawn.role}${options.signs?.get(key) ?? ""}`;
    rowMarks.set(cell.row, `${rowMarks.get(cell.row) ?? ""}${cell.column}:${mark} `);
    columnMarks.set(cell.column, `${columnMarks.get(cell.column) ?? ""}${cell.row}:${mark} `);
  };
  for (const row of sheet.rowNumbers) {
    if (row < region.top || row > region.bottom) continue;
    for (const cell of sheet.rows.get(row) ?? []) {
      if (cell.column >= region.left && cell.column <= region.right) place(cell);
    }
  }
  const rows = foldTracks(region.top, region.bottom, rowMarks, options.maxRows ?? 60);
  const columns = foldTracks(region.left, region.right, columnMarks, options.maxColumns ?? 30);
  return {
    sheet: sheet.name,
    region,
    rows: rows.tracks,
    columns: columns.tracks,
    cells,
    outputs: roles.outputs,
    counts,
    cut: { rows: rows.cut, columns: columns.cut },
  };
}

function drawCell(
  cell: Cell,
  key: string,
  roles: PictureRoles,
  textOf: (cell: Cell) => string | null,
): PictureCell {
  const text = (textOf(cell) ?? "").replace(/\s+/g, " ").trim();
  const problem = roles.values.get(key);
  const outputs = roles.headers.get(key);
  const letters = (outputs ?? []).map((index) => roles.outputs[index]?.letters ?? "").join(",");
  if (problem !== undefined) return { role: "value", text, letters, problem };
  if (outputs !== undefined) return { role: "header", text, letters, problem: false };
  return { role: text === "" ? "empty" : "unused", text, letters: "", problem: false };
}

/** Lines kept at the start and the end of a run that folds; a fold must hide at least two. */
const KEEP_FIRST = 3;
const KEEP_LAST = 1;

/** One track a line when they fit; otherwise runs of lines with equal marks fold. */
export function foldTracks(
  first: number,
  last: number,
  marks: ReadonlyMap<number, string>,
  limit: number,
): { tracks: Track[]; cut: number } {
  const size = last - first + 1;
  const tracks: Track[] = [];
  if (size <= limit) {
    for (let index = first; index <= last; index++) tracks.push({ kind: "line", index });
    return { tracks, cut: 0 };
  }
  for (const run of runsOf(first, last, marks)) {
    if (tracks.length >= limit) return { tracks, cut: last - run.first + 1 };
    const length = run.last - run.first + 1;
    const fold = length > KEEP_FIRST + KEEP_LAST + 1;
    for (let index = run.first; index <= run.last; index++) {
      if (fold && index === run.first + KEEP_FIRST) {
        tracks.push({ kind: "fold", first: index, last: run.last - KEEP_LAST });
        index = run.last - KEEP_LAST;
      } else tracks.push({ kind: "line", index });
      if (tracks.length >= limit && index < last) return { tracks, cut: last - index };
    }
  }
  return { tracks, cut: 0 };
}

/** Runs of neighbouring lines with the same marks; a gap without any mark is one run, however long. */
function runsOf(
  first: number,
  last: number,
  marks: ReadonlyMap<number, string>,
): { first: number; last: number }[] {
  const runs: { first: number; last: number; mark: string }[] = [];
  const push = (from: number, to: number, mark: string): void => {
    const before = runs.at(-1);
    if (before !== undefined && before.mark === mark) before.last = to;
    else runs.push({ first: from, last: to, mark });
  };
  let next = first;
  for (const index of [...marks.keys()].sort((a, b) => a - b)) {
    if (index > next) push(next, index - 1, "");
    push(index, index, marks.get(index) ?? "");
    next = index + 1;
  }
  if (next <= last) push(next, last, "");
  return runs;
}
