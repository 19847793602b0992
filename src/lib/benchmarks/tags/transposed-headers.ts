import { cellAt, sheetNamed } from "../../sheet/sheet-index.ts";
import { evidenceOf, type TagPredicate } from "./evidence.ts";

/**
 * Time runs across: a header on the column axis is resolved from cells of type `date` only, with at least two different
 * dates. Publishers of series let dates run down, one row a period.
 */
export const transposedHeaders: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) =>
    outputs.some(({ axis, uses }) => {
      if (axis !== "column") return false;
      const cells = uses.map(({ source }) => {
        const sheet = sheetNamed(input.workbook, source.sheet);
        return sheet && cellAt(sheet, source.row, source.column);
      });
      return (
        cells.every((cell) => cell?.type === "date") && new Set(cells.map((cell) => cell?.value)).size > 1
      );
    }),
  );
