import { describe, expect, it } from "vitest";
import { indexData } from "../../../../src/lib/code/aggregate/index-data.ts";
import { FIRST_SELECTION, type Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../../../src/lib/code/derive/data-schema.ts";
import { dataOf, type Given } from "./small-data.ts";

const ALL: Selection = { ...FIRST_SELECTION, efforts: "all" };

const view = (given: readonly Given[], selection: Partial<Selection> = {}, rest: Partial<Data> = {}) =>
  deriveView(indexData(dataOf(given, rest)), { ...ALL, ...selection });
const only = (given: readonly Given[], selection: Partial<Selection> = {}, rest: Partial<Data> = {}) => {
  const [row] = view(given, selection, rest).rows;
  if (row === undefined) throw new Error("no row");
  return row;
};
const replicates = (finals: readonly (number | null)[], rest: Partial<Given> = {}): Given[] =>
  finals.map((final, index) => ({ ...rest, replicate: index + 1, final }));

describe("Methodology: Final score, over runs and tasks", () => {
  it("is the mean of the runs' finals, not the final of their means", () => {
    // 10 × 6/12 = 5 and 6 × 12/12 = 6: mean 5.5. Of the means it would be 8 × 9/12 = 6.
    const row = only([
      { replicate: 1, council: 10, hidden: [6, 12], final: 5 },
      { replicate: 2, council: 6, hidden: [12, 12], final: 6 },
    ]);
    expect(row.final.value).toBe(5.5);
    expect(row.council.value).toBe(8);
  });

  it("may be negative, and leaves out runs without one", () => {
    expect(only(replicates([-1.5, null, -0.5])).final).toMatchObject({ value: -1, n: 2 });
  });
});

describe("Methodology: Repeat runs", () => {
  it("gives mean, sample SD, range and each run's own number", () => {
    const { final, results } = only(replicates([8.1, 8.5, 8.4]));
    expect(final.value).toBeCloseTo(8.333333, 6);
    expect(final.spread?.sd).toBeCloseTo(0.208167, 6);
    expect(final.spread).toMatchObject({
      n: 3,
      min: 8.1,
      max: 8.5,
      replicates: [
        { replicate: 1, value: 8.1 },
        { replicate: 2, value: 8.5 },
        { replicate: 3, value: 8.4 },
      ],
    });
    expect(results.map(({ run, final: value }) => [run, value])).toEqual([
      ["coder-lead-high-1", 8.1],
      ["coder-lead-high-2", 8.5],
      ["coder-lead-high-3", 8.4],
    ]);
  });

  it("shows one replicate on its own, without a spread", () => {
    const { final } = only(replicates([8.1, 8.5, 8.4]), { replicate: 2 });
    expect(final).toEqual({ value: 8.5, n: 1, tasks: 1, spread: null });
  });

  it("adds up hidden counts: 33/33 of 11 categories × 3 runs", () => {
    expect(only(replicates([8, 8, 8], { hidden: [11, 11] })).hidden).toEqual({ passed: 33, total: 33 });
  });

  it("calls only replicates a spread that stand for the same tasks and leads", () => {
    // Three runs of one task, one of another: the overall number of run 2 would be of one task alone.
    const mixed = [...replicates([8, 9, 10], { task: "coder" }), { task: "parser", final: 5 }];
    expect(only(mixed).final).toMatchObject({ value: 7, spread: null });
    expect(only(mixed, { task: "coder" }).final.spread?.sd).toBe(1);
    const twice = [...replicates([8, 9], { task: "coder" }), ...replicates([5, 7], { task: "parser" })];
    expect(only(twice).final.spread?.replicates).toEqual([
      { replicate: 1, value: 6.5 },
      { replicate: 2, value: 8 },
    ]);
  });

  it("leaves a replicate out of the spread that a task or lead lacks", () => {
    const uneven = [
      ...replicates([8, 9, 10], { task: "coder" }),
      { task: "parser", replicate: 1, final: 4 },
      { task: "parser", replicate: 3, final: 6 },
    ];
    const { final } = only(uneven);
    expect(final.value).toBe(7);
    expect(final.spread?.replicates).toEqual([
      { replicate: 1, value: 6 },
      { replicate: 3, value: 8 },
    ]);
    expect(final.spread?.sd).toBeCloseTo(Math.SQRT2, 12);
  });

  it("shows the deviation in the matrix, and lists each run", () => {
    const { matrix } = view(replicates([8.1, 8.5, 8.4]));
    expect(matrix.tasks.columns).toEqual([{ id: "coder", title: "Task coder" }]);
    const cell = matrix.tasks.rows[0]?.cells[0];
    expect(cell?.spread?.sd).toBeCloseTo(0.208167, 6);
    const council = view(replicates([8.1, 8.5, 8.4], { council: 9 }), { column: "council" }).matrix;
    expect(council.tasks.rows[0]?.cells[0]?.value).toBe(9);
    expect(cell?.runs.map(({ replicate, value }) => [replicate, value])).toEqual([
      [1, 8.1],
      [2, 8.5],
      [3, 8.4],
    ]);
  });

  it("offers the runs switcher only when the selection has more than one", () => {
    const mixed = [...replicates([8, 9], { task: "coder" }), { task: "parser", final: 5 }];
    const offered = (selection: Partial<Selection>) => view(mixed, selection).switchers.replicates;
    expect(offered({ task: "coder" })).toEqual([1, 2]);
    expect(offered({ task: "coder", replicate: 2 })).toEqual([1, 2]);
    expect(offered({ task: "parser" })).toBeNull();
    expect(offered({})).toEqual([1, 2]);
  });
});

describe("Methodology: Aggregation on the site", () => {
  const leads: Given[] = [
    { lead: "one@high", replicate: 1, final: 4 },
    { lead: "one@high", replicate: 2, final: 6 },
    { lead: "one@high", replicate: 3, final: 8 },
    { lead: "two@high", replicate: 1, final: 9 },
  ];

  it("under all leads is the mean of the leads' averages, not of all runs", () => {
    const row = only(leads);
    expect(row.final.value).toBe(7.5);
    expect(row.leads.map(({ lead, final, n }) => [lead, final, n])).toEqual([
      ["one@high", 6, 3],
      ["two@high", 9, 1],
    ]);
    expect(only(leads, { lead: "two@high" }).final.value).toBe(9);
  });

  it("overall is the mean over the tasks that it completed, with its coverage", () => {
    const { rows } = view([
      { task: "coder", final: 9, usd: 3 },
      { task: "parser", final: 7, usd: 1 },
      { task: "coder", configuration: "birch@max", final: 8, usd: 8 },
      { task: "parser", configuration: "birch@max", dnf: "time limit", usd: 100 },
    ]);
    expect(
      rows.map(({ configuration, final, coverage, cost }) => [
        configuration,
        final.value,
        coverage.tasks,
        coverage.of_tasks,
        cost.value,
      ]),
    ).toEqual([
      ["ash@high", 8, 2, 2, 2],
      ["birch@max", 8, 1, 2, 8],
    ]);
  });

  it("puts tasks outermost: where cells are missing, the overall number is the mean of the tasks' numbers", () => {
    const row = only([
      { task: "coder", lead: "one@high", final: 9 },
      { task: "coder", lead: "two@high", final: 5 },
      { task: "parser", lead: "one@high", final: 3 },
    ]);
    expect(row.final.value).toBe((7 + 3) / 2);
    expect(row.leads.map(({ final }) => final)).toEqual([6, 5]);
  });

  it("averages each judge over the runs", () => {
    const { judges } = only([
      { replicate: 1, seats: { a: 8, b: 6 } },
      { replicate: 2, seats: { a: 9 } },
    ]);
    expect(judges).toEqual([
      { judge: "a", score: 8.5, n: 2 },
      { judge: "b", score: 6, n: 1 },
    ]);
  });

  it("keeps per model the highest effort level of the column, a tie to the cheaper, then by configuration", () => {
    const given: Given[] = [
      { configuration: "ash@high", final: 8, council: 8.2, usd: 2 },
      { configuration: "ash@low", final: 8 + 1e-12, council: 9, usd: 5 },
      { configuration: "birch@max", final: 7, usd: 1 },
      { configuration: "cedar@low", final: 6, usd: null },
      { configuration: "cedar@high", final: 6, usd: null },
    ];
    const shown = (selection: Partial<Selection>) =>
      view(given, selection).rows.map(({ configuration }) => configuration);
    expect(shown({ efforts: "best-per-model" })).toEqual(["ash@high", "birch@max", "cedar@high"]);
    expect(shown({ efforts: "best-per-model", column: "council" })).toEqual([
      "ash@low",
      "birch@max",
      "cedar@high",
    ]);
    expect(shown({ efforts: "best-per-lab" })).toEqual(["ash@high", "cedar@high"]);
    expect(shown({ efforts: "all" })).toHaveLength(5);
    expect(view(given, { efforts: "best-per-lab" }).hidden_configurations).toBe(3);
  });

  it("marks a number with the weakest level of what went into it", () => {
    const hidden = (level: "recomputed" | "attested" | "declared") => ({
      entry: { hidden: { passed: 1, total: 1, failed: [], level } },
    });
    const mixed = [
      { replicate: 1, ...hidden("attested") },
      { replicate: 2, ...hidden("recomputed") },
    ];
    expect(only(mixed).hidden_level).toBe("attested");
    expect(only([...mixed, { replicate: 3, ...hidden("declared") }]).hidden_level).toBe("declared");
    expect(only([{ hidden: null }]).hidden_level).toBeNull();
  });

  it("has leads as columns of a matrix too, and no cell where nothing ran", () => {
    const { matrix } = view([
      { lead: "one@high", task: "coder", final: 8 },
      { lead: "one@high", task: "parser", final: 6 },
      { lead: "two@high", task: "coder", configuration: "elm@max", dnf: "time limit" },
    ]);
    expect(matrix.leads.columns.map(({ id }) => id)).toEqual(["one@high", "two@high"]);
    expect(
      matrix.leads.rows.map(({ cells }) => cells.map((cell) => cell && [cell.value, cell.n, cell.dnf])),
    ).toEqual([
      [[7, 2, 0], null],
      [null, [null, 0, 1]],
    ]);
  });

  it("shares a rank among equals", () => {
    const { rows } = view([
      { configuration: "ash@high", final: 8, usd: 2 },
      { configuration: "birch@max", final: 8, usd: 1 },
      { configuration: "cedar@low", final: 7 },
      { configuration: "elm@max", dnf: "time limit" },
    ]);
    expect(rows.map(({ configuration, rank }) => [configuration, rank])).toEqual([
      ["birch@max", 1],
      ["ash@high", 1],
      ["cedar@low", 3],
      ["elm@max", null],
    ]);
  });

  it("counts what did not finish in no average, and keeps its cost, time and reasons", () => {
    const given: Given[] = [
      { replicate: 1, final: 8, usd: 1, seconds: 60, hidden: [12, 12] },
      { replicate: 2, dnf: "time limit", usd: 7, seconds: 600, hidden: [1, 12] },
      { replicate: 3, dnf: "time limit", usd: 9, seconds: 900 },
    ];
    const row = only(given, { task: "coder" });
    expect(row.final).toMatchObject({ value: 8, n: 1 });
    expect(row.hidden).toEqual({ passed: 12, total: 12 });
    expect([row.cost.value, row.time.value]).toEqual([1, 60]);
    expect(row.dnf).toEqual({ n: 2, reasons: [{ reason: "time limit", n: 2 }], cost: 8, seconds: 750 });
    expect(only(given).dnf).toMatchObject({ n: 2, cost: null, seconds: null });
  });

  it("of what only failed shows cost and time in the task's view, and nothing overall", () => {
    const failed: Given[] = [{ dnf: "no deliverable", usd: 3, seconds: 90 }];
    const row = only(failed, { task: "coder" });
    expect([row.rank, row.final.value, row.cost.value, row.time.value]).toEqual([null, null, 3, 90]);
    const overall = only(failed);
    expect([overall.rank, overall.cost.value, overall.time.value]).toEqual([null, null, null]);
    expect(overall.coverage).toMatchObject({ tasks: 0, of_tasks: 1, finished: 0, entries: 1 });
  });

  it("keeps a model in the list whose every effort level failed", () => {
    const { rows } = view(
      [
        { configuration: "cedar@low", dnf: "time limit" },
        { configuration: "cedar@high", dnf: "time limit" },
        { configuration: "ash@high", final: 8 },
        { configuration: "ash@low", dnf: "time limit" },
      ],
      { efforts: "best-per-model" },
    );
    expect(rows.map(({ configuration }) => configuration)).toEqual(["ash@high", "cedar@high"]);
  });

  it("has nothing of an excluded run, and says that data are synthetic", () => {
    const given: Given[] = [
      { configuration: "ash@high", final: 8 },
      { configuration: "birch@max", final: 9, replicate: 2, run: { excluded: "the pilot" } },
    ];
    const shown = view(given, {}, { synthetic: true });
    expect(shown.synthetic).toBe(true);
    expect(shown.rows.map(({ configuration }) => configuration)).toEqual(["ash@high"]);
    expect([shown.about.runs, shown.switchers.replicates]).toEqual([1, null]);
  });
});

describe("Methodology: Cost, in a view", () => {
  it("leaves a cost out of comparisons when a completed task's is unknown: other tasks are no price of it", () => {
    const row = only([
      { task: "coder", usd: 0.1 },
      { task: "parser", usd: null },
    ]);
    expect([row.cost.value, row.cost.tasks, row.comparable_cost]).toEqual([0.1, 1, null]);
    expect(
      only([
        { replicate: 1, usd: 2 },
        { replicate: 2, usd: null },
      ]).comparable_cost,
    ).toBe(2);
    expect(only([{ usd: 0 }]).comparable_cost).toBeNull();
  });

  it("splits tokens and price by component, and shows as-run and recorded cost beside the list price", () => {
    const row = only([
      { replicate: 1, usd: 1, fast: true },
      { replicate: 2, usd: 3, fast: true },
    ]);
    expect(row.cost.value).toBe(2);
    expect(row.as_run_cost.value).toBe(4);
    expect(row.recorded_cost.value).toBeNull();
    expect(row.tokens).toMatchObject({
      n: 2,
      requests: 3,
      tokens: { uncached_input: 100, cache_read: 200, output: 50, reasoning: 10 },
      breakdown: { uncached_input: 0.5, cache_read: 0.5, cache_write: 0, output: 1, peak: 0 },
    });
  });
});

describe("Methodology: Time and fast mode, in a view", () => {
  const fast: Given[] = [
    { replicate: 1, seconds: 600, fast: true },
    { replicate: 2, seconds: 200 },
  ];

  it("extends fast runs at 2 ×, and flags them", () => {
    const row = only(fast);
    expect(row.fast).toEqual({ n: 1, of: 2 });
    expect(row.time).toMatchObject({ value: 400, extended: 700, factor: 2, basis: "assumed" });
    expect(only([{ seconds: 200 }]).time).toMatchObject({ value: 200, extended: null, factor: null });
  });

  it("replaces the assumption by a measured factor of the same configuration", () => {
    const measured = { fast_factors: [{ configuration: "ash@high", factor: 1.5, pairs: 2 }] };
    expect(only(fast, {}, measured).time).toMatchObject({ extended: 550, factor: 1.5, basis: "measured" });
    const others = { fast_factors: [{ configuration: "ash@low", factor: 1.5, pairs: 2 }] };
    expect(only(fast, {}, others).time).toMatchObject({ factor: 2, basis: "assumed" });
  });

  it("hatches what did not finish, after the others", () => {
    const bars = view(
      [
        { configuration: "ash@high", replicate: 1, seconds: 300 },
        { configuration: "ash@high", replicate: 2, seconds: 50, dnf: "crashed" },
        { configuration: "elm@max", seconds: 10, dnf: "time limit" },
        { configuration: "cedar@low", seconds: 100 },
      ],
      { task: "coder" },
    ).time;
    expect(
      bars.map(({ configuration, seconds, hatched, unfinished, dnf }) => [
        configuration,
        seconds,
        hatched,
        unfinished,
        dnf,
      ]),
    ).toEqual([
      ["cedar@low", 100, false, null, 0],
      ["ash@high", 300, false, 50, 1],
      ["elm@max", 10, true, null, 1],
    ]);
  });
});

describe("Methodology: Speed, in a view", () => {
  it("leaves out a replicate whose output was wrong, and shows the count", () => {
    const row = only([
      { replicate: 1, speed: 2 },
      { replicate: 2, speed: null },
      { replicate: 3, speed: 8 },
    ]);
    expect(row.speed).toMatchObject({
      value: 4,
      n: 2,
      measured: 3,
      reasons: ["the perf workload's output was wrong"],
    });
  });

  it("takes geometric means of replicates, then of leads", () => {
    const row = only([
      { lead: "one@high", replicate: 1, speed: 2 },
      { lead: "one@high", replicate: 2, speed: 8 },
      { lead: "two@high", speed: 1 },
    ]);
    expect(row.speed.value).toBeCloseTo(2, 12);
  });

  it("takes the geometric mean across tasks", () => {
    const row = only([
      { task: "coder", speed: 2 },
      { task: "parser", speed: 4.5 },
    ]);
    expect(row.speed.value).toBeCloseTo(3, 12);
  });

  it("never mixes proxies with timings, and keeps them out of the overall view", () => {
    const given: Given[] = [
      { task: "coder", speed: 2 },
      { task: "parser", speed: 100, proxy: true },
    ];
    expect(only(given).speed).toMatchObject({ value: 2, tasks: 1 });
    expect(only(given).proxy.value).toBeNull();
    const parser = only(given, { task: "parser" });
    expect([parser.speed.value, parser.proxy.value]).toEqual([null, 100]);
    const chart = view(given, { task: "parser" }).speed;
    expect([chart.bars.length, chart.proxies.length, chart.without.length]).toEqual([0, 1, 0]);
    expect(view([given[1] as Given]).speed.without).toEqual([
      { configuration: "ash@high", reason: "not measured" },
    ]);
  });

  it("marks expert baselines in a task's view, with a * when they do not meet the contract", () => {
    const given: Given[] = [{ speed: 2 }];
    const { tasks } = dataOf(given);
    const baselines = [
      { id: "dav1d", title: "dav1d", speedup: 3, note: null },
      { id: "wpd", title: "wpd", speedup: 5, note: "keeps state between calls" },
      { id: "old", title: "old", speedup: null, note: null },
    ];
    const rest = { tasks: tasks.map((task) => ({ ...task, baselines })) };
    expect(
      view(given, { task: "coder" }, rest).speed.baselines.map(({ label, speedup }) => [label, speedup]),
    ).toEqual([
      ["wpd *", 5],
      ["dav1d", 3],
    ]);
    expect(view(given, {}, rest).speed.baselines).toEqual([]);
  });
});

describe("Methodology: Slop score, in a view", () => {
  it("charts the least first, with the range of replicates", () => {
    const { slop } = view([
      { configuration: "ash@high", replicate: 1, slop: 0.5 },
      { configuration: "ash@high", replicate: 2, slop: 1 },
      { configuration: "elm@max", slop: 0 },
      { configuration: "cedar@low", slop: null },
    ]);
    expect(
      slop.map(({ configuration, slop: value, range }) => [configuration, value, range?.min, range?.max]),
    ).toEqual([
      ["elm@max", 0, undefined, undefined],
      ["ash@high", 0.75, 0.5, 1],
    ]);
  });
});

describe("Methodology: Code metrics, in a view", () => {
  const quality = (duplicated_share: number, lint: number | null, max: number | null, tool = "tree") => ({
    entry: {
      quality: {
        implementation_lines: 100,
        comment_share: 0.1,
        duplicated_share,
        lint,
        complexity:
          max === null ? null : { functions: 4, mean: max / 2, max, above_10: max > 10 ? 1 : 0, tool },
        complexity_reason: max === null ? "cannot parse elixir" : null,
      },
    },
  });

  it("averages what was measured, and keeps the largest complexity", () => {
    const { code } = only([
      { replicate: 1, ...quality(0.2, 3, 8) },
      { replicate: 2, ...quality(0.4, null, 14) },
      { replicate: 3 },
    ]);
    expect(code.n).toBe(2);
    expect(code.duplicated_share).toBeCloseTo(0.3, 12);
    expect(code.lint).toBe(3);
    expect(code.complexity).toEqual({ mean: 5.5, max: 14, above_10: 0.5, n: 2 });
  });

  it("says why there is no complexity", () => {
    expect(only([quality(0, 0, null)]).code).toMatchObject({
      complexity: null,
      complexity_reason: "cannot parse elixir",
    });
    expect(only([{}]).code).toMatchObject({ n: 0, complexity_reason: "not measured" });
    const mixed = [
      { replicate: 1, ...quality(0, 0, 8) },
      { replicate: 2, ...quality(0, 0, 8, "lizard") },
    ];
    expect(only(mixed).code).toMatchObject({
      complexity: null,
      complexity_reason: "measured by different tools: lizard, tree",
    });
  });
});

describe("Methodology: Aggregation on the site, nothing to show", () => {
  it("has a typed answer for no results, unknown ids and empty corners", () => {
    const nothing = view([]);
    expect(nothing).toMatchObject({
      empty: "there are no results yet",
      rows: [],
      picks: { picks: [], fewer: "no configuration ran" },
    });
    expect(nothing.judges).toMatchObject({ judges: [], icc: { n: 0, k: 0 } });
    expect(nothing.leads).toEqual({ tasks: [], leads: [] });
    expect(nothing.switchers).toEqual({ leads: null, tasks: null, replicates: null, efforts: false });
    const some: Given[] = [{ lead: "one@high" }, { lead: "two@high", task: "parser", replicate: 2 }];
    expect(view(some, { task: "chess" }).empty).toBe("no run of task chess");
    expect(view(some, { lead: "nobody@high" }).empty).toBe("no run of lead nobody@high");
    expect(view(some, { lead: "one@high", task: "parser" }).empty).toBe("no run of this lead in this task");
    expect(view(some, { replicate: 3 }).empty).toBe("no run 3 of this selection");
    const { entries, ...rest } = dataOf(some);
    const first = entries.filter(({ run }) => run === "coder-one-high-1");
    expect(deriveView(indexData({ ...rest, entries: first }), { ...ALL, task: "parser" }).empty).toBe(
      "the runs of this selection have no entries yet",
    );
  });

  it("has a view of an entry of which nothing is known", () => {
    const unknown = view([
      { council: null, final: null, slop: null, defect_points: null, hidden: null, usd: null, seconds: null },
    ]);
    const [row] = unknown.rows;
    expect(row).toMatchObject({ rank: null, hidden: null, hidden_missing: 1, comparable_cost: null });
    expect(row?.cost).toEqual({ value: null, n: 0, tasks: 0, spread: null });
    expect(unknown.pareto).toEqual({ dots: [], steps: [], band: [] });
    expect(unknown.picks.left_out).toEqual([
      { configuration: "ash@high", reason: "the hidden suite was not run" },
    ]);
    expect(unknown.leads?.leads).toEqual([{ lead: "lead@high", median: null, mean: null, strip: [] }]);
  });
});
