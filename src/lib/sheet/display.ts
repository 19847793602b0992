import { format as formatWith } from "numfmt";
import type { Cell } from "./model.ts";
import { canonicalValue } from "./scalar.ts";

/** Days between the epochs of the two date systems. */
const DAYS_1904 = 1462;
/** No publisher needs a longer code; formatting costs what the code is long. */
const MAX_FORMAT = 255;

/**
 * The text a spreadsheet shows for a cell (column width aside, which fills `*` and cuts numbers short). A format code that
 * cannot be read gives the canonical form. Null for a cell without a value.
 */
export function displayedText(cell: Cell, date1904: boolean): string | null {
  const plain = canonicalValue(cell);
  if (plain === null || cell.type === "error" || cell.type === "boolean") return plain;
  const value = cell.type === "date" ? cell.serial : cell.value;
  if (value === undefined || value === null || cell.format.length > MAX_FORMAT) return plain;
  if (typeof value === "string" && !cell.format.includes("@")) return plain;
  try {
    const shown = cell.type === "date" && date1904 && typeof value === "number" ? value + DAYS_1904 : value;
    return formatWith(cell.format, shown);
  } catch {
    return plain;
  }
}
