import { cellAt, inAny } from "../../sheet/sheet-index.ts";
import { evidenceOf, saysSomething, type TagPredicate, type ValuesEvidence } from "./evidence.ts";

/**
 * Inside the ranges of the values there is a blank cell (no value, or an empty string) whose row and whose column both
 * hold selected values. A blank row or column that only separates does not count, nor does what a rule leaves out.
 */
export const sparseData: TagPredicate = (input) =>
  evidenceOf(input).some(({ values }) => values.some(hasGap));

function hasGap({ sheet, ranges, except, rows, columns }: ValuesEvidence): boolean {
  return ranges.some((range) => {
    const inside = [...columns].filter((column) => column >= range.left && column <= range.right);
    return [...rows].some(
      (row) =>
        row >= range.top &&
        row <= range.bottom &&
        inside.some((column) => {
          const cell = cellAt(sheet, row, column);
          return (cell === undefined || !saysSomething(cell)) && !inAny(except, row, column);
        }),
    );
  });
}
