import { parseReference } from "../sheet/address.ts";
import { displayedText } from "../sheet/display.ts";
import type { Workbook } from "../sheet/model.ts";

/** What the sheet shows at an address (`sheet!R1C1`); null for a cell without a value. */
export function cellText(workbook: Workbook, address: string): string | null {
  const reference = parseReference(address);
  if ("problem" in reference || reference.sheet === null) return null;
  const { top, left } = reference.range;
  const sheet = workbook.sheets.find(({ name }) => name === reference.sheet);
  const cell = sheet?.rows.get(top)?.find(({ column }) => column === left);
  return cell === undefined ? null : displayedText(cell, workbook.date1904);
}
