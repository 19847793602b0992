import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePrompt } from "../../../src/lib/baseline/listing-parser.ts";
import { askedSheets, listSheet, listWorkbook } from "../../../src/lib/run/listing.ts";
import { sheetOf, workbookOf } from "./sheets.ts";

describe("listSheet", () => {
  it("shows every cell with a value, its marks, and what surrounds the cells", () => {
    const sheet = sheetOf(
      "Table 1",
      [
        [{ value: 'Births, "live"\nby state', bold: true }],
        [],
        [null, { value: 2021 }, { value: "2024-06-30", type: "date", format: "dd/mm/yyyy" }],
        [
          { value: "Sydney(a)", indent: 2, runs: [run("Sydney", false), run("(a)", true)] },
          { value: 12.5, format: "0.0", fill: "FFEE00" },
          { value: "#N/A", type: "error" },
          { value: true, italic: true },
        ],
        [
          { value: null, type: "blank", comment: "not published" },
          { value: null, type: "blank" },
        ],
      ],
      {
        merges: [{ top: 1, left: 1, bottom: 1, right: 4 }],
        hiddenRows: new Set([7, 8, 9, 12]),
        hiddenColumns: [{ first: 5, last: 6 }],
      },
    );
    expect(listSheet(sheet, 10_000)).toBe(
      [
        'Sheet "Table 1": used R1C1:R4C4',
        "merged: R1C1:R1C4",
        "hidden rows: 7-9 12",
        "hidden columns: 5-6",
        'formats: f1="dd/mm/yyyy" f2="0.0"',
        'R1 C1="Births, \\"live\\"\\nby state" b',
        "R3 C2=2021; C3=date(2024-06-30) f1",
        'R4 C1="Sydney(a)" indent=2 marks="(a)"; C2=12.5 fill=FFEE00 f2; C3=error("#N/A"); C4=true i',
        'R5 C1=blank comment="not published"',
        "",
      ].join("\n"),
    );
  });

  it("is refused as a whole when it does not fit", () => {
    const sheet = sheetOf("S", [["a", 1]]);
    const whole = listSheet(sheet, 1000) ?? "";
    expect(listSheet(sheet, whole.length)).toBe(whole);
    expect(listSheet(sheet, whole.length - 1)).toBeNull();
    expect(listWorkbook(workbookOf(sheet), "all", 5)).toEqual({ ok: false, sheets: ["S"], maxCharacters: 5 });
  });

  it("keeps every text and number readable: the baseline's parser gets back what was listed", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }).filter((text) => !/\p{Surrogate}/u.test(text)),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom('"; C9=1', "a; C2=5", "marks=", "R7 C1=3", "\\", "\u2028x\u202e"),
    );
    fc.assert(
      fc.property(fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const styled = rows.map((row, r) =>
          row.map((each, c) => ({
            value: Object.is(each, -0) ? 0 : each,
            bold: (r + c) % 2 === 0,
            indent: c % 3,
            comment: c === 1 ? 'a "comment"; C3=4' : null,
          })),
        );
        const text = listSheet(sheetOf('S "x"', styled), 1_000_000) ?? "";
        const [sheet] = parsePrompt(`Task: t\n\n${text}`).sheets;
        expect(sheet?.name).toBe('S "x"');
        for (const [r, row] of styled.entries())
          for (const [c, cell] of row.entries()) {
            const read = sheet?.rows.get(r + 1)?.get(c + 1);
            expect(read?.text).toBe(String(cell.value));
            expect(read?.number).toBe(typeof cell.value === "number" ? cell.value : undefined);
            expect(read?.bold).toBe(cell.bold);
          }
        const listed = [...(sheet?.rows.values() ?? [])].reduce((sum, row) => sum + row.size, 0);
        expect(listed).toBe(styled.flat().length);
      }),
    );
  });
});

const run = (text: string, superscript: boolean) => ({ text, superscript, bold: false, italic: false });

describe("askedSheets", () => {
  const book = workbookOf(
    ...["Notes", "Table 1", "Table 1.2", "Table 10", "Data"].map((name) => sheetOf(name, [])),
  );
  const names = (task: string): string[] => askedSheets(task, book).map(({ name }) => name);

  it.each([
    ["Sheet 'Table 1': all. Notes below are not observations.", ["Table 1"]],
    ["Sheets 'Table 10' and \"Data\" hold one table.", ["Table 10", "Data"]],
    ["Everything of Table 1.2, please.", ["Table 1.2"]],
    ["Everything of Table 1. Nothing else.", ["Table 1"]],
    ["Table 1 and Table 10", ["Table 1", "Table 10"]],
    ["Database of Tables", ["Notes", "Table 1", "Table 1.2", "Table 10", "Data"]],
  ])("%s", (task, expected) => {
    expect(names(task)).toEqual(expected);
  });
});
