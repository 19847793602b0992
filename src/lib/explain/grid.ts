import { defaultRegion, layoutPicture, type Role, type Track } from "../picture/layout.ts";
import { cellKey, NO_ROLES, type PictureOutput, type PictureRoles, rolesOf } from "../picture/roles.ts";
import { displayedText } from "../sheet/display.ts";
import type { Range, Workbook } from "../sheet/model.ts";
import type { Execution } from "../sheet/output.ts";
import { compareRows, type DifferenceKind } from "./differences.ts";

/**
 * What a recipe made of a value cell. `same`: all of its row; `moved`: the same in another row of the table; `headers`:
 * the same cells, though a header was resolved otherwise; `wrong`: cells of its row differ; `missing`: only the reference
 * takes it; `extra`: only the recipe does.
 */
export type GridMark = "same" | "moved" | "headers" | "wrong" | "missing" | "extra";

export interface GridCell {
  readonly text: string;
  readonly role: Exclude<Role, "empty">;
  /** Letters of the outputs that take this header; empty for other cells. */
  readonly letters: string;
  /** Null where nothing is compared. */
  readonly mark: GridMark | null;
}

/** A part of a sheet as rows of cells, folded and cut to a bounded size. */
export interface SheetGrid {
  readonly sheet: string;
  readonly region: Range;
  readonly columns: readonly Track[];
  /** Null: an empty cell, or one in a fold. A folded row has no cells. */
  readonly rows: readonly { readonly track: Track; readonly cells: readonly (GridCell | null)[] }[];
  /** The reference's outputs on this sheet, with their letters. */
  readonly outputs: readonly PictureOutput[];
  /** Rows and columns of the region that are not shown: within folds, and cut off at the end. */
  readonly hidden: {
    readonly folded: { readonly rows: number; readonly columns: number };
    readonly cut: { readonly rows: number; readonly columns: number };
  };
}

export interface GridLimits {
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Most sheets that are drawn. */
  readonly maxSheets: number;
}

/** The grids of a workbook's sheets, and the names of those for which there was no place. */
export interface Grids {
  readonly sheets: readonly SheetGrid[];
  readonly notDrawn: readonly string[];
}

/**
 * The sheets that the reference takes values from, and the recipe when there is one, in the workbook's order. With a
 * recipe every value is marked by what it made of it. Headers are the reference's: the words of `compareRows` say which
 * others a recipe took.
 */
export function gridsOf(
  workbook: Workbook,
  reference: Execution,
  produced: Execution | null,
  limits: GridLimits,
): Grids {
  const marks = produced === null ? null : marksOf(reference, produced);
  const taken = new Set([...reference.valueTrace, ...(produced?.valueTrace ?? [])].map(sheetOf));
  const sheets = workbook.sheets.filter(({ name }) => taken.has(name));
  return {
    sheets: sheets
      .slice(0, limits.maxSheets)
      .map(({ name }) => gridOf(workbook, name, reference, marks?.get(name) ?? null, limits)),
    notDrawn: sheets.slice(limits.maxSheets).map(({ name }) => name),
  };
}

type Marks = ReadonlyMap<string, GridMark>;

const MARK_OF: Readonly<Record<DifferenceKind, GridMark>> = {
  missing: "missing",
  extra: "extra",
  cells: "wrong",
  headers: "headers",
  moved: "moved",
};

/** By sheet and cell key. Of a cell that is taken several times, the worst is shown. */
function marksOf(reference: Execution, produced: Execution): ReadonlyMap<string, Marks> {
  const marks = new Map<string, Map<string, GridMark>>();
  const put = (address: string, mark: GridMark): void => {
    const sheet = sheetOf(address);
    const own = marks.get(sheet) ?? new Map<string, GridMark>();
    marks.set(sheet, own);
    own.set(address.slice(sheet.length + 1), mark);
  };
  for (const address of reference.valueTrace) put(address, "same");
  const { rows } = compareRows(reference, produced, Number.POSITIVE_INFINITY);
  for (const kind of ["moved", "headers", "cells", "extra", "missing"] as const)
    for (const row of rows)
      if (row.kind === kind) put((row.reference ?? row.produced)?.address ?? "", MARK_OF[kind]);
  return marks;
}

/** `Data!R5C2` gives `Data`; a sheet's name may hold an exclamation mark itself. */
const sheetOf = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf("!")));

function gridOf(
  workbook: Workbook,
  name: string,
  reference: Execution,
  marks: Marks | null,
  { maxRows, maxColumns }: GridLimits,
): SheetGrid {
  const sheet = workbook.sheets.find((candidate) => candidate.name === name);
  if (sheet === undefined) throw new RangeError(`the workbook has no sheet ${name}`);
  const base = reference.valueTrace.some((address) => sheetOf(address) === name)
    ? rolesOf(reference, name)
    : NO_ROLES;
  const roles = withExtra(base, marks);
  const picture = layoutPicture(sheet, defaultRegion(sheet, roles), roles, {
    maxRows,
    maxColumns,
    textOf: (cell) => displayedText(cell, workbook.date1904),
    ...(marks === null ? {} : { signs: marks }),
  });
  const cellAt = (row: number, column: Track): GridCell | null => {
    if (column.kind === "fold") return null;
    const key = cellKey(row, column.index);
    const cell = picture.cells.get(key);
    if (cell === undefined || cell.role === "empty") return null;
    return { text: cell.text, role: cell.role, letters: cell.letters, mark: marks?.get(key) ?? null };
  };
  return {
    sheet: name,
    region: picture.region,
    columns: picture.columns,
    rows: picture.rows.map((track) => ({
      track,
      cells: track.kind === "fold" ? [] : picture.columns.map((column) => cellAt(track.index, column)),
    })),
    outputs: picture.outputs,
    hidden: {
      folded: { rows: foldedLines(picture.rows), columns: foldedLines(picture.columns) },
      cut: picture.cut,
    },
  };
}

/** The reference's roles, with the values that only the recipe takes. */
function withExtra(roles: PictureRoles, marks: Marks | null): PictureRoles {
  const values = new Map(roles.values);
  for (const [key, mark] of marks ?? []) if (mark === "extra") values.set(key, false);
  return { ...roles, values };
}

const foldedLines = (tracks: readonly Track[]): number =>
  tracks.reduce((sum, track) => sum + (track.kind === "fold" ? track.last - track.first + 1 : 0), 0);
