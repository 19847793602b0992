import { beforeAll, describe, expect, it } from "vitest";
import { folderData } from "../../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../../src/jobs/code-data.ts";
import { type DataIndex, indexData } from "../../../../src/lib/code/aggregate/index-data.ts";
import { deriveRanks } from "../../../../src/lib/code/aggregate/ranks.ts";
import { FIRST_SELECTION, type Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../../../src/lib/code/derive/data-schema.ts";
import { syntheticFiles } from "../../../../src/lib/code/synthetic/round.ts";
import { writeFacts } from "../write-facts.ts";
import {
  factsOf,
  plainGeometric,
  slowAverage,
  slowCost,
  slowHidden,
  slowLeads,
  slowOffset,
  slowValue,
} from "./twin.ts";

let data: Data;
let index: DataIndex;
const ALL: Selection = { ...FIRST_SELECTION, efforts: "all" };
const REPEATED = "synthetic-range-coder";

beforeAll(async () => {
  const plan = { seed: 5, start: "2026-11-02T09:00:00.000Z", rounds: 1, deliverables: false };
  const files = new Map([...syntheticFiles(plan)].map(({ path, text }) => [path, text]));
  const read = await readCodeData(folderData(writeFacts(files)), { synthetic: true, deliverables: false });
  if (read.data === null) throw new Error("nothing was derived");
  data = read.data;
  index = indexData(data);
});

describe("Methodology: Aggregation on the site, a full-size round", () => {
  it.each<[string, Partial<Selection>]>([
    ["all leads, overall", {}],
    ["one task", { task: REPEATED }],
    ["one replicate", { task: REPEATED, replicate: 2 }],
    ["one lead", { lead: "basalt-sol-6@max" }],
    ["one cell", { lead: "basalt-sol-6@max", task: "synthetic-kernels", column: "council" }],
  ])("gives the slow twin's numbers for %s", (_, part) => {
    const selection = { ...ALL, ...part };
    const facts = factsOf(data, selection);
    const view = deriveView(index, selection);
    expect(view.rows).toHaveLength(23);
    const near = (actual: number | null, expected: number | null): void => {
      if (expected === null || actual === null) expect(actual).toBe(expected);
      else expect(actual).toBeCloseTo(expected, 9);
    };
    for (const row of view.rows) {
      const { configuration } = row;
      near(
        row.final.value,
        slowAverage(facts, configuration, ({ final }) => final),
      );
      near(
        row.council.value,
        slowAverage(facts, configuration, ({ council }) => council),
      );
      near(
        row.slop.value,
        slowAverage(facts, configuration, ({ slop }) => slop),
      );
      near(
        row.speed.value,
        slowAverage(
          facts,
          configuration,
          ({ speed }) => (speed?.proxy === false ? speed.speedup : null),
          plainGeometric,
        ),
      );
      near(row.comparable_cost, slowCost(facts, configuration));
      expect(row.hidden).toEqual(slowHidden(facts, configuration));
      const pick = view.picks.picks.find((each) => each.configuration === configuration);
      if (pick !== undefined) near(pick.value, slowValue(facts, configuration));
    }
    const worth = view.rows
      .flatMap(({ configuration }) => slowValue(facts, configuration) ?? [])
      .sort((a, b) => b - a);
    for (const [place, { value }] of view.picks.picks.entries()) near(value, worth[place] ?? null);
    expect(view.picks.picks).toHaveLength(Math.min(6, worth.length));
    const leads = slowLeads(facts, selection.task === null);
    for (const { lead, median } of view.leads?.leads ?? []) near(median, leads.get(lead) ?? null);
    expect(view.judges.judges).toHaveLength(4);
    for (const { judge, offset } of view.judges.judges) near(offset.value, slowOffset(facts, judge));
  });

  it("offers runs where there are several, and has deviations only where replicates stand for the same work", () => {
    const overall = deriveView(index, ALL);
    expect(overall.switchers).toMatchObject({ replicates: [1, 2, 3], efforts: true });
    expect(overall.rows.every(({ final }) => final.spread === null)).toBe(true);
    const kernels = deriveView(index, { ...ALL, task: "synthetic-kernels" });
    expect(kernels.switchers.replicates).toBeNull();
    const repeated = overall.matrix.tasks.columns.findIndex(({ id }) => id === REPEATED);
    const cells = overall.matrix.tasks.rows.map((row) => row.cells[repeated]);
    expect(cells.filter((cell) => cell?.spread !== null).length).toBeGreaterThan(15);
    for (const row of overall.matrix.tasks.rows)
      for (const [place, cell] of row.cells.entries())
        if (place !== repeated) expect(cell?.spread ?? null).toBeNull();
  });

  it("has the scores of the ranking in its ranges of ranks", () => {
    for (const column of ["final", "council"] as const) {
      const view = deriveView(index, { ...ALL, column });
      const { ranks } = deriveRanks(index, view, { seed: 1, draws: 50 });
      expect(ranks.map(({ configuration, rank }) => [configuration, rank])).toEqual(
        view.rows.map(({ configuration, rank }) => [configuration, rank]),
      );
      for (const [place, { score }] of ranks.entries())
        expect(score).toBeCloseTo(view.rows[place]?.[column].value ?? Number.NaN, 9);
    }
  });

  it("takes less than 150 ms of one processor for everything", () => {
    const times = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage();
      deriveView(indexData(data), ALL);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    expect(data.entries.length).toBeGreaterThan(575);
    expect(Math.min(...times)).toBeLessThan(150);
  });
});
