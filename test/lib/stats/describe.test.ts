import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pearson } from "../../../src/lib/stats/correlation.ts";
import {
  geometricMean,
  mean,
  median,
  quantile,
  rangeOf,
  sampleSd,
  sum,
} from "../../../src/lib/stats/describe.ts";

// Expected values: NumPy 2 and SciPy 1.17 (np.quantile, np.std(ddof=1), gmean, pearsonr) over these lists.
const X = [3.1, 4.7, 2.2, 9.9, 5.5, 5.5, 7.25];
const Y = [1.0, 2.2, 1.5, 3.1, 3.0, 2.5, 2.2];
/** Without −0: which of two zeros comes first says nothing. */
const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
const numbers = fc.array(number, { minLength: 1, maxLength: 40 });

describe("descriptive statistics", () => {
  it("agree with another implementation", () => {
    const expected = [2.2, 2.335, 3.9000000000000004, 5.5, 8.31, 9.9];
    [0, 0.025, 0.25, 0.5, 0.9, 1].forEach((p, index) => {
      expect(quantile(X, p)).toBeCloseTo(expected[index]!, 12);
    });
    expect(sampleSd(X)).toBeCloseTo(2.5721262281103807, 12);
    expect(geometricMean(X)).toBeCloseTo(4.918098912160088, 12);
    expect(pearson(X, Y).value).toBeCloseTo(0.7802164888270408, 12);
  });

  it("take the mean of the middle two of an even number", () => {
    expect(median([8.4, 6.0, 8.0, 7.1])).toBeCloseTo(7.55, 12);
    expect(median([3])).toBe(3);
  });

  it("are unknown of nothing, never 0", () => {
    expect([mean([]), median([]), sampleSd([]), geometricMean([]), rangeOf([]), quantile([], 0.3)]).toEqual(
      Array(6).fill(null),
    );
    expect(sampleSd([5])).toBeNull();
    expect(geometricMean([2, 0])).toBeNull();
    expect(geometricMean([2, -1])).toBeNull();
    expect(geometricMean([2, Number.POSITIVE_INFINITY])).toBeNull();
  });

  it("sum without losing what a plain loop loses", () => {
    expect(sum([1e16, 1, -1e16])).toBe(1);
    expect(sum(Array(10).fill(0.1))).toBe(1);
  });

  it("leave their lists as they are", () => {
    const list = [3, 1, 2];
    median(list);
    expect(list).toEqual([3, 1, 2]);
  });

  it("do not depend on the order, and lie between the extremes", () => {
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (list, p) => {
        const reversed = list.toReversed();
        expect(median(reversed)).toBe(median(list));
        expect(quantile(reversed, p)).toBe(quantile(list, p));
        const { min, max } = rangeOf(list)!;
        for (const value of [quantile(list, p)!, median(list)!]) {
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(max);
        }
        const spread = Math.abs(mean(list)! - mean(reversed)!);
        expect(spread).toBeLessThanOrEqual(1e-9);
      }),
    );
  });

  it("give a median that half of the list is not above and half not below", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const middle = median(list)!;
        expect(list.filter((value) => value <= middle).length * 2).toBeGreaterThanOrEqual(list.length);
        expect(list.filter((value) => value >= middle).length * 2).toBeGreaterThanOrEqual(list.length);
      }),
    );
  });
});

describe("Pearson's r", () => {
  it("is undefined for fewer than two pairs and for a constant side", () => {
    expect(pearson([1], [2])).toEqual({ value: null, reason: "fewer than two pairs" });
    expect(pearson([1, 2, 3], [0.1 + 0.2, 0.3, 0.3]).reason).toBe("one side is constant");
    expect(pearson([7, 7], [1, 2]).reason).toBe("one side is constant");
  });

  it("is ±1 of two pairs", () => {
    expect(pearson([1, 2], [5, 9]).value).toBeCloseTo(1, 12);
    expect(pearson([1, 2], [9, 5]).value).toBeCloseTo(-1, 12);
  });

  it("refuses lists that are no pairs", () => {
    expect(() => pearson([1, 2], [1])).toThrow(RangeError);
  });

  it("does not change when a side is shifted or stretched", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
        (a, b) => {
          expect(
            pearson(
              X.map((x) => a * x + b),
              Y,
            ).value,
          ).toBeCloseTo(pearson(X, Y).value!, 9);
        },
      ),
    );
  });
});
