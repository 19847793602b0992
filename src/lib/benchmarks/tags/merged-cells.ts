import { sheetNamed } from "../../sheet/sheet-index.ts";
import { evidenceOf, mergeAt, type TagPredicate } from "./evidence.ts";

/** A header with `merged: "expand"` describes more than one value from one merged area that covers several cells. */
export const mergedCells: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) =>
    outputs.some(
      ({ rule, uses }) =>
        rule.merged === "expand" &&
        uses.some(({ source, values }) => {
          const sheet = sheetNamed(input.workbook, source.sheet);
          return (
            values.length > 1 &&
            sheet !== undefined &&
            mergeAt(sheet, source.row, source.column) !== undefined
          );
        }),
    ),
  );
