import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fQuantile, incompleteBeta, logGamma } from "../../../src/lib/stats/beta.ts";
import { icc, spearmanBrown } from "../../../src/lib/stats/icc.ts";

/** Shrout & Fleiss (1979), table 2: 6 targets × 4 judges. */
const SHROUT_FLEISS = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
];
const A = [
  [8, 7, 9],
  [6, 6, 7],
  [9, 8, 9],
  [5, 4, 6],
];
const B = [
  [8.4, 7.9],
  [7.1, 7.3],
  [9.2, 8.6],
  [6.0, 5.1],
  [7.7, 7.9],
  [8.8, 7.8],
];
/** The denominator of ICC(2,k) is 0 here in exact arithmetic, and about 10⁻¹⁷ in doubles. */
const C = [
  [7, 8, 6, 7],
  [8, 6, 7, 9],
  [6, 7, 8, 7],
  [7, 9, 7, 6],
  [8, 7, 6, 8],
];

const REFERENCE = [
  {
    name: "Shrout & Fleiss",
    rows: SHROUT_FLEISS,
    squares: [11.241667, 32.486111, 1.019444],
    single: 0.289764,
    average: 0.620051,
    interval: [0.018787, 0.761084],
  },
  {
    name: "set A",
    rows: A,
    squares: [8.222222, 2.25, 0.138889],
    single: 0.801653,
    average: 0.92381,
    interval: [0.14926, 0.984532],
  },
  {
    name: "set B",
    rows: B,
    squares: [2.748, 0.563333, 0.137333],
    single: 0.862365,
    average: 0.926097,
    interval: [0.275181, 0.979739],
  },
] as const;

const matrices = fc
  .record({ n: fc.integer({ min: 2, max: 8 }), k: fc.integer({ min: 2, max: 5 }) })
  .chain(({ n, k }) =>
    fc.array(
      fc.array(
        fc.integer({ min: 0, max: 100 }).map((x) => x / 10),
        { minLength: k, maxLength: k },
      ),
      {
        minLength: n,
        maxLength: n,
      },
    ),
  );

/** Total sum of squares the schoolbook way, split by differences: shares no step with the real one. */
function slowIcc(rows: readonly (readonly number[])[]): { single: number; average: number } {
  const n = rows.length;
  const k = rows[0]!.length;
  const all = rows.flat();
  const add = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const correction = add(all) ** 2 / (n * k);
  const total = add(all.map((x) => x * x)) - correction;
  const between = add(rows.map((row) => add(row) ** 2)) / k - correction;
  const columns = add(rows[0]!.map((_, j) => add(rows.map((row) => row[j]!)) ** 2)) / n - correction;
  const msr = between / (n - 1);
  const msc = columns / (k - 1);
  const mse = (total - between - columns) / ((n - 1) * (k - 1));
  return {
    single: (msr - mse) / (msr + (k - 1) * mse + (k * (msc - mse)) / n),
    average: (msr - mse) / (msr + (msc - mse) / n),
  };
}

describe("Methodology: Council judges, ICC", () => {
  it.each(REFERENCE)(
    "gives the reference values of $name",
    ({ rows, squares, single, average, interval }) => {
      const result = icc(rows);
      expect([result.n, result.k]).toEqual([rows.length, rows[0]!.length]);
      [result.squares!.rows, result.squares!.columns, result.squares!.error].forEach((square, index) => {
        expect(square).toBeCloseTo(squares[index]!, 6);
      });
      expect(result.single.value).toBeCloseTo(single, 6);
      expect(result.average.value).toBeCloseTo(average, 6);
      expect(result.singleInterval!.low).toBeCloseTo(interval[0], 6);
      expect(result.singleInterval!.high).toBeCloseTo(interval[1], 6);
    },
  );

  it("gives the interval of the panel mean that R's psych prints for Shrout & Fleiss", () => {
    const { averageInterval } = icc(SHROUT_FLEISS);
    expect(averageInterval!.low).toBeCloseTo(0.071, 3);
    expect(averageInterval!.high).toBeCloseTo(0.93, 2);
  });

  it("calls the panel's reliability undefined where its denominator is 0 but for rounding", () => {
    const result = icc(C);
    expect(result.single.value).toBeCloseTo(-1 / 3, 12);
    expect(result.average.value).toBeNull();
    expect(result.average.reason).toContain("denominator");
    expect(result.averageInterval).toBeNull();
  });

  it("is undefined without two entries, two judges or any variance, 0 when only judges differ, 1 in full agreement", () => {
    expect(icc([]).single.reason).toBe("fewer than two entries");
    expect(icc([[1, 2]]).average.reason).toBe("fewer than two entries");
    expect(icc([[1], [2]]).single.reason).toBe("fewer than two judges");
    expect(
      icc([
        [7.1, 7.1],
        [7.1, 7.1],
      ]).single,
    ).toEqual({ value: null, reason: "all scores are equal" });
    // Rounding leaves a mean square of 8e-33 here.
    const third = Array(5).fill(0.1 + 1 / 3);
    expect(icc([third, third]).single.reason).toBe("all scores are equal");
    expect(
      icc([
        [5, 8],
        [5, 8],
        [5, 8],
      ]).single.value,
    ).toBeCloseTo(0, 12);
    const agreed = icc([
      [5, 5],
      [8, 8],
      [6, 6],
    ]);
    expect(agreed.single.value).toBeCloseTo(1, 12);
    expect(agreed.average.value).toBeCloseTo(1, 12);
    expect(agreed.singleInterval).toBeNull();
  });

  it("refuses a matrix with gaps", () => {
    expect(() => icc([[1, 2], [3]])).toThrow(RangeError);
  });

  it("is what a slow twin gives, and the panel's is Spearman–Brown of the single judge's", () => {
    fc.assert(
      fc.property(matrices, (rows) => {
        const { k, single, average } = icc(rows);
        const slow = slowIcc(rows);
        if (single.value !== null) expect(single.value).toBeCloseTo(slow.single, 7);
        if (average.value !== null && Math.abs(average.value) < 1e3) {
          expect(average.value).toBeCloseTo(slow.average, 6);
          expect(spearmanBrown(single.value!, k)).toBeCloseTo(average.value, 6);
        }
      }),
    );
  });

  it("does not depend on the order of entries or judges, and is inside its interval", () => {
    fc.assert(
      fc.property(matrices, (rows) => {
        const one = icc(rows);
        const other = icc(rows.toReversed().map((row) => row.toReversed()));
        expect(other.single.value === null).toBe(one.single.value === null);
        if (one.single.value === null) return;
        expect(other.single.value).toBeCloseTo(one.single.value, 9);
        if (one.singleInterval === null) return;
        expect(one.singleInterval.low).toBeLessThanOrEqual(one.single.value + 1e-9);
        expect(one.singleInterval.high).toBeGreaterThanOrEqual(one.single.value - 1e-9);
      }),
    );
  });
});

describe("the incomplete beta function and its quantiles", () => {
  // Expected values: SciPy 1.17 (special.gammaln, special.betainc, stats.f.ppf).
  it("agree with another implementation", () => {
    const gammas = [
      [0.1, 2.252712651734206],
      [0.5, 0.5723649429247],
      [1, 0],
      [3.7, 1.428072326665388],
      [150.25, 601.2615040324997],
    ];
    for (const [x, expected] of gammas) expect(logGamma(x!)).toBeCloseTo(expected!, 9);
    const betas = [
      [0.3, 2, 5, 0.579825],
      [0.999, 0.5, 0.5, 0.9798649583666235],
      [0.5, 50, 60, 0.8309072939016693],
      [1e-4, 0.7, 3.2, 0.0038129747057901414],
      [0.97, 120, 4, 0.494044495855379],
      [0.2, 2.5, 7.1, 0.3742915086614234],
    ];
    for (const [x, a, b, expected] of betas) expect(incompleteBeta(x!, a!, b!)).toBeCloseTo(expected!, 11);
    const fs = [
      [0.975, 5, 3.39, 12.002636577423663],
      [0.975, 3.39, 5, 7.594560069161634],
      [0.975, 1, 1, 647.7890114778442],
      [0.95, 4.7, 120.3, 2.331379244100067],
      [0.975, 3, 1.2, 297.3064433786487],
      [0.975, 1.2, 3, 17.033067393403584],
      [0.5, 7, 9, 0.9780513932441699],
    ];
    for (const [p, d1, d2, expected] of fs) expect(fQuantile(p!, d1!, d2!) / expected!).toBeCloseTo(1, 9);
  });

  it("is 0 and 1 at the ends", () => {
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
  });
});
