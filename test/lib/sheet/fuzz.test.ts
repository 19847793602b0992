import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalCsv, parseCsv } from "../../../src/lib/sheet/csv.ts";
import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import {
  CONVERSIONS,
  DIRECTIONS,
  type Recipe,
  recipeSchema,
  TAKES,
} from "../../../src/lib/sheet/recipe-schema.ts";
import { merge, workbookOf } from "./workbooks.ts";

/** Any recipe on any workbook: no engine fault, the same answer twice, and a table whose parts fit together. */

const small = fc.integer({ min: 1, max: 7 });
const range = fc
  .tuple(small, small, small, small, fc.constantFrom("", "", "S!", "'T 2'!"))
  .map(
    ([a, b, c, d, sheet]) =>
      `${sheet}R${Math.min(a, b)}C${Math.min(c, d)}:R${Math.max(a, b)}C${Math.max(c, d)}`,
  );
const ranges = fc.array(range, { minLength: 1, maxLength: 3 });
const pattern = fc.constantFrom("(a+)", "(.*)", "([0-9]+)", "(x*)", "(a|b)+", "()");
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const condition = fc.record(
  {
    type: fc.constantFrom("text", "number", "blank", ["text", "date"]),
    blank: fc.boolean(),
    equals: fc.constantFrom("a", 1, true, ["x", 2]),
    glob: fc.constantFrom("*", "?", "a*", "[a]"),
    pattern,
    bold: fc.boolean(),
    indent: fc.constantFrom(0, 1, { min: 1 }, { max: 0 }),
    fill: fc.constantFrom(null, "FFFF00"),
    hidden: fc.boolean(),
    comment: fc.boolean(),
    in_column: small,
    in_row: small,
  },
  { requiredKeys: [] },
);
const where = fc.record(
  {
    type: fc.constantFrom("text", "number"),
    any: fc.array(condition, { minLength: 1, maxLength: 2 }),
    not: condition,
  },
  { requiredKeys: [] },
);
const reading = {
  take: optional(fc.constantFrom(...TAKES)),
  strip_footnotes: optional(fc.boolean()),
  trim: optional(fc.boolean()),
  extract: optional(pattern),
  as: optional(fc.constantFrom(...CONVERSIONS)),
};
const side = fc.constantFrom("right", "left", "down", "up");
const header = fc.record({
  name: optional(fc.constantFrom("a", "b", "c")),
  constant: fc.option(fc.constantFrom("k", 1, true), { nil: undefined, freq: 6 }),
  from: optional(ranges),
  except: fc.option(ranges, { nil: undefined, freq: 4 }),
  where: fc.option(where, { nil: undefined, freq: 2 }),
  direction: fc.constantFrom(...DIRECTIONS),
  fill: fc.option(fc.oneof(side, fc.record({ direction: side, until: where })), { nil: undefined, freq: 2 }),
  merged: optional(fc.constant("expand")),
  split: fc.option(
    fc.record({
      by: fc.constantFrom(";", " "),
      into: fc.array(fc.constantFrom("d", "e", null), { minLength: 1, maxLength: 3 }),
    }),
    { nil: undefined, freq: 4 },
  ),
  missing: optional(fc.constantFrom("blank", "drop-row", "error")),
  ...reading,
});
/** Takes conflicting keys away from four headers in five, so that most recipes get as far as executing. */
const fitting = fc.tuple(header, fc.integer({ min: 0, max: 4 }), fc.nat()).map(([given, spoil, number]) => {
  if (spoil === 0) return given;
  const { constant, from = ["R1C1:R7C7"], except, fill, merged, split, name: _, ...rest } = given;
  const name = `h${number}`;
  if (constant !== undefined) return { name, constant };
  const named =
    split === undefined
      ? { name }
      : { split: { ...split, into: split.into.map((each, index) => each && `${each}${index}.${number}`) } };
  if (rest.direction === "self") return { ...rest, ...named };
  return { ...rest, ...named, from, except, merged, ...(rest.direction === "fixed" ? {} : { fill }) };
});
const table = fc.record({
  name: optional(fc.constantFrom("t", "u")),
  sheet: fc.constantFrom("S", "T 2", ["S", "T 2"], "missing"),
  values: fc.record({
    from: ranges,
    except: optional(ranges),
    where: fc.option(where, { nil: undefined, freq: 2 }),
    blanks: optional(fc.constantFrom("drop", "keep")),
    symbols: optional(
      fc.record({ texts: fc.constant(["np", "a"]), as: fc.constantFrom("text", "blank", "drop") }),
    ),
    ...reading,
  }),
  headers: fc.array(fitting, { maxLength: 3 }),
});
const cell = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.constantFrom("a", "b;c", "x(a)", "np", "", " ", "2022", 1, 2.5, 2022, true) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { value: "a", bold: true },
      { value: 3, comment: "c", indent: 1 },
      { fill: "FFFF00" },
      { type: "error" as const, value: "#N/A" },
      { type: "date" as const, value: "2022-01-01", serial: 44562, format: "yyyy" },
    ),
  },
);
const grid = fc.array(fc.array(cell, { minLength: 7, maxLength: 7 }), { minLength: 7, maxLength: 7 });
const merges = fc.array(
  fc.tuple(small, small, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
  { maxLength: 3 },
);

describe("any recipe on any workbook", () => {
  it("ends with a table that fits together, or with findings; never with a fault", () => {
    let tables = 0;
    fc.assert(
      fc.property(
        fc.array(table, { minLength: 1, maxLength: 2 }),
        grid,
        grid,
        merges,
        (given, first, second, areas) => {
          const merged = areas.map(([row, column, height, width]) =>
            merge(row, column, row + height, column + width),
          );
          const book = workbookOf([
            { name: "S", grid: first, merges: merged, hiddenRows: [2] },
            { name: "T 2", grid: second },
          ]);
          const recipe: Recipe = recipeSchema.parse(
            JSON.parse(JSON.stringify({ version: 1, tables: given })),
          );
          const outcome = executeRecipe(book, recipe);
          expect(executeRecipe(book, recipe)).toEqual(outcome);
          expect(outcome.findings.map((each) => each.code)).not.toContain("recipe-engine-fault");
          if (!outcome.ok) {
            expect(outcome.findings.some((each) => each.severity === "error")).toBe(true);
            return;
          }
          tables += 1;
          const { table: tidy, valueTrace, headerTrace } = outcome.value;
          expect(valueTrace).toHaveLength(tidy.rows.length);
          expect(headerTrace).toHaveLength(tidy.rows.length);
          expect(new Set(tidy.columns).size).toBe(tidy.columns.length);
          for (const [index, row] of tidy.rows.entries()) {
            expect(row).toHaveLength(tidy.columns.length);
            for (const { name, state, scalar, source } of headerTrace[index] ?? []) {
              expect(row[tidy.columns.indexOf(name)]).toBe(state === "ok" ? scalar : "");
              if (state !== "ok") expect([scalar, source]).toEqual([null, null]);
            }
          }
          expect(parseCsv(canonicalCsv(tidy))).toMatchObject({
            ok: true,
            value: [tidy.columns, ...tidy.rows],
          });
        },
      ),
      { numRuns: 3000 },
    );
    // The property must not hold only because nothing ever executes.
    expect(tables).toBeGreaterThan(300);
  });
});
