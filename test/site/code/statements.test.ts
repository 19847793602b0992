import { describe, expect, it } from "vitest";
import { indexData } from "../../../src/lib/code/aggregate/index-data.ts";
import { deriveRanks } from "../../../src/lib/code/aggregate/ranks.ts";
import { FIRST_SELECTION, type Selection } from "../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import {
  groupDifference,
  pairedDifference,
  plainWords,
  type StatementKind,
  strengthOf,
} from "../../../src/site/code/statement.ts";
import { deriveStatements } from "../../../src/site/code/statements.ts";
import { dataOf, type Given } from "../../lib/code/aggregate/small-data.ts";

/** What the Findings section says of such entries, as plain text. */
function said(given: readonly Given[], selection: Partial<Selection> = {}, rest: Partial<Data> = {}) {
  const index = indexData(dataOf(given, rest));
  const view = deriveView(index, { ...FIRST_SELECTION, efforts: "all", ...selection });
  const { statements, caveats } = deriveStatements(index, view, deriveRanks(index, view, { seed: "test" }));
  return {
    all: statements,
    of(kind: StatementKind) {
      const found = statements.find((statement) => statement.kind === kind);
      return found === undefined
        ? null
        : {
            strength: found.strength,
            says: plainWords(found.says),
            because: plainWords(found.because),
          };
    },
    caveat(id: string): string | null {
      const found = caveats.find((caveat) => caveat.id === id);
      return found === undefined ? null : plainWords(found.says);
    },
    caveats: caveats.map(({ id }) => id),
  };
}

/** A configuration in so many leads' runs of one task, with three judges around its score. */
const entries = (configuration: string, scores: readonly number[], change: Partial<Given> = {}): Given[] =>
  scores.map((score, number) => ({
    configuration,
    lead: `lead-${number}@high`,
    council: score,
    final: score,
    seats: { a: score - 0.1, b: score, c: score + 0.1 },
    ...change,
  }));
const around = (score: number): number[] => [score, score + 0.05, score - 0.05, score + 0.02, score - 0.02];

describe("who leads", () => {
  it("is strong when the first is ahead of everybody in nearly all draws", () => {
    const { of } = said([
      ...entries("ash@high", around(9)),
      ...entries("cedar@high", around(7)),
      ...entries("elm@high", around(5)),
    ]);
    expect(of("leader")).toMatchObject({
      strength: "strong",
      says: "ash@high leads with a final score of 9.00. cedar@high follows with 7.00: the two are clearly different.",
    });
    expect(of("leader")?.because).toMatch(/more than 97.5% of 2000 random draws of 3 judges, 5 leads/);
  });

  it("is not clear when the runs of the first two overlap, and says which ranks are open", () => {
    const { of } = said([
      ...entries("ash@high", [9, 7, 9, 7, 8.2]),
      ...entries("cedar@high", [7, 9, 7, 9, 8]),
    ]);
    expect(of("leader")?.strength).toBe("not clear");
    expect(of("leader")?.says).toContain("the two are not clearly different");
    expect(of("leader")?.because).toContain("ranks 1 to 2 are open for it");
  });

  it("rests on one judge alone, and is then moderate at most", () => {
    const alone = (score: number): Partial<Given> => ({ seats: { a: score } });
    const { of } = said([
      ...around(9).flatMap((score, lead) =>
        entries("ash@high", [score], { ...alone(score), lead: `l${lead}@high` }),
      ),
      ...around(5).flatMap((score, lead) =>
        entries("elm@high", [score], { ...alone(score), lead: `l${lead}@high` }),
      ),
    ]);
    expect(of("leader")).toMatchObject({ strength: "moderate" });
    expect(of("leader")?.because).toContain("rests on one judge alone");
  });

  it.each([
    [0.3, "not clear", "with single runs a few tenths are a tie"],
    [2, "weak", "more than a few tenths"],
  ] as const)("with one run each and %d between them is %s", (gap, strength, because) => {
    const { of } = said([...entries("ash@high", [8]), ...entries("cedar@high", [8 - gap])]);
    expect(of("leader")).toMatchObject({ strength });
    expect(of("leader")?.because).toContain(because);
  });

  it.each([
    ["overlap", [8, 7], [7.5, 7.2], "not clear"],
    ["do not overlap", [8, 7.9], [7, 6.9], "weak"],
  ] as const)("with two repeat runs whose ranges %s is decided by them", (words, first, second, strength) => {
    const twice = (configuration: string, scores: readonly number[]): Given[] =>
      scores.flatMap((score, run) =>
        entries(configuration, [score], { replicate: run + 1, lead: "lead@high" }),
      );
    const { of } = said([...twice("ash@high", first), ...twice("cedar@high", second)]);
    expect(of("leader")).toMatchObject({ strength });
    expect(of("leader")?.because).toContain(`ranges over repeat runs ${words}`);
    expect(of("leader")?.says).toContain(" ± ");
  });

  it("says that two share the first place", () => {
    const { of } = said([...entries("ash@high", [8]), ...entries("cedar@high", [8])]);
    expect(of("leader")).toMatchObject({ strength: "not clear" });
    expect(of("leader")?.says).toContain("share the first place");
  });

  it("compares nobody where there is one, and nothing where nobody finished", () => {
    expect(said(entries("ash@high", [8])).of("leader")?.because).toBe("There is nobody to compare it with.");
    const none = said([{ configuration: "ash@high", dnf: "out of time" }]);
    expect(none.of("leader")).toBeNull();
    expect(none.of("best-value")).toBeNull();
    expect(none.of("cheapest")).toBeNull();
  });
});

describe("the best value", () => {
  const pair = (second: Partial<Given>, leads = 12): Given[] =>
    Array.from({ length: leads }, (_, lead) => lead).flatMap((lead) => [
      { configuration: "ash@high", council: 9, usd: 1, lead: `l${lead}@high` },
      { configuration: "cedar@high", council: 8, usd: 1, lead: `l${lead}@high`, ...second },
    ]);

  it("is moderate over many entries and more than half a point, weak over few", () => {
    expect(said(pair({})).of("best-value")).toMatchObject({ strength: "moderate" });
    expect(said(pair({}, 2)).of("best-value")).toMatchObject({ strength: "weak" });
    expect(said(pair({})).of("best-value")?.says).toBe(
      "ash@high is the best value: 9.00, from a council score of 9.00, $1.00 a task and 0.00 defect points (hidden 144/144).",
    );
  });

  it("is not clear within what a doubling of the price costs", () => {
    const { of } = said(pair({ council: 8.9 }));
    expect(of("best-value")).toMatchObject({ strength: "not clear" });
    expect(of("best-value")?.because).toContain("less than what a doubling of the price costs (0.2)");
  });

  it.each([
    [[9, 9.1, 9], [7, 7.1, 7], "strong"],
    [[9, 9.1], [7, 7.1], "moderate"],
    [[9, 7, 9], [8, 8.5, 8], "not clear"],
  ] as const)("over repeat runs %j against %j is %s", (first, second, strength) => {
    const runs = (configuration: string, scores: readonly number[]): Given[] =>
      scores.map((council, run) => ({ configuration, council, replicate: run + 1 }));
    expect(said([...runs("ash@high", first), ...runs("cedar@high", second)]).of("best-value")).toMatchObject({
      strength,
    });
  });

  it("says why it is the only pick", () => {
    const { of } = said([{ configuration: "ash@high" }, { configuration: "elm@high", hidden: [3, 12] }]);
    expect(of("best-value")).toMatchObject({ strength: "weak" });
    expect(of("best-value")?.because).toContain("1 of 2 configurations pass at least 98%");
  });
});

describe("the cheapest that passes", () => {
  it("is whoever costs least of those with 98%, whatever fails more cheaply", () => {
    const { of } = said([
      { configuration: "ash@high", usd: 2 },
      { configuration: "cedar@high", usd: 1 },
      { configuration: "elm@high", usd: 0.1, hidden: [6, 12] },
    ]);
    expect(of("cheapest")).toMatchObject({
      strength: "moderate",
      because: "The next, ash@high, costs $2.00, 2.00 times as much, over 1 entry each.",
    });
    expect(of("cheapest")?.says).toMatch(/^cedar@high is the cheapest/);
  });

  it.each([
    [1.05, 1, "not clear"],
    [1.3, 1, "weak"],
    [2, 12, "strong"],
  ])("with the next at %d times the price over %d entries is %s", (ratio, leads, strength) => {
    const given = Array.from({ length: leads }, (_, lead) => lead).flatMap((lead): Given[] => [
      { configuration: "ash@high", usd: ratio, lead: `l${lead}@high` },
      { configuration: "cedar@high", usd: 1, lead: `l${lead}@high` },
    ]);
    expect(said(given).of("cheapest")).toMatchObject({ strength });
  });

  it("is nobody when no price is known", () => {
    expect(said([{ configuration: "ash@high", usd: null }]).of("cheapest")).toBeNull();
  });
});

describe("which lead's briefs score highest", () => {
  const led = (lead: string, task: string, scores: readonly number[]): Given[] =>
    scores.map((final, number) => ({ configuration: `ash@e${number}`, lead, task, final, council: final }));
  const twelve = Array.from({ length: 12 }, (_, number) => 5 + number / 4);

  it("is strong when the same configurations do better from them, in three tasks", () => {
    const given = ["t1", "t2", "t3"].flatMap((task) => [
      ...led(
        "cedar@high",
        task,
        twelve.map((score, number) => score + 0.5 + (number % 2) / 10),
      ),
      ...led("elm@high", task, twelve),
    ]);
    expect(said(given).of("leads")).toMatchObject({ strength: "strong" });
    expect(said(given).of("leads")?.says).toMatch(/^Briefs by cedar@high give the highest median/);
    // One task has one brief of each lead: nobody can tell the two apart.
    expect(said(given, { task: "t1" }).of("leads")).toMatchObject({ strength: "moderate" });
  });

  it("is not clear when they do better and worse by turns", () => {
    const given = ["t1", "t2", "t3"].flatMap((task) => [
      ...led(
        "cedar@high",
        task,
        twelve.map((score, number) => score + (number % 2 === 0 ? 1 : -0.95)),
      ),
      ...led("elm@high", task, twelve),
    ]);
    expect(said(given).of("leads")).toMatchObject({ strength: "not clear" });
  });

  it("is not clear when what ran from both did worse, and says so", () => {
    const given = ["t1", "t2", "t3"].flatMap((task): Given[] => [
      ...led(
        "cedar@high",
        task,
        twelve.map((score) => score - 0.5),
      ),
      ...led("elm@high", task, twelve),
      // These ran from one lead's briefs only, and lift its median.
      ...Array.from({ length: 24 }, (_, number) => ({
        configuration: `birch@e${number}`,
        lead: "cedar@high",
        task,
        final: 9.5,
      })),
    ]);
    expect(said(given).of("leads")).toMatchObject({ strength: "not clear" });
    expect(said(given).of("leads")?.says).toMatch(/^Briefs by cedar@high give the highest median/);
    expect(said(given).of("leads")?.because).toContain("which does not bear the medians out");
  });

  it("is not said of one lead", () => {
    expect(said(led("cedar@high", "t1", twelve)).of("leads")).toBeNull();
    expect(
      said([...led("cedar@high", "t1", twelve), ...led("elm@high", "t1", twelve)], { lead: "elm@high" }).of(
        "leads",
      ),
    ).toBeNull();
  });
});

describe("judges", () => {
  const judged = (gaps: readonly number[]): Given[] =>
    gaps.map((gap, number) => ({ configuration: `ash@e${number}`, seats: { a: 7 - gap, b: 7, c: 7 } }));

  it("names the strictest, strongly when it always is", () => {
    const { of } = said(judged([1, 1.1, 0.9, 1, 1.1, 0.9, 1, 1.1, 0.9, 1]));
    expect(of("strictest-judge")).toMatchObject({
      strength: "strong",
      says: "The strictest judge is Judge a: -1.00 against the other judges on the same entries. It is a tendency, not a quality.",
    });
    expect(of("strictest-judge")?.because).toMatch(/^Over 10 entries it scored -1.00 ± 0.0\d/);
  });

  it("is not clear when it is strict by turns, and not said of one judge", () => {
    expect(said(judged([2, -1.8, 2, -1.8, 2, -1.8])).of("strictest-judge")).toMatchObject({
      strength: "not clear",
    });
    expect(said([{ seats: { a: 7 } }]).of("strictest-judge")).toBeNull();
  });

  /** Judge b is of the south, as cedar is; a and c are of the north, as ash is. */
  const family = (own: readonly number[]): Given[] => [
    ...own.map((gap, number) => ({ configuration: `cedar@e${number}`, seats: { a: 7, b: 7 + gap, c: 7 } })),
    ...own.map((_, number) => ({
      configuration: `elm@e${number}`,
      seats: { a: 7, b: 7 + (number % 2) / 100, c: 7 },
    })),
  ];
  const southOf = (given: readonly Given[]) =>
    said(given).all.find(({ id }) => id === "self-preference-south");

  it("says strongly that a family favours its own", () => {
    const found = southOf(family([1, 1.1, 0.9, 1, 1.1, 0.9, 1, 1.1, 0.9, 1]));
    expect(found?.strength).toBe("strong");
    expect(plainWords(found?.says ?? [])).toBe(
      "Judges of SOUTH favour their own lab's entries by 1.00 points: look at the cross-vendor score beside the council's.",
    );
  });

  it("says that one is harder on its own, and that nothing is clear", () => {
    const hard = southOf(family([-1, -1.1, -0.9, -1, -1.1, -0.9, -1, -1.1, -0.9, -1]));
    expect(plainWords(hard?.says ?? [])).toContain("are harder on their own lab's entries, by 1.01 points");
    const unclear = southOf(family([1, -1, 1, -1, 1, -1]));
    expect(unclear?.strength).toBe("not clear");
    // SD of six gaps of 1 and −1 to the judges of other vendors, ÷ √6.
    expect(plainWords(unclear?.because ?? [])).toContain("± 0.45 (one standard error)");
    expect(plainWords(unclear?.says ?? [])).toContain("no clear preference");
  });

  it("gives the same number as the table of judges", () => {
    const given = family([0.3, -0.2, 0.9, 0.1]);
    const index = indexData(dataOf(given));
    const view = deriveView(index, { ...FIRST_SELECTION, efforts: "all" });
    const south = view.judges.self_preference.find(({ vendor }) => vendor === "south");
    expect(plainWords(southOf(given)?.because ?? [])).toContain(
      `${(south?.preference.value ?? 0) > 0 ? "+" : ""}${south?.preference.value?.toFixed(2)} ± `,
    );
  });
});

describe("fast mode", () => {
  const fast: Given[] = [{ configuration: "ash@high", fast: true }];

  it("is weak while its factor is assumed", () => {
    expect(said(fast).of("fast-mode")).toMatchObject({ strength: "weak" });
    expect(said(fast).of("fast-mode")?.because).toContain("an assumption, not a measurement");
    expect(said(fast).caveat("fast-factor")).toContain("assumed factor");
  });

  it.each([
    [1, "weak"],
    [3, "moderate"],
    [10, "strong"],
  ])("measured on %d pairs is %s", (pairs, strength) => {
    const measured = said(fast, {}, { fast_factors: [{ configuration: "ash@high", factor: 1.7, pairs }] });
    expect(measured.of("fast-mode")).toMatchObject({ strength });
    expect(measured.of("fast-mode")?.says).toContain("1.70 times as long");
    expect(measured.caveats).not.toContain("fast-factor");
  });

  it("is not mentioned where nothing ran fast", () => {
    expect(said([{ configuration: "ash@high" }]).of("fast-mode")).toBeNull();
  });
});

describe("which task tells configurations apart", () => {
  const spread = (task: string, step: number, n: number, replicate = 1, shift = 0): Given[] =>
    Array.from({ length: n }, (_, number) => ({
      configuration: `ash@e${number}`,
      task,
      replicate,
      final: 5 + number * step + shift,
    }));

  it("is strong when repeat runs show that it is no chance", () => {
    const given = [1, 2].flatMap((run) => [
      ...spread("wide", 0.4, 10, run, run / 50),
      ...spread("flat", 0.1, 10, run, run / 50),
    ]);
    expect(said(given).of("tasks")).toMatchObject({ strength: "strong" });
    expect(said(given).of("tasks")?.says).toMatch(
      /^Task wide tells configurations apart most: scores from 5.03/,
    );
  });

  it("is moderate from single runs, weak of few, not clear when the tasks are alike", () => {
    expect(said([...spread("wide", 0.4, 10), ...spread("flat", 0.1, 10)]).of("tasks")).toMatchObject({
      strength: "moderate",
    });
    expect(said([...spread("wide", 0.4, 4), ...spread("flat", 0.1, 4)]).of("tasks")).toMatchObject({
      strength: "weak",
    });
    const alike = said([...spread("one", 0.4, 10), ...spread("two", 0.39, 10)]).of("tasks");
    expect(alike).toMatchObject({ strength: "not clear" });
    expect(alike?.because).toContain("how much of it is chance is not known");
  });

  it("is not said in one task's view", () => {
    expect(
      said([...spread("wide", 0.4, 4), ...spread("flat", 0.1, 4)], { task: "wide" }).of("tasks"),
    ).toBeNull();
  });
});

describe("caveats hold for the data that are shown, and only then", () => {
  const plain = said([{ replicate: 1 }, { replicate: 2 }]);

  it.each<[string, readonly Given[], Partial<Data>, RegExp]>([
    ["synthetic", [{}], { synthetic: true }, /no results/],
    ["single-runs", [{}], {}, /^1 of 1 cell .* treat differences of a few tenths within one as ties/],
    ["families", [{ seats: { a: 8 } }], {}, /share a family with contestants \(NORTH\)/],
    [
      "excluded",
      [{}, { lead: "x@high", run: { excluded: "knew the suite" } }],
      {},
      /^1 run is left out of all results: knew the suite/,
    ],
    [
      "own-briefs",
      [{ configuration: "ash@high", lead: "ash@high" }],
      {},
      /^ash@high is lead and contestant at once/,
    ],
    [
      "coverage",
      [{ task: "t1" }, { task: "t2", configuration: "elm@high" }],
      {},
      /^2 configurations did not complete every task/,
    ],
    ["unfinished", [{}, { configuration: "elm@high", dnf: "time" }], {}, /^1 of 2 entries did not finish/],
    ["brief-judged", [{ run: { basis: "brief" } }], {}, /^1 of 1 run was judged against the brief/],
    ["keywords", [{ findings: [{ classified_by: "keywords" }] }], {}, /^The categories of 1 finding/],
    ["proxy", [{ speed: 2, proxy: true }], {}, /^1 entry has instruction counts/],
    ["cost-unknown", [{ usd: null }], {}, /^1 configuration has no cost/],
    ["declared", [{}], {}, /what their sender says/],
  ])("%s", (id, given, rest, words) => {
    expect(said(given, {}, rest).caveat(id)).toMatch(words);
    if (id !== "declared") expect(plain.caveats).not.toContain(id);
  });

  it("tells a missing session from a zero", () => {
    const session = {
      id: "s1",
      judge: "a",
      scored: 0,
      anchors: [],
      cost_usd: null,
      seconds: 1,
      missing: "no output",
    };
    expect(said([{ run: { sessions: [session] } }]).caveat("missing-seats")).toMatch(
      /^1 review session gave no review/,
    );
  });

  it("says of an empty selection nothing but what is true of it", () => {
    const empty = said([{}], { task: "nowhere" });
    expect(empty.all).toEqual([]);
    expect(empty.caveats).toEqual([]);
  });
});

describe("how clear a difference is", () => {
  it.each([
    [3, 10, "strong"],
    [2.9, 10, "moderate"],
    [3, 9, "moderate"],
    [2, 5, "moderate"],
    [2, 4, "weak"],
    [1.5, 3, "weak"],
    [1.4, 100, "not clear"],
    [10, 2, "not clear"],
  ] as const)("%d standard errors over %d pairs are %s", (errors, n, strength) => {
    expect(strengthOf({ mean: errors, error: 1, n })).toBe(strength);
    expect(strengthOf({ mean: -errors, error: 1, n })).toBe(strength);
  });

  it("one pair, or no difference at all, is not clear", () => {
    expect(strengthOf({ mean: 5, error: null, n: 1 })).toBe("not clear");
    expect(strengthOf({ mean: 0, error: 0, n: 50 })).toBe("not clear");
  });

  it("takes the standard error of pairs, and Welch's of groups", () => {
    expect(pairedDifference([1, 2, 3])).toEqual({ mean: 2, error: 1 / Math.sqrt(3), n: 3 });
    expect(pairedDifference([])).toBeNull();
    const difference = groupDifference([1, 3], [0, 0, 3]);
    expect(difference?.mean).toBe(1);
    // SD² ÷ n of each: 2 ÷ 2 and 3 ÷ 3.
    expect(difference?.error).toBeCloseTo(Math.sqrt(2), 12);
    expect(difference?.n).toBe(2);
    expect(groupDifference([1], [])).toBeNull();
  });
});
