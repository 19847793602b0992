import { describe, expect, it } from "vitest";
import {
  type Analysis,
  analyse,
  asksForRepeat,
  type Circumstances,
  isSettled,
} from "../../../src/lib/perf/analyse.ts";
import type { MetricSamples, Pair } from "../../../src/lib/perf/samples.ts";
import { randomFrom } from "../../../src/lib/stats/random.ts";

interface Made {
  readonly speedup?: number;
  readonly spread?: number;
  readonly pairs?: number;
  readonly floor?: number;
  readonly seed?: string;
}

/** Pairs with noise that is drawn by a seed; `floor` makes the reference differ from itself. */
function metric(
  id: string,
  { speedup = 1, spread = 0.005, pairs = 15, floor = 1, seed = id }: Made = {},
): MetricSamples {
  const random = randomFrom(seed);
  const some = (times: number): Pair[] =>
    Array.from({ length: pairs }, () => ({
      candidate: (1e9 / times) * Math.exp(spread * random.normal()),
      reference: 1e9 * Math.exp(spread * random.normal()),
    }));
  return { id, pairs: some(speedup), noise: some(floor) };
}

const judge = (metrics: readonly MetricSamples[], circumstances?: Circumstances): Analysis => {
  const analysis = analyse(metrics, { seed: "s", draws: 1000 }, circumstances);
  if (analysis === null) throw new Error("nothing to analyse");
  return analysis;
};

describe("a verdict", () => {
  it.each([
    [1.05, "faster"],
    [1 / 1.05, "slower"],
    [1, "same"],
  ] as const)("of a true speed-up of %d is %s", (speedup, verdict) => {
    const analysis = judge([metric("time", { speedup })]);
    expect(analysis.verdict).toBe(verdict);
    expect(analysis.flags).toEqual([]);
    expect(analysis.speed.ratio).toBeCloseTo(speedup, 2);
    expect(analysis.speed.interval.low).toBeLessThanOrEqual(analysis.speed.ratio);
    expect(analysis.speed.interval.high).toBeGreaterThanOrEqual(analysis.speed.ratio);
    expect(isSettled(analysis)).toBe(true);
  });

  it("is inconclusive, not same, where the interval is wider than 2%", () => {
    const analysis = judge([metric("time", { spread: 0.022, speedup: 1.01, seed: "wide" })]);
    expect(analysis.verdict).toBe("inconclusive");
    expect(analysis.flags).toContain("inconclusive");
    expect(isSettled(analysis)).toBe(false);
  });

  it("F64: claims nothing that the reference shows against itself as well", () => {
    // Both intervals exclude 1: a host that favours one place in a pair.
    const analysis = judge([metric("time", { speedup: 1.05, floor: 1.05 })]);
    expect(analysis.verdict).toBe("inconclusive");
    expect(analysis.flags).toEqual(["noisy", "inconclusive"]);
    expect(analysis.reasons.join()).toContain("the reference differs from itself");
    expect(asksForRepeat(analysis)).toBe(true);
  });

  it("F64: a large gain on a noisy host is no gain", () => {
    const analysis = judge([metric("time", { speedup: 2, spread: 0.06, pairs: 61 })]);
    expect(analysis.speed.interval.low).toBeGreaterThan(1.5);
    expect(analysis.verdict).toBe("inconclusive");
    expect(analysis.flags).toContain("noisy");
  });

  it("is the same for the same samples and seed, and settled at the last look", () => {
    const metrics = [metric("time", { spread: 0.06, pairs: 61 })];
    expect(judge(metrics)).toEqual(judge(metrics));
    expect(isSettled(judge(metrics))).toBe(true);
  });
});

describe("a disturbed host", () => {
  it("is one whose guards changed, and decides nothing", () => {
    const analysis = judge([metric("time", { speedup: 1.05 })], {
      switches: [],
      changes: ["the governor changed"],
    });
    expect(analysis.flags).toEqual(["disturbed", "inconclusive"]);
    expect(analysis.reasons).toEqual(["the governor changed"]);
    expect(asksForRepeat(analysis)).toBe(true);
  });

  it("is one that takes the core away in a typical sample, not in a rare one", () => {
    const rare = [...Array.from({ length: 40 }, () => 1), 500];
    expect(judge([metric("time")], { switches: rare, changes: [] }).flags).toEqual([]);
    expect(judge([metric("time")], { switches: [12, 15, 10], changes: [] }).flags).toContain("disturbed");
  });

  it("F65: is one with samples of two speeds", () => {
    const { id, pairs, noise } = metric("time", { pairs: 31 });
    const moved = pairs.map((pair, index) =>
      index % 3 === 0 ? { ...pair, candidate: pair.candidate * 2.5 } : pair,
    );
    expect(judge([{ id, pairs: moved, noise }]).reasons.join()).toContain("two clusters");
  });

  it("is one on which the ratio of medians and the median of ratios disagree", () => {
    // Both sides take 1, 2 and 3 equally often, but never on the same input: medians agree, most pairs do not.
    const pairs = Array.from({ length: 61 }, (_, index) => ({
      candidate: [1, 2, 3][index % 3]!,
      reference: [3, 1, 2][index % 3]!,
    }));
    const analysis = judge([{ id: "time", pairs, noise: metric("n", { pairs: 61 }).noise }]);
    expect(analysis.metrics[0]?.ratio).toBe(1);
    expect(analysis.metrics[0]?.check).toBeCloseTo(2 / 3, 12);
    expect(analysis.reasons.join()).toContain("disagree");
    expect(analysis.flags).toContain("disturbed");
  });
});

describe("several metrics", () => {
  it("are judged by their geometric mean", () => {
    const analysis = judge([metric("encode", { speedup: 2 }), metric("decode", { speedup: 0.5 })]);
    expect(analysis.metrics.map(({ ratio }) => Math.round(ratio * 10) / 10)).toEqual([2, 0.5]);
    expect(analysis.speed.ratio).toBeCloseTo(1, 2);
    expect(analysis.verdict).toBe("same");
  });

  it("need as many pairs each", () => {
    expect(() => judge([metric("a"), metric("b", { pairs: 14 })])).toThrow(RangeError);
    const { id, pairs } = metric("a");
    expect(() => judge([{ id, pairs, noise: [] }])).toThrow(RangeError);
  });

  it("without pairs say nothing", () => {
    expect(analyse([], { seed: "s" })).toBeNull();
    expect(analyse([metric("a", { pairs: 1 })], { seed: "s" })).toBeNull();
  });
});
