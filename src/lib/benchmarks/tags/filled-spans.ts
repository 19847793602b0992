import type { Workbook } from "../../sheet/model.ts";
import { sheetNamed } from "../../sheet/sheet-index.ts";
import { evidenceOf, mergeAt, type OutputEvidence, type Spot, type TagPredicate } from "./evidence.ts";

/**
 * A header is carried over cells that hold none: it has `fill` or a displaced direction (`up-left`, `left-up`, `up-ish`
 * …), and for at least one value the chosen cell does not stand in the value's own column (for headers above or below)
 * or row (for headers beside). What a merged area covers under `merged: "expand"` is not carried.
 */
export const filledSpans: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) => outputs.some((output) => isCarried(output, input.workbook)));

function isCarried({ rule, axis, uses }: OutputEvidence, workbook: Workbook): boolean {
  if (axis === null) return false;
  if (rule.fill === undefined && rule.direction?.includes("-") !== true) return false;
  return uses.some(({ source, values }) => {
    const { first, last } = reachOf(source, axis === "column", rule.merged === "expand", workbook);
    return values.some((value) => {
      const at = axis === "column" ? value.column : value.row;
      return at < first || at > last;
    });
  });
}

/** Columns (or rows) in which a header stands by itself: its own, or those of its merged area. */
function reachOf(
  source: Spot,
  inColumns: boolean,
  expands: boolean,
  workbook: Workbook,
): { first: number; last: number } {
  const sheet = expands ? sheetNamed(workbook, source.sheet) : undefined;
  const { row: top, column: left } = source;
  const area = (sheet && mergeAt(sheet, top, left)) ?? { top, left, bottom: top, right: left };
  return inColumns ? { first: area.left, last: area.right } : { first: area.top, last: area.bottom };
}
