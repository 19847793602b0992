import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGET } from "../../../src/lib/sheet/budget.ts";
import { parseRecipe } from "../../../src/lib/sheet/check.ts";
import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import type { Workbook } from "../../../src/lib/sheet/model.ts";
import type { HeaderRule, Recipe } from "../../../src/lib/sheet/recipe-schema.ts";
import { cellOf, merge, recipeOf, sheetFrom, workbookOf } from "./workbooks.ts";

/** A sheet of `rows` by `columns` numbers under a header row and beside a header column. */
function wide(rows: number, columns: number, text = "h"): Workbook {
  const cells = [];
  for (let row = 1; row <= rows; row += 1) {
    for (let column = 1; column <= columns; column += 1) {
      cells.push(cellOf(row, column, row === 1 || column === 1 ? `${text}${row}.${column}` : row * column));
    }
  }
  return { sheets: [sheetFromGrid(cells, rows, columns)], date1904: false };
}

/** As `sheetFrom`, without copying rows for each cell. */
function sheetFromGrid(cells: ReturnType<typeof cellOf>[], rows: number, columns: number) {
  const byRow = new Map<number, ReturnType<typeof cellOf>[]>();
  for (const cell of cells) {
    const row = byRow.get(cell.row);
    if (row === undefined) byRow.set(cell.row, [cell]);
    else row.push(cell);
  }
  return { ...sheetFrom([]), rows: byRow, rowNumbers: [...byRow.keys()], used: merge(1, 1, rows, columns) };
}

/** Milliseconds of processor time this process has used: what a busy machine does not change. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs the recipe text as it would arrive; gives the codes of errors and how long it took. */
function outcomeOf(workbook: Workbook, recipe: unknown) {
  const text = JSON.stringify(recipe);
  const start = cpuMs();
  const parsed = parseRecipe(text, "recipe.json");
  const outcome = parsed.ok ? executeRecipe(workbook, parsed.value) : parsed;
  const ms = cpuMs() - start;
  return {
    codes: outcome.findings.filter((each) => each.severity === "error").map((each) => each.code),
    ms,
    ok: outcome.ok,
  };
}
const recipe = (table: object) => ({ version: 1, tables: [{ sheet: "S", ...table }] });
const LIMIT_MS = 1000;

const big = wide(1000, 80);
const everything = "R1C1:R1048576C16384";

describe("hostile recipes end with a finding within a second", () => {
  it.each<[string, Workbook, object, string]>([
    [
      "the whole sheet as values",
      big,
      recipe({ values: { from: [everything] }, headers: [] }),
      "recipe-budget-cells",
    ],
    [
      "ten million cells",
      big,
      recipe({ values: { from: ["R1C1:R100000C100"], blanks: "keep" }, headers: [] }),
      "recipe-budget-cells",
    ],
    [
      "ten million cells by repetition",
      big,
      recipe({ values: { from: Array(125).fill("R1C1:R1000C80") }, headers: [] }),
      "recipe-budget-cells",
    ],
    [
      "the whole sheet as headers",
      big,
      recipe({ values: { from: ["R2C2"] }, headers: [{ name: "h", from: [everything], direction: "up" }] }),
      "recipe-budget-cells",
    ],
    [
      "kept blanks of almost the limit",
      big,
      recipe({ values: { from: ["R1C1:R49000C100"], blanks: "keep" }, headers: [] }),
      "recipe-budget-rows",
    ],
    [
      "many headers over many cells",
      big,
      recipe({
        values: { from: ["R2C2:R1000C80"] },
        headers: Array.from({ length: 60 }, (_, index) => ({
          name: `h${index}`,
          from: Array(60).fill("R1C1:R1000C80"),
          direction: "left-up",
        })),
      }),
      "recipe-budget-cells",
    ],
    [
      "a fill that asks every position",
      big,
      recipe({
        values: { from: ["R2C2"] },
        headers: Array.from({ length: 10 }, (_, index) => ({
          name: `h${index}`,
          from: ["R1C1:R60000C80"],
          where: { in_row: 1, blank: false },
          fill: { direction: "down", until: { hidden: true } },
          direction: "up",
        })),
      }),
      "recipe-budget-cells",
    ],
    [
      "conditions without end",
      big,
      recipe({
        values: {
          from: ["R1C1:R1000C80"],
          where: {
            any: Array.from({ length: 40 }, (_, index) => ({
              equals: `no ${index}`,
              in_row: 1,
              in_column: 1,
              bold: true,
            })),
          },
        },
        headers: Array.from({ length: 30 }, (_, index) => ({
          name: `h${index}`,
          from: ["R1C1:R1000C80"],
          where: { all: Array(40).fill({ blank: false }) },
          direction: "up",
        })),
      }),
      "recipe-budget-work",
    ],
    [
      "a pattern with an exponential shape on a naive engine",
      wide(2, 2, "a".repeat(30_000)),
      recipe({
        values: { from: ["R2C2"] },
        headers: [{ name: "h", from: ["R1C2"], direction: "up", extract: "(a+)+$b", missing: "error" }],
      }),
      "recipe-header-missing",
    ],
    [
      "a pattern that doubles states",
      wide(40, 40, "ab".repeat(2_000)),
      recipe({ values: { from: ["R1C1:R40C40"], where: { pattern: "(?:a|b)*a(?:a|b){900}" } }, headers: [] }),
      "recipe-budget-patterns",
    ],
    [
      "a pattern too large",
      big,
      recipe({ values: { from: ["R2C2"], where: { pattern: `(?:${"x".repeat(400)}){999}` } }, headers: [] }),
      "recipe-pattern",
    ],
    [
      "nested counted repeats",
      big,
      recipe({ values: { from: ["R2C2"], where: { pattern: "((a{100}){100}){100}" } }, headers: [] }),
      "recipe-pattern",
    ],
    [
      "look-behind",
      big,
      recipe({ values: { from: ["R2C2"], where: { pattern: "(?<=a)b" } }, headers: [] }),
      "recipe-pattern",
    ],
    [
      "a back-reference",
      big,
      recipe({ values: { from: ["R2C2"], where: { pattern: "(a)\\1" } }, headers: [] }),
      "recipe-pattern",
    ],
    [
      "many patterns",
      big,
      recipe({
        values: { from: ["R2C2"] },
        headers: Array.from({ length: 60 }, (_, index) => ({
          name: `h${index}`,
          direction: "self",
          where: {
            any: Array.from({ length: 40 }, (_, other) => ({ pattern: `(?i)\\pL{${900 - index}}${other}` })),
          },
        })),
      }),
      "recipe-budget-patterns",
    ],
    [
      "deep parentheses",
      big,
      recipe({
        values: { from: ["R2C2"], where: { pattern: `${"(".repeat(250)}${")".repeat(250)}` } },
        headers: [],
      }),
      "none",
    ],
    [
      "a glob of stars",
      wide(3, 3, "a".repeat(20_000)),
      recipe({ values: { from: ["R1C1:R3C3"], where: { glob: `${"*a".repeat(240)}b` } }, headers: [] }),
      "any",
    ],
    [
      "long headers repeated into the output",
      wide(300, 300, "x".repeat(30_000)),
      recipe({
        values: { from: ["R2C2:R300C300"] },
        headers: [{ name: "h", from: ["R1C2:R1C300"], direction: "up" }],
      }),
      "recipe-budget-output",
    ],
  ])("%s", (_, workbook, given, code) => {
    const { codes, ms } = outcomeOf(workbook, given);
    if (code === "none") expect(codes).toEqual([]);
    else if (code !== "any") expect(codes).toContain(code);
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  it("a million levels of nesting, and other text that is no recipe", () => {
    for (const text of [
      "[".repeat(1_000_000),
      '{"a":'.repeat(1_000_000),
      "null",
      "",
      "{}",
      "[]",
      '"x"',
      "1e999",
      `{"version":1,"tables":[${"{},".repeat(30_000)}{}]}`,
    ]) {
      const start = cpuMs();
      const outcome = parseRecipe(text);
      expect(outcome.ok).toBe(false);
      expect(outcome.findings.length).toBeGreaterThan(0);
      expect(cpuMs() - start).toBeLessThan(LIMIT_MS);
    }
  });

  it("merges and headers that reach across the whole sheet cost what they hold", () => {
    const book = workbookOf([
      { grid: [["Title"], [1, 2, 3]], merges: [merge(1, 1, 1, 16_384), merge(3, 1, 1_048_576, 16_384)] },
    ]);
    const headers: HeaderRule[] = (["up", "up-left", "up-ish", "left-up", "right-down"] as const).map(
      (direction, index) => ({
        name: `h${index}`,
        from: ["R1C1:R1C16384"],
        direction,
        merged: "expand",
      }),
    );
    const start = cpuMs();
    const outcome = executeRecipe(book, recipeOf({ values: { from: ["R2C1:R2C3"] }, headers }));
    expect(outcome.ok && outcome.value.table.rows[0]).toEqual(["Title", "Title", "Title", "", "", "1"]);
    expect(cpuMs() - start).toBeLessThan(200);
  });

  it.each<[string, object, string]>([
    [
      "ten million constants",
      recipe({
        values: { from: Array(6).fill("R1C1:R1000C80") },
        headers: Array.from({ length: 60 }, (_, at) => ({ name: `h${at}`, constant: "" })),
      }),
      "recipe-budget-work",
    ],
    [
      "many headers laid out for many values",
      recipe({
        values: { from: Array(6).fill("R1C1:R1000C80") },
        headers: Array.from({ length: 60 }, (_, at) => ({
          name: `h${at}`,
          from: ["R1C1"],
          direction: at % 2 === 0 ? "up" : "left-up",
        })),
      }),
      "recipe-budget-work",
    ],
    [
      "a hundred million pieces that are missing",
      recipe({
        values: { from: ["R1C1:R1000C80"] },
        headers: Array.from({ length: 60 }, (_, at) => ({
          from: ["R1C1"],
          direction: "right",
          split: { by: ";", into: Array.from({ length: 30 }, (_, piece) => `p${at}.${piece}`) },
        })),
      }),
      "recipe-budget-work",
    ],
    [
      "millions of formatted texts",
      recipe({
        values: { from: Array(6).fill("R1C1:R1000C80"), take: "text" },
        headers: Array.from({ length: 5 }, (_, at) => ({ name: `h${at}`, direction: "self", take: "text" })),
      }),
      "recipe-budget-work",
    ],
    [
      "one costly pattern in hundreds of places",
      recipe({
        values: { from: ["R1C1"] },
        headers: Array.from({ length: 60 }, (_, at) => ({
          name: `h${at}`,
          from: ["R1C1"],
          direction: "up",
          where: { any: Array(7).fill({ pattern: `(?i)${"[\\PL]".repeat(82)}` }) },
        })),
      }),
      "ok",
    ],
    [
      "hundreds of costly patterns that are none",
      recipe({
        values: { from: ["R1C1"] },
        headers: Array.from({ length: 60 }, (_, at) => ({
          name: `h${at}`,
          from: ["R1C1"],
          direction: "up",
          where: {
            any: Array.from({ length: 7 }, (_, each) => ({
              pattern: `(?i)${"\\PL".repeat(110)}${at}.${each}(`,
            })),
          },
        })),
      }),
      "recipe-budget-patterns",
    ],
    [
      "thousands of sheet names that nearly fit",
      {
        version: 1,
        tables: Array.from({ length: 4 }, (_, at) => {
          const from = Array.from({ length: 400 }, (_, each) => `y${"ba".repeat(29)}${each % 10}!R1C1`);
          const sheet = Array.from({ length: 100 }, (_, each) => `${"ab".repeat(29)}x${each}`);
          return { name: `t${at}`, sheet, values: { from, except: from }, headers: [] };
        }),
      },
      "recipe-more",
    ],
  ])("%s", { timeout: 30_000 }, (_, given, expected) => {
    const outcome = outcomeOf(big, given);
    if (expected === "ok") expect(outcome.ok).toBe(true);
    else expect(outcome.codes).toContain(expected);
    expect(outcome.codes.length).toBeLessThanOrEqual(51);
    expect(outcome.ms).toBeLessThan(2 * LIMIT_MS);
  });

  it("counts the length of a text that conditions look at", () => {
    const page = workbookOf([{ name: "S", grid: [[`${"é".repeat(32_000)}\u2013`]] }]);
    const outcome = outcomeOf(
      page,
      recipe({
        values: { from: Array(400).fill("R1C1"), where: { any: Array(40).fill({ equals: "x" }) } },
        headers: [],
      }),
    );
    expect(outcome.codes).toEqual(["recipe-budget-work"]);
    expect(outcome.ms).toBeLessThan(LIMIT_MS);
  });

  it("names every missing sheet of a long list only once it can be read", () => {
    const outcome = outcomeOf(big, {
      version: 1,
      tables: [
        {
          sheet: "S",
          values: { from: ["R1C1"] },
          headers: Array.from({ length: 40 }, (_, at) => ({
            name: `h${at}`,
            direction: "up",
            from: Array(400).fill("Nowhere!R1C1"),
          })),
        },
      ],
    });
    expect(outcome.codes).toHaveLength(51);
    expect(outcome.codes.at(-1)).toBe("recipe-more");
  });

  it("still finds the error behind any number of warnings", () => {
    const outcome = outcomeOf(big, {
      version: 1,
      tables: [
        {
          sheet: "S",
          values: { from: [...Array(399).fill("R1000C80:R1001C81"), "R2000C1"] },
          headers: [],
        },
      ],
    });
    expect(outcome.codes).toEqual(["recipe-range-outside"]);
  });

  it("stops at a smaller budget when given one", () => {
    const given: Recipe = recipeOf({ values: { from: ["R1C1:R1000C80"] }, headers: [] });
    for (const [resource, code] of [
      ["cells", "recipe-budget-cells"],
      ["rows", "recipe-budget-rows"],
      ["output", "recipe-budget-output"],
      ["work", "recipe-budget-work"],
    ] as const) {
      expect(executeRecipe(big, given, { ...DEFAULT_BUDGET, [resource]: 100 }).findings).toMatchObject([
        { code, severity: "error", expected: "at most 100" },
      ]);
    }
  });

  it("reports an engine fault instead of throwing", () => {
    const broken = {
      get sheets(): never {
        throw new RangeError("broken reader");
      },
      date1904: false,
    } as unknown as Workbook;
    expect(
      executeRecipe(broken, recipeOf({ values: { from: ["R1C1"] }, headers: [] })).findings,
    ).toMatchObject([{ code: "recipe-engine-fault", actual: "RangeError: broken reader" }]);
  });
});

describe("large honest tables", () => {
  it("executes 83,000 values with six headers in seconds", () => {
    const book = wide(1100, 77);
    const at = (direction: HeaderRule["direction"], name: string): HeaderRule =>
      ({
        name,
        direction,
        from: [direction?.startsWith("up") ? "R1C2:R1C77" : "R2C1:R1100C1"],
      }) as HeaderRule;
    const given = recipeOf({
      values: { from: ["R2C2:R1100C77"], where: { type: "number" } },
      headers: [
        at("up", "a"),
        at("left", "b"),
        at("up-left", "c"),
        at("left-up", "d"),
        { ...at("up", "e"), fill: "right" },
        { ...at("left", "f"), extract: "h([0-9]+)" },
      ],
    });
    const start = cpuMs();
    const outcome = executeRecipe(book, given);
    const ms = cpuMs() - start;
    expect(outcome.ok && outcome.value.table.rows.length).toBe(83_524);
    expect(ms).toBeLessThan(2500);
  });
});
