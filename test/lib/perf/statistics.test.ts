import { describe, expect, it } from "vitest";
import {
  drawLogRatios,
  intervalOfLogs,
  meanOfLogs,
  medianOfRatios,
  ratioOfMedians,
} from "../../../src/lib/perf/ratio.ts";
import { type Pair, roundOrders } from "../../../src/lib/perf/samples.ts";
import { countOutliers, hasTwoClusters, robustSd, successiveCv } from "../../../src/lib/perf/spread.ts";
import { isWarm } from "../../../src/lib/perf/warm-up.ts";
import { bootstrap } from "../../../src/lib/stats/bootstrap.ts";
import { randomFrom } from "../../../src/lib/stats/random.ts";

const random = (seed: string, n: number, spread = 0.02): number[] => {
  const stream = randomFrom(seed);
  return Array.from({ length: n }, () => Math.exp(spread * stream.normal()));
};

const noisyPairs = (n: number): Pair[] => {
  const [candidate, reference] = [random(`c${n}`, n), random(`r${n}`, n)];
  return candidate.map((value, index) => ({ candidate: value, reference: reference[index]! * 1.03 }));
};

describe("the interval of a ratio of medians", () => {
  it.each([2, 3, 14, 15, 31])("of %d pairs is that of the plain bootstrap with the same seed", (n) => {
    const pairs = noisyPairs(n);
    const logOfRatio = (sample: readonly Pair[]): number => Math.log(ratioOfMedians(sample)!);
    const slow = bootstrap(pairs, logOfRatio, { seed: "s", draws: 400, level: 0.95 });
    const fast = intervalOfLogs(drawLogRatios(pairs, { seed: "s", draws: 400 }), 0.95);
    expect(fast?.low).toBeCloseTo(Math.exp(slow.interval!.low), 12);
    expect(fast?.high).toBeCloseTo(Math.exp(slow.interval!.high), 12);
  });

  it("of equal samples is the ratio itself, ties or not", () => {
    const pairs = Array.from({ length: 15 }, () => ({ candidate: 2, reference: 3 }));
    expect(intervalOfLogs(drawLogRatios(pairs, { seed: "s", draws: 50 }))).toEqual({ low: 1.5, high: 1.5 });
  });

  it("of no pairs does not exist", () => {
    expect(ratioOfMedians([])).toBeNull();
    expect(medianOfRatios([])).toBeNull();
    expect(intervalOfLogs(drawLogRatios([], { seed: "s" }))).toBeNull();
  });

  it("of several metrics goes over the mean of their logarithms", () => {
    expect([...meanOfLogs([Float64Array.of(1, 2), Float64Array.of(3, 6)])]).toEqual([2, 4]);
  });
});

describe("spread", () => {
  it("is 1.4826 times the median distance from the median", () => {
    expect(robustSd([1, 2, 3, 4, 100])).toBeCloseTo(1.4826, 12);
    expect(robustSd([])).toBeNull();
  });

  it("from sample to sample leaves a drift of the host out and keeps noise", () => {
    const drifting = Array.from({ length: 61 }, (_, index) => Math.exp(0.01 * index));
    expect(successiveCv(drifting)).toBeCloseTo(0, 12);
    expect(successiveCv(random("v", 2000))).toBeGreaterThan(0.018);
    expect(successiveCv(random("v", 2000))).toBeLessThan(0.022);
    expect(successiveCv([1, 2])).toBeNull();
  });

  it("counts what lies far out", () => {
    expect(countOutliers([...random("o", 30, 0.01), 1.3])).toBe(1);
    expect(countOutliers([])).toBe(0);
  });

  it("F65: tells samples of two kinds of cores from one cluster, a drift and spikes", () => {
    const slow = random("two", 31, 0.01).map((value, index) => (index % 3 === 0 ? 2 * value : value));
    expect(hasTwoClusters(slow)).toBe(true);
    for (let seed = 0; seed < 200; seed += 1) expect(hasTwoClusters(random(`one${seed}`, 31))).toBe(false);
    expect(hasTwoClusters(Array.from({ length: 61 }, (_, index) => 1 + index / 610))).toBe(false);
    const spiked = random("spikes", 31, 0.015).map((value, index) =>
      index < 5 ? value * (1.1 + index / 20) : value,
    );
    expect(hasTwoClusters(spiked)).toBe(false);
    expect(hasTwoClusters([1, 1, 1, 2])).toBe(false);
    expect(hasTwoClusters([])).toBe(false);
  });
});

describe("rounds", () => {
  it("hold each pair without a gap, and two of them give every role the same mean position", () => {
    const orders = roundOrders(randomFrom("orders"));
    const firsts = new Set<string>();
    for (let two = 0; two < 50; two += 1) {
      const slots = [orders.next().value, orders.next().value].map((order) => order.flat());
      firsts.add(slots[0]!.join());
      for (const role of ["candidate", "again"] as const)
        expect(slots[0]!.indexOf(role) + slots[1]!.indexOf(role)).toBe(3);
      for (const order of slots)
        expect([order.slice(0, 2), order.slice(2)].map((pair) => pair.toSorted().join()).toSorted()).toEqual([
          "again,reference",
          "candidate,reference",
        ]);
    }
    expect(firsts.size).toBe(8);
  });
});

describe("warm-up", () => {
  it("takes two blocks of three that agree within 1%, on both sides", () => {
    expect(
      isWarm([
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1, 1],
      ]),
    ).toBe(false);
    expect(
      isWarm([
        [1, 1, 1, 1, 1, 1],
        [2, 2, 2, 2, 2, 2],
      ]),
    ).toBe(true);
    expect(
      isWarm([
        [1, 1, 1, 1.02, 1.02, 1.02],
        [2, 2, 2, 2, 2, 2],
      ]),
    ).toBe(false);
    expect(isWarm([[9, 9, 9, 5, 5, 5, 5, 5, 5]])).toBe(true);
    expect(isWarm([[]])).toBe(false);
  });
});
