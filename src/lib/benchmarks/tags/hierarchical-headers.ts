import { type Axis, evidenceOf, type TagPredicate } from "./evidence.ts";

/**
 * On one axis of one table at least two outputs are resolved from cells. Directions that begin with up or down make the
 * column axis, those that begin with left or right the row axis; `fixed`, `self` and constants lie on neither. Each
 * output of a `split` counts.
 */
export const hierarchicalHeaders: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) => {
    const resolved = (axis: Axis): number =>
      outputs.filter((output) => output.axis === axis && output.uses.length > 0).length;
    return resolved("column") >= 2 || resolved("row") >= 2;
  });
