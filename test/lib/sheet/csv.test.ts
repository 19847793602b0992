import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/lib/digest.ts";
import { canonicalCsv, parseCsv } from "../../../src/lib/sheet/csv.ts";

describe("canonicalCsv", () => {
  it("quotes only where needed, ends every record with LF, and has a known digest", () => {
    const csv = canonicalCsv({
      columns: ["a", "b"],
      rows: [
        ["x,y", 'say "hi"'],
        ["two\nlines", ""],
        [" space ", "é"],
      ],
    });
    expect(csv).toBe('a,b\n"x,y","say ""hi"""\n"two\nlines",\n space ,é\n');
    // By sha256sum of those bytes.
    expect(digestOf(canonicalCsv({ columns: ["a", "value"], rows: [["x", "1"]] }))).toBe(
      "sha256:0071ed3bd00027bc1151ee75dcddf228622975c2b373b9810d37a1af9a45b37e",
    );
  });

  it("tells a row of one empty field from no row", () => {
    expect(canonicalCsv({ columns: ["v"], rows: [] })).toBe("v\n");
    expect(canonicalCsv({ columns: ["v"], rows: [[""], ["1"]] })).toBe('v\n""\n1\n');
  });

  const field = fc.string({
    unit: fc.constantFrom("a", "é", "😀", ",", '"', "\n", "\r", " ", "1", "\t"),
    maxLength: 6,
  });
  const table = fc.integer({ min: 1, max: 4 }).chain((width) => {
    const record = fc.array(field, { minLength: width, maxLength: width });
    return fc.record({ columns: record, rows: fc.array(record, { maxLength: 6 }) });
  });

  it("reads back exactly", () => {
    fc.assert(
      fc.property(table, (given) => {
        const outcome = parseCsv(canonicalCsv(given));
        expect(outcome).toEqual({ ok: true, value: [given.columns, ...given.rows], findings: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it("is minimal: taking any quotes away changes the reading", () => {
    fc.assert(
      fc.property(table, (given) => {
        for (const line of [given.columns, ...given.rows]) {
          for (const text of line) {
            const written = canonicalCsv({ columns: [text, "x"], rows: [] });
            const quoted = written.startsWith('"');
            expect(quoted).toBe(/[",\r\n]/.test(text));
          }
        }
      }),
    );
  });
});

describe("parseCsv", () => {
  it("takes LF and CRLF, with or without the last line end", () => {
    for (const text of ["a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,2"]) {
      expect(parseCsv(text)).toMatchObject({
        ok: true,
        value: [
          ["a", "b"],
          ["1", "2"],
        ],
      });
    }
    expect(parseCsv("")).toMatchObject({ ok: true, value: [] });
  });

  it.each([
    ['a"b\n', "csv-quote", 1],
    ['"a"b\n', "csv-after-quote", 1],
    ['x\n"a\n', "csv-open-quote", 2],
    ['a,b\n"1\n2",3\n4\n', "csv-ragged", 4],
  ])("refuses %j", (text, code, line) => {
    expect(parseCsv(text)).toMatchObject({ ok: false, findings: [{ code, line }] });
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseCsv(text).ok === "boolean"));
  });
});
