import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePrompt } from "../../../src/lib/baseline/listing-parser.ts";
import { DIGEST_LEVELS, type DigestLevel } from "../../../src/lib/run/digest-levels.ts";
import { isListed, listSheet } from "../../../src/lib/run/listing.ts";
import { layOutPrompt } from "../../../src/lib/run/member-prompt.ts";
import { AUTO_LISTING_CHARACTERS, MAX_DIGEST_CHARACTERS } from "../../../src/lib/run/prompt.ts";
import { digestSheet, digestWorkbook } from "../../../src/lib/run/sheet-digest.ts";
import type { Sheet } from "../../../src/lib/sheet/model.ts";
import { sheetOf, workbookOf } from "./sheets.ts";

const level = (number: number): DigestLevel => DIGEST_LEVELS[number] as DigestLevel;
const digest = (sheet: Sheet, number = 0): string => digestSheet(sheet, level(number), 1e9) ?? "";
const cellsOf = (sheet: Sheet): number =>
  [...sheet.rows.values()].reduce((sum, cells) => sum + cells.filter(isListed).length, 0);

/** The account at a digest's end. */
function account(text: string): { total: number; listed: number; summed: number; omitted: number } {
  const found = /\ncells: (\d+) = (\d+) listed, (\d+) summed up, (\d+) not shown\n$/.exec(text);
  const [total, listed, summed, omitted] = (found ?? []).slice(1).map(Number);
  return { total, listed, summed, omitted } as ReturnType<typeof account>;
}

const STATES = ["NSW", "Vic.", "Qld"];
/** A table of 40 rows under a title, with symbols, a comment, a bold total and a footnote. */
const table = sheetOf(
  "Table 1",
  [
    [{ value: "Dwellings, by state", bold: true }],
    [null, null, "Males", "Males", "Females"],
    ["State", "Year", "000", "000", "000"],
    ...Array.from({ length: 40 }, (_, at) => [
      STATES[Math.floor(at / 14)] ?? "",
      2000 + (at % 14),
      { value: at + 0.5, format: "0.0" },
      at === 9 ? "n.p." : at === 20 ? null : { value: at * 10, format: "0.0" },
      { value: -at, format: "0.0", ...(at === 30 ? { comment: "revised" } : {}) },
    ]),
    [
      { value: "Total", bold: true },
      null,
      { value: 1, bold: true },
      { value: 2, bold: true },
      { value: 3, bold: true },
    ],
    ["(a) See notes."],
  ],
  { merges: [{ top: 2, left: 3, bottom: 2, right: 4 }], hiddenRows: new Set([7]) },
);

describe("digestSheet", () => {
  it("lists what does not repeat, sums up rows alike, and accounts for every cell", () => {
    expect(digest(table).split("\n")).toEqual([
      'Sheet "Table 1": used R1C1:R45C5; digest, level 0',
      "merged: R2C3:R2C4",
      "hidden rows: 7",
      'formats: f1="0.0"',
      'R1 C1="Dwellings, by state" b',
      'R2 C3-4="Males"; C5="Females"',
      'R3 C1="State"; C2="Year"; C3-5="000"',
      "R4-43 numbers: C3-5 f1 118 from -39 to 390 and 1 other and 1 blank",
      `R4-43 C2: 40 cells, 14 distinct: ${Array.from({ length: 14 }, (_, at) => `${2000 + at} @R${4 + at} R${18 + at}${at < 12 ? ` R${32 + at}` : ""}`).join("; ")}`,
      'R4 C1="NSW"; C2=2000; C3=0.5 f1; C4-5=0 f1',
      'R5-12 C1="NSW"',
      'R13 C1="NSW"; C4="n.p."',
      'R14-17 C1="NSW"',
      'R18-31 C1="Vic."',
      'R32-33 C1="Qld"',
      'R34 C1="Qld"; C5=-30 f1 comment="revised"',
      'R35-42 C1="Qld"',
      'R43 C1="Qld"; C2=2011; C3=39.5 f1; C4=390 f1; C5=-39 f1',
      'R44 C1="Total" b; C3=1 b; C4=2 b; C5=3 b',
      'R45 C1="(a) See notes."',
      `cells: ${cellsOf(table)} = 64 listed, 149 summed up, 0 not shown`,
      "",
    ]);
  });

  it("sums up labels by column when there is less room", () => {
    expect(digest(table, 1)).toContain(
      'R4-43 C1: 40 cells, 3 distinct: "NSW" @R4-17; "Vic." @R18-31; "Qld" @R32-43\nR4-43 C4: 1 cells, 1 distinct: "n.p." @R13\n',
    );
    expect(digest(table, 1)).toContain('\nR34 C5=-30 f1 comment="revised"\n');
  });

  it("says steps of whole numbers, places that are too many, and texts that are too long", () => {
    const rows = Array.from({ length: 200 }, (_, at) => [
      at + 1,
      at % 3 === 0 ? "a" : at % 3 === 1 ? "b" : `c${at}`,
      "x".repeat(500),
      at / 3,
    ]);
    const text = digest(sheetOf("S", rows), 2);
    expect(text).toContain("R1-200 C1: 200 cells, 1 to 200 in steps of 1\n");
    expect(text).toContain(
      'R1-200 C2: 200 cells, 68 distinct: "a" @R1 R4 R7 R10 +63; "b" @R2 R5 R8 R11 +63; "c2" @R3; ',
    );
    expect(text).toContain("; 52 distinct in 52 cells not shown\n");
    expect(text).toContain(`"${"x".repeat(160)}… [of 500 characters]" @R1-200\n`);
    expect(account(text).omitted).toBe(52);
  });

  it("keeps a row of years above values, and sums up no number that stands alone", () => {
    const rows = [
      [null, 2001, 2002, 2003],
      ...Array.from({ length: 10 }, (_, at) => [`r${at}`, at + 0.1, at + 0.2, at + 0.3]),
      [null, 2004, 2005, 2006],
      ...Array.from({ length: 10 }, (_, at) => [`r${at}`, at + 0.4, at + 0.5, at + 0.6]),
    ];
    const text = digest(sheetOf("S", rows));
    expect(text).toContain("\nR1 C2=2001; C3=2002; C4=2003\n");
    expect(text).toContain("\nR12 C2=2004; C3=2005; C4=2006\n");
  });

  const anyCell = fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 6, arbitrary: fc.integer({ min: -5, max: 5 }) },
    fc.constantFrom("n.p.", "Total", '"; C9=1', "a @R3; 2 distinct in 9 cells not shown", "2022-23"),
    fc.constantFrom(
      { value: 1.5, format: "0.0" },
      { value: 2, bold: true },
      { value: 3, comment: 'a "note"; C1=2' },
      { value: null, type: "blank" as const, comment: "hidden" },
      { value: "2024-06-30", type: "date" as const },
    ),
  );
  const anySheet = fc
    .tuple(
      fc.array(fc.array(anyCell, { maxLength: 6 }), { minLength: 1, maxLength: 10 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
    )
    // Rows come again, so that bands appear.
    .map(([rows, order]) => sheetOf("S", [...rows, ...order.map((at) => rows[at % rows.length] ?? [])]));

  it("accounts for every cell at every level", () => {
    fc.assert(
      fc.property(anySheet, fc.nat(DIGEST_LEVELS.length - 1), (sheet, number) => {
        const { total, listed, summed, omitted } = account(digest(sheet, number));
        expect(total).toBe(cellsOf(sheet));
        expect(listed + summed + omitted).toBe(total);
        if (number === 0) expect(omitted).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it("tells at its finest level every label, and of every number its place", () => {
    fc.assert(
      fc.property(anySheet, (sheet) => {
        const [digested] = parsePrompt(`Task: t\n\n${digest(sheet)}`).sheets;
        const [listed] = parsePrompt(`Task: t\n\n${listSheet(sheet, 1e9)}`).sheets;
        for (const [row, cells] of listed?.rows ?? [])
          for (const [column, cell] of cells) {
            const read = digested?.rows.get(row)?.get(column);
            if (cell.kind === "number") expect(read?.kind).toBe("number");
            else expect(read).toEqual(cell);
          }
      }),
      { numRuns: 400 },
    );
  });

  it("gives the same text again", () => {
    fc.assert(
      fc.property(anySheet, fc.nat(4), (sheet, number) => {
        expect(digest(sheet, number)).toBe(digest(sheet, number));
      }),
      { numRuns: 50 },
    );
  });
});

/** No two rows or cells alike: the worst that a digest can meet. */
const unruly = (rows: number, columns: number): Sheet =>
  sheetOf(
    "S",
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) =>
        (row * 7 + column * 3) % 5 === 0
          ? `label ${row}/${column} ${"x".repeat(30)}`
          : {
              value: row * columns + column,
              format: `f${(row * 31 + column * 17) % 40}`,
              bold: row % 2 === 0,
            },
      ),
    ),
    { merges: Array.from({ length: 3000 }, (_, at) => ({ top: at + 1, left: 1, bottom: at + 1, right: 2 })) },
  );

describe("digestWorkbook", () => {
  it("is bounded whatever a sheet holds, and says what it leaves out", () => {
    const sheet = unruly(3000, 60);
    const laid = digestWorkbook(workbookOf(sheet), "Sheet 'S'.", MAX_DIGEST_CHARACTERS);
    if (!laid.ok) throw new Error("refused");
    expect(laid.text.length).toBeLessThanOrEqual(MAX_DIGEST_CHARACTERS);
    expect(laid.level).toBeGreaterThan(1);
    expect(account(laid.text)).toMatchObject({ total: 180_000 });
    expect(account(laid.text).omitted).toBeGreaterThan(100_000);
    expect(laid.text).toMatch(/\nmerged: .* and \d+ more not shown\n/);
    expect(laid.text).toMatch(/\nR\d+-\d+ not shown: \d+ cells\n/);
  });

  it("takes the finest level that fits, for all sheets the same", () => {
    const book = workbookOf(table, { ...unruly(40, 10), name: "Data" });
    const fine = digestWorkbook(book, "All.", 1e9);
    if (!fine.ok) throw new Error("refused");
    expect(fine.level).toBe(0);
    const tight = digestWorkbook(book, "All.", fine.text.length - 1);
    if (!tight.ok) throw new Error("refused");
    expect(tight.level).toBeGreaterThan(0);
    expect([...tight.text.matchAll(/; digest, level (\d)/g)].map(([, each]) => Number(each))).toEqual([
      tight.level,
      tight.level,
    ]);
    expect(digestWorkbook(book, "All.", fine.text.length)).toEqual(fine);
  });

  it("refuses what does not fit at all instead of cutting it", () => {
    expect(digestWorkbook(workbookOf(table), "All.", 200)).toEqual({ ok: false, maxCharacters: 200 });
  });
});

describe("layOutPrompt", () => {
  const small = workbookOf(sheetOf("S", [["a", 1]]));
  const long = workbookOf(
    sheetOf(
      "S",
      Array.from({ length: 9000 }, (_, at) => ["a label", at + 0.5, at + 0.25]),
    ),
  );

  it("auto-1 lists while the listing fits, and digests beyond", () => {
    expect((listSheet(long.sheets[0] as Sheet, 1e9) ?? "").length).toBeGreaterThan(AUTO_LISTING_CHARACTERS);
    expect(layOutPrompt(small, "All.", "auto-1")).toEqual(layOutPrompt(small, "All.", "listing-1"));
    expect(layOutPrompt(long, "All.", "auto-1")).toEqual(layOutPrompt(long, "All.", "digest-1"));
    expect(layOutPrompt(long, "All.", "auto-1")).toMatchObject({ prompt: { form: "digest-1" } });
  });

  it("never cuts: what does not fit is refused in words", () => {
    const many = workbookOf(
      ...Array.from({ length: 3000 }, (_, at) => sheetOf(`Sheet number ${at}`, [["a"]])),
    );
    expect(layOutPrompt(many, "All.", "digest-1")).toEqual({
      ok: false,
      message:
        "Even the coarsest digest needs more than 120000 characters: too many sheets are asked at once.",
    });
    const wide = workbookOf(sheetOf("S", [["x".repeat(400_000)]]));
    expect(layOutPrompt(wide, "All.", "listing-1")).toMatchObject({ ok: false });
  });
});
