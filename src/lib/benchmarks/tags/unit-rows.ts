import { evidenceOf, type TagPredicate } from "./evidence.ts";

/**
 * An output called `unit`, or ending in `_unit`, is resolved from header cells: no constant, and not read off the value
 * cell itself.
 */
export const unitRows: TagPredicate = (input) =>
  evidenceOf(input).some(({ outputs }) =>
    outputs.some(
      ({ name, rule, uses }) => /(?:^|_)unit$/.test(name) && rule.direction !== "self" && uses.length > 0,
    ),
  );
