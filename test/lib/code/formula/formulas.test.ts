import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMULAS } from "../../../../src/lib/code/formula/registry.ts";
import { shown, terms } from "../../../../src/lib/code/formula/show.ts";

/**
 * What the documented example of each formula must give. Worked by hand or with Python 3.11, NumPy 2 and SciPy 1.17, or
 * taken from the methodology and the published tables that are named; no value was copied from this program.
 */
const EXPECTED: Readonly<Record<string, unknown>> = {
  // grok did not score e2.
  panel: { panel: ["opus", "sol"] },
  // (9.1 + 8.8) ÷ 2
  "council-score": { value: 8.95 },
  // (8.8 + 8.5) ÷ 2
  "cross-vendor-score": { value: 8.65 },
  // The methodology: 1 + 1 + 0.5 over four seats, shown as 0.63.
  slop: { value: 0.625 },
  // 1 + 1 + 0.5 + 2 over four seats; the false positive counts nowhere.
  "defect-points": { value: 1.125 },
  // 0.012 M × 4 + 2.4 M × 0.2 + 0.18 M × 8 + 0.045 M × 20
  cost: {
    value: 2.868,
    breakdown: { uncached_input: 0.048, cache_read: 0.48, cache_write: 1.44, output: 0.9, peak: 0 },
    assumptions: [],
  },
  // A long prompt 0.16 + 0.05 + 0.05 + 0.03 = 0.29, twice; 0.2; 0.2 at a peak of 1.5.
  "cost-as-run": {
    value: 1.08,
    assumptions: ["off-peak"],
  },
  // Medians 11.5 and 5.625.
  "speed-up": { value: 2.0444444 },
  // Cube root of 1.2 × 1.5 × 0.9 = 1.62.
  "task-speed": { value: 1.17446029 },
  "overall-speed": { value: 1, n: 2, proxy: false },
  // √(1.8 × 2.2)
  "replicate-speed": { value: 1.98997487, n: 2, proxy: false },
  // √(4 × 9)
  "expert-baseline": { label: "dav1d *", value: 6 },
  // 600 s drawn to 1,200 s.
  "time-extension": { measured_seconds: 600, extended_seconds: 1200, basis: "assumed", factor: 2 },
  // 150 ÷ 100 and 600 ÷ 100: √9.
  "fast-factor": { factor: 3, pairs: 2 },
  // The methodology: 333/335 still qualifies.
  hidden: { passed: 333, total: 335, share: 0.99402985, eligible: true },
  // 9 × 11/12 − 0.5 × 0.625
  "final-score": { value: 7.9375 },
  // The methodology's first pick.
  value: { value: 7.94579 },
  // The methodology's three picks in its order; the cheapest passed only 320 of 335.
  "top-picks": {
    picks: [
      { configuration: "opus-5.5@xhigh", value: 7.94579 },
      { configuration: "opus-5.5@high", value: 7.828114 },
      { configuration: "gpt-6.1-sol@max", value: 7.806885 },
    ],
  },
  // xhigh and high tie at 8.6; high is cheaper.
  "best-per-model": { kept: ["opus-5.5@high", "gpt-6.1-sol@max"] },
  "pareto-front": { front: ["a@low", "a@max", "b@max"], behind: ["c@low"], unplaced: ["d@low"] },
  // Sample SD; the population's would be 0.169967.
  replicates: { mean: 8.333333, sd: 0.208167, min: 8.1, max: 8.5, n: 3 },
  "ranges-overlap": { overlap: true },
  // (8 + 6 + 7.5) ÷ 3
  "overall-mean": { value: 7.1666667, n: 3, of: 5 },
  // (8.5 + 7) ÷ 2; the mean of all four runs would be 8.125.
  "all-leads-mean": { value: 7.75 },
  // Medians (7.1 + 8.0) ÷ 2 and the middle of 0.2, 7.9, 8.1.
  "lead-median": {
    leads: [
      {
        lead: "muse@default",
        median: 7.9,
        mean: 5.4,
        strip: [
          { configuration: "c3", final: 8.1 },
          { configuration: "c2", final: 7.9 },
          { configuration: "c1", final: 0.2 },
        ],
      },
      {
        lead: "opus-5.5@xhigh",
        median: 7.55,
        mean: 7.375,
        strip: [
          { configuration: "c4", final: 8.4 },
          { configuration: "c3", final: 8 },
          { configuration: "c2", final: 7.1 },
          { configuration: "c1", final: 6 },
        ],
      },
    ],
  },
  // t3 has no scores of muse. opus: c1 (8 + 6) ÷ 2, c2 5; muse: c1 (9 + 4) ÷ 2, c2 7.
  "lead-median-overall": {
    tasks: ["t1", "t2"],
    leads: [
      {
        lead: "muse@default",
        median: 6.75,
        mean: 6.75,
        strip: [
          { configuration: "c2", final: 7 },
          { configuration: "c1", final: 6.5 },
        ],
      },
      {
        lead: "opus-5.5@xhigh",
        median: 6,
        mean: 6,
        strip: [
          { configuration: "c1", final: 7 },
          { configuration: "c2", final: 5 },
        ],
      },
    ],
  },
  // Six of six and six of eight: 12 of 14.
  "duplicated-lines": { value: 0.8571429 },
  // (14 + 11 + 10 + 1) ÷ 4; ten itself is not above ten.
  complexity: { functions: 4, mean: 9, max: 14, above_10: 2 },
  // a is ahead of b with every lead, so in every draw. a against c (−0.1, 0.6, 0.4, −0.3) and c against b (0.4, −0.2,
  // −0.2, 0.6): two of four leads say the opposite, and 3 of 4 drawn with replacement are often those.
  "rank-ranges": {
    judges: 1,
    leads: 4,
    replicates: 1,
    draws: 1000,
    ranks: [
      { configuration: "a@max", score: 8.45, rank: 1, range: { best: 1, worst: 2 }, reason: null, group: 1 },
      { configuration: "c@max", score: 8.3, rank: 2, range: { best: 1, worst: 3 }, reason: null, group: 1 },
      { configuration: "b@max", score: 8.15, rank: 3, range: { best: 2, worst: 3 }, reason: null, group: 2 },
    ],
  },
  // Set A of the reference data.
  "judge-agreement": {
    judges: [
      {
        judge: "a",
        n: 4,
        mean: 7,
        median: 7,
        compared: 4,
        offset: { value: 0, reason: null },
        r: { value: 0.981495, reason: null },
      },
      {
        judge: "b",
        n: 4,
        mean: 6.25,
        median: 6.5,
        compared: 4,
        offset: { value: -1.125, reason: null },
        r: { value: 0.959939, reason: null },
      },
      {
        judge: "c",
        n: 4,
        mean: 7.75,
        median: 8,
        compared: 4,
        offset: { value: 1.125, reason: null },
        r: { value: 0.968254, reason: null },
      },
    ],
  },
  // Shrout & Fleiss (1979), table 2; published .29 and .62; intervals as R's psych prints them, to more digits.
  icc: {
    n: 6,
    k: 4,
    squares: { rows: 11.241667, columns: 32.486111, error: 1.019444 },
    single: { value: 0.289764, reason: null },
    single_interval: { low: 0.018787, high: 0.761084 },
    average: { value: 0.620051, reason: null },
    // Spearman–Brown of the interval above.
    average_interval: {
      low: (4 * 0.0187865) / (1 + 3 * 0.0187865),
      high: (4 * 0.7610844) / (1 + 3 * 0.7610844),
    },
  },
  // ((8.1 − 7.8) + (6.4 − 6.9)) ÷ 2, and without the judge ((8.1 − 7.9) + (6.4 − 7)) ÷ 2.
  "calibration-offset": {
    against_panel: { offset: -0.1, n: 2, min: -0.5, max: 0.3 },
    against_others: { offset: -0.2, n: 2, min: -0.6, max: 0.2 },
  },
  // e3 was not reviewed; of the three pairs left one was missed.
  "judge-recall": {
    found: 2,
    of: 3,
    share: { value: 0.6666667, reason: null },
    findings: 4,
    false_positives: 1,
    precision: { value: 0.6666667, reason: null },
  },
  // 3.00 USD for ten entries.
  "review-cost": {
    cost: { value: 3, reason: null },
    cost_per_entry: { value: 0.3, reason: null },
    seconds_per_session: 750,
    sessions: 2,
    scored: 10,
  },
  "self-preference": {
    vendors: [
      {
        vendor: "anthropic",
        preference: { value: 1, reason: null },
        own: 1.5,
        own_n: 1,
        other: 0.5,
        other_n: 2,
      },
      {
        vendor: "openai",
        preference: { value: 0.25, reason: null },
        own: 0.5,
        own_n: 1,
        other: 0.25,
        other_n: 2,
      },
      {
        vendor: "xai",
        preference: { value: 0.25, reason: null },
        own: -1,
        own_n: 1,
        other: -1.25,
        other_n: 2,
      },
    ],
  },
  "same-judge-twice": { mean_absolute: 0.5, largest: 1, drift: -0.1666667, n: 3 },
};

/** The sections of METHODOLOGY.md by their headings. */
const SECTIONS = new Map(
  readFileSync(join(import.meta.dirname, "../../../../METHODOLOGY.md"), "utf8")
    .split("\n## ")
    .map((section) => [section.slice(0, section.indexOf("\n")), section]),
);

/** Numbers to six decimals, as the expected values are stated. */
function near(value: unknown): unknown {
  if (typeof value === "number") return expect.closeTo(value, 5);
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, near(held)]));
}

const formulaOf = (name: string) => FORMULAS.find((formula) => formula.name === name)!;
const work = (name: string, input: unknown) => {
  const worked = formulaOf(name).compute(JSON.stringify(input), "x.json");
  if (!worked.ok) throw new Error(JSON.stringify(worked.findings));
  return worked.value;
};

describe("every formula", () => {
  it("is expected here, and only those are", () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(FORMULAS.map(({ name }) => name).sort());
  });

  it.each(FORMULAS)(
    "$name: its documented example gives what was worked out elsewhere",
    ({ name, example }) => {
      const { result, steps } = work(name, example);
      expect(result).toEqual(near(EXPECTED[name]));
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) expect(step).not.toMatch(/NaN|undefined|null|Infinity/);
      if (typeof result.value === "number") expect(steps.join("\n")).toContain(`= ${shown(result.value)}`);
    },
  );

  it.each(FORMULAS)(
    "$name: has a stable name, a section of the methodology, and refuses what is no input",
    (formula) => {
      expect(formula.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(["list", "work", "help"]).not.toContain(formula.name);
      expect(SECTIONS.get(formula.section), formula.section).toContain(`formula ${formula.name}\``);
      const codes = (json: string): string[] => {
        const worked = formula.compute(json, "x.json");
        return worked.ok ? [] : worked.findings.map(({ code }) => code);
      };
      expect(codes("{}")).toContain("code-formula-missing-key");
      expect(codes("[]")).toContain("code-formula-wrong-type");
      const [code] = codes(JSON.stringify({ ...(formula.example as object), surprise: 1 }));
      expect(code).toBe("code-formula-unknown-key");
    },
  );

  it("says in which line and column of the file an input is wrong", () => {
    const worked = formulaOf("final-score").compute(
      '{\n  "council": 9,\n  "hidden": { "passed": 12, "total": 11 },\n  "slop": -1\n}',
      "x.json",
    );
    expect(worked.findings).toMatchObject([
      {
        code: "code-formula-invalid-value",
        path: "x.json",
        line: 3,
        column: 13,
        message: "More categories passed than there are.",
      },
      { code: "code-formula-too-small", path: "x.json", line: 4, column: 11 },
    ]);
  });

  it("says why a number is unknown, and never shows 0 for it", () => {
    const unknowns: [string, unknown][] = [
      ["council-score", { seats: [{ judge: "a", score: 8 }], panel: [] }],
      ["final-score", { council: 8, hidden: null, slop: 0 }],
      ["value", { score: 8, cost: 0, defect_points: 0 }],
      ["slop", { seats: [] }],
      ["speed-up", { reference: [], candidate: [1] }],
      ["duplicated-lines", { files: [] }],
      ["task-speed", { task_metrics: ["m"], output_correct: false, metrics: [{ id: "m", speedup: 2 }] }],
    ];
    for (const [name, input] of unknowns) {
      const { result, steps } = work(name, input);
      expect(result.value).toBeNull();
      expect(result.reason).toMatch(/\w/);
      expect(steps.at(-1)).toContain(`unknown, because ${result.reason}`);
    }
  });

  it("works on empty lists without failing", () => {
    const empty: [string, unknown][] = [
      ["panel", { live_entries: [] }],
      ["hidden", { runs: [] }],
      ["replicates", { runs: [null] }],
      ["overall-mean", { per_task: [] }],
      ["all-leads-mean", { leads: [] }],
      ["lead-median-overall", { scores: [] }],
      ["overall-speed", { tasks: [] }],
      ["fast-factor", { runs: [] }],
      ["rank-ranges", { seed: "s", draws: 100, entries: [] }],
      ["icc", { scores: [] }],
      ["complexity", { functions: [] }],
      ["review-cost", { sessions: [] }],
      ["same-judge-twice", { pairs: [] }],
      ["calibration-offset", { anchors: [] }],
      ["judge-recall", { defects: [], reviewed: [], findings: [] }],
    ];
    for (const [name, input] of empty)
      expect(work(name, input).steps.join("\n")).not.toMatch(/NaN|undefined|null/);
  });

  it("prices a request without a price card's cache prices as the rules say, and says what it assumed", () => {
    const { result, steps } = work("cost", {
      card: { input: 1, output: 5 },
      requests: [{ at: null, tier: "fast", cache_read: 1_000_000, output: 100_000 }],
    });
    expect(result).toMatchObject({
      value: 1.5,
      assumptions: ["cache-read-at-input-price", "tier-fast-twice"],
    });
    expect(steps).toContain("assumed: cache-read-at-input-price");
  });

  it("shows of the trap among the reference sets that ICC(2,k) has no meaning there", () => {
    const { result } = work("icc", {
      scores: [
        [7, 8, 6, 7],
        [8, 6, 7, 9],
        [6, 7, 8, 7],
        [7, 9, 7, 6],
        [8, 7, 6, 8],
      ],
    });
    expect(result.single).toEqual({ value: expect.closeTo(-1 / 3, 9), reason: null });
    expect(result.average).toMatchObject({ value: null });
  });
});

describe("numbers in steps", () => {
  it("have at most six decimals, no zeros at the end and no sign before 0", () => {
    expect([8, 0.5, 1 / 3, 100, -0.25, 1e-9, -1e-9, 1234567].map(shown)).toEqual([
      "8",
      "0.5",
      "0.333333",
      "100",
      "-0.25",
      "0",
      "0",
      "1234567",
    ]);
    expect(shown(null)).toBe("unknown");
  });

  it("are counted instead of written where a list is long", () => {
    expect(terms([1, -2])).toBe("(1 + (-2))");
    expect(terms(Array(14).fill(1))).toBe(`(${"1 + ".repeat(12)}… (2 more))`);
  });
});
