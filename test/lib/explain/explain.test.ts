import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareExecutions } from "../../../src/lib/benchmarks/compare.ts";
import { compositeOf } from "../../../src/lib/benchmarks/composite.ts";
import { compareRows } from "../../../src/lib/explain/differences.ts";
import { explainMember, explainResult, type MemberInput } from "../../../src/lib/explain/explanation.ts";
import { renderHtml } from "../../../src/lib/explain/html.ts";
import { renderMember, renderOverview } from "../../../src/lib/explain/terminal.ts";
import type { Execution, HeaderAssignment } from "../../../src/lib/sheet/output.ts";
import { partialMember, resultDocument, suiteMember, suiteOf } from "../benchmarks/documents.ts";

const header = (name: string, scalar: string, changes: Partial<HeaderAssignment> = {}): HeaderAssignment => ({
  name,
  direction: "up",
  source: `S!R1C${scalar.length}`,
  scalar,
  state: "ok",
  ...changes,
});
interface Value {
  readonly address: string;
  readonly year: string;
  readonly value: string;
  readonly direction?: string;
}
const executionOf = (values: readonly Value[], yearName = "year"): Execution => ({
  table: { columns: [yearName, "value"], rows: values.map(({ year, value }) => [year, value]) },
  valueTrace: values.map(({ address }) => address),
  headerTrace: values.map(({ year, direction = "up" }) => [header(yearName, year, { direction })]),
});
const value = (row: number, changes: Partial<Value> = {}): Value => ({
  address: `S!R${row}C2`,
  year: String(2000 + row),
  value: String(row * 10),
  ...changes,
});
const base = [1, 2, 3, 4, 5].map((row) => value(row));

describe("what differs", () => {
  it("is told by value cell: one missing value does not make everything after it look wrong", () => {
    const { counts, rows } = compareRows(executionOf(base), executionOf(base.slice(1)), 10);
    expect(counts).toEqual({ same: 0, missing: 1, extra: 0, cells: 0, headers: 0, moved: 4 });
    expect(rows[0]).toMatchObject({
      kind: "missing",
      reference: { row: 1, address: "S!R1C2" },
      produced: null,
    });
    expect(rows[1]).toMatchObject({ kind: "moved", reference: { row: 2 }, produced: { row: 1 } });
  });

  it("names cells, headers and the respects in which they differ", () => {
    const produced = [
      value(1, { value: "11" }),
      value(2, { direction: "up-left" }),
      value(3),
      value(4),
      value(9),
    ];
    const { counts, headers, rows } = compareRows(executionOf(base), executionOf(produced), 10);
    expect(counts).toEqual({ same: 2, missing: 1, extra: 1, cells: 1, headers: 1, moved: 0 });
    expect(headers).toEqual([{ name: "year", values: 1, respects: { direction: 1 } }]);
    expect(rows.map(({ kind }) => kind)).toEqual(["cells", "headers", "missing", "extra"]);
    expect(rows[0]?.reference?.cells).toEqual(["2001", "10"]);
    expect(rows[0]?.produced?.cells).toEqual(["2001", "11"]);
  });

  it("shows a column under another name as one that is missing and one that is extra", () => {
    const { columns, headers } = compareRows(executionOf(base), executionOf(base, "jahr"), 3);
    expect(columns.map(({ name, reference, produced }) => [name, reference, produced])).toEqual([
      ["year", 0, null],
      ["value", 1, 1],
      ["jahr", null, 0],
    ]);
    expect(headers).toEqual([
      { name: "year", values: 5, respects: { missing: 5 } },
      { name: "jahr", values: 5, respects: { extra: 5 } },
    ]);
  });

  it("counts every value once, keeps to its limit, and shows each kind that there is", () => {
    const any = fc.record({
      row: fc.integer({ min: 1, max: 6 }),
      value: fc.constantFrom("1", "2"),
      direction: fc.constantFrom("up", "left"),
    });
    const side = fc.array(
      any.map(({ row, ...rest }) => value(row, rest)),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(side, side, fc.integer({ min: 5, max: 12 }), (left, right, limit) => {
        const [reference, produced] = [executionOf(left), executionOf(right)];
        const { counts, rows } = compareRows(reference, produced, limit);
        const taken = counts.same + counts.cells + counts.headers + counts.moved;
        expect(taken + counts.missing).toBe(left.length);
        expect(taken + counts.extra).toBe(right.length);
        expect(rows.length).toBeLessThanOrEqual(limit);
        const all = counts.missing + counts.extra + counts.cells + counts.headers + counts.moved;
        expect(rows.length).toBe(Math.min(limit, all));
        for (const kind of ["missing", "extra", "cells", "headers", "moved"] as const)
          if (counts[kind] > 0) expect(rows.some((row) => row.kind === kind)).toBe(true);
        // The metric's own count: values whose headers are all the same.
        const { metrics } = compareExecutions(reference, produced);
        const equal = metrics.header_accuracy.matched;
        expect(equal).toBeGreaterThanOrEqual(counts.same + counts.moved);
      }),
    );
  });
});

const CANARY = "canary-<b>91f3</b>";
const member = suiteMember("m-1", { title: "Title & <i>", task: "Task" });
const inputOf = (changes: Partial<MemberInput> = {}): MemberInput => {
  const reference = executionOf(base.map((entry) => ({ ...entry, value: CANARY })));
  const produced = executionOf([...base.slice(0, 4), value(9)]);
  const score = compareExecutions(reference, produced);
  return {
    claimed: partialMember("m-1", {
      mismatches: [
        { kind: "cell", address: "S!R1C2", row: null, column: null, expected: null, actual: null },
      ],
    }),
    member,
    reference,
    produced,
    reason: null,
    score: { status: score.status, metrics: score.metrics },
    findings: [],
    textOf: (address) => `shown at ${address}`,
    pictures: [
      { title: "Picture", svg: `<svg xmlns="http://www.w3.org/2000/svg"><text>${"x"}</text></svg>` },
    ],
    ...changes,
  };
};
const suite = suiteOf([member]);
const page = (changes: Partial<MemberInput> = {}, openBank = false): string => {
  const explained = explainMember(inputOf(changes), 1, { rows: 10, openBank });
  return renderHtml(explainResult(resultDocument([partialMember("m-1")], suite), [explained]));
};
const bank = suiteMember("m-1", { source_kind: "bank_asset" });

describe("an explanation", () => {
  it("says what each metric cost the composite, and together that is what is missing from one", () => {
    const explained = explainMember(inputOf(), 1, { rows: 10 });
    const metrics = inputOf().score?.metrics ?? expect.fail();
    expect(explained.lost).toBeCloseTo(1 - compositeOf([{ metrics }]), 6);
    expect(explained.metrics.reduce((sum, { lost }) => sum + lost, 0)).toBeCloseTo(explained.lost, 5);
    expect(explained.metrics.find(({ id }) => id === "value_address_f1")?.fraction).toBe("8 of 10");
  });

  it("shows tables beside each other, with what the sheet shows", () => {
    const text = renderMember(explainMember(inputOf(), 1, { rows: 10 }), { colour: false, width: 200 });
    expect(text).toContain("reference 5 × 2, produced 5 × 2");
    expect(text).toContain("S!R1C2 shown at S!R1C2");
    expect(text).toMatch(/^ {2}produced +1 +cells +2001 +\*10$/m);
    expect(text).toMatch(/^ {2}reference +5 +S!R5C2/m);
    expect(text).not.toContain("\u001b");
  });

  it("fits a narrow terminal, and says what it left out", () => {
    const explained = explainMember(inputOf(), 1, { rows: 10 });
    const overview = renderOverview(
      explainResult(resultDocument([partialMember("m-1")], suite), [explained]),
      {
        colour: false,
        width: 50,
      },
    );
    for (const line of overview.split("\n").filter((text) => text.startsWith("  m-1")))
      expect(line.length).toBeLessThanOrEqual(50);
    expect(overview).toContain("more columns");
  });

  it("of a private member holds addresses and rounded metrics only", () => {
    const explained = explainMember(inputOf({ member: bank }), 1, { rows: 10 });
    expect(explained).toMatchObject({ private: true, differences: null, sizes: null, pictures: [] });
    expect(explained.metrics.every(({ fraction }) => !fraction.includes(" of "))).toBe(true);
    const shown = page({ member: bank }) + renderMember(explained, { colour: false, width: 200 });
    expect(shown).not.toContain("canary");
    expect(shown).not.toContain("shown at");
    expect(shown).not.toContain("data:image");
    expect(shown).toContain("S!R1C2");
    expect(page({ member: bank }, true)).toContain("canary");
  });
});

describe("the page", () => {
  it("needs nothing else, and would be refused it", () => {
    const html = page();
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<iframe|\son[a-z]+=|@import|url\(/i);
    // The only address in it is the name space of SVG, inside pictures.
    expect(html.replaceAll(/data:image\/svg\+xml,[^"]*/g, "")).not.toMatch(/https?:/);
    expect(html).toContain("prefers-color-scheme:dark");
  });

  it("lets no text become markup", () => {
    const html = page();
    expect(html).toContain("canary-&lt;b&gt;91f3&lt;/b&gt;");
    expect(html).not.toContain("<b>");
    expect(html).toContain("Title &amp; &lt;i&gt;");
  });

  it("has a heading for each member, captions, scopes, and regions that the keyboard reaches", () => {
    const html = page();
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<table>/g)?.length).toBe(html.match(/<caption>/g)?.length);
    expect(html.match(/<div class="scroll" role="region" aria-label="[^"]+" tabindex="0">/g)?.length).toBe(
      html.match(/<table>/g)?.length,
    );
    expect(html).toContain('<th scope="col">Metric</th>');
    expect(html).toContain('href="#members"');
    expect(html).toMatch(/<img alt="[^"]+"/);
  });
});
