import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeTags, TAG_PREDICATES } from "../../../src/lib/benchmarks/tags/index.ts";
import { isPeriod } from "../../../src/lib/benchmarks/tags/time-series.ts";
import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import { type CellSpec, merge, recipeOf, type SheetSpec, workbookOf } from "../sheet/workbooks.ts";

/** Every tag in both directions: a small sheet that has the feature, and its nearest neighbours that do not. */

type Table = Parameters<typeof recipeOf>[number];
type Header = Table["headers"][number];

function holds(tag: string, sheets: readonly SheetSpec[], ...tables: Table[]): boolean {
  const workbook = workbookOf(sheets);
  const recipe = recipeOf(...tables);
  const execution = executeRecipe(workbook, recipe);
  if (!execution.ok) throw new Error(JSON.stringify(execution.findings));
  expect(execution.value.table.rows.length).toBeGreaterThan(0);
  const predicate = TAG_PREDICATES[tag];
  if (predicate === undefined) throw new Error(`no predicate for ${tag}`);
  const input = { workbook, recipe, execution: execution.value };
  expect(computeTags(input).includes(tag)).toBe(predicate(input));
  return predicate(input);
}

/** `label | a | b` over rows; what most of these sheets are variations of. */
const GRID: CellSpec[][] = [
  ["State", "Males", "Females"],
  ["NSW", 1, 2],
  ["Vic.", 3, 4],
];
const left: Header = { name: "state", from: ["R2C1:R9C1"], direction: "left" };
const up: Header = { name: "sex", from: ["R1C2:R1C9"], direction: "up" };
const plain = (more: Partial<Table> = {}): Table => ({
  values: { from: ["R2C2:R3C3"] },
  headers: [left, up],
  ...more,
});
const values = (from: string, more: Partial<Table["values"]> = {}): Table["values"] => ({
  from: [from],
  ...more,
});

it("has one predicate for each tag of the vocabulary", () => {
  const file = join(import.meta.dirname, "../../../benchmarks/vocabulary/structure-features.json");
  const vocabulary: { tags: { id: string }[] } = JSON.parse(readFileSync(file, "utf8"));
  expect(Object.keys(TAG_PREDICATES).sort()).toEqual(vocabulary.tags.map(({ id }) => id).sort());
});

it("gives a plain cross table nothing but single_table", () => {
  const workbook = workbookOf([{ grid: GRID }]);
  const recipe = recipeOf(plain());
  const execution = executeRecipe(workbook, recipe);
  expect(execution.ok && computeTags({ workbook, recipe, execution: execution.value })).toEqual([
    "single_table",
  ]);
});

describe("single_table and multi_table", () => {
  const two: Table[] = [
    plain({ name: "a", values: values("R2C2:R2C3") }),
    plain({ name: "b", values: values("R3C2:R3C3") }),
  ];

  it("count the recipe's tables", () => {
    expect(holds("single_table", [{ grid: GRID }], plain())).toBe(true);
    expect(holds("single_table", [{ grid: GRID }], ...two)).toBe(false);
    expect(holds("multi_table", [{ grid: GRID }], ...two)).toBe(true);
    expect(holds("multi_table", [{ grid: GRID }], plain())).toBe(false);
  });

  it("two tables on two sheets are no second table of a sheet", () => {
    const sheets = [{ grid: GRID }, { name: "T", grid: GRID }];
    const tables = [plain({ name: "a" }), plain({ name: "b", sheet: "T" })];
    expect(holds("multi_table", sheets, ...tables)).toBe(false);
    expect(holds("single_table", sheets, ...tables)).toBe(false);
  });

  const further = (...rows: CellSpec[][]): SheetSpec[] => [{ grid: [...GRID, [null], ...rows] }];

  it.each<[string, boolean, CellSpec[][]]>([
    [
      "a block with headers",
      true,
      [
        ["RSE", "x", "y"],
        ["NSW", 1, 2],
        ["Vic.", 3, 4],
      ],
    ],
    [
      "a block under years",
      true,
      [
        [null, 2020, 2021],
        [null, 7, 8],
        [null, 9, 9],
      ],
    ],
    [
      "a block under dates",
      true,
      [
        [null, { type: "date", value: "2020-01-01" }, null],
        [null, 7, 8],
        [null, 9, 9],
      ],
    ],
    ["a single row", false, [["Total", 4, 6]]],
    [
      "a single column",
      false,
      [
        ["a", 4],
        ["b", 5],
        ["c", 6],
      ],
    ],
    [
      "texts only",
      false,
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
  ])("a further block that no range names: %s is %s", (_, expected, rows) => {
    expect(holds("multi_table", further(...rows), plain())).toBe(expected);
  });

  it("a block that a range names is the table itself, also when `where` leaves it out", () => {
    const sheets = further(["More", "x", "y"], ["NSW", 1, 2], ["Vic.", 3, 4]);
    const whole = plain({
      values: values("R2C2:R7C3", { where: { not: { in_column: 1, equals: "Vic." } } }),
    });
    expect(holds("multi_table", sheets, whole)).toBe(false);
  });

  it("a block on a sheet that the recipe does not read does not count", () => {
    expect(holds("multi_table", [{ grid: GRID }, { name: "T", grid: GRID }], plain())).toBe(false);
  });
});

describe("hierarchical_headers", () => {
  const grid: CellSpec[][] = [
    ["A", null, "Males", "Females"],
    ["NSW", "Sydney", 1, 2],
    ["NSW", "Rest", 3, 4],
  ];
  const base = { values: values("R2C3:R3C4") };
  const sex: Header = { name: "sex", from: ["R1C3:R1C4"], direction: "up" };
  const state: Header = { name: "state", from: ["R2C1:R3C1"], direction: "left" };
  const area: Header = { name: "area", from: ["R2C2:R3C2"], direction: "left" };

  it("two outputs on one axis", () => {
    expect(holds("hierarchical_headers", [{ grid }], { ...base, headers: [state, area, sex] })).toBe(true);
    expect(holds("hierarchical_headers", [{ grid }], { ...base, headers: [area, sex] })).toBe(false);
  });

  it("each piece of a split", () => {
    const split: Header = {
      from: ["R1C3:R1C4"],
      direction: "up",
      split: { by: "a", into: ["one", "two"] },
    };
    expect(holds("hierarchical_headers", [{ grid }], { ...base, headers: [split] })).toBe(true);
  });

  it("not fixed cells, constants, the value itself, or an output that is always missing", () => {
    const none: Header[] = [
      { name: "title", from: ["R1C1"], direction: "fixed" },
      { name: "unit", constant: "persons" },
      { name: "format", direction: "self", take: "number_format" },
      { name: "nothing", from: ["R2C1:R3C1"], where: { equals: "Qld" }, direction: "left" },
    ];
    expect(holds("hierarchical_headers", [{ grid }], { ...base, headers: [area, sex, ...none] })).toBe(false);
  });
});

describe("merged_cells", () => {
  const grid: CellSpec[][] = [
    [null, "Persons", null],
    [null, "Males", "Females"],
    ["NSW", 1, 2],
  ];
  const wide = [merge(1, 2, 1, 3)];
  const table = (more: object): Table => ({
    values: values("R3C2:R3C3"),
    headers: [{ name: "group", from: ["R1C2:R1C3"], direction: "up", ...more }],
  });

  it("a merged heading that is expanded over two values", () => {
    expect(holds("merged_cells", [{ grid, merges: wide }], table({ merged: "expand" }))).toBe(true);
  });

  it("not without expansion, without the merge, or for one value only", () => {
    expect(holds("merged_cells", [{ grid, merges: wide }], table({ fill: "right" }))).toBe(false);
    expect(holds("merged_cells", [{ grid }], table({ merged: "expand" }))).toBe(false);
    const one = { ...table({ merged: "expand" }), values: values("R3C3") };
    expect(holds("merged_cells", [{ grid, merges: wide }], one)).toBe(false);
  });
});

describe("filled_spans", () => {
  const grid: CellSpec[][] = [
    [null, "2020", null],
    ["NSW", 1, 2],
    [null, 3, 4],
  ];
  const table = (header: object): Table => ({
    values: values("R2C2:R3C3"),
    headers: [{ name: "h", ...header } as Header],
  });
  const year = { from: ["R1C2:R1C3"] };
  const state = { from: ["R2C1:R3C1"] };

  it.each<[string, object]>([
    ["fill", { ...year, direction: "up", fill: "right" }],
    ["fill down", { ...state, direction: "left", fill: "down" }],
    ["a displaced direction", { ...year, direction: "up-left" }],
    ["a displaced direction down", { ...state, direction: "left-up" }],
    ["the nearest on either side", { ...year, direction: "up-ish" }],
  ])("%s", (_, header) => {
    expect(holds("filled_spans", [{ grid }], table(header))).toBe(true);
  });

  it("not where every header stands in its value's own column", () => {
    const full = [{ grid: [[null, "2020", "2021"], ...grid.slice(1)] }];
    expect(holds("filled_spans", full, table({ ...year, direction: "up", fill: "right" }))).toBe(false);
    expect(holds("filled_spans", full, table({ ...year, direction: "up-left" }))).toBe(false);
    expect(holds("filled_spans", [{ grid }], table({ ...year, direction: "up" }))).toBe(false);
  });

  it("not what a merged area covers, but what goes beyond it", () => {
    const merged = { ...year, direction: "up", fill: "right", merged: "expand" };
    expect(holds("filled_spans", [{ grid, merges: [merge(1, 2, 1, 3)] }], table(merged))).toBe(false);
    const wider = { ...table({ ...merged, from: ["R1C2:R1C4"] }), values: values("R2C2:R3C4") };
    const four = [{ grid: grid.map((row, r) => [...row, r === 0 ? null : 9]), merges: [merge(1, 2, 1, 3)] }];
    expect(holds("filled_spans", four, wider)).toBe(true);
  });
});

describe("sparse_data", () => {
  const sheets = (rows: CellSpec[][]): SheetSpec[] => [{ grid: [GRID[0] ?? [], ...rows] }];
  const table = (more: object = {}): Table => plain({ values: values("R2C2:R5C4", more) });
  const gap: CellSpec[][] = [
    ["a", 1, 2, 3],
    ["b", 4, null, 5],
  ];

  it("a blank whose row and column hold values, absent or an empty string", () => {
    expect(holds("sparse_data", sheets(gap), table())).toBe(true);
    expect(holds("sparse_data", sheets(gap), table({ blanks: "keep" }))).toBe(true);
    const empty: CellSpec[][] = [
      ["a", 1, 2, 3],
      ["b", 4, "", 5],
    ];
    expect(holds("sparse_data", sheets(empty), table({ where: { type: "number" } }))).toBe(true);
  });

  it("not blank rows and columns that separate", () => {
    const separated: CellSpec[][] = [["a", 1, null, 3], [null], ["b", 4, null, 5]];
    expect(holds("sparse_data", sheets(separated), table())).toBe(false);
    expect(holds("sparse_data", sheets(separated), table({ blanks: "keep" }))).toBe(false);
  });

  it("not symbols, and not what `except` cuts out", () => {
    const symbol: CellSpec[][] = [
      ["a", 1, 2, 3],
      ["b", 4, "np", 5],
    ];
    expect(holds("sparse_data", sheets(symbol), table({ symbols: { texts: ["np"], as: "drop" } }))).toBe(
      false,
    );
    expect(holds("sparse_data", sheets(gap), table({ except: ["R3C3"] }))).toBe(false);
  });
});

describe("stacked_blocks", () => {
  const sheets = (rows: CellSpec[][]): SheetSpec[] => [{ grid: [GRID[0] ?? [], ...rows] }];
  const table = plain({ values: values("R2C2:R6C3", { where: { type: "number" } }) });

  it("blocks of one table with a heading or a blank row between", () => {
    expect(
      holds(
        "stacked_blocks",
        sheets([
          ["a", 1, 2],
          ["VICTORIA", "heading"],
          ["b", 3, 4],
        ]),
        table,
      ),
    ).toBe(true);
    expect(holds("stacked_blocks", sheets([["a", 1, 2], [null], ["b", 3, 4]]), table)).toBe(true);
  });

  it("not rows in one run, runs that share no column, or blocks of two tables", () => {
    const run: CellSpec[][] = [
      ["a", 1, 2],
      ["b", 3, 4],
    ];
    expect(holds("stacked_blocks", sheets(run), table)).toBe(false);
    expect(holds("stacked_blocks", sheets([["a", 1], [null], ["b", null, 4]]), table)).toBe(false);
    const apart = [
      plain({ name: "a", values: values("R2C2:R2C3") }),
      plain({ name: "b", values: values("R4C2:R4C3") }),
    ];
    expect(holds("stacked_blocks", sheets([["a", 1, 2], [null], ["b", 3, 4]]), ...apart)).toBe(false);
  });

  it("kept blanks are no values", () => {
    const keep = plain({ values: values("R2C2:R4C3", { blanks: "keep" }) });
    expect(holds("stacked_blocks", sheets([["a", 1, 2], [null], ["b", 3, 4]]), keep)).toBe(true);
  });
});

describe("time_series", () => {
  it.each([
    "2022",
    "1800",
    "2199",
    "2022-06",
    "2022-06-30",
    "2022-06-30T10:15:00",
    "2022-23",
    "2022–23",
    "2022/23",
    "2022-2023",
    "1999-00",
    "2019-22",
    "June 2022",
    "Jun-2022",
    "Sept. 2022",
    "30 June 2022",
    "June 30, 2022",
    "June quarter 2022",
    "2022 Q1",
    "2022-Q4",
    "Q1 2022",
  ])("%s is a period", (scalar) => expect(isPeriod(scalar)).toBe(true));

  it.each([
    "1799",
    "2200",
    "20222",
    "2022-13",
    "2022-06-32",
    "12022",
    "Q5 2022",
    "Jun",
    "2022(a)",
    "",
    "1.5",
  ])("%j is none", (scalar) => expect(isPeriod(scalar)).toBe(false));

  const years = (first: CellSpec, second: CellSpec): SheetSpec[] => [
    { grid: [["State", first, second], ...GRID.slice(1)] },
  ];

  it("two different periods, and nothing else in the output", () => {
    expect(holds("time_series", years(2020, 2021), plain())).toBe(true);
    expect(holds("time_series", years("2020-21", "2021-22"), plain())).toBe(true);
    expect(holds("time_series", years(2020, 2020), plain())).toBe(false);
    expect(holds("time_series", years(2020, "Change"), plain())).toBe(false);
    expect(holds("time_series", years("Males", "Females"), plain())).toBe(false);
  });

  it("not by constants", () => {
    const at = (name: string): Table =>
      plain({ name, headers: [left, { name: "year", constant: Number(name) }] });
    expect(holds("time_series", [{ grid: GRID }], at("2020"), at("2021"))).toBe(false);
  });
});

describe("transposed_headers", () => {
  const date = (value: string): CellSpec => ({ type: "date", value, format: "d/mm/yyyy" });
  const across = (first: CellSpec, second: CellSpec): SheetSpec[] => [
    { grid: [["State", first, second], ...GRID.slice(1)] },
  ];

  it("dates that run across, not down, not as text, not one date over everything", () => {
    expect(holds("transposed_headers", across(date("2020-01-01"), date("2020-02-01")), plain())).toBe(true);
    expect(holds("transposed_headers", across("2020-01-01", "2020-02-01"), plain())).toBe(false);
    expect(holds("transposed_headers", across(2020, 2021), plain())).toBe(false);
    expect(holds("transposed_headers", across(date("2020-01-01"), "Total"), plain())).toBe(false);
    expect(holds("transposed_headers", across(date("2020-01-01"), date("2020-01-01")), plain())).toBe(false);
    const down: CellSpec[][] = [
      ["Date", "a", "b"],
      [date("2020-01-01"), 1, 2],
      [date("2020-02-01"), 3, 4],
    ];
    expect(holds("transposed_headers", [{ grid: down }], plain())).toBe(false);
  });
});

describe("unit_rows", () => {
  const named = (name: string, more: object = {}): Table =>
    plain({ headers: [left, { ...up, name, ...more } as Header] });

  it("an output `unit` from header cells", () => {
    expect(holds("unit_rows", [{ grid: GRID }], named("unit"))).toBe(true);
    expect(holds("unit_rows", [{ grid: GRID }], named("income_unit"))).toBe(true);
    expect(holds("unit_rows", [{ grid: GRID }], named("unit", { from: ["R1C2"], direction: "fixed" }))).toBe(
      true,
    );
  });

  it("not another name, a constant, or the value's own format", () => {
    expect(holds("unit_rows", [{ grid: GRID }], named("units_sold"))).toBe(false);
    expect(holds("unit_rows", [{ grid: GRID }], named("community"))).toBe(false);
    expect(
      holds("unit_rows", [{ grid: GRID }], plain({ headers: [left, { name: "unit", constant: "%" }] })),
    ).toBe(false);
    expect(
      holds(
        "unit_rows",
        [{ grid: GRID }],
        plain({ headers: [left, { name: "unit", direction: "self", take: "number_format" }] }),
      ),
    ).toBe(false);
  });
});

describe("metadata_sheet", () => {
  const sheets = [{ grid: GRID }, { name: "Index", grid: [["Title"]] }];

  it("a header from another sheet, not one that is only there", () => {
    const title: Header = { name: "title", from: ["Index!R1C1"], direction: "fixed" };
    expect(holds("metadata_sheet", sheets, plain({ headers: [left, title] }))).toBe(true);
    expect(holds("metadata_sheet", sheets, plain())).toBe(false);
  });

  it("not several sheets that each bring their own headers", () => {
    const both = plain({ sheet: ["S", "T"] });
    expect(holds("metadata_sheet", [{ grid: GRID }, { name: "T", grid: GRID }], both)).toBe(false);
  });
});

describe("footnote_contamination", () => {
  const sheets = (...rows: CellSpec[][]): SheetSpec[] => [{ grid: [...GRID, ...rows] }];
  const numbers = (from: string, more: object = {}): Table =>
    plain({ values: values(from, { where: { type: "number" }, ...more }) });

  it("a note directly below the values", () => {
    expect(holds("footnote_contamination", sheets(["(a) Estimated."]), plain())).toBe(true);
    expect(holds("footnote_contamination", sheets([null, null, "(a)"]), plain())).toBe(true);
    expect(holds("footnote_contamination", sheets([null], ["(a) Estimated."]), plain())).toBe(false);
    expect(holds("footnote_contamination", sheets([null, null, null, "aside"]), plain())).toBe(false);
  });

  it("a row of labels and numbers that the recipe leaves out is no note", () => {
    expect(holds("footnote_contamination", sheets(["Total", 4, 6]), plain())).toBe(false);
  });

  it("a note inside the values, also one that `except` cuts out", () => {
    const inside: CellSpec[][] = [
      ["Note", "see page 2"],
      ["Qld", 5, 6],
    ];
    expect(holds("footnote_contamination", sheets(...inside), numbers("R2C2:R5C3"))).toBe(true);
    expect(
      holds("footnote_contamination", sheets(...inside), numbers("R2C2:R5C3", { except: ["R4C2:R4C3"] })),
    ).toBe(true);
    expect(holds("footnote_contamination", sheets([null], ["Qld", 5, 6]), numbers("R2C2:R5C3"))).toBe(false);
  });

  it("not a selected text, a listed symbol, or a heading that is used", () => {
    const texts = sheets(["Qld", "np", 6]);
    expect(holds("footnote_contamination", texts, plain({ values: values("R2C2:R4C3") }))).toBe(false);
    const symbols: Partial<Table["values"]> = { symbols: { texts: ["np"], as: "drop" } };
    expect(holds("footnote_contamination", texts, plain({ values: values("R2C2:R4C3", symbols) }))).toBe(
      false,
    );
    expect(holds("footnote_contamination", texts, numbers("R2C2:R4C3"))).toBe(true);
    const block = sheets(["Persons", "PERSONS", "PERSONS"], ["Qld", 5, 6]);
    const heading: Header = {
      name: "population",
      from: ["R2C2:R5C3"],
      where: { glob: "PERSONS" },
      direction: "up",
    };
    const used: Table = { ...numbers("R2C2:R5C3"), headers: [left, heading] };
    expect(holds("footnote_contamination", block, used)).toBe(false);
    expect(holds("footnote_contamination", block, numbers("R2C2:R5C3"))).toBe(true);
  });
});
