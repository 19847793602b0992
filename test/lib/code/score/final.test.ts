import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestPer } from "../../../../src/lib/code/score/best.ts";
import { finalScore } from "../../../../src/lib/code/score/final.ts";
import { addHidden, hiddenShare, isEligible } from "../../../../src/lib/code/score/hidden.ts";
import { inRankOrder, ranksOf } from "../../../../src/lib/code/score/order.ts";
import { paretoFront } from "../../../../src/lib/code/score/pareto.ts";
import { type PickCandidate, pickValue, topPicks } from "../../../../src/lib/code/score/value.ts";

describe("Methodology: Final score", () => {
  it("is council × passed ÷ total − 0.5 × slop", () => {
    expect(finalScore(9, { passed: 11, total: 12 }, 0.625)).toEqual({ value: 7.9375, reason: null });
  });

  it("keeps 11/12 of the council score when 1 of 12 categories fails", () => {
    expect(finalScore(8.4, { passed: 11, total: 12 }, 0).value).toBeCloseTo((8.4 * 11) / 12, 12);
  });

  it("may be negative", () => {
    expect(finalScore(5, { passed: 0, total: 12 }, 3).value).toBe(-1.5);
  });

  it("F57: is unknown when anything in it is, and says what", () => {
    expect(finalScore(null, { passed: 1, total: 1 }, 0).reason).toBe("no council score");
    expect(finalScore(9, null, 0).reason).toBe("the hidden suite was not run");
    expect(finalScore(9, { passed: 0, total: 0 }, 0).reason).toBe("the hidden suite was not run");
    expect(finalScore(9, { passed: 1, total: 1 }, null).reason).toBe("no seat reviewed the entry");
  });
});

describe("Methodology: Repeat runs, hidden suite", () => {
  it("adds counts up over runs", () => {
    expect(addHidden(Array(3).fill({ passed: 11, total: 11 }))).toEqual({ passed: 33, total: 33 });
    expect(addHidden([])).toBeNull();
    expect(hiddenShare({ passed: 3, total: 4 })).toBe(0.75);
    expect(hiddenShare({ passed: 0, total: 0 })).toBeNull();
  });
});

const candidate = (configuration: string, rest: Partial<PickCandidate>): PickCandidate => ({
  configuration,
  council: 8,
  cost: 1,
  defect_points: 1,
  hidden: { passed: 67, total: 67 },
  ...rest,
});
/** Round 1 as the methodology prints it. */
const ROUND_1 = [
  candidate("sol@max", {
    council: 8.43,
    cost: 0.44,
    defect_points: 1.72,
    hidden: { passed: 333, total: 335 },
  }),
  candidate("opus@xhigh", { council: 9.01, cost: 5.74, defect_points: 1.12 }),
  candidate("opus@high", { council: 8.77, cost: 2.75, defect_points: 1.3 }),
];

describe("Methodology: Top overall picks", () => {
  it("gives the three picks of round 1 in their order", () => {
    const picks = topPicks(ROUND_1);
    expect(picks.map((pick) => pick.candidate.configuration)).toEqual(["opus@xhigh", "opus@high", "sol@max"]);
    [7.94579, 7.828114, 7.806885].forEach((value, index) => {
      expect(picks[index]!.value).toBeCloseTo(value, 6);
    });
  });

  it("takes 0.2 points for each doubling of cost and 0.5 for each defect point", () => {
    const [base, double, defect] = [pickValue(8, 1, 1), pickValue(8, 2, 1), pickValue(8, 1, 2)];
    expect(base.value).toBe(7.5);
    expect(double.value).toBeCloseTo(7.3, 12);
    expect(defect.value).toBe(7);
  });

  it("ranks nothing whose cost is unknown or 0, whose score or review is missing", () => {
    expect(pickValue(8, 0, 1).reason).toBe("the cost is unknown");
    expect(pickValue(8, null, 1).value).toBeNull();
    expect(pickValue(null, 1, 1).value).toBeNull();
    expect(pickValue(8, 1, null).value).toBeNull();
    expect(topPicks([candidate("a@x", { cost: null }), candidate("b@x", { cost: 0 })])).toEqual([]);
  });

  it("lets only those qualify that passed 98% of all categories, in whole numbers", () => {
    const eligible = (passed: number, total: number): boolean => isEligible({ passed, total });
    expect([eligible(333, 335), eligible(49, 50), eligible(48, 49), eligible(11, 12)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([eligible(12, 12), eligible(0, 0), isEligible(null)]).toEqual([true, false, false]);
    // 100 × 0.98 is not 98 in doubles: 4,900 of 5,000 must not fall to rounding.
    expect([eligible(4900, 5000), eligible(4899, 5000)]).toEqual([true, false]);
    expect(topPicks([candidate("a@x", { hidden: { passed: 48, total: 49 } })])).toEqual([]);
  });

  it("shows at most six, and fewer when fewer are eligible", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      candidate(`m${index}@x`, { council: 5 + index / 10 }),
    );
    const picks = topPicks(many);
    expect(picks.map((pick) => pick.candidate.configuration)).toEqual([
      "m8@x",
      "m7@x",
      "m6@x",
      "m5@x",
      "m4@x",
      "m3@x",
    ]);
    expect(topPicks(many.slice(0, 2))).toHaveLength(2);
  });

  it("under best per model shows each model once, at its best-value effort", () => {
    const picks = topPicks(ROUND_1, ({ configuration }) => configuration.split("@")[0]!);
    expect(picks.map((pick) => pick.candidate.configuration)).toEqual(["opus@xhigh", "sol@max"]);
    const cheapFirst = topPicks(
      [candidate("m@max", { council: 9, cost: 64 }), candidate("m@low", { council: 8.5, cost: 1 })],
      () => "m",
    );
    expect(cheapFirst.map((pick) => pick.candidate.configuration)).toEqual(["m@low"]);
  });

  it("does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ROUND_1, { minLength: 3 }), (shuffled) => {
        expect(topPicks(shuffled)).toEqual(topPicks(ROUND_1));
      }),
    );
  });
});

describe("Methodology: Aggregation on the site, Best per model", () => {
  const items = [
    { configuration: "m@max", score: 8.1, cost: 5 },
    { configuration: "m@high", score: 8.1 + 5e-10, cost: 9 },
    { configuration: "m@low", score: 7, cost: 0.1 },
    { configuration: "n@low", score: null, cost: 0.1 },
  ];
  const model = ({ configuration }: { configuration: string }): string => configuration.split("@")[0]!;

  it("keeps the effort with the highest score; ties within 10⁻⁹ go to the cheaper", () => {
    const best = bestPer(items, model, ({ score }) => score);
    expect(best.map(({ configuration }) => configuration)).toEqual(["m@max"]);
  });

  it("breaks a tie in cost too by the configuration's id, and puts an unknown cost last", () => {
    const tied = [
      { configuration: "m@z", score: 1, cost: 2 },
      { configuration: "m@b", score: 1, cost: 2 },
      { configuration: "m@a", score: 1, cost: null },
    ];
    expect(inRankOrder(tied, ({ score }) => score).map(({ configuration }) => configuration)).toEqual([
      "m@b",
      "m@z",
      "m@a",
    ]);
  });

  it("shows all efforts when each configuration is its own key, without those that have no score", () => {
    const all = bestPer(
      items,
      ({ configuration }) => configuration,
      ({ score }) => score,
    );
    expect(all.map(({ configuration }) => configuration)).toEqual(["m@max", "m@high", "m@low"]);
  });

  it("gives ties the better rank and leaves a gap after them", () => {
    expect(ranksOf([7, 9, 8, 9 + 1e-10, 8, 1])).toEqual([5, 1, 3, 1, 3, 6]);
    expect(ranksOf([])).toEqual([]);
  });

  it("orders alike whatever order it is given", () => {
    const near = fc.record({
      configuration: fc.constantFrom("a@1", "b@1", "c@1", "d@1", "e@1"),
      score: fc.integer({ min: 0, max: 5 }).map((steps) => 5 + steps * 6e-10),
      cost: fc.constantFrom(null, 1, 2),
    });
    const lists = fc.uniqueArray(near, { selector: ({ configuration }) => configuration });
    fc.assert(
      fc.property(lists, (list) => {
        expect(inRankOrder(list.toReversed(), ({ score }) => score)).toEqual(
          inRankOrder(list, ({ score }) => score),
        );
      }),
    );
  });
});

describe("Methodology: Repeat runs, the Pareto chart", () => {
  const point = (configuration: string, score: number, cost: number | null) => ({
    configuration,
    score,
    cost,
  });

  it("has on the front what nothing beats in both, equal points both, unknown costs apart", () => {
    const split = paretoFront([
      point("dear", 9, 5),
      point("cheap", 7, 1),
      point("worse", 6.9, 1),
      point("dearer", 7, 2),
      point("twin", 9, 5),
      point("unknown", 10, null),
    ]);
    expect(split.front.map(({ configuration }) => configuration)).toEqual(["cheap", "dear", "twin"]);
    expect(split.behind.map(({ configuration }) => configuration)).toEqual(["worse", "dearer"]);
    expect(split.unplaced.map(({ configuration }) => configuration)).toEqual(["unknown"]);
  });

  it("is what comparing every pair gives", () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(points, (pairs) => {
        const all = pairs.map(([score, cost], index) => point(`c${index}`, score, cost));
        const beaten = (one: (typeof all)[number]): boolean =>
          all.some(
            (other) =>
              other.score >= one.score &&
              other.cost! <= one.cost! &&
              (other.score > one.score || other.cost! < one.cost!),
          );
        const expected = all.filter((one) => !beaten(one)).map(({ configuration }) => configuration);
        const { front } = paretoFront(all);
        expect(front.map(({ configuration }) => configuration).sort()).toEqual(expected.sort());
        const costs = front.map(({ cost }) => cost!);
        expect(costs).toEqual(costs.toSorted((a, b) => a - b));
      }),
    );
  });
});
