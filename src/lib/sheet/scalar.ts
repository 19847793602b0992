import type { Cell } from "./model.ts";

/** Shortest text that reads back as the same number; minus zero is `0`. */
export const canonicalNumber = (value: number): string => String(value === 0 ? 0 : value);

export const canonicalBoolean = (value: boolean): string => (value ? "TRUE" : "FALSE");

export const canonicalText = (value: string): string => value.normalize("NFC");

export function canonicalScalar(value: string | number | boolean): string {
  if (typeof value === "number") return canonicalNumber(value);
  return typeof value === "boolean" ? canonicalBoolean(value) : canonicalText(value);
}

/** A cell's stored value in canonical form; null for a cell without a value. */
export const canonicalValue = (cell: Cell): string | null =>
  cell.value === null ? null : canonicalScalar(cell.value);

/** Work of normalising a text: none for a label, more for a cell that holds a page. */
export const workOfText = (text: string): number => text.length >> 5;

const SPACE_RUN = /[\s\u200b\ufeff]+/g;

/** Removes white space at both ends and squeezes it inside to one space (line breaks and no-break spaces too). */
export const squeeze = (text: string): string => text.replace(SPACE_RUN, " ").trim();
