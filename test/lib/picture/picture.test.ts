import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { defaultRegion, foldTracks, layoutPicture } from "../../../src/lib/picture/layout.ts";
import { NO_ROLES, outputLetters, rolesOf } from "../../../src/lib/picture/roles.ts";
import { renderSvg } from "../../../src/lib/picture/svg.ts";
import { renderTerminal } from "../../../src/lib/picture/terminal.ts";
import { cutText, padText, safeText, textWidth } from "../../../src/lib/picture/text.ts";
import type { Cell, Sheet } from "../../../src/lib/sheet/model.ts";
import type { Execution } from "../../../src/lib/sheet/output.ts";

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

function sheetOf(name: string, cells: readonly Cell[]): Sheet {
  const rows = new Map<number, Cell[]>();
  for (const each of cells) rows.set(each.row, [...(rows.get(each.row) ?? []), each]);
  const rowNumbers = [...rows.keys()].sort((a, b) => a - b);
  const columns = cells.map(({ column }) => column);
  return {
    name,
    state: "visible",
    rows,
    rowNumbers,
    merges: [],
    hiddenRows: new Set(),
    hiddenColumns: [],
    used:
      cells.length === 0
        ? null
        : {
            top: rowNumbers[0] ?? 1,
            bottom: rowNumbers.at(-1) ?? 1,
            left: Math.min(...columns),
            right: Math.max(...columns),
          },
  };
}

const sheet = sheetOf("A!b", [
  cell(1, 1, "Title"),
  cell(2, 2, 2021),
  cell(2, 3, 2022),
  cell(3, 1, "North"),
  cell(3, 2, 10),
  cell(3, 3, 11),
  cell(5, 1, "Note\nover two lines"),
]);

const assignment = (
  name: string,
  direction: string,
  source: string | null,
  state: "ok" | "missing" = "ok",
) => ({
  name,
  direction,
  source,
  scalar: source,
  state,
});

const execution: Execution = {
  table: {
    columns: ["region", "year", "flag", "value"],
    rows: [
      ["North", "2021", "", "10"],
      ["North", "2022", "", "11"],
    ],
  },
  valueTrace: ["A!b!R3C2", "A!b!R3C3"],
  headerTrace: [
    [
      assignment("region", "left", "A!b!R3C1"),
      assignment("year", "up", "A!b!R2C2"),
      assignment("flag", "self", "A!b!R3C2"),
    ],
    [
      assignment("region", "left", "A!b!R3C1"),
      assignment("year", "up", null, "missing"),
      assignment("flag", "self", "A!b!R3C3"),
    ],
  ],
};

describe("rolesOf", () => {
  it("turns the traces around, for one sheet whose name may hold a !", () => {
    const roles = rolesOf(execution, "A!b");
    expect([...roles.values]).toEqual([
      ["R3C2", false],
      ["R3C3", true],
    ]);
    expect([...roles.headers]).toEqual([
      ["R3C1", [0]],
      ["R2C2", [1]],
    ]);
    expect(roles.outputs.map(({ letters, name }) => letters + name)).toEqual(["aregion", "byear"]);
    expect(rolesOf(execution, "b").values.size).toBe(0);
  });

  it("never runs out of letters", () => {
    expect([0, 25, 26, 27, 701, 702].map(outputLetters)).toEqual(["a", "z", "aa", "ab", "zz", "aaa"]);
    fc.assert(
      fc.property(
        fc.nat(5000),
        fc.nat(5000),
        (a, b) => (outputLetters(a) === outputLetters(b)) === (a === b),
      ),
    );
  });
});

describe("layoutPicture", () => {
  it("draws what the roles need by default, or the used range", () => {
    expect(defaultRegion(sheet, rolesOf(execution, "A!b"))).toEqual({ top: 2, left: 1, bottom: 3, right: 3 });
    expect(defaultRegion(sheet, NO_ROLES)).toEqual({ top: 1, left: 1, bottom: 5, right: 3 });
    expect(defaultRegion(sheetOf("x", []), NO_ROLES)).toEqual({ top: 1, left: 1, bottom: 1, right: 1 });
  });

  it("counts values, headers and what is left", () => {
    const picture = layoutPicture(sheet, { top: 1, left: 1, bottom: 6, right: 3 }, rolesOf(execution, "A!b"));
    expect(picture.counts).toEqual({ values: 2, headers: 2, unused: 3 });
    expect(picture.cells.get("R5C1")?.text).toBe("Note over two lines");
  });

  it("shows every line of a region exactly once: drawn, folded or cut", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.constantFrom("a", "b"), { maxLength: 400 }),
        (first, size, limit, kinds) => {
          const marks = new Map(kinds.map((kind, index) => [first + index, kind]));
          const last = first + size - 1;
          const inside = new Map([...marks].filter(([index]) => index <= last));
          const { tracks, cut } = foldTracks(first, last, inside, limit);
          expect(tracks.length).toBeLessThanOrEqual(limit);
          const shown = tracks.flatMap((track) =>
            track.kind === "line"
              ? [track.index]
              : Array.from({ length: track.last - track.first + 1 }, (_, offset) => track.first + offset),
          );
          expect(shown).toEqual(Array.from({ length: size - cut }, (_, offset) => first + offset));
        },
      ),
    );
  });

  it("costs what the sheet holds: a region of all cells there are is quick and small", () => {
    const started = performance.now();
    const all = { top: 1, left: 1, bottom: 1_048_576, right: 16_384 };
    const picture = layoutPicture(sheet, all, rolesOf(execution, "A!b"));
    expect(renderTerminal(picture).length).toBeLessThan(20_000);
    expect(renderSvg(picture).length).toBeLessThan(500_000);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("renderTerminal", () => {
  const picture = layoutPicture(sheet, { top: 1, left: 1, bottom: 5, right: 3 }, rolesOf(execution, "A!b"));

  it("marks by letters and brackets without colour", () => {
    expect(renderTerminal(picture)).toBe(
      [
        "A!b!R1C1:R5C3",
        "   C1                   C2     C3",
        "R1 ·Title",
        "R2                      b:2021 ·2022",
        "R3 a:North              [10]   [11]!",
        "R4",
        "R5 ·Note over two lines",
        "",
        "[ ] value (2)",
        'a: header "region" (left)',
        'b: header "year" (up)',
        "· not used (3)",
        "! a header is missing or ambiguous (1 value)",
        "",
      ].join("\n"),
    );
  });

  it("only adds paint with colour", () => {
    const painted = renderTerminal(picture, { colour: true });
    expect(painted).toContain("\u001b[30;42m[10]");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape codes are what is taken away
    const bare = painted.replace(/\u001b\[[0-9;]*m/g, "").replace(/ +$/gm, "");
    expect(bare).toBe(renderTerminal(picture));
  });

  it("folds rows alike and keeps within the width", () => {
    const long = sheetOf(
      "L",
      Array.from({ length: 500 }, (_, index) =>
        Array.from({ length: 20 }, (__, column) => cell(index + 1, column + 1, `text ${index}`)),
      ).flat(),
    );
    const text = renderTerminal(layoutPicture(long, { top: 1, left: 1, bottom: 500, right: 20 }, NO_ROLES), {
      width: 80,
    });
    expect(text).toContain("496 rows alike (R4 to R499)");
    expect(text).toContain("more columns to the right");
    for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });

  it("cannot be steered by a cell", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
        const hostile = sheetOf(`s${value}`, [cell(1, 1, value), cell(1, 2, "\u001b[2J\u202eevil\r\n")]);
        const text = renderTerminal(
          layoutPicture(hostile, { top: 1, left: 1, bottom: 1, right: 2 }, NO_ROLES),
        );
        expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(text.split("\n")).toHaveLength(6);
      }),
    );
  });
});

describe("renderSvg", () => {
  it("is well-formed whatever the cells say, with no script and no address outside", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.string({ maxLength: 30 }),
        (value, name) => {
          const hostile = sheetOf(name, [
            cell(1, 1, value),
            cell(1, 2, '"><script>alert(1)</script>&\u0000\ud800'),
          ]);
          const svg = renderSvg(layoutPicture(hostile, { top: 1, left: 1, bottom: 2, right: 2 }, NO_ROLES));
          const names = new Set<string>();
          const parser = new SaxesParser();
          parser.on("error", (error) => {
            throw error;
          });
          parser.on("opentag", (tag) => {
            names.add(tag.name);
            for (const attribute of Object.keys(tag.attributes))
              expect(attribute).not.toMatch(/href|^on|src/i);
          });
          parser.write(svg).close();
          expect(
            [...names].every((tag) => ["svg", "title", "style", "rect", "text", "g", "path"].includes(tag)),
          ).toBe(true);
          expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
            /https?:|url\(|@import/i.test(value) ? /$^/ : /https?:|url\(|@import/i,
          );
        },
      ),
    );
  });

  it("tells roles apart by frame, weight and letter, and serves dark readers", () => {
    const svg = renderSvg(
      layoutPicture(sheet, { top: 1, left: 1, bottom: 5, right: 3 }, rolesOf(execution, "A!b")),
    );
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).toContain(">a: North</text>");
    expect(svg).toContain("value, solid frame, bold (2)");
    expect(svg).toContain("a: header &quot;region&quot; (left), dashed frame");
    expect(svg).toContain("R3C3, value: 11");
    expect(svg).toMatch(/\.header\{[^}]*stroke-dasharray/);
  });
});

describe("text", () => {
  it("never exceeds the width it is cut or padded to", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          const cut = cutText(safeText(text), width);
          expect(textWidth(cut)).toBeLessThanOrEqual(width);
          expect(textWidth(padText(cut, width))).toBe(width);
        },
      ),
    );
    expect(cutText("統計局の表", 5)).toBe("統計…");
    expect(cutText("exact", 5)).toBe("exact");
    expect(safeText("a\u061cb\u200ec\u200fd\u202ee\u001bf")).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf");
  });
});
