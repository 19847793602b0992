import { MAX_COLUMNS, MAX_ROWS, type Range } from "../../lib/sheet/model.ts";

/** Column number of letters (`A` is 1), or 0 when they are none. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (let index = 0; index < letters.length; index++) {
    const code = letters.charCodeAt(index) - 64;
    if (code < 1 || code > 26) return 0;
    column = column * 26 + code;
  }
  return column;
}

/** Letters of a 1-based column number. */
export function columnLetters(column: number): string {
  let rest = column;
  let letters = "";
  while (rest > 0) {
    const digit = (rest - 1) % 26;
    letters = String.fromCharCode(65 + digit) + letters;
    rest = (rest - 1 - digit) / 26;
  }
  return letters;
}

/** Row and column of an address such as `B12` (`$` allowed, limits not checked), or null. */
export function parseAddress(text: string): { row: number; column: number } | null {
  const match = /^\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})$/.exec(text);
  if (match === null) return null;
  return { row: Number(match[2]), column: columnNumber(match[1] ?? "") };
}

/** The rectangle of a reference such as `A1:C3`, within Excel's limits, or null. */
export function parseReference(text: string): Range | null {
  const [first, second = first, ...more] = text.split(":");
  if (first === undefined || second === undefined || more.length > 0) return null;
  const a = parseAddress(first);
  const b = parseAddress(second);
  if (a === null || b === null) return null;
  const range = {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  };
  return range.bottom > MAX_ROWS || range.right > MAX_COLUMNS ? null : range;
}
