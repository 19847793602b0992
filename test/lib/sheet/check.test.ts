import { describe, expect, it } from "vitest";
import { checkRecipe, parseRecipe, parseRecipeLocated } from "../../../src/lib/sheet/check.ts";
import { recipeJsonSchema, recipeSchema } from "../../../src/lib/sheet/recipe-schema.ts";
import { recipeOf, workbookOf } from "./workbooks.ts";

const header = { name: "h", from: ["R1C1"], direction: "up" };
const recipe = (table: object) =>
  JSON.stringify({ version: 1, tables: [{ sheet: "S", values: { from: ["R2C1"] }, headers: [], ...table }] });
const findingsOf = (text: string) => parseRecipe(text, "recipe.json").findings;
const withHeader = (more: object) => findingsOf(recipe({ headers: [{ ...header, ...more }] }));

describe("parseRecipe", () => {
  it("gives the recipe as it is written", () => {
    const text = recipe({ headers: [header] });
    expect(parseRecipe(text)).toEqual({ ok: true, value: JSON.parse(text), findings: [] });
  });

  it("rejects {} with what is missing", () => {
    expect(findingsOf("{}").map((each) => [each.code, each.pointer])).toEqual([
      ["recipe-missing-key", "/version"],
      ["recipe-missing-key", "/tables"],
    ]);
  });

  it("names an unknown key with its position and what it may have meant", () => {
    const text =
      '{\n  "version": 1,\n  "tables": [{\n    "sheet": "S",\n    "values": {"from": ["R1C1"], "blank": "drop"},\n    "headers": []\n  }]\n}';
    expect(findingsOf(text)).toMatchObject([
      {
        code: "recipe-unknown-key",
        path: "recipe.json",
        pointer: "/tables/0/values/blank",
        line: 5,
        column: 43,
        hint: 'Did you mean "blanks"?',
      },
    ]);
  });

  it("looks inside unions: where, fill, indent", () => {
    expect(withHeader({ fill: { direction: "right", untill: {} } })).toMatchObject([
      {
        code: "recipe-unknown-key",
        pointer: "/tables/0/headers/0/fill/untill",
        hint: 'Did you mean "until"?',
      },
    ]);
    expect(withHeader({ fill: "rigth" })).toMatchObject([
      { pointer: "/tables/0/headers/0/fill", code: "recipe-invalid-value" },
    ]);
    expect(withHeader({ direction: "upleft" })).toMatchObject([
      { code: "recipe-invalid-value", hint: 'Did you mean "up-left"?' },
    ]);
    expect(withHeader({ where: { any: [{ bolt: true }] } })).toMatchObject([
      { hint: 'Did you mean "bold"?' },
    ]);
  });

  it.each<[string, object, string, string]>([
    ["constant beside from", { constant: 1, direction: undefined }, "recipe-conflict", "/from"],
    ["no direction", { direction: undefined }, "recipe-missing-key", "/direction"],
    ["no from", { from: undefined }, "recipe-missing-key", "/from"],
    ["no name", { name: undefined }, "recipe-missing-key", "/name"],
    ["self with from", { direction: "self" }, "recipe-conflict", "/from"],
    ["fixed with fill", { direction: "fixed", fill: "right" }, "recipe-conflict", "/fill"],
    ["name beside split", { split: { by: ";", into: ["a"] } }, "recipe-conflict", "/name"],
    ["split by nothing", { name: undefined, split: { into: ["a"] } }, "recipe-split", "/split"],
    [
      "split by both",
      { name: undefined, split: { by: ";", by_pattern: ";", into: ["a"] } },
      "recipe-split",
      "/split",
    ],
    [
      "split into nothing",
      { name: undefined, split: { by: ";", into: [null] } },
      "recipe-split",
      "/split/into",
    ],
    ["name of the value", { name: "value" }, "recipe-duplicate-name", ""],
    [
      "name twice by split",
      { name: undefined, split: { by: ";", into: ["a", "a"] } },
      "recipe-duplicate-name",
      "",
    ],
    ["extract without a group", { extract: "a" }, "recipe-pattern-groups", "/extract"],
    ["extract with two groups", { extract: "(a)(b)" }, "recipe-pattern-groups", "/extract"],
    ["a pattern that is none", { where: { not: { pattern: "(" } } }, "recipe-pattern", "/where/not/pattern"],
    [
      "a pattern in until",
      { fill: { direction: "up", until: { any: [{ pattern: "[" }] } } },
      "recipe-pattern",
      "/fill/until/any/0/pattern",
    ],
    ["a range from bottom to top", { from: ["R5C1:R2C1"] }, "recipe-range", "/from/0"],
    ["a range beyond any sheet", { from: ["R1048577C1"] }, "recipe-range", "/from/0"],
    ["a column beyond any sheet", { from: ["R1C16385"] }, "recipe-range", "/from/0"],
    ["an A1 address", { from: ["A1:B2"] }, "recipe-invalid-format", "/from/0"],
    ["row 0", { from: ["R0C1"] }, "recipe-invalid-format", "/from/0"],
  ])("refuses %s", (_, more, code, pointer) => {
    expect(withHeader(more)).toMatchObject([
      { code, pointer: `/tables/0/headers/0${pointer}`, path: "recipe.json", severity: "error" },
    ]);
  });

  it("refuses tables that do not fit together", () => {
    const tables = [
      { name: "a", sheet: ["S", "S"], values: { from: ["R1C1"] }, headers: [{ ...header, name: "table" }] },
      { sheet: "S", values: { name: "v", from: ["T!R1C1"] }, headers: [] },
    ];
    expect(findingsOf(JSON.stringify({ version: 1, tables })).map((each) => each.code)).toEqual([
      "recipe-duplicate-name",
      "recipe-duplicate-sheet",
      "recipe-missing-name",
      "recipe-value-name",
      "recipe-range-sheet",
    ]);
  });

  it("bounds the text itself", () => {
    expect(findingsOf(`${" ".repeat(300_000)}{}`)).toMatchObject([{ code: "json-too-large" }]);
  });
});

describe("checkRecipe", () => {
  const workbook = workbookOf([
    {
      name: "Table 1",
      grid: [
        ["a", "b"],
        [1, 2],
      ],
    },
    { name: "Contents ", grid: [["x"]] },
    { name: "Empty", grid: [] },
  ]);
  const check = (table: object) =>
    checkRecipe(recipeOf({ values: { from: ["R1C1"] }, headers: [], ...table }), workbook);

  it("finds nothing wrong with what fits", () => {
    expect(check({ sheet: "Table 1", values: { from: ["R1C1:R2C2"] } })).toEqual([]);
  });

  it("names the sheet that was meant", () => {
    expect(check({ sheet: "table1" })).toMatchObject([
      {
        code: "recipe-missing-sheet",
        pointer: "/tables/0/sheet",
        hint: 'Did you mean "Table 1"?',
        expected: 'one of: "Table 1", "Contents ", "Empty"',
      },
    ]);
    expect(check({ sheet: ["Contents", "Table 1"] })).toMatchObject([
      { pointer: "/tables/0/sheet/0", hint: 'Did you mean "Contents "?' },
    ]);
    expect(
      check({ sheet: "Table 1", headers: [{ name: "h", from: ["Tabel 1!R1C1"], direction: "fixed" }] }),
    ).toMatchObject([{ code: "recipe-missing-sheet", pointer: "/tables/0/headers/0/from/0" }]);
  });

  it("refuses a range outside the sheet's cells, warns of one that reaches beyond", () => {
    expect(check({ sheet: "Table 1", values: { from: ["R3C1:R9C9"] } })).toMatchObject([
      {
        code: "recipe-range-outside",
        severity: "error",
        actual: "R3C1:R9C9",
        expected: 'a range inside the sheet: "Table 1" ends at R1C1:R2C2',
      },
    ]);
    expect(check({ sheet: "Table 1", values: { from: ["R1C1:R3C2"] } })).toMatchObject([
      { code: "recipe-range-beyond", severity: "warning" },
    ]);
    expect(check({ sheet: "Empty" })).toMatchObject([{ code: "recipe-range-outside" }]);
    expect(check({ sheet: ["Contents ", "Table 1"], values: { from: ["R2C1:R2C2"] } })).toEqual([]);
  });

  it("gives positions when it is told where things stand", () => {
    const text = '{"version":1,\n"tables":[{"sheet":"Tabel 1",\n"values":{"from":["R1C1"]},"headers":[]}]}';
    const parsed = parseRecipeLocated(text);
    if (!parsed.ok) throw new Error("must parse");
    expect(checkRecipe(parsed.value.recipe, workbook, parsed.value.json)).toMatchObject([
      { line: 2, column: 20 },
    ]);
  });
});

describe("recipeJsonSchema", () => {
  it("describes every key, forbids others, and shares its parts", () => {
    const schema = recipeJsonSchema() as {
      $defs: Record<string, { properties?: Record<string, unknown>; additionalProperties?: boolean }>;
    };
    for (const [name, part] of Object.entries(schema.$defs)) {
      if (part.properties === undefined) continue;
      expect(part.additionalProperties, name).toBe(false);
      for (const [key, property] of Object.entries(part.properties)) {
        const { description, $ref } = property as { description?: string; $ref?: string };
        expect(description ?? $ref, `${name}.${key}`).toBeDefined();
      }
    }
    expect(recipeSchema.safeParse({}).success).toBe(false);
  });

  it("is the same every time", () => {
    expect(JSON.stringify(recipeJsonSchema())).toBe(JSON.stringify(recipeJsonSchema()));
  });
});
