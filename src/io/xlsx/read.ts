import type { Finding, Outcome } from "../../lib/findings.ts";
import {
  type Cell,
  MAX_COLUMNS,
  MAX_ROWS,
  type Range,
  type Sheet,
  type Workbook,
} from "../../lib/sheet/model.ts";
import { firstIndex } from "../../lib/sheet/sheet-index.ts";
import { columnLetters, parseAddress } from "./address.ts";
import { readComments, readThreadedComments } from "./comments-part.ts";
import { type XlsxCaps, XlsxFault } from "./fault.ts";
import { makeCell } from "./make-cell.ts";
import { commentParts, readParts, type SheetEntry, scanPart } from "./package.ts";
import { type ScannedSheet, scanSheet } from "./sheet-part.ts";
import { readSharedStrings } from "./strings-part.ts";
import { PLAIN_STYLE, readStyles } from "./styles-part.ts";
import { openZip, type ZipArchive } from "./zip.ts";

export type { XlsxCaps } from "./fault.ts";

/** Ten times the largest workbook of the bank; a million numbers cost about 0.4 GB and 0.6 s. */
export const DEFAULT_CAPS: XlsxCaps = {
  entries: 5_000,
  inflatedBytes: 256 * 1024 * 1024,
  rows: MAX_ROWS,
  columns: MAX_COLUMNS,
  cells: 1_000_000,
  items: 1_500_000,
};

export interface ReadOptions {
  /** Path that findings name. */
  readonly path?: string;
  readonly caps?: Partial<XlsxCaps>;
}

/**
 * Reads an .xlsx (or .xlsm) workbook to the cell model. Never throws: whatever is wrong with the bytes
 * is a finding whose code starts with `xlsx-`. `docs/cells.md` says how each kind of cell is read.
 */
export async function readWorkbook(bytes: Uint8Array, options: ReadOptions = {}): Promise<Outcome<Workbook>> {
  const place = options.path === undefined ? {} : { path: options.path };
  try {
    const { workbook, findings } = await read(bytes, { ...DEFAULT_CAPS, ...options.caps });
    return { ok: true, value: workbook, findings: findings.map((finding) => ({ ...finding, ...place })) };
  } catch (error) {
    return { ok: false, findings: [{ ...findingOf(error), ...place }] };
  }
}

/** Only what the file's outside says: whether it is a sound zip package. No part of it is inflated; never throws. */
export function checkPackage(bytes: Uint8Array, options: ReadOptions = {}): Finding[] {
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  try {
    openZip(bytes, caps);
    return [];
  } catch (error) {
    return [{ ...findingOf(error), ...(options.path === undefined ? {} : { path: options.path }) }];
  }
}

const findingOf = (error: unknown): Finding =>
  error instanceof XlsxFault
    ? error.finding
    : {
        code: "xlsx-unreadable",
        severity: "error",
        message: `The workbook cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        hint: "Open the file in a spreadsheet program and save it again.",
      };

async function read(bytes: Uint8Array, caps: XlsxCaps): Promise<{ workbook: Workbook; findings: Finding[] }> {
  const zip = openZip(bytes, caps);
  const parts = readParts(zip);
  if (parts.sheets.length === 0) {
    throw new XlsxFault("xlsx-no-sheets", "The workbook holds no worksheet.");
  }
  const { date1904 } = parts;
  const styles = parts.styles === null ? [] : readStyles(scanPart(zip, parts.styles));
  const strings = parts.sharedStrings === null ? [] : readSharedStrings(scanPart(zip, parts.sharedStrings));
  let cells = 0;
  const spend = (): void => {
    if (++cells > caps.cells) {
      throw new XlsxFault("xlsx-too-many-cells", "The workbook holds too many cells.", {
        expected: `at most ${caps.cells} cells`,
      });
    }
  };
  const findings: Finding[] = parts.skipped.map(({ name, kind }) => ({
    code: "xlsx-skipped-sheet",
    severity: "notice",
    message: `Sheet "${name}" is a ${kind} and holds no cells; it is left out.`,
  }));
  const sheets = parts.sheets.map((entry): Sheet => {
    const { name, part } = entry;
    const scanned = scanSheet(scanPart(zip, part), { name, strings, styles, date1904, caps, spend });
    const { uncachedFormulas } = scanned;
    if (uncachedFormulas.count > 0) {
      findings.push({
        code: "xlsx-formula-without-value",
        severity: "warning",
        message: `${uncachedFormulas.count} formula cells of sheet "${name}" hold no value (the first is ${uncachedFormulas.first}); they read as blank.`,
        hint: "Open the file in a spreadsheet program, let it calculate, and save it again.",
      });
    }
    return buildSheet(entry, scanned, readSheetComments(zip, part), spend);
  });
  return { workbook: { sheets, date1904 }, findings };
}

function readSheetComments(zip: ZipArchive, part: string): ReadonlyMap<string, string> {
  const { notes, threads } = commentParts(zip, part);
  const comments = new Map<string, string>();
  for (const note of notes)
    for (const [at, text] of readComments(scanPart(zip, note))) comments.set(at, text);
  for (const thread of threads) {
    for (const [at, text] of readThreadedComments(scanPart(zip, thread))) comments.set(at, text);
  }
  return comments;
}

function buildSheet(
  { name, state }: SheetEntry,
  { rows, merges, hiddenRows, hiddenColumns }: ScannedSheet,
  comments: ReadonlyMap<string, string>,
  spend: () => void,
): Sheet {
  for (const [row, cells] of rows) sortRow(name, row, cells);
  for (const [address, comment] of comments) placeComment(rows, address, comment, spend);
  const rowNumbers = [...rows.keys()].sort((a, b) => a - b);
  return {
    name,
    state,
    rows,
    rowNumbers,
    merges,
    hiddenRows,
    hiddenColumns,
    used: usedRange(rows, rowNumbers),
  };
}

/** The smallest rectangle that holds every cell with a value. Cells of a row ascend. */
function usedRange(rows: ReadonlyMap<number, readonly Cell[]>, rowNumbers: readonly number[]): Range | null {
  const used = { top: 0, left: MAX_COLUMNS, bottom: 0, right: 0 };
  const holdsValue = ({ type }: Cell): boolean => type !== "blank";
  for (const row of rowNumbers) {
    const cells = rows.get(row) ?? [];
    const first = cells.find(holdsValue);
    if (first === undefined) continue;
    if (used.top === 0) used.top = row;
    used.bottom = row;
    used.left = Math.min(used.left, first.column);
    used.right = Math.max(used.right, cells.findLast(holdsValue)?.column ?? 0);
  }
  return used.top === 0 ? null : used;
}

/** Ascending by column; a file that holds one address twice has no single reading. */
function sortRow(sheet: string, row: number, cells: Cell[]): void {
  let sorted = true;
  for (let index = 1; index < cells.length; index++) {
    if ((cells[index - 1]?.column ?? 0) >= (cells[index]?.column ?? 0)) sorted = false;
  }
  if (sorted) return;
  cells.sort((a, b) => a.column - b.column);
  for (let index = 1; index < cells.length; index++) {
    const cell = cells[index];
    if (cell !== undefined && cells[index - 1]?.column === cell.column) {
      throw new XlsxFault(
        "xlsx-duplicate-cell",
        `Sheet "${sheet}" holds cell ${columnLetters(cell.column)}${row} twice; readers would disagree about its value.`,
        { hint: "Open the file in a spreadsheet program and save it again." },
      );
    }
  }
}

/** Puts a comment on its cell, making a blank one where the file holds none. */
function placeComment(rows: Map<number, Cell[]>, address: string, comment: string, spend: () => void): void {
  const at = parseAddress(address);
  if (at === null || at.row > MAX_ROWS || at.column > MAX_COLUMNS) return;
  const cells = rows.get(at.row) ?? [];
  const index = firstIndex(cells, ({ column }) => column >= at.column);
  const cell = cells[index];
  if (cell?.column === at.column) cells[index] = { ...cell, comment };
  else {
    spend();
    const blank = makeCell(
      { row: at.row, column: at.column, style: PLAIN_STYLE, formula: false },
      "blank",
      null,
      comment,
    );
    cells.splice(index, 0, blank);
  }
  rows.set(at.row, cells);
}
