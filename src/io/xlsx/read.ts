import type ExcelJS from "exceljs";
import type { Finding, Outcome } from "../../lib/findings.ts";
import {
  type Cell,
  type CellType,
  MAX_COLUMNS,
  MAX_ROWS,
  type Range,
  type Sheet,
  type TextRun,
  type Workbook,
} from "../../lib/sheet/model.ts";
import { firstIndex } from "../../lib/sheet/sheet-index.ts";
import { columnLetters, parseAddress } from "./address.ts";
import { readComments, readThreadedComments } from "./comments-part.ts";
import { type XlsxCaps, XlsxFault } from "./fault.ts";
import { commentParts, readParts, type SheetEntry, scanPart } from "./package.ts";
import { shownDate } from "./serial-date.ts";
import { BLANK, ISO_DATE, type ScannedRow, type ScannedSheet, scanSheet } from "./sheet-part.ts";
import { readSharedStrings, StringTable } from "./strings-part.ts";
import { type CellStyle, PLAIN_STYLE, readStyles } from "./styles-part.ts";
import { wellFormed } from "./xml-scan.ts";
import { openZip, storeZip, type ZipArchive } from "./zip.ts";

export type { XlsxCaps } from "./fault.ts";

/** Ten times the largest workbook of the bank; a workbook at the cap costs about 1 GB and 5 s. */
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
 * is a finding whose code starts with `xlsx-`.
 *
 * exceljs parses the values; a pre-pass hands it a package reduced to what it reads right, and keeps
 * aside what it does not (`docs/cells.md` says what, and how each kind of cell is read).
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

interface PreparedSheet {
  readonly entry: SheetEntry;
  readonly scanned: ScannedSheet;
  readonly comments: ReadonlyMap<string, string>;
}

async function read(bytes: Uint8Array, caps: XlsxCaps): Promise<{ workbook: Workbook; findings: Finding[] }> {
  const zip = openZip(bytes, caps);
  const parts = readParts(zip);
  if (parts.sheets.length === 0) {
    throw new XlsxFault("xlsx-no-sheets", "The workbook holds no worksheet.");
  }
  const styles = parts.styles === null ? [] : readStyles(scanPart(zip, parts.styles));
  const strings = new StringTable();
  if (parts.sharedStrings !== null) readSharedStrings(scanPart(zip, parts.sharedStrings), strings);
  const sharedStrings = strings.size;
  let cells = 0;
  const spend = (): void => {
    if (++cells > caps.cells) {
      throw new XlsxFault("xlsx-too-many-cells", "The workbook holds too many cells.", {
        expected: `at most ${caps.cells} cells`,
      });
    }
  };
  const prepared = parts.sheets.map((entry): PreparedSheet => {
    const scanned = scanSheet(scanPart(zip, entry.part), {
      name: entry.name,
      strings,
      sharedStrings,
      date1904: parts.date1904,
      caps,
      spend,
    });
    return { entry, scanned, comments: readSheetComments(zip, entry.part) };
  });
  const parsed = await parse(prepared, strings);
  const findings: Finding[] = parts.skipped.map(({ name, kind }) => ({
    code: "xlsx-skipped-sheet",
    severity: "notice",
    message: `Sheet "${name}" is a ${kind} and holds no cells; it is left out.`,
  }));
  const sheets = prepared.map((sheet, index) => {
    const { uncachedFormulas } = sheet.scanned;
    if (uncachedFormulas.count > 0) {
      findings.push({
        code: "xlsx-formula-without-value",
        severity: "warning",
        message: `${uncachedFormulas.count} formula cells of sheet "${sheet.entry.name}" hold no value (the first is ${uncachedFormulas.first}); they read as blank.`,
        hint: "Open the file in a spreadsheet program, let it calculate, and save it again.",
      });
    }
    return buildSheet(sheet, parsed[index], styles, parts.date1904, spend);
  });
  return { workbook: { sheets, date1904: parts.date1904 }, findings };
}

/** Hands the reduced package to exceljs: sheets `S1`, `S2` … in order, because it refuses some real names. */
async function parse(
  sheets: readonly PreparedSheet[],
  strings: StringTable,
): Promise<(ExcelJS.Worksheet | undefined)[]> {
  const encoder = new TextEncoder();
  const part = (name: string, xml: string) => ({ name, data: encoder.encode(xml) });
  const list = sheets.map((_, index) => index + 1);
  const archive = storeZip([
    part(
      "xl/workbook.xml",
      `<workbook><sheets>${list.map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="r${n}"/>`).join("")}</sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `<Relationships>${list.map((n) => `<Relationship Id="r${n}" Type="worksheet" Target="worksheets/sheet${n}.xml"/>`).join("")}</Relationships>`,
    ),
    part("xl/sharedStrings.xml", strings.toXml()),
    ...sheets.map(({ scanned }, index) => part(`xl/worksheets/sheet${index + 1}.xml`, scanned.xml)),
  ]);
  // Loaded with the first workbook: a command that reads none should not wait for it.
  const { default: library } = await import("exceljs");
  const workbook = new library.Workbook();
  try {
    // The declared parameter type is exceljs's own empty Buffer interface; it takes any byte array.
    await workbook.xlsx.load(archive as unknown as ExcelJS.Buffer);
  } catch (error) {
    throw new XlsxFault(
      "xlsx-malformed-xml",
      `The workbook's text is not sound XML: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
      { hint: "Open the file in a spreadsheet program and save it again." },
    );
  }
  return list.map((n) => workbook.getWorksheet(`S${n}`));
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
  { entry, scanned, comments }: PreparedSheet,
  worksheet: ExcelJS.Worksheet | undefined,
  styles: readonly CellStyle[],
  date1904: boolean,
  spend: () => void,
): Sheet {
  const rows = new Map<number, Cell[]>();
  let used: Range | null = null;
  for (const scannedRow of scanned.rows) {
    const cells = buildRow(scannedRow, scanned, worksheet?.findRow(scannedRow.row), styles, date1904);
    sortRow(entry.name, scannedRow.row, cells);
    rows.set(scannedRow.row, cells);
  }
  for (const [address, comment] of comments) placeComment(rows, address, comment, spend);
  const rowNumbers = [...rows.keys()].sort((a, b) => a - b);
  for (const row of rowNumbers) {
    for (const cell of rows.get(row) ?? []) if (cell.type !== "blank") used = extend(used, cell);
  }
  return {
    name: entry.name,
    state: entry.state,
    rows,
    rowNumbers,
    merges: scanned.merges,
    hiddenRows: scanned.hiddenRows,
    hiddenColumns: scanned.hiddenColumns,
    used,
  };
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

const extend = (used: Range | null, { row, column }: Cell): Range =>
  used === null
    ? { top: row, left: column, bottom: row, right: column }
    : {
        top: Math.min(used.top, row),
        left: Math.min(used.left, column),
        bottom: Math.max(used.bottom, row),
        right: Math.max(used.right, column),
      };

function buildRow(
  scanned: ScannedRow,
  sheet: ScannedSheet,
  row: ExcelJS.Row | undefined,
  styles: readonly CellStyle[],
  date1904: boolean,
): Cell[] {
  const { columns, kinds, formulas } = scanned;
  let formula = 0;
  return columns.map((column, index) => {
    const style = styles[scanned.styles[index] ?? 0] ?? PLAIN_STYLE;
    const isFormula = formulas[formula] === column;
    if (isFormula) formula++;
    const kind = kinds[index];
    if (kind === BLANK) return makeCell(scanned.row, column, style, isFormula, "blank", null);
    if (kind === ISO_DATE) {
      const date = sheet.isoDates.get(`${columnLetters(column)}${scanned.row}`);
      if (date !== undefined) {
        return {
          ...makeCell(scanned.row, column, style, isFormula, "date", date.iso),
          serial: date.serial,
        };
      }
    }
    return valueCell(scanned.row, column, style, isFormula, row?.findCell(column)?.value, date1904);
  });
}

/** One literal, so that all cells share a shape; a workbook makes hundreds of thousands of them. */
function makeCell(
  row: number,
  column: number,
  style: CellStyle,
  formula: boolean,
  type: CellType,
  value: string | number | boolean | null,
  comment: string | null = null,
): Cell {
  return {
    row,
    column,
    type,
    value,
    format: style.format,
    bold: style.bold,
    italic: style.italic,
    superscript: style.superscript,
    indent: style.indent,
    fill: style.fill,
    comment,
    formula,
  };
}

/** Maps what exceljs holds: it sees no styles and no formulas, so these are all the kinds there are. */
function valueCell(
  row: number,
  column: number,
  style: CellStyle,
  formula: boolean,
  value: ExcelJS.CellValue | undefined,
  date1904: boolean,
): Cell {
  if (typeof value === "number") {
    const iso = style.showsDate(value) ? shownDate(value, date1904) : null;
    if (iso === null) return makeCell(row, column, style, formula, "number", value);
    return { ...makeCell(row, column, style, formula, "date", iso), serial: value };
  }
  if (typeof value === "string") return makeCell(row, column, style, formula, "text", wellFormed(value));
  if (typeof value === "boolean") return makeCell(row, column, style, formula, "boolean", value);
  if (value !== null && typeof value === "object") {
    if ("error" in value) return makeCell(row, column, style, formula, "error", String(value.error));
    if ("richText" in value) {
      const runs = value.richText.map((run): TextRun => readRun(run, style));
      const text = runs.map((run) => run.text).join("");
      return { ...makeCell(row, column, style, formula, "text", text), runs };
    }
  }
  throw new XlsxFault("xlsx-unreadable", `The cell at row ${row}, column ${column} has no readable value.`);
}

/** A run without a font of its own has the cell's. */
function readRun(run: ExcelJS.RichText, style: CellStyle): TextRun {
  const text = wellFormed(run.text);
  const { font } = run;
  if (font === undefined)
    return { text, bold: style.bold, italic: style.italic, superscript: style.superscript };
  return {
    text,
    bold: font.bold === true,
    italic: font.italic === true,
    superscript: font.vertAlign === "superscript",
  };
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
    const blank = makeCell(at.row, at.column, PLAIN_STYLE, false, "blank", null, comment);
    cells.splice(index, 0, blank);
  }
  rows.set(at.row, cells);
}
