import { padText, safeText, textWidth } from "../../src/lib/picture/text.ts";
import { formatRange } from "../../src/lib/sheet/address.ts";
import type { Sheet } from "../../src/lib/sheet/model.ts";
import { register } from "./command.ts";
import { readWorkbookFile } from "./recipe-inputs.ts";

/** Lists a workbook's sheets: what a recipe's author needs first. */
export const sheetList = register<{ workbook: string }>({
  words: ["sheet", "list"],
  summary: "list the sheets of a workbook with their used ranges",
  declare: (command) => command.requiredOption("--workbook <file>", "the .xlsx workbook"),
  async action(options, { stdout }) {
    const outcome = await readWorkbookFile(options.workbook);
    if (!outcome.ok) return outcome.findings;
    const rows = [["sheet", "used", "cells", "merges", "notes"], ...outcome.value.sheets.map(describe)];
    const widths =
      rows[0]?.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? "")))) ?? [];
    for (const row of rows) {
      stdout.write(
        `${row
          .map((text, column) => padText(text, widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
      );
    }
    if (outcome.value.date1904) stdout.write("Dates count from 1904.\n");
    return outcome.findings;
  },
});

function describe(sheet: Sheet): string[] {
  let cells = 0;
  let comments = 0;
  let formulas = 0;
  for (const row of sheet.rows.values()) {
    for (const cell of row) {
      if (cell.type !== "blank") cells++;
      if (cell.comment !== null) comments++;
      if (cell.formula) formulas++;
    }
  }
  const hiddenColumns = sheet.hiddenColumns.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const notes = [
    ...(sheet.state === "visible" ? [] : [sheet.state]),
    ...(formulas > 0 ? [count(formulas, "formula")] : []),
    ...(comments > 0 ? [count(comments, "comment")] : []),
    ...(sheet.hiddenRows.size > 0 ? [count(sheet.hiddenRows.size, "hidden row")] : []),
    ...(hiddenColumns > 0 ? [count(hiddenColumns, "hidden column")] : []),
  ];
  return [
    safeText(sheet.name),
    sheet.used === null ? "empty" : formatRange(sheet.used),
    String(cells),
    String(sheet.merges.length),
    notes.join(", "),
  ];
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? "" : "s"}`;
