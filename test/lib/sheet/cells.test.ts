import { describe, expect, it } from "vitest";
import type { Condition, HeaderRule } from "../../../src/lib/sheet/recipe-schema.ts";
import { codesOf, executed, merge, rowsOf, workbookOf } from "./workbooks.ts";

const run = (text: string, bold: boolean, superscript = false) => ({
  text,
  bold,
  superscript,
  italic: false,
});

/** Everything a cell can be, one below the other. */
const zoo = workbookOf([
  {
    grid: [
      ["text"],
      [12.5],
      [{ type: "date", value: "2024-06-30", serial: 45473, format: "d mmm yyyy" }],
      [true],
      [{ type: "error", value: "#N/A" }],
      [{ bold: true, fill: "FFFF00" }],
      [""],
      [null],
      [{ value: 3, formula: true }],
      [{ value: "bold run", runs: [run("bold", true), run(" run", true)] }],
      [{ value: "half", runs: [run("ha", true), run("lf", false)] }],
      [{ value: "x", indent: 2, italic: true, comment: "see note", format: "@" }],
    ],
    hiddenRows: [1],
  },
]);
const range = "R1C1:R12C1";
const addresses = (where: Condition, blanks: "keep" | "drop" = "keep"): number[] =>
  executed(zoo, { values: { from: [range], where, blanks }, headers: [] }).valueTrace.map((each) =>
    Number(/R(\d+)/.exec(each)?.[1]),
  );

describe("cell semantics", () => {
  it("gives each type its canonical scalar", () => {
    expect(rowsOf(zoo, { values: { from: [range], blanks: "keep" }, headers: [] })).toEqual([
      "text",
      "12.5",
      "2024-06-30",
      "TRUE",
      "#N/A",
      "",
      "",
      "",
      "3",
      "bold run",
      "half",
      "x",
    ]);
  });

  it("tells blanks from empty strings", () => {
    expect(addresses({ blank: true })).toEqual([6, 8]);
    expect(addresses({ equals: "" })).toEqual([7]);
    expect(executed(zoo, { values: { from: [range] }, headers: [] }).valueTrace).toContain("S!R7C1");
    expect(executed(zoo, { values: { from: [range] }, headers: [] }).valueTrace).not.toContain("S!R6C1");
  });

  it("keeps blanks in order, also where the file holds no cell", () => {
    const book = workbookOf([{ grid: [[null, 1], [], [2, null]] }]);
    expect(
      executed(book, { values: { from: ["R1C1:R3C2"], blanks: "keep" }, headers: [] }).valueTrace,
    ).toEqual(["S!R1C1", "S!R1C2", "S!R2C1", "S!R2C2", "S!R3C1", "S!R3C2"]);
  });

  it("writes numbers in their shortest exact form", () => {
    const numbers = [0.1, 0.1 + 0.2, -0, 1e21, 1e-7, 123456789012345, 5e-324, 100];
    const book = workbookOf([{ grid: [numbers] }]);
    const rows = rowsOf(book, { values: { from: ["R1C1:R1C8"] }, headers: [] });
    expect(rows).toEqual([
      "0.1",
      "0.30000000000000004",
      "0",
      "1e+21",
      "1e-7",
      "123456789012345",
      "5e-324",
      "100",
    ]);
    expect(rows.map(Number)).toEqual(numbers.map((number) => (number === 0 ? 0 : number)));
  });

  it("writes text in NFC, and text that looks like a number as it is written", () => {
    const book = workbookOf([{ grid: [["Cafe\u0301", "007", "1,000", "1e3"]] }]);
    expect(rowsOf(book, { values: { from: ["R1C1:R1C4"] }, headers: [] })).toEqual([
      "Caf\u00e9",
      "007",
      "1,000",
      "1e3",
    ]);
    expect(rowsOf(book, { values: { from: ["R1C2:R1C4"], as: "number" }, headers: [] })).toEqual([
      "7",
      "1000",
      "1000",
    ]);
  });

  it("trims and squeezes white space unless told not to", () => {
    const book = workbookOf([{ grid: [["  a\n b\u00a0 c "]] }]);
    expect(rowsOf(book, { values: { from: ["R1C1"] }, headers: [] })).toEqual(["a b c"]);
    expect(rowsOf(book, { values: { from: ["R1C1"], trim: false }, headers: [] })).toEqual([
      "  a\n b\u00a0 c ",
    ]);
  });

  it("reads serial days by the workbook's date system", () => {
    const grid = [
      [45473, 0.5, { type: "date" as const, value: "2024-06-30", serial: 44011, format: "d/mm/yyyy" }],
    ];
    const one = { values: { from: ["R1C1"], as: "date" as const }, headers: [] };
    expect(rowsOf(workbookOf([{ grid }]), one)).toEqual(["2024-06-30"]);
    expect(rowsOf(workbookOf([{ grid }], true), one)).toEqual(["2028-07-01"]);
    // Day 0 exists in the 1904 system only.
    const zero = { values: { from: ["R1C1"], as: "date" as const }, headers: [] };
    expect(codesOf(workbookOf([{ grid: [[0]] }]), zero)).toEqual(["recipe-conversion"]);
    expect(rowsOf(workbookOf([{ grid: [[0]] }], true), zero)).toEqual(["1904-01-01"]);
    expect(
      rowsOf(workbookOf([{ grid }], true), { values: { from: ["R1C3"], take: "text" }, headers: [] }),
    ).toEqual(["30/06/2024"]);
  });

  it("holds a merged value in its top-left cell only, and a merge over a whole row costs nothing", () => {
    const book = workbookOf([
      {
        grid: [
          ["Title", "kept below"],
          [1, 2],
        ],
        merges: [merge(1, 1, 1, 16_384), merge(1, 1, 1_048_576, 1)],
      },
    ]);
    const header = (more: Partial<HeaderRule>): HeaderRule => ({
      name: "h",
      from: ["R1C1:R1C16384"],
      direction: "up",
      ...more,
    });
    const of = (more: Partial<HeaderRule>) =>
      rowsOf(book, { values: { from: ["R2C1:R2C2"] }, headers: [header(more)] });
    expect(of({ merged: "expand" })).toEqual(["Title|1", "Title|2"]);
    expect(of({})).toEqual(["Title|1", "kept below|2"]);
  });

  it("passes over headers that are only white space", () => {
    const book = workbookOf([{ grid: [["A"], [" \n"], [""], [1]] }]);
    expect(
      rowsOf(book, {
        values: { from: ["R4C1"] },
        headers: [{ name: "h", from: ["R1C1:R3C1"], direction: "up" }],
      }),
    ).toEqual(["A|1"]);
  });

  it("takes properties of a cell", () => {
    const take = (what: HeaderRule["take"]) =>
      rowsOf(zoo, {
        values: { from: ["R12C1"] },
        headers: [{ name: "h", direction: "self", take: what }],
      })[0];
    expect(
      ["value", "text", "number_format", "comment", "indent", "sheet"].map((what) => take(what as "value")),
    ).toEqual(["x|x", "x|x", "@|x", "see note|x", "2|x", "S|x"]);
  });

  it("gives `self` only where `where` holds", () => {
    const header: HeaderRule = {
      name: "flag",
      direction: "self",
      take: "number_format",
      where: { type: "number" },
    };
    expect(rowsOf(zoo, { values: { from: ["R1C1:R2C1"] }, headers: [header] })).toEqual([
      "|text",
      "General|12.5",
    ]);
  });

  it("refuses two cells for `fixed`, and finds none missing", () => {
    const of = (from: string[], where = {}) =>
      executed(zoo, { values: { from: ["R2C1"] }, headers: [{ name: "h", from, where, direction: "fixed" }] })
        .headerTrace[0]?.[0]?.state;
    expect(of(["R1C1"])).toBe("ok");
    expect(of(["R1C1:R2C1"])).toBe("ambiguous");
    expect(of(["R1C1"], { bold: true })).toBe("missing");
  });
});

describe("where", () => {
  it.each<[string, Condition, number[]]>([
    ["type", { type: "number" }, [2, 9]],
    ["one of several types", { type: ["date", "boolean", "error"] }, [3, 4, 5]],
    ["blank", { blank: false }, [1, 2, 3, 4, 5, 7, 9, 10, 11, 12]],
    ["text equality", { equals: "text" }, [1]],
    ["number equality", { equals: 12.5 }, [2]],
    ["no number equality with text", { equals: "12.5" }, []],
    ["boolean equality", { equals: true }, [4]],
    ["date equality", { equals: "2024-06-30" }, [3]],
    ["error equality", { equals: ["#N/A", "x"] }, [5, 12]],
    ["glob", { glob: "?o*" }, [10]],
    ["glob takes signs literally", { glob: "2024.06.30" }, []],
    ["glob over numbers", { glob: "12.*" }, [2]],
    ["anchored pattern", { pattern: "ex" }, []],
    ["pattern", { pattern: ".ex." }, [1]],
    ["bold by font or by every run", { bold: true }, [6, 10]],
    ["not bold", { bold: false, type: "text" }, [1, 7, 11, 12]],
    ["italic", { italic: true }, [12]],
    ["indent", { indent: 2 }, [12]],
    ["indent range", { indent: { min: 1 } }, [12]],
    ["fill colour in either case", { fill: "ffff00" }, [6]],
    ["no fill", { fill: null, type: "number" }, [2, 9]],
    ["number format", { number_format: "@" }, [12]],
    ["number format pattern", { number_format_pattern: "d.*" }, [3]],
    ["hidden", { hidden: true }, [1]],
    ["comment", { comment: true }, [12]],
    ["comment pattern", { comment_pattern: "see.*" }, [12]],
    ["another row", { in_row: 2, type: "number" }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [
      "another column that is absent",
      { in_column: 5, blank: true, in_row: 3 },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    ],
  ])("%s", (_, where, rows) => {
    expect(addresses(where)).toEqual(rows);
  });

  it("combines conditions", () => {
    const rows = (where: object) => addresses(where as Condition);
    expect(rows({ any: [{ bold: true }, { italic: true }] })).toEqual([6, 10, 12]);
    expect(rows({ all: [{ bold: true }, { blank: false }] })).toEqual([10]);
    expect(rows({ type: "text", not: { glob: "*t*" } })).toEqual([7, 10, 11, 12]);
  });
});

describe("as", () => {
  const converted = (
    text: string | number | boolean,
    as: "number" | "date" | "year" | "boolean" | "text",
  ) => {
    const book = workbookOf([{ grid: [[text]] }]);
    const table = { values: { from: ["R1C1"], as }, headers: [] };
    try {
      return rowsOf(book, table)[0];
    } catch {
      return codesOf(book, table)[0];
    }
  };
  const NO = "recipe-conversion";
  it.each([
    ["1,234.5", "1234.5"],
    ["1 234", "1234"],
    ["1\u202f234\u202f567", "1234567"],
    ["-3", "-3"],
    ["\u22123", "-3"],
    ["(3)", "-3"],
    ["12.3%", "0.123"],
    ["0.1%", "0.001"],
    [".5", "0.5"],
    ["5.", "5"],
    ["+2", "2"],
    ["1.5e3", "1500"],
    ["007", "7"],
    ["1,23", NO],
    ["12,34,567", NO],
    ["1.2.3", NO],
    ["np", NO],
    ["-", NO],
    ["(-3)", NO],
    ["0x10", NO],
    ["Infinity", NO],
    ["1 2", NO],
    ["%", NO],
  ])("number: %s → %s", (text, expected) => {
    expect(converted(text, "number")).toBe(expected);
  });
  it.each<[string | number, string]>([
    ["2024-06-30", "2024-06-30"],
    ["30 June 2024", "2024-06-30"],
    ["30 Jun. 2024", "2024-06-30"],
    ["June 30, 2024", "2024-06-30"],
    ["Jun-2024", "2024-06-01"],
    ["Sept 2024", "2024-09-01"],
    ["1-Feb-2024", "2024-02-01"],
    [45473, "2024-06-30"],
    [45473.5, "2024-06-30T12:00:00"],
    ["29 February 2023", NO],
    ["03/04/2024", NO],
    ["Junember 2024", NO],
    [-1, NO],
    [60, NO],
    [1, "1900-01-01"],
    [61, "1900-03-01"],
    [2958465, "9999-12-31"],
    [2958466, NO],
  ])("date: %s → %s", (text, expected) => {
    expect(converted(text, "date")).toBe(expected);
  });
  it.each<[string | number, string]>([
    [2022, "2022"],
    ["2022", "2022"],
    ["Jun-2024", "2024"],
    ["2024-06-30", "2024"],
    [2022.5, NO],
    [45473, NO],
    ["2021–22", NO],
    ["22", NO],
  ])("year: %s → %s", (text, expected) => {
    expect(converted(text, "year")).toBe(expected);
  });
  it.each<[string | number | boolean, string]>([
    [true, "TRUE"],
    [0, "FALSE"],
    ["Yes", "TRUE"],
    ["no", "FALSE"],
    ["1", "TRUE"],
    [2, NO],
    ["maybe", NO],
  ])("boolean: %s → %s", (text, expected) => {
    expect(converted(text, "boolean")).toBe(expected);
  });
  it("text: leaves everything as it is", () => {
    expect(converted(12.5, "text")).toBe("12.5");
  });
});
