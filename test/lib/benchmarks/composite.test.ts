import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { componentsOf, compositeOf } from "../../../src/lib/benchmarks/composite.ts";
import { zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import {
  add,
  compare,
  fromDecimal,
  fromFraction,
  rational,
  roundHalfAway,
  sumFractions,
  ZERO,
} from "../../../src/lib/benchmarks/rational.ts";
import { METRIC_IDS, type MemberMetrics } from "../../../src/lib/benchmarks/result-schema.ts";

const fraction = fc
  .tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }))
  .map(([a, b]) => ({ numerator: Math.min(a, b), denominator: b }));
const metrics: fc.Arbitrary<MemberMetrics> = fc
  .tuple(fraction, fraction, fraction, fraction, fraction)
  .map((values) => {
    const zero = zeroMetrics();
    return Object.fromEntries(
      METRIC_IDS.map((id, index) => [id, { ...zero[id], ...values[index] }]),
    ) as MemberMetrics;
  });
const members = fc.array(
  metrics.map((value) => ({ metrics: value })),
  { minLength: 1, maxLength: 30 },
);

const one = (): MemberMetrics => {
  const zero = zeroMetrics();
  return Object.fromEntries(
    METRIC_IDS.map((id) => [id, { ...zero[id], numerator: 1, denominator: 1 }]),
  ) as MemberMetrics;
};

describe("composite provisional-1", () => {
  it("worked example: executed, different, cells 2/3, addresses 1/1, headers 1/2 is 0.6", () => {
    const member: MemberMetrics = {
      deterministic_pass_rate: { numerator: 1, denominator: 1 },
      exact_output_match: { numerator: 0, denominator: 1 },
      cell_match_rate: { numerator: 2, denominator: 3, matched: 2, union: 3 },
      value_address_f1: {
        numerator: 2,
        denominator: 2,
        true_positives: 1,
        false_positives: 0,
        false_negatives: 0,
      },
      header_accuracy: { numerator: 1, denominator: 2, matched: 1, total: 2 },
    };
    expect(compositeOf([{ metrics: member }])).toBe(0.6);
    expect(componentsOf([{ metrics: member }])).toEqual({
      deterministic_pass_rate: 1,
      exact_output_match: 0,
      cell_match_rate: 0.666667,
      value_address_f1: 1,
      header_accuracy: 0.5,
    });
  });

  it("is 1 for perfect members and 0 for failed ones; every failure stays in the denominator", () => {
    expect(compositeOf([{ metrics: one() }])).toBe(1);
    expect(compositeOf([{ metrics: zeroMetrics() }])).toBe(0);
    const mixed = [{ metrics: one() }, { metrics: zeroMetrics() }, { metrics: zeroMetrics() }];
    expect(compositeOf(mixed)).toBe(0.333333);
    expect(componentsOf(mixed).exact_output_match).toBe(0.333333);
  });

  it("is macro-averaged: every member has equal weight, whatever its size", () => {
    const small = { ...one(), cell_match_rate: { numerator: 1, denominator: 2, matched: 1, union: 2 } };
    const large = {
      ...one(),
      cell_match_rate: { numerator: 1_000_000, denominator: 1_000_000, matched: 1_000_000, union: 1_000_000 },
    };
    expect(componentsOf([{ metrics: small }, { metrics: large }]).cell_match_rate).toBe(0.75);
  });

  it("is the rounded exact sum, not a sum of rounded components", () => {
    // Three means of 1/3: rounding each first would give 0.1999998 → 0.2 minus an error in the sixth place.
    const third = { numerator: 1, denominator: 3 };
    const member = { ...zeroMetrics() };
    member.cell_match_rate = { ...third, matched: 1, union: 3 };
    member.value_address_f1 = { ...third, true_positives: 1, false_positives: 2, false_negatives: 2 };
    member.header_accuracy = { ...third, matched: 1, total: 3 };
    expect(compositeOf([{ metrics: member }])).toBe(0.133333);
  });

  it("equals a slow twin over one common denominator, and does not depend on the members' order", () => {
    fc.assert(
      fc.property(members, (list) => {
        // Σ w·Σ f / n over the product of all denominators, rounded by comparing distances.
        const weights = [30n, 30n, 15n, 15n, 10n];
        let [numerator, denominator] = [0n, 1n];
        for (const { metrics: value } of list)
          for (const [index, id] of METRIC_IDS.entries()) {
            const [n, d] = [
              BigInt(value[id].numerator) * weights[index]!,
              BigInt(value[id].denominator) * 100n,
            ];
            [numerator, denominator] = [numerator * d + n * denominator, denominator * d];
          }
        denominator *= BigInt(list.length);
        const floor = (numerator * 1_000_000n) / denominator;
        const rest = numerator * 1_000_000n - floor * denominator;
        const expected = Number(2n * rest >= denominator ? floor + 1n : floor) / 1_000_000;
        expect(compositeOf(list)).toBe(expected);
        expect(compositeOf([...list].reverse())).toBe(expected);
        for (const score of Object.values(componentsOf(list))) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(String(score)).toMatch(/^(?:1|0(?:\.\d{1,6})?|\d(?:\.\d+)?e-[5-6])$/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("refuses an empty list instead of inventing a score", () => {
    expect(() => compositeOf([])).toThrow(RangeError);
  });
});

describe("rounding", () => {
  it.each([
    [1n, 2_000_000n, 0.000001],
    [-1n, 2_000_000n, -0.000001],
    [1n, 3n, 0.333333],
    [2n, 3n, 0.666667],
    [1_234_565n, 10_000_000n, 0.123457],
    [1_234_564_999n, 10_000_000_000n, 0.123456],
    [0n, 7n, 0],
    [7n, 2n, 3.5],
  ])("%s/%s is %s, halves away from zero", (numerator, denominator, expected) => {
    expect(roundHalfAway(rational(numerator, denominator), 6)).toBe(expected);
  });

  it("is within half a unit of the exact value, and odd", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.bigInt(1n, 10n ** 12n), (n, d) => {
        const rounded = roundHalfAway(rational(n, d), 6);
        expect(roundHalfAway(rational(-n, d), 6) + 0).toBe(-rounded + 0);
        const difference = add(fromDecimal(rounded), rational(-n, d));
        const size =
          difference.numerator < 0n ? { ...difference, numerator: -difference.numerator } : difference;
        if (Math.abs(rounded) < 1e9) expect(compare(size, rational(1n, 2_000_000n))).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("sums fractions as one by one", () => {
    fc.assert(
      fc.property(fc.array(fraction, { maxLength: 20 }), (list) => {
        const slow = list.map(fromFraction).reduce(add, ZERO);
        expect(compare(sumFractions(list), slow)).toBe(0);
      }),
    );
  });

  it("reads decimals exactly", () => {
    expect(fromDecimal(0.1)).toEqual({ numerator: 1n, denominator: 10n });
    expect(fromDecimal(2.5e-7)).toEqual({ numerator: 1n, denominator: 4_000_000n });
    expect(fromDecimal(1e21)).toEqual({ numerator: 10n ** 21n, denominator: 1n });
    expect(() => fromDecimal(Number.NaN)).toThrow(RangeError);
  });
});
