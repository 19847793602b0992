import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  completeMatrix,
  type JudgedScore,
  judgeAgreement,
  panelIcc,
} from "../../../../src/lib/code/judges/agreement.ts";
import { calibrationOffset } from "../../../../src/lib/code/judges/calibration.ts";
import { reviewCost } from "../../../../src/lib/code/judges/cost.ts";
import { sameJudgeTwice, selfPreference } from "../../../../src/lib/code/judges/preference.ts";
import { judgeRecall, judgeTrial } from "../../../../src/lib/code/judges/recall.ts";

const scoresOf = (rows: readonly (readonly (number | null)[])[]): JudgedScore[] =>
  rows.flatMap((row, entry) =>
    row.flatMap((score, judge) =>
      score === null ? [] : [{ entry: `e${entry}`, judge: String.fromCharCode(97 + judge), score }],
    ),
  );
/** Set A of the reference data: 4 entries × judges a, b, c. */
const A = scoresOf([
  [8, 7, 9],
  [6, 6, 7],
  [9, 8, 9],
  [5, 4, 6],
]);
const complete = fc
  .record({ n: fc.integer({ min: 2, max: 9 }), k: fc.integer({ min: 2, max: 5 }) })
  .chain(({ n, k }) => {
    const row = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: k, maxLength: k });
    return fc.array(row, { minLength: n, maxLength: n });
  })
  .map((rows) => scoresOf(rows.map((row) => row.map((score) => score / 10))));

describe("Methodology: Council judges", () => {
  it("gives offset and r against the mean of the other judges", () => {
    const judges = judgeAgreement(A);
    expect(judges.map(({ judge, n, compared }) => [judge, n, compared])).toEqual([
      ["a", 4, 4],
      ["b", 4, 4],
      ["c", 4, 4],
    ]);
    // Offsets and r of set A as the reference data state them, to six decimals.
    for (const [index, offset] of [0, -1.125, 1.125].entries())
      expect(judges[index]!.offset.value).toBeCloseTo(offset, 6);
    for (const [index, r] of [0.981495, 0.959939, 0.968254].entries())
      expect(judges[index]!.r.value).toBeCloseTo(r, 6);
  });

  it("gives mean and median of the judge's raw scores over all entries it scored", () => {
    const [a, b] = judgeAgreement(
      scoresOf([
        [8, 9],
        [5, null],
        [6, null],
        [7, null],
      ]),
    );
    expect([a!.mean, a!.median, a!.n, a!.compared]).toEqual([6.5, 6.5, 4, 1]);
    expect([b!.mean, b!.n]).toEqual([9, 1]);
    expect(a!.offset.value).toBe(-1);
  });

  it("compares with whichever others scored an entry, and says when there is nobody", () => {
    const [a] = judgeAgreement(
      scoresOf([
        [8, 7, null],
        [6, null, 8],
        [9, null, null],
      ]),
    );
    expect(a!.offset.value).toBe(-0.5);
    expect(a!.compared).toBe(2);
    const [alone] = judgeAgreement(scoresOf([[8], [6]]));
    expect(alone!.offset).toEqual({ value: null, reason: "no entry was scored by another judge too" });
    expect(alone!.r.value).toBeNull();
  });

  it("takes the ICC over entries that every judge scored", () => {
    const gap: JudgedScore = { entry: "e9", judge: "a", score: 1 };
    expect(completeMatrix([...A, gap]).entries).toEqual(["e0", "e1", "e2", "e3"]);
    expect(panelIcc([...A, gap]).single.value).toBeCloseTo(0.801653, 6);
    expect(panelIcc([...A, gap]).average.value).toBeCloseTo(0.92381, 6);
    expect(panelIcc([...A, gap], ["a", "c"])).toMatchObject({ n: 4, k: 2 });
  });

  it("has offsets that sum to 0 when every judge scored every entry", () => {
    fc.assert(
      fc.property(complete, (scores) => {
        const total = judgeAgreement(scores).reduce((sum, { offset }) => sum + offset.value!, 0);
        expect(Math.abs(total)).toBeLessThan(1e-9);
      }),
    );
  });

  it("does not depend on the order of scores, nor does adding to one judge move its r", () => {
    fc.assert(
      fc.property(complete, (scores) => {
        const [one, other] = [judgeAgreement(scores), judgeAgreement(scores.toReversed())];
        one.forEach((judge, index) => {
          expect(other[index]!.judge).toBe(judge.judge);
          expect(other[index]!.offset.value).toBeCloseTo(judge.offset.value!, 9);
        });
        const shifted = judgeAgreement(
          scores.map((each) => (each.judge === "a" ? { ...each, score: each.score + 2 } : each)),
        );
        expect(shifted[0]!.offset.value).toBeCloseTo(one[0]!.offset.value! + 2, 9);
        if (one[0]!.r.value !== null) expect(shifted[0]!.r.value).toBeCloseTo(one[0]!.r.value, 6);
      }),
    );
  });

  it("counts review cost per entry without anchors, and wall time per session", () => {
    // One session of 10 entries and 2 anchors for 3.00 USD: 0.30 an entry.
    expect(reviewCost([{ cost_usd: 3, scored: 10, seconds: 600 }]).cost_per_entry.value).toBeCloseTo(0.3, 12);
    const two = reviewCost([
      { cost_usd: 1, scored: 8, seconds: 100 },
      { cost_usd: 2, scored: 7, seconds: 300 },
    ]);
    expect(two.cost_per_entry.value).toBeCloseTo(0.2, 12);
    expect([two.seconds_per_session, two.sessions, two.scored]).toEqual([200, 2, 15]);
  });

  it("F57: shows no cost instead of too little when one session's is unknown", () => {
    const cost = reviewCost([
      { cost_usd: 1, scored: 8, seconds: 100 },
      { cost_usd: null, scored: 7, seconds: 300 },
    ]);
    expect(cost.cost).toEqual({ value: null, reason: "the cost of a session is unknown" });
    expect(cost.cost_per_entry.value).toBeNull();
    expect(reviewCost([{ cost_usd: 1, scored: 0, seconds: 1 }]).cost_per_entry.reason).toBe(
      "no entry was scored",
    );
    expect(reviewCost([]).cost.value).toBeNull();
  });
});

describe("Methodology: Council, Calibration", () => {
  it("averages over anchors what the judge gives more than the earlier panels", () => {
    const { against_panel } = calibrationOffset([
      { score: 8.1, panel: 7.8, panel_without: 7.8 },
      { score: 6.4, panel: 6.9, panel_without: 6.9 },
    ]);
    expect(against_panel.offset).toBeCloseTo(-0.1, 12);
    expect(against_panel.n).toBe(2);
    expect(against_panel.min).toBeCloseTo(-0.5, 12);
    expect(against_panel.max).toBeCloseTo(0.3, 12);
  });

  it("also compares with the earlier panel without the judge itself", () => {
    // The judge gave 9 on a panel of two (other: 7, mean 8) and gives 9 again.
    const { against_panel, against_others } = calibrationOffset([{ score: 9, panel: 8, panel_without: 7 }]);
    expect([against_panel.offset, against_others.offset]).toEqual([1, 2]);
  });

  it("leaves out anchors that no earlier panel scored", () => {
    const anchors = [
      { score: 9, panel: null, panel_without: null },
      { score: 8, panel: 7.5, panel_without: null },
    ];
    expect(calibrationOffset(anchors).against_panel).toEqual({ offset: 0.5, n: 1, min: 0.5, max: 0.5 });
    expect(calibrationOffset(anchors).against_others).toEqual({ offset: null, n: 0, min: null, max: null });
  });
});

describe("Methodology: Verified defects", () => {
  const pairs = [
    { defect: "D-1", entry: "x" },
    { defect: "D-1", entry: "y" },
    { defect: "D-2", entry: "x" },
    { defect: "D-3", entry: "z" },
  ];

  it("counts (defect, entry) pairs in the entries that the judge reviewed", () => {
    const reported = [
      { defect: "D-1", entry: "x" },
      { defect: "D-1", entry: "x" },
      { defect: "D-3", entry: "z" },
      { defect: "D-9", entry: "x" },
    ];
    const recall = judgeRecall(pairs, new Set(["x", "y"]), reported);
    expect([recall.found, recall.of]).toEqual([1, 3]);
    expect(recall.share.value).toBeCloseTo(1 / 3, 12);
    expect(judgeRecall(pairs, new Set(["w"]), reported).share.value).toBeNull();
  });

  it("holds trials to the list: defects found, false positives, precision of what was verified", () => {
    const trial = judgeTrial(pairs, new Set(["x", "y"]), [
      { entry: "x", defect: "D-1", false_positive: false },
      { entry: "x", defect: "D-2", false_positive: false },
      { entry: "y", defect: null, false_positive: false },
      { entry: "y", defect: "D-1", false_positive: true },
    ]);
    expect(trial).toMatchObject({ found: 2, of: 3, findings: 4, false_positives: 1 });
    expect(trial.precision.value).toBeCloseTo(2 / 3, 12);
    expect(judgeTrial(pairs, new Set(["x"]), []).precision.reason).toBe("no finding was verified");
  });
});

describe("Methodology: Known biases and caveats, self-preference", () => {
  const entry = (id: string, entry_vendor: string, byVendor: Record<string, number>) =>
    Object.entries(byVendor).map(([judge_vendor, score]) => ({
      entry: id,
      entry_vendor,
      judge_vendor,
      score,
    }));

  it("is what a vendor's judges give their own entries more than others give them, beyond their usual generosity", () => {
    const scores = [
      ...entry("e1", "anthropic", { anthropic: 9, openai: 8, xai: 7 }),
      ...entry("e2", "openai", { anthropic: 8, openai: 8, xai: 7 }),
      ...entry("e3", "xai", { anthropic: 7, openai: 7, xai: 6 }),
    ];
    const [anthropic, openai, xai] = selfPreference(scores);
    // Anthropic: own +1.5; others +0.5 and +0.5.
    expect(anthropic).toMatchObject({ vendor: "anthropic", own: 1.5, own_n: 1, other: 0.5, other_n: 2 });
    expect(anthropic!.preference.value).toBe(1);
    // OpenAI: own +0.5; others 0 and +0.5. xAI: own −1; others −1.5 and −1.
    expect(openai!.preference.value).toBe(0.25);
    expect(xai!.preference.value).toBe(0.25);
  });

  it("is none for a judge who is generous to everybody", () => {
    const scores = ["a", "b", "c"].flatMap((vendor, index) =>
      entry(`e${index}`, vendor, { a: 9, b: 7, c: 7 }),
    );
    expect(selfPreference(scores)[0]!.preference.value).toBe(0);
  });

  it("is unknown without entries of its own or of others", () => {
    expect(selfPreference(entry("e", "a", { b: 8, c: 7 })).map(({ preference }) => preference.value)).toEqual(
      [null, null],
    );
    expect(selfPreference(entry("e", "a", { a: 8 }))[0]).toMatchObject({ own: null, own_n: 0, other_n: 0 });
  });

  it("measures how far the same judge is from itself", () => {
    expect(
      sameJudgeTwice([
        [8, 8.5],
        [7, 6],
        [9, 9],
      ]),
    ).toEqual({
      mean_absolute: 0.5,
      largest: 1,
      drift: -0.5 / 3,
      n: 3,
    });
    expect(sameJudgeTwice([])).toBeNull();
  });
});
