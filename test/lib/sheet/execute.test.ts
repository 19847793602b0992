import { describe, expect, it } from "vitest";
import { canonicalCsv } from "../../../src/lib/sheet/csv.ts";
import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import { executed, recipeOf, rowsOf, workbookOf } from "./workbooks.ts";

const simple = workbookOf([
  {
    name: "S",
    grid: [["Table 1. Persons, 2022"], [null, "NSW", "Vic."], ["Mining", 10, 20], ["Retail", 30, "np"]],
  },
]);
const headers = [
  { name: "industry", from: ["R3C1:R4C1"], direction: "left" as const },
  { name: "state", from: ["R2C2:R2C3"], direction: "up" as const },
];

describe("executeRecipe", () => {
  it("gives the tidy table, the value trace and the header trace", () => {
    const execution = executed(simple, { values: { from: ["R3C2:R4C3"] }, headers });
    expect(canonicalCsv(execution.table)).toBe(
      "industry,state,value\nMining,NSW,10\nMining,Vic.,20\nRetail,NSW,30\nRetail,Vic.,np\n",
    );
    expect(execution.valueTrace).toEqual(["S!R3C2", "S!R3C3", "S!R4C2", "S!R4C3"]);
    expect(execution.headerTrace[3]).toEqual([
      { name: "industry", direction: "left", source: "S!R4C1", scalar: "Retail", state: "ok" },
      { name: "state", direction: "up", source: "S!R2C3", scalar: "Vic.", state: "ok" },
    ]);
  });

  it("stacks several tables under a leading `table` column, with every header's column", () => {
    const execution = executed(
      simple,
      { name: "a", values: { from: ["R3C2:R3C3"] }, headers },
      {
        name: "b",
        values: { from: ["R4C2"] },
        headers: [{ name: "unit", constant: "'000" }, ...headers.slice(1)],
      },
    );
    expect(canonicalCsv(execution.table)).toBe(
      "table,industry,state,unit,value\na,Mining,NSW,,10\na,Mining,Vic.,,20\nb,,NSW,'000,30\n",
    );
    expect(execution.headerTrace[2]).toEqual([
      { name: "unit", direction: "constant", source: null, scalar: "'000", state: "ok" },
      { name: "state", direction: "up", source: "S!R2C2", scalar: "NSW", state: "ok" },
    ]);
  });

  it("writes names in NFC, like every text, and takes two spellings for one name", () => {
    const nfd = "e\u0301tat";
    const table = { name: nfd, values: { name: nfd, from: ["R3C2"] }, headers: [] };
    const other = { ...table, name: "b", values: { ...table.values, name: "\u00e9tat" } };
    expect(canonicalCsv(executed(simple, table, other).table)).toBe("table,\u00e9tat\n\u00e9tat,10\nb,10\n");
    const twice = executeRecipe(
      simple,
      recipeOf({
        values: { from: ["R3C2"] },
        headers: [
          { name: nfd, constant: 1 },
          { name: "\u00e9tat", constant: 2 },
        ],
      }),
    );
    expect(twice.findings.map(({ code }) => code)).toEqual(["recipe-duplicate-name"]);
  });

  it("takes ranges in recipe order, and a cell in two ranges twice", () => {
    expect(executed(simple, { values: { from: ["R4C2:R4C3", "R3C2:R4C2"] }, headers }).valueTrace).toEqual([
      "S!R4C2",
      "S!R4C3",
      "S!R3C2",
      "S!R4C2",
    ]);
  });

  it("says when a table has no rows, and still executes", () => {
    const outcome = executeRecipe(
      simple,
      recipeOf({ values: { from: ["R1C2:R2C3"], where: { type: "number" } }, headers: [] }),
    );
    expect(outcome).toMatchObject({
      ok: true,
      value: { table: { columns: ["value"], rows: [] } },
      findings: [{ code: "recipe-no-rows", severity: "warning", pointer: "/tables/0/values" }],
    });
  });

  it("treats missing headers as asked", () => {
    const bare = workbookOf([
      {
        grid: [
          [null, "A"],
          [1, 2],
        ],
      },
    ]);
    const header = { name: "h", from: ["R1C1:R1C2"], direction: "up" as const };
    expect(rowsOf(bare, { values: { from: ["R2C1:R2C2"] }, headers: [header] })).toEqual(["|1", "A|2"]);
    expect(
      rowsOf(bare, { values: { from: ["R2C1:R2C2"] }, headers: [{ ...header, missing: "drop-row" }] }),
    ).toEqual(["A|2"]);
    const failed = executeRecipe(
      bare,
      recipeOf({ values: { from: ["R2C1:R2C2"] }, headers: [{ ...header, missing: "error" }] }),
    );
    expect(failed.findings).toMatchObject([
      { code: "recipe-header-missing", pointer: "/tables/0/headers/0", actual: "S!R2C1" },
    ]);
  });

  it("leaves an ambiguous header blank and says so in the trace", () => {
    const between = workbookOf([
      {
        grid: [
          ["A", null, "B"],
          [1, 2, 3],
        ],
      },
    ]);
    const execution = executed(between, {
      values: { from: ["R2C1:R2C3"] },
      headers: [{ name: "h", from: ["R1C1:R1C3"], direction: "up-ish", missing: "drop-row" }],
    });
    expect(execution.table.rows).toEqual([
      ["A", "1"],
      ["", "2"],
      ["B", "3"],
    ]);
    expect(execution.headerTrace[1]).toEqual([
      { name: "h", direction: "up-ish", source: null, scalar: null, state: "ambiguous" },
    ]);
  });

  it("gathers conversions that fail into one finding for each rule", () => {
    const outcome = executeRecipe(
      simple,
      recipeOf({ values: { from: ["R3C2:R4C3"], as: "number" }, headers: [{ ...headers[0]!, as: "year" }] }),
    );
    expect(outcome).toMatchObject({
      ok: false,
      findings: [
        {
          code: "recipe-conversion",
          pointer: "/tables/0/headers/0",
          actual: 'S!R3C1 "Mining", S!R4C1 "Retail"',
        },
        { code: "recipe-conversion", pointer: "/tables/0/values", actual: 'S!R4C3 "np"', expected: "number" },
      ],
    });
  });
});
