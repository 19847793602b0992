import { describe, expect, it } from "vitest";
import { executed, merge, rowsOf, workbookOf } from "./workbooks.ts";

/** One small workbook for each thing that real workbooks demand (design, section 4.1). */

describe("what real workbooks demand", () => {
  it("four merged header levels", () => {
    const book = workbookOf([
      {
        grid: [
          [null, "All", null, null, null],
          [null, "Males", null, "Females", null],
          [null, "Young", "Old", "Young", "Old"],
          [null, "no.", null, null, "%"],
          ["NSW", 1, 2, 3, 4],
        ],
        merges: [merge(1, 2, 1, 5), merge(2, 2, 2, 3), merge(2, 4, 2, 5), merge(4, 2, 4, 4)],
      },
    ]);
    const level = (name: string, row: number) => ({
      name,
      from: [`R${row}C2:R${row}C5`],
      direction: "up" as const,
      merged: "expand" as const,
    });
    expect(
      rowsOf(book, {
        values: { from: ["R5C2:R5C5"] },
        headers: [level("group", 1), level("sex", 2), level("age", 3), level("unit", 4)],
      }),
    ).toEqual([
      "All|Males|Young|no.|1",
      "All|Males|Old|no.|2",
      "All|Females|Young|no.|3",
      "All|Females|Old|%|4",
    ]);
  });

  it("headers that are numbers, years or dates", () => {
    const book = workbookOf([
      {
        grid: [
          [null, 2001, "2004–05", { type: "date", value: "2022-06-30", serial: 44742, format: "mmm-yyyy" }],
          [1, 10, 20, 30],
        ],
      },
    ]);
    const at = { from: ["R1C2:R1C4"], direction: "up" as const };
    expect(
      rowsOf(book, {
        values: { from: ["R2C2:R2C4"] },
        headers: [
          { name: "conditions", from: ["R2C1"], direction: "left" },
          { name: "period", ...at },
          { name: "shown", ...at, take: "text" },
          { name: "year", ...at, extract: "^([0-9]{4})", as: "year" },
        ],
      }),
    ).toEqual(["1|2001|2001|2001|10", "1|2004–05|2004–05|2004|20", "1|2022-06-30|Jun-2022|2022|30"]);
  });

  it("series names that are paths", () => {
    const book = workbookOf([
      {
        grid: [
          [null, "Australia ;  Mining ;  > Males ;", "Australia ;  Mining ;", "A ; B ; C ; D ; E"],
          [2001, 1, 2, 3],
        ],
      },
    ]);
    const header = { from: ["R1C2:R1C4"], direction: "up" as const };
    const execution = executed(book, {
      values: { from: ["R2C2:R2C4"] },
      headers: [{ ...header, split: { by_pattern: ";[ >]*", into: ["region", "industry", "sex"] } }],
    });
    expect(execution.table).toEqual({
      columns: ["region", "industry", "sex", "value"],
      rows: [
        ["Australia", "Mining", "Males", "1"],
        ["Australia", "Mining", "", "2"],
        ["A", "B", "C ; D ; E", "3"],
      ],
    });
    expect(execution.headerTrace[1]?.map((each) => each.state)).toEqual(["ok", "ok", "missing"]);
    expect(
      rowsOf(book, {
        values: { from: ["R2C2"] },
        headers: [{ ...header, split: { by: ";", into: [null, "industry"] } }],
      }),
    ).toEqual(["Mining ; > Males|1"]);
  });

  it("a header that applies to the column on its left", () => {
    const book = workbookOf([
      {
        grid: [
          [null, "A", null, "B"],
          [1, 2, 3, 4],
        ],
      },
    ]);
    expect(
      rowsOf(book, {
        values: { from: ["R2C1:R2C4"] },
        headers: [{ name: "h", from: ["R1C1:R1C4"], direction: "up-right" }],
      }),
    ).toEqual(["A|1", "A|2", "B|3", "B|4"]);
  });

  describe("levels shown only by", () => {
    const levels = (top: object, second: object) => ({
      values: { from: ["R1C2:R6C2"] },
      headers: [
        { name: "top", from: ["R1C1:R6C1"], where: top, direction: "left-up" as const },
        {
          name: "second",
          from: ["R1C1:R6C1"],
          where: second,
          fill: { direction: "down" as const, until: top },
          direction: "left" as const,
        },
      ],
    });
    const labelled = (style: (label: string, level: number) => object) =>
      workbookOf([
        {
          grid: [
            [style("A", 0), 1],
            [style("x", 1), 2],
            [style("y", 1), 3],
            [style("B", 0), 4],
            [style("x", 1), 5],
            [style("z", 1), 6],
          ],
        },
      ]);
    const expected = ["A||1", "A|x|2", "A|y|3", "B||4", "B|x|5", "B|z|6"];

    it("indent", () => {
      const book = labelled((value, indent) => ({ value, indent }));
      expect(rowsOf(book, levels({ indent: 0 }, { indent: { min: 1 } }))).toEqual(expected);
    });
    it("bold", () => {
      const book = labelled((value, level) => ({ value, bold: level === 0 }));
      expect(rowsOf(book, levels({ bold: true }, { bold: false }))).toEqual(expected);
    });
    it("capitals", () => {
      const book = labelled((value) => ({ value }));
      expect(rowsOf(book, levels({ pattern: "[^a-z]+" }, { not: { pattern: "[^a-z]+" } }))).toEqual(expected);
    });
    it("code length", () => {
      const book = labelled((value, level) => ({ value: level === 0 ? `1${value}` : `11${value}` }));
      expect(rowsOf(book, levels({ pattern: "\\d[A-Z].*" }, { pattern: "\\d{2}.*" }))).toEqual([
        "1A||1",
        "1A|11x|2",
        "1A|11y|3",
        "1B||4",
        "1B|11x|5",
        "1B|11z|6",
      ]);
    });
    it("staircase columns", () => {
      const book = workbookOf([
        {
          grid: [
            ["A", null, 1],
            [null, "x", 2],
            [null, "y", 3],
            ["B", null, 4],
            [null, "x", 5],
            [null, "z", 6],
          ],
        },
      ]);
      expect(
        rowsOf(book, {
          values: { from: ["R1C3:R6C3"] },
          headers: [
            { name: "top", from: ["R1C1:R6C1"], fill: "down", direction: "left" },
            {
              name: "second",
              from: ["R1C2:R6C2"],
              fill: { direction: "down", until: { in_column: 1, blank: false } },
              direction: "left",
            },
          ],
        }),
      ).toEqual(expected);
    });
  });

  it("stacked blocks keyed by year, with subtotals that do not inherit", () => {
    const book = workbookOf([
      {
        grid: [
          [2021, null, null],
          ["Mining", 1, 2],
          ["Total", 3, 4],
          [2022, null, null],
          ["Mining", 5, 6],
        ],
      },
    ]);
    const year = { name: "year", from: ["R1C1:R5C1"], where: { type: "number" as const } };
    const rest = {
      values: { from: ["R2C2:R5C2"] },
      headers: [
        {
          name: "industry",
          from: ["R1C1:R5C1"],
          where: { type: "text" as const },
          direction: "left" as const,
        },
      ],
    };
    expect(rowsOf(book, { ...rest, headers: [{ ...year, direction: "up-left" }, ...rest.headers] })).toEqual([
      "2021|Mining|1",
      "2021|Total|3",
      "2022|Mining|5",
    ]);
    expect(
      rowsOf(book, {
        ...rest,
        headers: [
          { ...year, fill: { direction: "down", until: { glob: "Total*" } }, direction: "left" },
          ...rest.headers,
        ],
      }),
    ).toEqual(["2021|Mining|1", "|Total|3", "2022|Mining|5"]);
  });

  it("side-by-side blocks keyed by state", () => {
    const book = workbookOf([
      {
        grid: [
          ["NSW", null, null, "Vic.", null, null],
          [null, "M", "F", null, "M", "F"],
          ["x", 1, 2, "y", 3, 4],
        ],
      },
    ]);
    expect(
      rowsOf(book, {
        values: { from: ["R3C2:R3C3", "R3C5:R3C6"] },
        headers: [
          { name: "state", from: ["R1C1:R1C6"], direction: "up-left" },
          { name: "sex", from: ["R2C1:R2C6"], direction: "up" },
          { name: "row", from: ["R3C1", "R3C4"], direction: "left" },
        ],
      }),
    ).toEqual(["NSW|M|x|1", "NSW|F|x|2", "Vic.|M|y|3", "Vic.|F|y|4"]);
  });

  it("two tables on one sheet", () => {
    const book = workbookOf([
      {
        grid: [
          [null, "A"],
          ["x", 1],
          [null, null],
          [null, "B"],
          ["y", 2],
        ],
      },
    ]);
    const table = (name: string, row: number) => ({
      name,
      values: { from: [`R${row + 1}C2`] },
      headers: [
        { name: "column", from: [`R${row}C2`], direction: "up" as const },
        { name: "row", from: [`R${row + 1}C1`], direction: "left" as const },
      ],
    });
    expect(rowsOf(book, table("first", 1), table("second", 4))).toEqual(["first|A|x|1", "second|B|y|2"]);
  });

  it("one table over several sheets, at shifted rows, with shared headers on one of them", () => {
    const book = workbookOf([
      {
        name: "Data 1",
        grid: [
          [null, "A", "B"],
          ["x", 1, 2],
        ],
      },
      { name: "Data'2!", grid: [["note"], [null, "C", "D"], ["y", 3, 4]] },
      { name: "Index", grid: [["persons"]] },
    ]);
    const execution = executed(book, {
      sheet: ["Data 1", "Data'2!"],
      values: { from: ["Data 1!R2C2:R2C3", "'Data''2!'!R3C2:R3C3"] },
      headers: [
        { name: "sheet", direction: "self", take: "sheet" },
        { name: "series", from: ["Data 1!R1C2:R1C3", "Data'2!!R2C2:R2C3"], direction: "up" },
        { name: "unit", from: ["Index!R1C1"], direction: "fixed" },
        { name: "row", from: ["R1C1:R3C1"], direction: "left" },
      ],
    });
    expect(execution.table.rows.map((row) => row.join("|"))).toEqual([
      "Data 1|A|persons|x|1",
      "Data 1|B|persons|x|2",
      "Data'2!|C|persons|y|3",
      "Data'2!|D|persons|y|4",
    ]);
    expect(execution.valueTrace[2]).toBe("Data'2!!R3C2");
    expect(execution.headerTrace[2]?.map((each) => each.source)).toEqual([
      "Data'2!!R3C2",
      "Data'2!!R2C3".replace("C3", "C2"),
      "Index!R1C1",
      "Data'2!!R3C1",
    ]);
  });

  it("headers of one sheet for the values of another, by position", () => {
    const book = workbookOf([
      {
        name: "Estimates",
        grid: [
          [null, "A", "B"],
          ["x", 1, 2],
        ],
      },
      {
        name: "RSEs",
        grid: [
          [null, null, null],
          ["x", 0.1, 0.2],
        ],
      },
    ]);
    expect(
      rowsOf(book, {
        sheet: ["Estimates", "RSEs"],
        values: { from: ["R2C2:R2C3"] },
        headers: [{ name: "series", from: ["Estimates!R1C2:R1C3"], direction: "up" }],
      }),
    ).toEqual(["A|1", "B|2", "A|0.1", "B|0.2"]);
  });

  it("year and unit only in the title", () => {
    const book = workbookOf([{ grid: [["Table 3 Births, 2021–22 ('000)"], ["x", 1]] }]);
    const title = { from: ["R1C1"], direction: "fixed" as const };
    expect(
      rowsOf(book, {
        values: { from: ["R2C2"] },
        headers: [
          { name: "year", ...title, extract: "([0-9]{4}–[0-9]{2})" },
          { name: "unit", ...title, extract: "\\((.*)\\)" },
        ],
      }),
    ).toEqual(["2021–22|'000|1"]);
  });

  it("columns of a second measure without a header of their own", () => {
    const book = workbookOf([
      {
        grid: [
          [null, 2021, null, 2022, null],
          ["x", 1, { value: 0.1, format: '"±"0.0' }, 2, { value: 0.2, format: '"±"0.0' }],
        ],
      },
    ]);
    expect(
      rowsOf(book, {
        values: { from: ["R2C2:R2C5"] },
        headers: [
          { name: "year", from: ["R1C2:R1C5"], fill: "right", direction: "up" },
          { name: "measure", direction: "self", take: "number_format", extract: '^"(±)"' },
        ],
      }),
    ).toEqual(["2021||1", "2021|±|0.1", "2022||2", "2022|±|0.2"]);
  });

  it("suppression by symbol, by number format, or by comment only", () => {
    const book = workbookOf([
      {
        grid: [[1, "np", { value: 2, format: '"*"0.0' }, { value: 3, comment: "not reliable" }, ".."]],
      },
    ]);
    const from = ["R1C1:R1C5"];
    const symbols = (as: "text" | "blank" | "drop") => ({ texts: ["np", ".."], as });
    expect(rowsOf(book, { values: { from, symbols: symbols("text"), as: "number" }, headers: [] })).toEqual([
      "1",
      "np",
      "2",
      "3",
      "..",
    ]);
    expect(rowsOf(book, { values: { from, symbols: symbols("blank"), as: "number" }, headers: [] })).toEqual([
      "1",
      "",
      "2",
      "3",
      "",
    ]);
    expect(rowsOf(book, { values: { from, symbols: symbols("drop"), as: "number" }, headers: [] })).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(
      rowsOf(book, {
        values: {
          from,
          where: { type: "number", comment: false, not: { number_format_pattern: '"\\*".*' } },
        },
        headers: [],
      }),
    ).toEqual(["1"]);
    expect(
      rowsOf(book, {
        values: { from, where: { type: "number" } },
        headers: [
          { name: "star", direction: "self", take: "text", extract: "^(\\*)" },
          { name: "note", direction: "self", take: "comment" },
        ],
      }),
    ).toEqual(["||1", "*||2", "|not reliable|3"]);
  });

  it("footnote marks glued to labels", () => {
    const run = (text: string, superscript = false) => ({ text, superscript, bold: false, italic: false });
    const book = workbookOf([
      {
        grid: [
          ["Births(a)", 1],
          ["Deaths (ab)(c)", 2],
          ["Rate (per 1,000) (d), (e)", 3],
          [{ value: "Total1", runs: [run("Total"), run("1", true)] }, 4],
          ["2006 (c)", 5],
          ["(a)", 6],
          ["Persons²*", 7],
        ],
      },
    ]);
    expect(
      rowsOf(book, {
        values: { from: ["R1C2:R7C2"] },
        headers: [{ name: "label", from: ["R1C1:R7C1"], direction: "left", strip_footnotes: true }],
      }),
    ).toEqual(["Births|1", "Deaths|2", "Rate (per 1,000)|3", "Total|4", "2006|5", "(a)|6", "Persons|7"]);
  });

  it("footers, notes and column-number rows inside the range", () => {
    const book = workbookOf([{ grid: [[1, 2], ["(1)", "(2)"], [3, 4], ["Note: provisional"], [5, 6]] }]);
    expect(
      rowsOf(book, { values: { from: ["R1C1:R5C2"], except: ["R2C1:R2C2", "R4C1"] }, headers: [] }),
    ).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(
      rowsOf(book, {
        values: { from: ["R1C1:R5C2"], where: { not: { in_column: 1, pattern: "Note:.*|\\([0-9]\\)" } } },
        headers: [],
      }),
    ).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  it("values stored in thousands by format, and percentages, stay what is stored", () => {
    const book = workbookOf([
      {
        grid: [
          [
            { value: 1234567, format: "#,##0," },
            { value: 0.125, format: "0.0%" },
          ],
        ],
      },
    ]);
    expect(rowsOf(book, { values: { from: ["R1C1:R1C2"] }, headers: [] })).toEqual(["1234567", "0.125"]);
    expect(rowsOf(book, { values: { from: ["R1C1:R1C2"], take: "text" }, headers: [] })).toEqual([
      "1,235",
      "12.5%",
    ]);
  });

  it("hidden rows and columns that hold data", () => {
    const book = workbookOf([
      {
        grid: [
          [1, 2],
          [3, 4],
        ],
        hiddenRows: [2],
        hiddenColumns: [{ first: 2, last: 16_384 }],
      },
    ]);
    expect(rowsOf(book, { values: { from: ["R1C1:R2C2"] }, headers: [] })).toEqual(["1", "2", "3", "4"]);
    expect(rowsOf(book, { values: { from: ["R1C1:R2C2"], where: { hidden: false } }, headers: [] })).toEqual([
      "1",
    ]);
  });
});
