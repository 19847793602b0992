import { parseReference, type Reference } from "./address.ts";
import { Stop } from "./budget.ts";
import type { Range } from "./model.ts";
import type { TableRule } from "./recipe-schema.ts";

/** Which sheet a recipe's ranges mean. */

export const sheetNamesOf = (table: TableRule): readonly string[] =>
  typeof table.sheet === "string" ? [table.sheet] : table.sheet;

/** References of ranges that passed the static checks. @throws Stop otherwise */
export function referencesOf(texts: readonly string[] | undefined): Reference[] {
  return (texts ?? []).map((text) => {
    const reference = parseReference(text);
    if ("range" in reference) return reference;
    throw new Stop([
      {
        code: "recipe-range",
        severity: "error",
        message: `A range ${reference.problem}.`,
        actual: text.slice(0, 100),
      },
    ]);
  });
}

/** Ranges that lie on this sheet: those without a sheet name, and those with its name. */
export const rangesOn = (references: readonly Reference[], sheet: string): Range[] =>
  references
    .filter((reference) => reference.sheet === null || reference.sheet === sheet)
    .map((reference) => reference.range);

/** Ranges that name a sheet, by sheet in order of first mention. */
export function rangesBySheet(references: readonly Reference[]): Map<string, Range[]> {
  const bySheet = new Map<string, Range[]>();
  for (const { sheet, range } of references) {
    if (sheet === null) continue;
    const list = bySheet.get(sheet);
    if (list === undefined) bySheet.set(sheet, [range]);
    else list.push(range);
  }
  return bySheet;
}
