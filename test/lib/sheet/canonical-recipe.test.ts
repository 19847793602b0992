import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalRecipe } from "../../../src/lib/sheet/canonical-recipe.ts";
import { recipeSchema } from "../../../src/lib/sheet/recipe-schema.ts";

const members = join(import.meta.dirname, "../../../benchmarks/members");
const references = readdirSync(members).map((id): [string, unknown] => [
  id,
  JSON.parse(readFileSync(join(members, id, "recipe.json"), "utf8")),
]);

const table = (changes: object = {}, values: object = {}, header: object = {}) => ({
  version: 1,
  tables: [
    {
      sheet: "Table 1",
      values: { from: ["R2C2:R9C3"], ...values },
      headers: [{ name: "year", from: ["R1C2:R1C3"], direction: "up", ...header }],
      ...changes,
    },
  ],
});
const plain = table();

describe("the one spelling of a recipe", () => {
  it.each<[string, object]>([
    [
      "defaults written out",
      table({}, { blanks: "drop", name: "value", trim: true }, { missing: "blank", take: "value" }),
    ],
    ["a list of one sheet", table({ sheet: ["Table 1"] })],
    ["a name that no table column shows", table({ name: "only" })],
    ["its own sheet named", table({}, { from: ["Table 1!R2C2:R9C3"] }, { from: ["'Table 1'!R1C2:R1C3"] })],
    ["a condition that holds for every cell", table({}, { where: {} })],
  ])("is the same with %s", (_, recipe) => {
    expect(recipeSchema.safeParse(recipe).success).toBe(true);
    expect(canonicalRecipe(recipe)).toEqual(plain);
  });

  it("is the same whatever the order of alternatives", () => {
    const of = (equals: unknown, texts: string[]) =>
      canonicalRecipe(table({}, { where: { equals }, symbols: { texts, as: "blank" } }));
    expect(of(["b", "a"], ["np", ".."])).toEqual(of(["a", "b", "a"], ["..", "np"]));
    expect(of(["a"], ["np"])).toEqual(of("a", ["np"]));
  });

  it.each<[string, object]>([
    ["another default", table({}, { blanks: "keep" })],
    ["another order of values", table({}, { from: ["R9C2:R9C3", "R2C2:R8C3"] })],
    ["another sheet", table({}, { from: ["Table 2!R2C2:R9C3"] })],
    ["another output", table({}, {}, { name: "period" })],
    ["a fill", table({}, {}, { fill: { direction: "right", until: { bold: true } } })],
    ["a kept fill colour", table({}, { where: { fill: null } })],
  ])("tells %s apart", (_, recipe) => {
    expect(canonicalRecipe(recipe)).not.toEqual(canonicalRecipe(plain));
  });

  it.each(references)("of %s is a recipe still, and its own one spelling", (_, reference) => {
    const once = canonicalRecipe(reference);
    expect(recipeSchema.safeParse(once).success).toBe(true);
    expect(canonicalRecipe(once)).toEqual(once);
  });

  it("leaves what is no recipe as it is", () => {
    for (const other of [null, 3, "x", [], { version: 1 }, { tables: 5 }, { tables: [null, { values: 3 }] }])
      expect(canonicalRecipe(other)).toEqual(other);
  });
});
