import { describe, expect, it } from "vitest";
import { entryDrawer } from "../../../../src/lib/code/aggregate/drawer.ts";
import { indexData } from "../../../../src/lib/code/aggregate/index-data.ts";
import { deriveRanks } from "../../../../src/lib/code/aggregate/ranks.ts";
import { FIRST_SELECTION, type Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../../src/lib/code/aggregate/view.ts";
import type { Data, DefectData, SessionData } from "../../../../src/lib/code/derive/data-schema.ts";
import { CATEGORY_GROUPS } from "../../../../src/lib/code/schema/names.ts";
import { dataOf, type Given, runIdOf } from "./small-data.ts";

const ALL: Selection = { ...FIRST_SELECTION, efforts: "all" };
const view = (given: readonly Given[], selection: Partial<Selection> = {}, rest: Partial<Data> = {}) =>
  deriveView(indexData(dataOf(given, rest)), { ...ALL, ...selection });

/** Round 1 as the methodology prints its first three. */
const ROUND_1: Given[] = [
  { configuration: "cedar@max", council: 8.43, usd: 0.44, defect_points: 1.72, hidden: [333, 335] },
  { configuration: "ash@xhigh", council: 9.01, usd: 5.74, defect_points: 1.12, hidden: [335, 335] },
  { configuration: "ash@high", council: 8.77, usd: 2.75, defect_points: 1.3, hidden: [335, 335] },
];

describe("Methodology: Top overall picks, in a view", () => {
  it("gives round 1's three in their order, with the parts of each value", () => {
    const { picks } = view(ROUND_1);
    expect(picks.picks.map(({ configuration }) => configuration)).toEqual([
      "ash@xhigh",
      "ash@high",
      "cedar@max",
    ]);
    const values = picks.picks.map(({ value }) => value);
    for (const [index, expected] of [7.94579, 7.828114, 7.806885].entries())
      expect(values[index]).toBeCloseTo(expected, 5);
    expect(picks.picks[2]?.hidden).toEqual({ passed: 333, total: 335 });
    expect(picks.picks[0]?.parts.council).toBe(9.01);
    expect(picks.picks[0]?.parts.price).toBeCloseTo(-0.50421, 5);
    expect(picks.picks[0]?.parts.liability).toBeCloseTo(-0.56, 12);
    expect(picks.fewer).toBe("3 of 3 configurations pass at least 98% of the hidden categories");
  });

  it("shows each model once at its best value under best per model, whatever column ranks", () => {
    for (const column of ["final", "council"] as const) {
      const { picks } = view(ROUND_1, { efforts: "best-per-model", column });
      expect(picks.picks.map(({ configuration }) => configuration)).toEqual(["ash@xhigh", "cedar@max"]);
      expect(picks.fewer).toContain("each model appears once");
    }
  });

  it("ranks every effort level, also those that the table hides", () => {
    const given: Given[] = [
      { configuration: "ash@high", council: 9, final: 9, usd: 8 },
      { configuration: "ash@low", council: 8.9, final: 8.9, usd: 0.1 },
    ];
    const best = view(given, { efforts: "best-per-model" });
    expect(best.rows.map(({ configuration }) => configuration)).toEqual(["ash@high"]);
    expect(best.picks.picks.map(({ configuration }) => configuration)).toEqual(["ash@low"]);
  });

  it("takes the logarithm of the mean cost, after replicates and tasks", () => {
    const { picks } = view([
      { task: "coder", replicate: 1, usd: 1 },
      { task: "coder", replicate: 2, usd: 3 },
      { task: "parser", usd: 6 },
    ]);
    // (2 + 6) ÷ 2 = 4, whose logarithm is 2.
    expect(picks.picks[0]?.value).toBeCloseTo(8 - 0.4, 12);
  });

  it("sums hidden categories over runs and tasks: one miss in a few hundred still qualifies, one in twelve does not", () => {
    const runs = (count: number): Given[] =>
      Array.from({ length: count }, (_, index) => ({
        replicate: index + 1,
        hidden: index === 0 ? ([11, 12] as const) : ([12, 12] as const),
      }));
    expect(view(runs(30)).picks.picks).toHaveLength(1);
    expect(view(runs(1)).picks).toMatchObject({
      picks: [],
      eligible: 0,
      fewer: "0 of 1 configuration passes at least 98% of the hidden categories",
      left_out: [{ configuration: "ash@high", reason: "passes 11/12 hidden categories, less than 98%" }],
    });
  });

  it("says how many runs its hidden count is without", () => {
    const { picks } = view([{ replicate: 1 }, { replicate: 2, hidden: null }]).picks;
    expect(picks[0]).toMatchObject({ hidden: { passed: 12, total: 12 }, hidden_missing: 1 });
  });

  it("shows at most six, and says why somebody could not be picked", () => {
    const models = ["ash", "birch", "cedar", "elm", "fir", "oak", "yew"];
    const many = models.map((model, index) => ({ configuration: `${model}@high`, council: 8 + index / 10 }));
    const { picks } = view([
      ...many,
      { configuration: "pine@high", usd: null },
      { configuration: "plum@high", dnf: "time limit" },
      { configuration: "rose@high", hidden: null },
    ]);
    expect(picks.picks).toHaveLength(6);
    expect(picks.fewer).toBeNull();
    expect(picks.left_out).toEqual([
      { configuration: "pine@high", reason: "the cost is unknown" },
      { configuration: "plum@high", reason: "did not finish" },
      { configuration: "rose@high", reason: "the hidden suite was not run" },
    ]);
  });
});

describe("Methodology: Comparing leads, in a view", () => {
  const finals = (lead: string, task: string, values: readonly number[]): Given[] =>
    values.map((final, index) => ({
      lead,
      task,
      final,
      configuration: ["ash@high", "birch@max", "cedar@low", "elm@max"][index] ?? "ash@low",
    }));

  it("gives median, mean and a strip of every configuration", () => {
    const { leads } = view([
      ...finals("one@high", "coder", [6, 7.1, 8, 8.4]),
      ...finals("two@high", "coder", [9]),
    ]);
    expect(leads?.leads.map(({ lead, median }) => [lead, median])).toEqual([
      ["two@high", 9],
      ["one@high", 7.55],
    ]);
    expect(leads?.leads[1]?.mean).toBeCloseTo(7.375, 12);
    expect(leads?.leads[1]?.strip.map(({ configuration }) => configuration)).toEqual([
      "elm@max",
      "cedar@low",
      "birch@max",
      "ash@high",
    ]);
  });

  it("overall takes the tasks that every lead has scores for; a lead without any does not empty them", () => {
    const { leads } = view([
      ...finals("one@high", "coder", [6, 8]),
      ...finals("one@high", "parser", [1, 1]),
      ...finals("two@high", "coder", [7, 7]),
      { lead: "mute@high", final: null },
    ]);
    expect(leads?.tasks).toEqual(["coder"]);
    expect(leads?.leads.map(({ lead, median }) => [lead, median])).toEqual([
      ["one@high", 7],
      ["two@high", 7],
      ["mute@high", null],
    ]);
  });

  it("is a card of all leads only", () => {
    expect(view(finals("one@high", "coder", [6]), { lead: "one@high" }).leads).toBeNull();
  });
});

/** Set A of the facts: 4 entries × judges a, b, c. */
const SET_A: Given[] = [
  [8, 7, 9],
  [6, 6, 7],
  [9, 8, 9],
  [5, 4, 6],
].map(([a = 0, b = 0, c = 0], index) => ({
  configuration: ["ash@high", "birch@max", "cedar@low", "elm@max"][index] ?? "",
  seats: { a, b, c },
}));

const session = (judge: string, rest: Partial<SessionData> = {}): SessionData => ({
  id: `s-${judge}`,
  judge,
  scored: 10,
  anchors: [],
  cost_usd: 3,
  seconds: 600,
  missing: null,
  ...rest,
});
const withSessions = (data: Data, sessions: SessionData[]): Data => ({
  ...data,
  runs: data.runs.map((run) => ({ ...run, sessions })),
});

describe("Methodology: Council judges, in a view", () => {
  it("gives offset, r and ICC of a complete matrix", () => {
    const { judges, icc } = view(SET_A).judges;
    expect(judges.map(({ judge }) => judge)).toEqual(["a", "b", "c"]);
    for (const [index, [offset, r]] of [
      [0, 0.981495],
      [-1.125, 0.959939],
      [1.125, 0.968254],
    ].entries()) {
      expect(judges[index]?.offset.value).toBeCloseTo(offset ?? 0, 6);
      expect(judges[index]?.r.value).toBeCloseTo(r ?? 0, 6);
    }
    expect([icc.n, icc.k]).toEqual([4, 3]);
    expect(icc.single.value).toBeCloseTo(0.801653, 6);
    expect(icc.average.value).toBeCloseTo(0.92381, 6);
    expect(icc.singleInterval?.low).toBeCloseTo(0.14926, 5);
    expect(judges[0]).toMatchObject({ n: 4, mean: 7, median: 7, compared: 4 });
  });

  it("is about live entries of the selection", () => {
    const given: Given[] = [
      ...SET_A,
      { configuration: "fir@high", dnf: "time limit", seats: { a: 0 } },
      { configuration: "fir@high", task: "parser", seats: { a: 1 } },
    ];
    expect(view(given, { task: "coder" }).judges.judges[0]).toMatchObject({ n: 4, mean: 7 });
    expect(view(given, { task: "parser" }).judges.judges.map(({ judge }) => judge)).toEqual(["a"]);
    expect(view(given, { task: "parser" }).judges.judges[0]?.offset).toEqual({
      value: null,
      reason: "no entry was scored by another judge too",
    });
  });

  it("counts review cost per entry without anchors: 3 USD for 10 entries and 2 anchors is 0.30", () => {
    const anchors = [
      { anchor: "low", score: 8.1, panel_run: "old", panel: 7.8, panel_without: 7.8 },
      { anchor: "high", score: 6.4, panel_run: "old", panel: 6.9, panel_without: 6.9 },
    ];
    const data = withSessions(dataOf(SET_A), [session("a", { anchors }), session("b", { cost_usd: null })]);
    const { judges } = deriveView(indexData(data), ALL).judges;
    expect(judges[0]?.cost_per_entry.value).toBeCloseTo(0.3, 12);
    expect(judges[0]).toMatchObject({ seconds_per_session: 600, sessions: 1, missing: 0 });
    expect(judges[0]?.calibration.against_panel.offset).toBeCloseTo(-0.1, 12);
    expect(judges[1]?.cost.value).toBeNull();
    expect(judges[2]).toMatchObject({ judge: "c", sessions: 0, cost: { value: null } });
  });

  it("counts a failed session as missing, and keeps the cost of the others", () => {
    const sessions = [
      session("a"),
      session("a", { id: "s-a2", scored: 0, cost_usd: null, missing: "timed out" }),
    ];
    const [first] = deriveView(indexData(withSessions(dataOf(SET_A), sessions)), ALL).judges.judges;
    expect(first).toMatchObject({ sessions: 2, missing: 1, cost: { value: 3 } });
  });

  it("lists a judge that has sessions and no score", () => {
    const data = withSessions(dataOf([{ seats: { a: 8 } }]), [
      session("z", { scored: 0, cost_usd: null, missing: "refused" }),
    ]);
    expect(
      deriveView(indexData(data), ALL).judges.judges.map(({ judge, n, mean }) => [judge, n, mean]),
    ).toEqual([
      ["a", 1, 8],
      ["z", 0, null],
    ]);
  });

  it("shows self-preference by vendor", () => {
    // Judge a is of north, b of south. On north's entry a gives 2 more than b, on the others 0: preference 2.
    const { self_preference } = view([
      { configuration: "ash@high", seats: { a: 9, b: 7 } },
      { configuration: "cedar@low", seats: { a: 6, b: 6 } },
    ]).judges;
    expect(self_preference.map(({ vendor, preference }) => [vendor, preference.value])).toEqual([
      ["north", 2],
      ["south", 2],
    ]);
  });
});

describe("Methodology: Verified defects, in a view", () => {
  const given: Given[] = [
    {
      configuration: "ash@high",
      seats: { a: 8, b: 7 },
      findings: [
        { judge: "a", defect: "D-1", severity: "high", category: "correctness" },
        { judge: "a", false_positive: true, severity: "critical", category: "abi" },
        { judge: "b", severity: "nit", category: "verbosity" },
      ],
    },
    { configuration: "elm@max", seats: { a: 6 } },
    { configuration: "elm@max", task: "parser", seats: { a: 6 } },
  ];
  const run = runIdOf({});
  const defect = (id: string, entries: readonly string[], found: readonly string[]): DefectData => ({
    task: "coder",
    id,
    title: `Defect ${id}`,
    category: "correctness",
    severity: "high",
    method: "probe",
    entries: entries.map((entry) => ({ run, entry })),
    reports: found.map((judge) => ({ run, entry: "ash-high", judge, finding: "s/f0" })),
  });
  const rest = { defects: [defect("D-10", ["elm-max"], []), defect("D-1", ["ash-high", "elm-max"], ["a"])] };

  it("measures recall over pairs of defect and entry in what each judge reviewed", () => {
    const { judges } = view(given, {}, rest).judges;
    // a reviewed both entries: three pairs, one found. b reviewed one entry with one pair, and missed it.
    expect(judges.map(({ judge, recall }) => [judge, recall.found, recall.of, recall.share.value])).toEqual([
      ["a", 1, 3, 1 / 3],
      ["b", 0, 1, 0],
    ]);
    expect(judges[0]).toMatchObject({ findings: 2, false_positives: 1, precision: { value: 0.5 } });
    expect(view(given, { task: "parser" }, rest).judges.judges[0]?.recall).toMatchObject({
      found: 0,
      of: 0,
      share: { value: null },
    });
  });

  it("lists the defects of the selection, with who reviewed and who found", () => {
    const { defects } = view(given, {}, rest);
    expect(defects.map(({ id, found_by }) => [id, found_by])).toEqual([
      ["D-1", ["a"]],
      ["D-10", []],
    ]);
    expect(
      defects[0]?.entries.map(({ configuration, reviewed_by, found_by }) => [
        configuration,
        reviewed_by,
        found_by,
      ]),
    ).toEqual([
      ["ash@high", ["a", "b"], ["a"]],
      ["elm@max", ["a"], []],
    ]);
    expect(view(given, { task: "parser" }, rest).defects).toEqual([]);
  });

  it("opens the drawer of one entry: seats, findings by gravity, false positives last and weightless, defects", () => {
    const data = dataOf(given, rest);
    const drawer = entryDrawer(indexData(data), run, "ash-high");
    expect(drawer?.findings.map(({ severity, group, weight }) => [severity, group, weight])).toEqual([
      ["high", "defects", 3],
      ["nit", "slop", 0.5],
      ["critical", "defects", 0],
    ]);
    expect(drawer?.seats.map(({ judge_name, on_panel }) => [judge_name, on_panel])).toEqual([
      ["Judge a", true],
      ["Judge b", true],
    ]);
    expect(drawer?.defects.map(({ id, found_by }) => [id, found_by])).toEqual([["D-1", ["a"]]]);
    expect(drawer).toMatchObject({ model_name: "ASH", vendor_name: "NORTH", task_title: "Task coder" });
    const failed = indexData(dataOf([{ dnf: "time limit", seats: { a: 5 } }]));
    expect(entryDrawer(failed, run, "ash-high")?.seats.map(({ on_panel }) => on_panel)).toEqual([false]);
    expect(entryDrawer(indexData(data), run, "nobody")).toBeNull();
    const excluded = { ...data, runs: data.runs.map((each) => ({ ...each, excluded: "the pilot" })) };
    expect(entryDrawer(indexData(excluded), run, "ash-high")).toBeNull();
  });

  it("groups every category as the schema does", () => {
    for (const [category, group] of Object.entries(CATEGORY_GROUPS)) {
      const finding = { category: category as keyof typeof CATEGORY_GROUPS };
      const index = indexData(dataOf([{ findings: [finding] }]));
      expect(entryDrawer(index, run, "ash-high")?.findings[0]?.group).toBe(group);
    }
  });
});

describe("Methodology: Repeat runs, the Pareto chart of a view", () => {
  it("steps from cheap to dear, and keeps unknown and zero cost in a band apart", () => {
    const { pareto } = view([
      { configuration: "ash@high", final: 6, usd: 1 },
      { configuration: "ash@low", final: 6, usd: 1 },
      { configuration: "birch@max", final: 5, usd: 2 },
      { configuration: "cedar@low", final: 9, usd: 4 },
      { configuration: "elm@max", final: 9.5, usd: null },
      { configuration: "fir@max", final: 9.9, usd: 0 },
    ]);
    expect(pareto.dots.map(({ configuration, on_front }) => [configuration, on_front])).toEqual([
      ["ash@high", true],
      ["ash@low", true],
      ["birch@max", false],
      ["cedar@low", true],
    ]);
    expect(pareto.steps).toEqual([
      { cost: 1, score: 6 },
      { cost: 4, score: 6 },
      { cost: 4, score: 9 },
    ]);
    expect(pareto.band.map(({ configuration, cost }) => [configuration, cost])).toEqual([
      ["fir@max", null],
      ["elm@max", null],
    ]);
  });

  it("draws the ranges of score and cost over replicates", () => {
    const [dot] = view([
      { replicate: 1, final: 8, usd: 1 },
      { replicate: 2, final: 9, usd: 3 },
    ]).pareto.dots;
    expect(dot).toMatchObject({
      score: 8.5,
      cost: 2,
      score_range: { min: 8, max: 9 },
      cost_range: { min: 1, max: 3 },
    });
  });
});

describe("Methodology: Repeat runs, how sure each rank is", () => {
  const seats = (a: number, b: number) => ({
    seats: { a, b },
    council: (a + b) / 2,
    hidden: [6, 12] as const,
  });
  const given: Given[] = [1, 2, 3].flatMap((replicate) => [
    {
      configuration: "ash@high",
      replicate,
      ...seats(9, 9 + replicate / 100),
      final: (18 + replicate / 100) / 4,
    },
    {
      configuration: "cedar@low",
      replicate,
      ...seats(5, 5 + replicate / 100),
      final: (10 + replicate / 100) / 4,
    },
    { configuration: "elm@max", replicate, dnf: "time limit" },
  ]);

  it("gives the view's scores and ranks, with ranges and groups", () => {
    const index = indexData(dataOf(given));
    for (const column of ["final", "council"] as const) {
      const shown = deriveView(index, { ...ALL, column });
      const { ranks, judges, replicates } = deriveRanks(index, shown, { seed: 7, draws: 200 });
      expect([judges, replicates]).toEqual([2, 3]);
      expect(
        ranks.map(({ configuration, rank, range, group }) => [configuration, rank, range, group]),
      ).toEqual([
        ["ash@high", 1, { best: 1, worst: 1 }, 1],
        ["cedar@low", 2, { best: 2, worst: 2 }, 2],
      ]);
      for (const [place, { score }] of ranks.entries())
        expect(score).toBeCloseTo(shown.rows[place]?.[column].value ?? Number.NaN, 12);
      expect(deriveRanks(index, shown, { seed: 7, draws: 200 })).toEqual(
        deriveRanks(index, shown, { seed: 7, draws: 200 }),
      );
    }
  });

  it("has none of an empty view", () => {
    const index = indexData(dataOf([]));
    expect(deriveRanks(index, deriveView(index, ALL), { seed: 1 }).ranks).toEqual([]);
  });
});
