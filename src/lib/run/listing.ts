import type { Cell, Range, Sheet, Workbook } from "../sheet/model.ts";

/**
 * The cell listing of prompt mode `listing-1`: what a contestant sees of a sheet. Every cell with a value, and every
 * blank cell with a comment, appears; nothing is sampled or cut. Form, per sheet:
 *
 *     Sheet "Table 1": used R1C1:R9C4
 *     merged: R3C2:R3C4
 *     hidden rows: 7
 *     hidden columns: 5-6
 *     formats: f1="0.0" f2="#,##0"
 *     R1 C1="Births, by state" b
 *     R4 C1="Sydney" indent=1; C2=12.5 f1; C3="n.p." comment="not published"
 *
 * Lines without content (`merged:` and so on) are left out. A value is a JSON string, number or boolean, or
 * `date(2024-06-30)`, `error("#N/A")`, `blank`; marks follow it: `b` bold, `i` italic, `sup` superscript, `indent=N`,
 * `fill=RRGGBB`, `fN` number format, `marks="(a)"` the superscript parts of rich text, `comment="…"`.
 */

/** `R1C1` of a cell. */
export const cellAddress = (row: number, column: number): string => `R${row}C${column}`;

/** `R1C1:R9C4` of a rectangle. */
export const rangeAddress = (range: Range): string =>
  `${cellAddress(range.top, range.left)}:${cellAddress(range.bottom, range.right)}`;

/** A JSON string with everything that could break the line or hide on a terminal escaped. */
export const quote = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export function valueText(cell: Cell): string {
  switch (cell.type) {
    case "blank":
      return "blank";
    case "date":
      return `date(${cell.value})`;
    case "error":
      return `error(${quote(String(cell.value))})`;
    case "text":
      return quote(String(cell.value));
    default:
      return String(cell.value);
  }
}

const cellText = (cell: Cell, formats: ReadonlyMap<string, string>): string =>
  [`C${cell.column}=${valueText(cell)}`, ...marksOf(cell, formats)].join(" ");

/** What follows a value: style, number format, marks of rich text, comment; only what there is. */
export function marksOf(cell: Cell, formats: ReadonlyMap<string, string>): string[] {
  const superscripts = (cell.runs ?? []).filter((run) => run.superscript).map((run) => run.text);
  const format = formats.get(cell.format);
  return [
    cell.bold ? "b" : "",
    cell.italic ? "i" : "",
    cell.superscript ? "sup" : "",
    cell.indent > 0 ? `indent=${cell.indent}` : "",
    cell.fill === null ? "" : `fill=${cell.fill.replaceAll(/[\s;]/g, "_")}`,
    format ?? "",
    superscripts.length > 0 && !cell.superscript ? `marks=${quote(superscripts.join(""))}` : "",
    cell.comment === null ? "" : `comment=${quote(cell.comment)}`,
  ].filter((part) => part !== "");
}

/** Cells that a contestant is told of: those with a value, and blank ones with a comment. */
export const isListed = (cell: Cell): boolean => cell.type !== "blank" || cell.comment !== null;

/** Ascending whole numbers as `5 7-9`. */
export function spans(numbers: readonly number[]): string {
  const parts: string[] = [];
  let first: number | null = null;
  let last = 0;
  const push = (): void => {
    if (first !== null) parts.push(first === last ? `${first}` : `${first}-${last}`);
  };
  for (const number of numbers) {
    if (first !== null && number === last + 1) {
      last = number;
      continue;
    }
    push();
    first = number;
    last = number;
  }
  push();
  return parts.join(" ");
}

/** Stops as soon as more than `maxCharacters` would be needed, and then returns null: a huge sheet costs no more. */
export function listSheet(sheet: Sheet, maxCharacters: number): string | null {
  const state = sheet.state === "visible" ? "" : " (hidden)";
  const used = sheet.used === null ? "empty" : `used ${rangeAddress(sheet.used)}`;
  const lines: string[] = [`Sheet ${quote(sheet.name)}${state}: ${used}`];
  if (sheet.merges.length > 0) {
    lines.push(`merged: ${sheet.merges.map(rangeAddress).join(" ")}`);
  }
  if (sheet.hiddenRows.size > 0) {
    lines.push(`hidden rows: ${spans([...sheet.hiddenRows].sort((a, b) => a - b))}`);
  }
  if (sheet.hiddenColumns.length > 0) {
    const columns = sheet.hiddenColumns.map(({ first, last }) =>
      first === last ? `${first}` : `${first}-${last}`,
    );
    lines.push(`hidden columns: ${columns.join(" ")}`);
  }
  const formats = formatNames(sheet);
  if (formats.size > 0) {
    lines.push(`formats: ${[...formats].map(([code, name]) => `${name}=${quote(code)}`).join(" ")}`);
  }
  let length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  for (const row of sheet.rowNumbers) {
    if (length > maxCharacters) return null;
    const cells = (sheet.rows.get(row) ?? []).filter(isListed);
    if (cells.length === 0) continue;
    const line = `R${row} ${cells.map((cell) => cellText(cell, formats)).join("; ")}`;
    lines.push(line);
    length += line.length + 1;
  }
  return length > maxCharacters ? null : `${lines.join("\n")}\n`;
}

/** Number formats of the listed cells in order of appearance, `General` left out. */
export function formatNames(sheet: Sheet): Map<string, string> {
  const names = new Map<string, string>();
  for (const row of sheet.rowNumbers) {
    for (const cell of sheet.rows.get(row) ?? []) {
      if (!isListed(cell) || cell.format === "General" || names.has(cell.format)) continue;
      names.set(cell.format, `f${names.size + 1}`);
    }
  }
  return names;
}

export type WorkbookListing =
  | { readonly ok: true; readonly text: string; readonly sheets: readonly string[] }
  | { readonly ok: false; readonly sheets: readonly string[]; readonly maxCharacters: number };

/** Listings of the asked sheets, in workbook order, or a refusal when they do not fit whole. */
export function listWorkbook(workbook: Workbook, task: string, maxCharacters: number): WorkbookListing {
  const asked = askedSheets(task, workbook);
  const parts: string[] = [];
  let left = maxCharacters;
  for (const sheet of asked) {
    const text = listSheet(sheet, left);
    if (text === null) return { ok: false, sheets: asked.map((each) => each.name), maxCharacters };
    parts.push(text);
    left -= text.length;
  }
  return { ok: true, text: parts.join("\n"), sheets: asked.map((sheet) => sheet.name) };
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * The sheets that a task names, in workbook order. Names in quotation marks count first (`Sheet 'Table 1'`); when there
 * are none, names that stand in the text as whole words, longest first so that `Table 1` is not found inside
 * `Table 1.2`. A task that names no sheet is about the whole workbook. The reference recipe plays no part.
 */
export function askedSheets(task: string, workbook: Workbook): readonly Sheet[] {
  const quoted = workbook.sheets.filter((sheet) => isQuoted(task, sheet.name));
  if (quoted.length > 0) return quoted;
  let text = task;
  const named = new Set<Sheet>();
  const longestFirst = [...workbook.sheets].sort((a, b) => b.name.length - a.name.length);
  for (const sheet of longestFirst) {
    const { name } = sheet;
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      const after = text.slice(at + name.length);
      const whole =
        !isWordCharacter(text[at - 1]) && !isWordCharacter(after[0]) && !/^[.][\p{L}\p{N}]/u.test(after);
      if (!whole) continue;
      named.add(sheet);
      // Blank the name out: a shorter name inside it is not another mention.
      text = `${text.slice(0, at)}${" ".repeat(name.length)}${after}`;
    }
  }
  return named.size === 0 ? workbook.sheets : workbook.sheets.filter((sheet) => named.has(sheet));
}

const QUOTES: readonly (readonly [string, string])[] = [
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
  ["\u2018", "\u2019"],
  ["\u201c", "\u201d"],
];

const isQuoted = (task: string, name: string): boolean =>
  QUOTES.some(([open, close]) => task.includes(`${open}${name}${close}`));
