import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signTest } from "../../../src/lib/stats/sign-test.ts";
import { wilsonInterval } from "../../../src/lib/stats/wilson.ts";

describe("Wilson's interval", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%i of %i is the published one", (hits, total, low, high) => {
    const interval = wilsonInterval(hits, total);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it("of nothing there is none, and it stays between 0 and 1 around the share", () => {
    expect(wilsonInterval(0, 0)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (total, some) => {
        const hits = Math.min(some, total);
        const interval = wilsonInterval(hits, total);
        if (interval === null) throw new Error("there is a share");
        expect(interval.low).toBeGreaterThanOrEqual(0);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(interval.share);
        expect(interval.high).toBeGreaterThanOrEqual(interval.share);
        expect(interval.high).toBeGreaterThan(interval.low);
      }),
    );
  });

  it("is where the score test of the share itself turns", () => {
    const { low, high } = wilsonInterval(7, 30) ?? { low: 0, high: 0 };
    for (const bound of [low, high])
      expect(Math.abs(7 / 30 - bound) / Math.sqrt((bound * (1 - bound)) / 30)).toBeCloseTo(1.959964, 6);
  });
});

/** Sums the binomial terms exactly, in whole numbers. */
function slowSignTest(first: number, second: number): number {
  const total = first + second;
  let [term, sum] = [1n, 0n];
  for (let k = 0; k <= Math.min(first, second); k += 1) {
    sum += term;
    term = (term * BigInt(total - k)) / BigInt(k + 1);
  }
  return Math.min(1, Number((2n * sum * 10n ** 18n) / 2n ** BigInt(total)) / 1e18);
}

describe("the exact sign test", () => {
  // Siegel's table D of one-sided probabilities, doubled: N = 10, x = 1: .011; N = 12, x = 2: .019; N = 8, x = 0: .004.
  it.each([
    [1, 9, 0.011],
    [2, 10, 0.019],
    [8, 0, 0.004],
    [14, 6, 0.058],
  ])("%i against %i is the published one", (first, second, oneSided) => {
    expect(signTest(first, second) / 2).toBeCloseTo(oneSided, 3);
  });

  it("121 against 59 is what McNemar's exact test gives elsewhere", () => {
    expect(signTest(121, 59)).toBeCloseTo(4.4344492637555e-6, 15);
  });

  it("is the exact sum, whichever side is named first", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (first, second) => {
        expect(signTest(first, second)).toBeCloseTo(slowSignTest(first, second), 12);
        expect(signTest(second, first)).toBe(signTest(first, second));
      }),
    );
  });

  it("without a pair that differs nothing is told apart", () => {
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(1, 0)).toBe(1);
  });
});
