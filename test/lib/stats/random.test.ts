import { describe, expect, it } from "vitest";
import { bootstrap } from "../../../src/lib/stats/bootstrap.ts";
import { mean, median, sampleSd } from "../../../src/lib/stats/describe.ts";
import { randomFrom, randomFromState } from "../../../src/lib/stats/random.ts";

const take = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);

describe("the seeded generator", () => {
  it("is xoshiro128**: the reference sequence of the state 1, 2, 3, 4", () => {
    // From the published C code, written once more in Python.
    expect(take(10, randomFromState([1, 2, 3, 4]).uint32)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it("gives the same stream for the same seed, text or number, whatever its characters", () => {
    // FNV-1a and the finalizer written once more in Python.
    const streams: Record<string, number[]> = {
      "": [1342561781, 2899245005, 2875619541],
      assay: [3883284565, 4136509943, 49977764],
      7: [1116447446, 3746913116, 1205922633],
      "é€😀": [2332283637, 935880542, 637210774],
    };
    for (const [seed, stream] of Object.entries(streams))
      expect(take(3, randomFrom(seed).uint32)).toEqual(stream);
    expect(take(3, randomFrom(7).uint32)).toEqual(streams[7]);
  });

  it("deals evenly below a bound", () => {
    const { below } = randomFrom("even");
    const counts = new Map<number, number>();
    for (const drawn of take(30_000, () => below(6))) counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    // Chi-square with 5 degrees of freedom; 20.5 is passed once in a thousand seeds.
    const chi = [...counts.values()].reduce((total, count) => total + (count - 5000) ** 2 / 5000, 0);
    expect(chi).toBeLessThan(20.5);
  });

  it("draws again past the last whole multiple of a bound", () => {
    const { below } = randomFrom("large");
    const bound = 3 * 2 ** 30;
    const drawn = take(3000, () => below(bound));
    expect(drawn.every((value) => value < bound)).toBe(true);
    // A plain remainder would put half of the draws into the first third.
    const first = drawn.filter((value) => value < 2 ** 30).length;
    expect(first / 3000).toBeGreaterThan(0.3);
    expect(first / 3000).toBeLessThan(0.37);
  });

  it("shuffles a copy, every item once, each order alike", () => {
    const random = randomFrom("order");
    const items = ["a", "b", "c"];
    const orders = new Map<string, number>();
    for (let time = 0; time < 6000; time += 1) {
      const order = random.shuffled(items).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect([...orders.keys()].sort()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
    expect(items).toEqual(["a", "b", "c"]);
  });

  it("draws uniform and normal numbers with the right centre and spread", () => {
    const random = randomFrom("shape");
    const uniform = take(20_000, random.float);
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...uniform)).toBeLessThan(1);
    expect(mean(uniform)).toBeCloseTo(0.5, 1);
    const normal = take(20_000, random.normal);
    expect(Math.abs(mean(normal)!)).toBeLessThan(0.03);
    expect(Math.abs(sampleSd(normal)! - 1)).toBeLessThan(0.03);
  });
});

describe("the percentile bootstrap", () => {
  const rows = [2.1, 3.4, 1.9, 5.0, 4.2, 3.3, 2.8, 4.9, 3.9, 2.2];

  it("gives the same interval for the same seed and another for another", () => {
    const run = (seed: string) => bootstrap(rows, mean, { seed });
    expect(run("a")).toEqual(run("a"));
    expect(run("a")).not.toEqual(run("b"));
  });

  it("comes to the exact distribution over all resamples of a small list", () => {
    const three = [1, 2, 6];
    const all = three
      .flatMap((a) => three.flatMap((b) => three.map((c) => median([a, b, c])!)))
      .sort((a, b) => a - b);
    // 7 of 27 resamples have the median 1, 13 the median 2, 7 the median 6: the 20% quantile is 1, the 80% one is 6.
    const at = (p: number): number => all[Math.round(p * 26)]!;
    const { interval, draws } = bootstrap(three, median, { seed: 1, draws: 20_000, level: 0.6 });
    expect(interval).toEqual({ low: at(0.2), high: at(0.8) });
    expect(draws).toBe(20_000);
  });

  it("covers the true mean about as often as theory says", () => {
    const random = randomFrom("coverage");
    let covered = 0;
    for (let trial = 0; trial < 300; trial += 1) {
      const sample = Array.from({ length: 40 }, () => random.normal());
      const { interval } = bootstrap(sample, mean, { seed: trial, draws: 400 });
      if (interval !== null && interval.low <= 0 && interval.high >= 0) covered += 1;
    }
    expect(covered / 300).toBeGreaterThan(0.89);
    expect(covered / 300).toBeLessThan(0.98);
  });

  it("has no interval of fewer than two rows, and counts draws without a statistic", () => {
    expect(bootstrap([1], mean, { seed: 1 })).toEqual({ interval: null, draws: 0 });
    const some = bootstrap([1, 2], (sample) => (sample[0] === sample[1] ? null : mean(sample)), {
      seed: 1,
      draws: 1000,
    });
    expect(some.interval).toEqual({ low: 1.5, high: 1.5 });
    expect(Math.abs(some.draws - 500)).toBeLessThan(80);
  });
});
