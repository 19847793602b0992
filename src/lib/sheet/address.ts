import { MAX_COLUMNS, MAX_ROWS, type Range } from "./model.ts";

/** A range as a recipe writes it: on a named sheet, or on the table's own. */
export interface Reference {
  readonly sheet: string | null;
  readonly range: Range;
}

const REFERENCE = /^(?:(.*)!)?R(\d+)C(\d+)(?::R(\d+)C(\d+))?$/s;

/**
 * Reads `R5C2`, `R5C2:R10C8`, `Sheet 1!R5C2` or `'It''s'!R5C2`.
 * Gives words for what is wrong instead: not an address, beyond Excel's limits, or corners in the wrong order.
 */
export function parseReference(text: string): Reference | { readonly problem: string } {
  const match = REFERENCE.exec(text);
  if (match === null) return { problem: "is no R1C1 address" };
  const [, prefix, top, left, bottom = top, right = left] = match;
  const range: Range = { top: Number(top), left: Number(left), bottom: Number(bottom), right: Number(right) };
  if (range.top < 1 || range.left < 1) return { problem: "counts rows and columns from 0, not from 1" };
  if (
    range.bottom > MAX_ROWS ||
    range.top > MAX_ROWS ||
    range.right > MAX_COLUMNS ||
    range.left > MAX_COLUMNS
  ) {
    return { problem: `goes beyond the last cell a sheet can have (R${MAX_ROWS}C${MAX_COLUMNS})` };
  }
  if (range.bottom < range.top || range.right < range.left) {
    return { problem: "does not go from the top left corner to the bottom right one" };
  }
  return { sheet: prefix === undefined ? null : unquote(prefix), range };
}

const unquote = (name: string): string =>
  name.length >= 2 && name.startsWith("'") && name.endsWith("'")
    ? name.slice(1, -1).replaceAll("''", "'")
    : name;

/** The form every trace uses: `Sheet 1!R5C2`. */
export const formatAddress = (sheet: string, row: number, column: number): string =>
  `${sheet}!R${row}C${column}`;

/** `R5C2`, or `R5C2:R10C8` for more than one cell. */
export const formatRange = ({ top, left, bottom, right }: Range): string =>
  top === bottom && left === right ? `R${top}C${left}` : `R${top}C${left}:R${bottom}C${right}`;

export const areaOf = (range: Range): number =>
  (range.bottom - range.top + 1) * (range.right - range.left + 1);

export const contains = (range: Range, row: number, column: number): boolean =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;

export function intersection(a: Range, b: Range): Range | null {
  const top = Math.max(a.top, b.top);
  const left = Math.max(a.left, b.left);
  const bottom = Math.min(a.bottom, b.bottom);
  const right = Math.min(a.right, b.right);
  return top <= bottom && left <= right ? { top, left, bottom, right } : null;
}

/** What of `range` lies outside `hole`: at most four rectangles. */
export function subtract(range: Range, hole: Range): Range[] {
  const common = intersection(range, hole);
  if (common === null) return [range];
  const rest: Range[] = [];
  if (range.top < common.top) rest.push({ ...range, bottom: common.top - 1 });
  if (common.left > range.left)
    rest.push({ top: common.top, bottom: common.bottom, left: range.left, right: common.left - 1 });
  if (common.right < range.right)
    rest.push({ top: common.top, bottom: common.bottom, left: common.right + 1, right: range.right });
  if (common.bottom < range.bottom) rest.push({ ...range, top: common.bottom + 1 });
  return rest;
}
