import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLeads, compareLeadsOverall, type LeadScore } from "../../../../src/lib/code/score/leads.ts";
import { allLeadsMean, overallMean } from "../../../../src/lib/code/score/overall.ts";
import { combineReplicates, rangesOverlap } from "../../../../src/lib/code/score/replicates.ts";
import {
  baselineMark,
  combineSpeeds,
  overallSpeed,
  speedup,
  taskSpeed,
} from "../../../../src/lib/code/score/speed.ts";
import { measuredFastFactor, timeBar } from "../../../../src/lib/code/score/time.ts";

describe("Methodology: Repeat runs", () => {
  it("combines replicates by mean, sample SD and range", () => {
    const runs = combineReplicates([8.1, 8.5, 8.4])!;
    expect(runs.mean).toBeCloseTo(8.333333, 6);
    expect(runs.sd).toBeCloseTo(0.208167, 6);
    expect([runs.min, runs.max, runs.n]).toEqual([8.1, 8.5, 3]);
  });

  it("has no deviation of one run, and counts only runs that have a value", () => {
    expect(combineReplicates([7])).toEqual({ mean: 7, sd: null, min: 7, max: 7, n: 1 });
    expect(combineReplicates([null, 7, null])).toEqual({ mean: 7, sd: null, min: 7, max: 7, n: 1 });
    expect(combineReplicates([null])).toBeNull();
  });

  it("calls ranges that touch overlapping", () => {
    expect(rangesOverlap({ min: 1, max: 2 }, { min: 2, max: 3 })).toBe(true);
    expect(rangesOverlap({ min: 2.5, max: 3 }, { min: 1, max: 2.4 })).toBe(false);
    expect(rangesOverlap({ min: 1, max: 9 }, { min: 2, max: 3 })).toBe(true);
  });
});

describe("Methodology: Speed", () => {
  it("is median reference time over median candidate time: above 1 is faster", () => {
    expect(speedup([10, 12, 11, 90], [5, 5.5, 5.75, 6]).value).toBeCloseTo(11.5 / 5.625, 12);
    expect(speedup([], [1]).reason).toBe("no samples");
    expect(speedup([1], [0]).reason).toBe("a median time is not positive");
  });

  it("summarises metrics by their geometric mean", () => {
    // 1.2 × 1.5 × 0.9 = 1.62; its cube root is 1.174460.
    const metrics = [1.2, 1.5, 0.9].map((value, index) => ({ id: `m${index}`, speedup: value }));
    const measured = { output_correct: true, proxy: false, metrics };
    expect(taskSpeed(measured, ["m0", "m1", "m2"]).value).toBeCloseTo(1.62 ** (1 / 3), 12);
  });

  it("is not scored when the output was wrong or a metric is missing", () => {
    const metrics = [{ id: "encode", speedup: 2 }];
    const both = ["encode", "decode"];
    expect(taskSpeed({ output_correct: false, proxy: false, metrics }, ["encode"]).reason).toContain(
      "output was wrong",
    );
    expect(taskSpeed({ output_correct: true, proxy: false, metrics }, both).reason).toBe(
      "not measured: decode",
    );
    expect(taskSpeed({ output_correct: true, proxy: false, metrics }, []).value).toBeNull();
  });

  it("never mixes proxies with real timings", () => {
    const real = { speedup: 2, proxy: false };
    const proxy = { speedup: 50, proxy: true };
    expect(
      combineSpeeds([real, proxy, { speedup: null, proxy: false }, { speedup: 8, proxy: false }]),
    ).toEqual({
      speedup: 4,
      proxy: false,
      n: 2,
    });
    expect(combineSpeeds([proxy])).toEqual({ speedup: 50, proxy: true, n: 1 });
    expect(overallSpeed([proxy, real])).toEqual({ speedup: 2, n: 1 });
    expect(overallSpeed([proxy])).toEqual({ speedup: null, n: 0 });
  });

  it("takes the geometric mean across tasks", () => {
    expect(overallSpeed([2, 0.5].map((value) => ({ speedup: value, proxy: false })))).toEqual({
      speedup: 1,
      n: 2,
    });
  });

  it("stars an expert baseline that does not meet the contestants' contract", () => {
    const baseline = { title: "dav1d", metrics: [{ id: "m", speedup: 3 }], note: null };
    expect(baselineMark(baseline, ["m"])).toEqual({
      label: "dav1d",
      speed: { value: 3, reason: null },
      note: null,
    });
    expect(baselineMark({ ...baseline, note: "uses threads" }, ["m"]).label).toBe("dav1d *");
    expect(baselineMark(baseline, ["m", "n"]).speed.value).toBeNull();
  });
});

describe("Methodology: Time and fast mode", () => {
  it("extends a fast run to twice its time, and says that this is assumed", () => {
    expect(timeBar(600, true)).toEqual({
      measured_seconds: 600,
      extended_seconds: 1200,
      basis: "assumed",
      factor: 2,
    });
    expect(timeBar(600, false).extended_seconds).toBeNull();
  });

  it("takes the measured ratio of the same configuration instead, where there is one", () => {
    const factor = measuredFastFactor([
      { cell: "t1/l1", fast: true, seconds: 100 },
      { cell: "t1/l1", fast: false, seconds: 140 },
      { cell: "t1/l1", fast: false, seconds: 160 },
      { cell: "t2/l1", fast: true, seconds: 100 },
      { cell: "t2/l1", fast: false, seconds: 600 },
      { cell: "t3/l1", fast: false, seconds: 9000 },
    ])!;
    expect(factor.factor).toBeCloseTo(3, 12);
    expect(factor.pairs).toBe(2);
    const bar = timeBar(600, true, factor);
    expect(bar.extended_seconds).toBeCloseTo(1800, 9);
    expect(bar.basis).toBe("measured");
  });

  it("has no measured ratio without both tiers in one cell", () => {
    expect(
      measuredFastFactor([
        { cell: "a", fast: true, seconds: 1 },
        { cell: "b", fast: false, seconds: 2 },
      ]),
    ).toBeNull();
  });
});

const score = (lead: string, task: string, configuration: string, final: number | null): LeadScore => ({
  lead,
  task,
  configuration,
  final,
});

describe("Methodology: Comparing leads", () => {
  const finals = [6.0, 7.1, 8.0, 8.4];
  const scores = finals.map((final, index) => score("l", "t", `c${index}`, final));

  it("gives each lead the median over configurations, the mean and a strip of them all", () => {
    const [lead] = compareLeads(scores);
    expect(lead!.median).toBeCloseTo(7.55, 12);
    expect(lead!.mean).toBeCloseTo(7.375, 12);
    expect(lead!.strip.map(({ final }) => final)).toEqual([8.4, 8.0, 7.1, 6.0]);
  });

  it("is hardly moved by one breakdown, which the mean is", () => {
    const roster = Array.from({ length: 23 }, (_, index) => score("l", "t", `c${index}`, 7 + index / 100));
    const broken = roster.map((each, index) => (index === 11 ? { ...each, final: 0.1 } : each));
    const [before, after] = [compareLeads(roster)[0]!, compareLeads(broken)[0]!];
    expect(before.median! - after.median!).toBeLessThan(0.02);
    expect(before.mean! - after.mean!).toBeCloseTo(0.3, 1);
    expect(after.strip.at(-1)!.final).toBe(0.1);
  });

  it("counts no entry without a score, and averages replicates of a configuration first", () => {
    const [lead] = compareLeads([
      score("l", "t", "a", 5),
      score("l", "t", "a", 7),
      score("l", "t", "b", 9),
      score("l", "t", "c", null),
    ]);
    expect(lead!.strip).toEqual([
      { configuration: "b", final: 9 },
      { configuration: "a", final: 6 },
    ]);
    expect(lead!.median).toBe(7.5);
    expect(compareLeads([score("l", "t", "c", null)])[0]).toMatchObject({
      median: null,
      mean: null,
      strip: [],
    });
  });

  it("overall averages each configuration over the tasks that every shown lead has, then takes the median", () => {
    const { tasks, leads } = compareLeadsOverall([
      score("x", "t1", "a", 8),
      score("x", "t2", "a", 6),
      score("x", "t3", "a", 1),
      score("x", "t1", "b", 5),
      score("y", "t1", "a", 9),
      score("y", "t2", "a", 4),
      score("y", "t1", "b", 7),
      score("y", "t3", "a", null),
    ]);
    expect(tasks).toEqual(["t1", "t2"]);
    const three = compareLeadsOverall([
      score("x", "t1", "a", 8),
      score("x", "t2", "a", 2),
      score("y", "t1", "a", 7),
      score("y", "t2", "a", 1),
      score("z", "t1", "a", 6),
    ]);
    expect(three.tasks).toEqual(["t1"]);
    expect(three.leads.map(({ median: middle }) => middle)).toEqual([8, 7, 6]);
    expect(leads.map(({ lead, median: middle }) => [lead, middle])).toEqual([
      ["x", 6],
      ["y", 6.75],
    ]);
  });
});

describe("Methodology: Aggregation on the site", () => {
  it("averages over the tasks completed and says how many of how many", () => {
    expect(overallMean([8, null, 6, null, null])).toEqual({ value: 7, n: 2, of: 5 });
    expect(overallMean([null, null])).toEqual({ value: null, n: 0, of: 2 });
  });

  it("averages all leads over per-lead averages, so that more runs weigh no more", () => {
    expect(allLeadsMean([[9, 9, 9], [5]])).toBe(7);
    expect(allLeadsMean([[9, null], [null], [5]])).toBe(7);
    expect(allLeadsMean([[null]])).toBeNull();
  });

  it("does not depend on the order of tasks or leads", () => {
    const values = fc.array(fc.option(fc.double({ min: 0, max: 10, noNaN: true })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(values, (perTask) => {
        const [one, other] = [overallMean(perTask), overallMean(perTask.toReversed())];
        expect(other.n).toBe(one.n);
        if (one.value === null) expect(other.value).toBeNull();
        else expect(other.value).toBeCloseTo(one.value, 12);
      }),
    );
  });
});
