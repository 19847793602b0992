import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import { pointSteps } from "../../../src/site/code/points.ts";
import { dataOf, type Given } from "../../lib/code/aggregate/small-data.ts";
import { syntheticData } from "./synthetic-data.ts";

const stepsOf = (given: Given) => {
  const data = dataOf([given]);
  return pointSteps(data.entries[0]!, data.runs[0]!);
};

describe("where an entry's points went", () => {
  it("takes from 10 what the council, the hidden suite and slop took, to the final score", () => {
    // The methodology's own numbers: council 9, 11 of 12, slop 0.625 give 7.9375.
    const steps = stepsOf({
      council: 9,
      hidden: [11, 12],
      slop: 0.625,
      final: 7.9375,
      seats: { a: 9, b: 9 },
    });
    expect(steps.map(({ id, change, left }) => [id, change, left])).toEqual([
      ["start", null, 10],
      ["council", -1, 9],
      ["hidden", -0.75, 8.25],
      ["slop", -0.3125, 7.9375],
      ["final", null, 7.9375],
    ]);
    expect(steps.map(({ why }) => why)).toEqual([
      "Every entry starts from 10 points.",
      "The panel's 2 judges give 9.00 of 10 on average.",
      "It fails 1 of 12 hidden categories, so it keeps 11/12 of its council score.",
      "0.63 slop points a seat, and each costs half a point.",
      "9.00 × 11 ÷ 12 − 0.5 × 0.63 = 7.94.",
    ]);
  });

  it("says of a negative score that it may be", () => {
    const steps = stepsOf({ council: 1, hidden: [0, 12], slop: 4, final: -2 });
    expect(steps.at(-1)?.left).toBe(-2);
    expect(steps.at(-1)?.why).toContain("it may be negative");
  });

  it.each<[string, Given, string, string]>([
    ["no panel", { council: null, final: null }, "council", "No council score: no panel scored it."],
    ["no hidden suite", { hidden: null, final: null }, "hidden", "The hidden suite was not run."],
    ["no seat", { slop: null, final: null }, "slop", "No seat reviewed it, so slop is unknown."],
    ["no finish", { dnf: "out of time" }, "council", "No council score: it did not finish (out of time)."],
  ])("with %s is unknown from there on, never 0, and says why", (_, given, id, why) => {
    const steps = stepsOf(given);
    const from = steps.findIndex((step) => step.id === id);
    expect(steps[from]?.why).toBe(why);
    expect(steps.slice(from).every(({ left }) => left === null)).toBe(true);
    expect(steps[from]?.change).toBeNull();
  });

  describe("in a full-size round", () => {
    let data: Data;
    beforeAll(async () => {
      data = await syntheticData();
    });
    it("ends at the final score that was derived, for every entry", () => {
      const runs = new Map(data.runs.map((run) => [run.id, run]));
      for (const entry of data.entries) {
        const steps = pointSteps(entry, runs.get(entry.run)!);
        const slop = steps.find(({ id }) => id === "slop")?.left ?? null;
        if (entry.final === null) expect(slop).toBeNull();
        else expect(slop).toBeCloseTo(entry.final, 9);
      }
    });
  });
});
