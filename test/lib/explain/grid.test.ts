import { describe, expect, it } from "vitest";
import { gridsOf } from "../../../src/lib/explain/grid.ts";
import { type EvidenceLimits, memberEvidence } from "../../../src/lib/explain/member-evidence.ts";
import type { Cell, Sheet, Workbook } from "../../../src/lib/sheet/model.ts";
import type { Execution } from "../../../src/lib/sheet/output.ts";
import { partialMember, suiteMember } from "../benchmarks/documents.ts";

const cell = (row: number, column: number, value: string | number): Cell => ({
  row,
  column,
  type: typeof value === "number" ? "number" : "text",
  value,
  format: "General",
  bold: false,
  italic: false,
  superscript: false,
  indent: 0,
  fill: null,
  comment: null,
  formula: false,
});
const sheet = (name: string, rows: readonly (readonly (string | number)[])[]): Sheet => ({
  name,
  state: "visible",
  rows: new Map(
    rows.map((cells, row) => [row + 1, cells.map((value, index) => cell(row + 1, index + 1, value))]),
  ),
  rowNumbers: rows.map((_, row) => row + 1),
  merges: [],
  hiddenRows: new Set(),
  hiddenColumns: [],
  used: { top: 1, left: 1, bottom: rows.length, right: rows[0]?.length ?? 1 },
});
const DATA = sheet("Da!ta", [
  ["", "2023"],
  ["Males", 1],
  ["Females", 2],
  ["All", 3],
  ["Note", 4],
]);
const book = (...sheets: Sheet[]): Workbook => ({ sheets, date1904: false });

/** Takes these rows of column 2 with the year above them. */
const taking = (rows: readonly number[], name = "Da!ta", year = "2023"): Execution => ({
  table: { columns: ["year", "value"], rows: rows.map((row) => [year, String(row - 1)]) },
  valueTrace: rows.map((row) => `${name}!R${row}C2`),
  headerTrace: rows.map(() => [
    { name: "year", direction: "up", source: `${name}!R1C2`, scalar: year, state: "ok" as const },
  ]),
});
const LIMITS: EvidenceLimits = { maxRows: 40, maxColumns: 10, maxSheets: 2, maxProduced: 2, rows: 5 };
const marks = (reference: Execution, produced: Execution | null) => {
  const { sheets } = gridsOf(book(DATA), reference, produced, LIMITS);
  return (sheets[0]?.rows ?? []).flatMap(({ track, cells }) =>
    cells.flatMap((found) =>
      found?.mark == null ? [] : [[track.kind === "line" ? track.index : 0, found.mark]],
    ),
  );
};

describe("a sheet's grid", () => {
  it("shows what the reference takes, and marks nothing without a recipe to compare", () => {
    const { sheets } = gridsOf(book(DATA), taking([2, 3]), null, LIMITS);
    expect(sheets).toHaveLength(1);
    expect(sheets[0]).toMatchObject({ sheet: "Da!ta", region: { top: 1, left: 2, bottom: 3, right: 2 } });
    expect(sheets[0]?.rows.map(({ cells }) => cells[0])).toEqual([
      { text: "2023", role: "header", letters: "a", mark: null },
      { text: "1", role: "value", letters: "", mark: null },
      { text: "2", role: "value", letters: "", mark: null },
    ]);
    expect(marks(taking([2, 3]), null)).toEqual([]);
  });

  it("marks values that a recipe missed, took beyond the reference, or moved", () => {
    expect(marks(taking([2, 3, 4]), taking([3, 4, 5]))).toEqual([
      [2, "missing"],
      [3, "moved"],
      [4, "moved"],
      [5, "extra"],
    ]);
  });

  it("marks values whose row differs as wrong, and equal ones as the same", () => {
    expect(marks(taking([2, 3]), taking([2, 3], "Da!ta", "2022"))).toEqual([
      [2, "wrong"],
      [3, "wrong"],
    ]);
    expect(marks(taking([2, 3]), taking([2, 3]))).toEqual([
      [2, "same"],
      [3, "same"],
    ]);
  });

  it("marks values with equal cells whose header was found another way", () => {
    const reference = taking([2]);
    const sideways: Execution = {
      ...reference,
      headerTrace: reference.headerTrace.map((headers) =>
        headers.map((header) => ({ ...header, direction: "up-left" })),
      ),
    };
    expect(marks(reference, sideways)).toEqual([[2, "headers"]]);
  });

  it("does not fold a marked cell away among rows that are otherwise alike", () => {
    const rows = Array.from({ length: 60 }, (_, index): [string, number] => ["x", index]);
    const long = sheet("Da!ta", [["", "2023"], ...rows] as [string, string | number][]);
    const all = Array.from({ length: 60 }, (_, index) => index + 2);
    const [grid] = gridsOf(book(long), taking(all), taking(all.filter((row) => row !== 31)), LIMITS).sheets;
    const shown = grid?.rows.flatMap(({ track, cells }) =>
      cells.some((found) => found?.mark === "missing") && track.kind === "line" ? [track.index] : [],
    );
    expect(shown).toEqual([31]);
    expect(grid?.hidden.folded.rows).toBeGreaterThan(40);
  });

  it("names the sheets for which there is no place", () => {
    const names = ["A", "B", "C"];
    const made = names.map((name) => taking([2], name));
    const all: Execution = {
      table: { columns: ["year", "value"], rows: made.flatMap(({ table }) => table.rows) },
      valueTrace: made.flatMap(({ valueTrace }) => valueTrace),
      headerTrace: made.flatMap(({ headerTrace }) => headerTrace),
    };
    const sheets = names.map((name) => ({ ...DATA, name }));
    const grids = gridsOf(book(...sheets), all, null, LIMITS);
    expect(grids.sheets.map((grid) => grid.sheet)).toEqual(["A", "B"]);
    expect(grids.notDrawn).toEqual(["C"]);
  });
});

describe("a member's evidence", () => {
  const member = suiteMember("a");
  const result = (digest: string, produced: Execution) => ({ digest, claimed: partialMember("a"), produced });
  const input = {
    member,
    members: 1,
    workbook: book(DATA),
    reference: taking([2, 3]),
    results: [
      result("right", taking([2, 3])),
      result("one", taking([2])),
      result("two", taking([2])),
      result("three", taking([3])),
      result("four", taking([4])),
    ],
  };

  it("draws each different thing that recipes made once, and says which results are left out", () => {
    const made = memberEvidence(input, LIMITS);
    expect(made.produced.map(({ results }) => results)).toEqual([["one", "two"], ["three"]]);
    expect(made.omitted).toEqual(["four"]);
    expect(made.produced[0]?.explanation.differences?.counts).toMatchObject({ missing: 1, same: 1 });
  });

  it("of a private member holds nothing of the workbook", () => {
    const hidden = { ...input, member: suiteMember("a", { source_kind: "bank_asset" }) };
    const made = memberEvidence(hidden, LIMITS);
    expect(made).toMatchObject({ reference: null, produced: [], omitted: [] });
    expect(JSON.stringify(made)).not.toContain("Da!ta");
    expect(memberEvidence(hidden, { ...LIMITS, openBank: true }).reference).not.toBeNull();
  });
});
