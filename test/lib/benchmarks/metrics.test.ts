import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellMatchRate } from "../../../src/lib/benchmarks/cell-match-rate.ts";
import { compareExecutions } from "../../../src/lib/benchmarks/compare.ts";
import { comparisonOf } from "../../../src/lib/benchmarks/comparison.ts";
import { headerAccuracy } from "../../../src/lib/benchmarks/header-accuracy.ts";
import { METRIC_LIST, METRICS, metricsOf, zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import { METRIC_IDS, memberMetricsSchema } from "../../../src/lib/benchmarks/result-schema.ts";
import { valueAddressF1 } from "../../../src/lib/benchmarks/value-address-f1.ts";
import { canonicalCsv } from "../../../src/lib/sheet/csv.ts";
import type { Execution } from "../../../src/lib/sheet/output.ts";
import { anyExecution, execution, header } from "./executions.ts";
import { slowAddressF1, slowCellMatch, slowHeaderAccuracy } from "./slow-twins.ts";

const value = (fraction: { numerator: number; denominator: number }): number =>
  fraction.numerator / fraction.denominator;

const reference = execution(
  ["year", "value"],
  [
    { address: "S!R2C2", cells: ["2022", "1"], headers: [header("year", "2022")] },
    { address: "S!R2C3", cells: ["2023", "2"], headers: [header("year", "2023", { source: "S!R1C3" })] },
  ],
);
const empty = execution(["year", "value"], []);

describe("the methodology's words", () => {
  it("Both an exact passed result and an executed-but-different partial result count", () => {
    const different = execution(["year", "value"], [{ address: "S!R9C9", cells: ["x", "y"] }]);
    expect(compareExecutions(reference, reference).metrics.deterministic_pass_rate).toEqual({
      numerator: 1,
      denominator: 1,
    });
    const partial = compareExecutions(reference, different);
    expect(partial.status).toBe("partial");
    expect(partial.metrics.deterministic_pass_rate).toEqual({ numerator: 1, denominator: 1 });
  });

  it("Failed and skipped members receive zero for every component", () => {
    const failed = compareExecutions(reference, null);
    expect(failed.status).toBe("failed");
    for (const id of METRIC_IDS) expect(failed.metrics[id]).toMatchObject({ numerator: 0, denominator: 1 });
    // Also where the reference is empty and an empty production would have scored 1.
    expect(compareExecutions(empty, null).metrics).toEqual(zeroMetrics());
  });

  it("Exact output match: 1 only when the digests are identical, and 0 otherwise", () => {
    expect(compareExecutions(reference, structuredClone(reference)).status).toBe("passed");
    const swapped = execution(
      ["value", "year"],
      reference.table.rows.map((cells, row) => ({
        address: reference.valueTrace[row]!,
        cells: [...cells].reverse(),
      })),
    );
    expect(compareExecutions(reference, swapped).metrics.exact_output_match.numerator).toBe(0);
    expect(compareExecutions(reference, swapped).metrics.cell_match_rate).toMatchObject({
      matched: 4,
      union: 4,
    });
  });

  it("Columns are aligned by their resolved output names and rows by source order", () => {
    const rows = [
      { address: "S!R2C3", cells: ["2023", "2"] },
      { address: "S!R2C2", cells: ["2022", "1"] },
    ];
    const reordered = execution(["year", "value"], rows);
    expect(cellMatchRate.compute(comparisonOf(reference, reordered))).toMatchObject({ matched: 0, union: 4 });
  });

  it("A cell participates in the union when its row and named column exist in either table", () => {
    const produced = execution(
      ["year", "state", "value"],
      [{ address: "S!R2C2", cells: ["2022", "NSW", "1"] }],
    );
    expect(cellMatchRate.compute(comparisonOf(reference, produced))).toEqual({
      numerator: 2,
      denominator: 5,
      matched: 2,
      union: 5,
    });
  });

  it("Duplicate rows remain distinct because row positions are not deduplicated or fuzzily matched", () => {
    const row = { address: "S!R2C2", cells: ["2022", "1"] };
    const twice = execution(["year", "value"], [row, row]);
    const once = execution(["year", "value"], [row]);
    expect(cellMatchRate.compute(comparisonOf(twice, once))).toMatchObject({ matched: 2, union: 4 });
  });

  it("Duplicate selections do not create extra true positives", () => {
    const row = { address: "S!R2C2", cells: ["2022", "1"] };
    const thrice = execution(["year", "value"], [row, row, row]);
    expect(valueAddressF1.compute(comparisonOf(reference, thrice))).toEqual({
      numerator: 2,
      denominator: 3,
      true_positives: 1,
      false_positives: 0,
      false_negatives: 1,
    });
  });

  it("Two empty traces score 1, two empty tables match fully", () => {
    const metrics = metricsOf(comparisonOf(empty, empty));
    for (const id of METRIC_IDS) expect(value(metrics[id])).toBe(1);
  });

  it("Header declaration order is not significant", () => {
    const headers = [header("year", "2022"), header("state", "NSW", { direction: "left", source: "S!R2C1" })];
    const one = execution(["value"], [{ address: "S!R2C2", cells: ["1"], headers }]);
    const other = execution(
      ["value"],
      [{ address: "S!R2C2", cells: ["1"], headers: [...headers].reverse() }],
    );
    expect(headerAccuracy.compute(comparisonOf(one, other))).toMatchObject({ matched: 1, total: 1 });
  });

  it.each([
    ["output name", { name: "period" }],
    ["direction", { direction: "left" }],
    ["selected header source", { source: "S!R1C9" }],
    ["scalar value", { scalar: "2021" }],
    ["missing/ambiguous state", { state: "ambiguous" as const }],
  ])("the full resolved header assignment is compared: %s", (_what, change) => {
    const one = execution(
      ["value"],
      [{ address: "S!R2C2", cells: ["1"], headers: [header("year", "2022")] }],
    );
    const other = execution(
      ["value"],
      [{ address: "S!R2C2", cells: ["1"], headers: [header("year", "2022", change)] }],
    );
    expect(headerAccuracy.compute(comparisonOf(one, other))).toMatchObject({ matched: 0, total: 1 });
  });

  it("Extra produced value cells cost no header accuracy; they are penalized by address F1", () => {
    const more = execution(
      ["year", "value"],
      [
        { address: "S!R1C1", cells: ["x", "0"] },
        ...reference.table.rows.map((cells, row) => ({
          address: reference.valueTrace[row]!,
          cells,
          headers: reference.headerTrace[row]!,
        })),
      ],
    );
    const metrics = metricsOf(comparisonOf(reference, more));
    expect(value(metrics.header_accuracy)).toBe(1);
    expect(value(metrics.value_address_f1)).toBe(0.8);
  });

  it("an empty reference scores 1 only when production is also empty", () => {
    expect(value(headerAccuracy.compute(comparisonOf(empty, empty)))).toBe(1);
    expect(headerAccuracy.compute(comparisonOf(empty, reference))).toEqual({
      numerator: 0,
      denominator: 1,
      matched: 0,
      total: 0,
    });
  });

  it("repeated addresses are aligned by occurrence", () => {
    const rows = [
      { address: "S!R2C2", cells: ["1"], headers: [header("year", "2022")] },
      { address: "S!R2C2", cells: ["1"], headers: [header("year", "2023")] },
    ];
    const swapped = execution(["value"], [...rows].reverse());
    expect(headerAccuracy.compute(comparisonOf(execution(["value"], rows), swapped))).toMatchObject({
      matched: 0,
      total: 2,
    });
    expect(
      headerAccuracy.compute(
        comparisonOf(execution(["value"], rows), execution(["value"], rows.slice(0, 1))),
      ),
    ).toMatchObject({
      matched: 1,
      total: 2,
    });
  });
});

describe("worked examples of the doc comments", () => {
  it("value-address F1: 4 / 6", () => {
    const at = (...addresses: string[]): Execution =>
      execution(
        ["value"],
        addresses.map((address) => ({ address, cells: ["1"] })),
      );
    const metric = valueAddressF1.compute(
      comparisonOf(at("S!R2C2", "S!R2C3", "S!R3C2"), at("S!R2C2", "S!R2C2", "S!R2C3", "S!R9C9")),
    );
    expect(metric).toMatchObject({ numerator: 4, denominator: 6, false_positives: 1, false_negatives: 1 });
  });
});

describe("for any two executions", () => {
  it("metrics equal their slow twins, lie in [0, 1], fit the schema and their own counts", () => {
    fc.assert(
      fc.property(anyExecution, anyExecution, (expected, produced) => {
        const metrics = metricsOf(comparisonOf(expected, produced));
        expect(memberMetricsSchema.parse(metrics)).toEqual(metrics);
        for (const metric of METRIC_LIST) {
          const fraction = metrics[metric.id];
          expect(value(fraction)).toBeGreaterThanOrEqual(0);
          expect(value(fraction)).toBeLessThanOrEqual(1);
          expect(metric.consistent(fraction)).toBe(true);
        }
        const cells = slowCellMatch(expected, produced);
        expect([metrics.cell_match_rate.matched, metrics.cell_match_rate.union]).toEqual([
          cells.part,
          cells.whole,
        ]);
        expect(value(metrics.value_address_f1)).toBeCloseTo(slowAddressF1(expected, produced), 12);
        const headers = slowHeaderAccuracy(expected, produced);
        expect([metrics.header_accuracy.matched, metrics.header_accuracy.total]).toEqual([
          headers.part,
          headers.whole,
        ]);
        expect(metrics.exact_output_match.numerator === 1).toBe(
          canonicalCsv(expected.table) === canonicalCsv(produced.table),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("producing the reference itself is perfect in every metric", () => {
    fc.assert(
      fc.property(anyExecution, (expected) => {
        const score = compareExecutions(expected, structuredClone(expected));
        expect(score.status).toBe("passed");
        expect(score.mismatches).toEqual([]);
        for (const id of METRIC_IDS) expect(value(score.metrics[id])).toBe(1);
      }),
    );
  });

  it("permuting columns changes no metric but exact match; permuting headers changes nothing", () => {
    fc.assert(
      fc.property(anyExecution, anyExecution, fc.infiniteStream(fc.nat()), (expected, produced, numbers) => {
        const order = produced.table.columns.map((_, index) => ({ index, key: numbers.next().value }));
        // Columns of one name are told apart by occurrence, so those keep their order.
        if (new Set(produced.table.columns).size < produced.table.columns.length) return;
        order.sort((a, b) => a.key - b.key);
        const permuted: Execution = {
          ...produced,
          table: {
            columns: order.map(({ index }) => produced.table.columns[index]!),
            rows: produced.table.rows.map((row) => order.map(({ index }) => row[index]!)),
          },
          headerTrace: produced.headerTrace.map((headers) => [...headers].reverse()),
        };
        const [before, after] = [expected, expected].map((side, which) =>
          metricsOf(comparisonOf(side, which === 0 ? produced : permuted)),
        );
        expect({ ...after, exact_output_match: null }).toEqual({ ...before, exact_output_match: null });
      }),
    );
  });

  it("cell match and address F1 are symmetric", () => {
    fc.assert(
      fc.property(anyExecution, anyExecution, (a, b) => {
        const [one, other] = [metricsOf(comparisonOf(a, b)), metricsOf(comparisonOf(b, a))];
        expect(one.cell_match_rate).toEqual(other.cell_match_rate);
        expect(value(one.value_address_f1)).toBe(value(other.value_address_f1));
      }),
    );
  });

  it("mismatch rows: at most 20, none without a difference, some for every difference", () => {
    fc.assert(
      fc.property(anyExecution, anyExecution, (expected, produced) => {
        const { mismatches, metrics, status } = compareExecutions(expected, produced);
        expect(mismatches.length).toBeLessThanOrEqual(20);
        const cells = metrics.cell_match_rate;
        if (status === "partial" && cells.matched < cells.union) expect(mismatches.length).toBeGreaterThan(0);
        expect(compareExecutions(expected, produced).mismatches).toEqual(mismatches);
      }),
    );
  });
});

describe("the registry", () => {
  it("has the methodology's weights, which add up to 1", () => {
    const weights = METRIC_LIST.map(({ weight }) => weight.numerator / weight.denominator);
    expect(weights).toEqual([0.3, 0.3, 0.15, 0.15, 0.1]);
    expect(METRIC_LIST.reduce((sum, { weight }) => sum + weight.numerator, 0)).toBe(100);
    expect(METRIC_LIST.every(({ weight }) => weight.denominator === 100)).toBe(true);
  });

  it("lists every metric id under its own id, with a definition", () => {
    for (const id of METRIC_IDS) {
      expect(METRICS[id].id).toBe(id);
      expect(METRICS[id].definition.length).toBeGreaterThan(20);
    }
  });
});

describe("the mismatch sample", () => {
  it("gives every kind its quarter when all kinds abound", () => {
    const row = (
      r: number,
      c: number,
      text: string,
      year: string,
    ): Parameters<typeof execution>[1][number] => ({
      address: `S!R${r}C${c}`,
      cells: [year, text],
      headers: [header("year", year)],
    });
    const left = Array.from({ length: 40 }, (_, r) => row(r, 1, "1", "2022"));
    const right = Array.from({ length: 40 }, (_, r) => row(r + 20, 1, "2", "2023"));
    const { mismatches } = compareExecutions(
      execution(["year", "value"], left),
      execution(["year", "value"], right),
    );
    const kinds = mismatches.map(({ kind }) => kind);
    expect(kinds).toHaveLength(20);
    for (const kind of ["missing-value", "extra-value", "header", "cell"])
      expect(kinds.filter((other) => other === kind)).toHaveLength(5);
  });

  it("shortens texts of any length, and holds no half of a surrogate pair", () => {
    const of = (text: string) => execution(["value"], [{ address: "S!R2C2", cells: [text] }]);
    const [row] = compareExecutions(of(`${"😀".repeat(300)}a`), of("x\ud83d")).mismatches;
    expect([...row!.expected!]).toHaveLength(200);
    expect(row!.expected!.endsWith("😀…")).toBe(true);
    expect(row!.actual).toBe("x\ufffd");
    const exact = "é".repeat(200);
    expect(compareExecutions(of(exact), of("x")).mismatches[0]!.expected).toBe(exact);
  });

  it("says what was expected and what was produced", () => {
    const produced = execution(
      ["year", "value"],
      [
        { address: "S!R2C2", cells: ["2022", "7"], headers: [header("year", "2022")] },
        {
          address: "S!R2C3",
          cells: ["2023", "2"],
          headers: [header("year", null, { state: "missing", source: null })],
        },
      ],
    );
    expect(compareExecutions(reference, produced).mismatches).toEqual([
      {
        kind: "header",
        address: "S!R2C3",
        row: 2,
        column: "year",
        expected: "2023 (up S!R1C3)",
        actual: "missing (up)",
      },
      { kind: "cell", address: "S!R2C2", row: 1, column: "value", expected: "1", actual: "7" },
    ]);
  });
});
