import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexData } from "../../../../src/lib/code/aggregate/index-data.ts";
import { FIRST_SELECTION } from "../../../../src/lib/code/aggregate/selection.ts";
import { deriveView, type View } from "../../../../src/lib/code/aggregate/view.ts";
import type { Data, EntryData } from "../../../../src/lib/code/derive/data-schema.ts";
import { CONFIGURATIONS, selection, smallData } from "./arbitrary.ts";
import {
  factsOf,
  pairwiseDeviation,
  plainGeometric,
  slowAverage,
  slowBest,
  slowCost,
  slowHidden,
  slowLeads,
  slowOffset,
  slowSpread,
  slowValue,
  undominated,
} from "./twin.ts";

const RUNS = { numRuns: 300 };

function same(actual: number | null, expected: number | null, what: string): void {
  if (expected === null || actual === null) expect(actual, what).toBe(expected);
  else expect(Math.abs(actual - expected), `${what}: ${actual} is not ${expected}`).toBeLessThan(1e-9);
}

const everyRow = (data: Data, chosen: View["selection"]): View =>
  deriveView(indexData(data), { ...chosen, efforts: "all" });

describe("Methodology: Aggregation on the site, against a slow twin", () => {
  it("averages every measure over replicates, leads and tasks", () => {
    const measures: [keyof View["rows"][number], (entry: EntryData) => number | null][] = [
      ["council", ({ council }) => council],
      ["final", ({ final }) => final],
      ["cross_vendor", ({ cross_vendor }) => cross_vendor],
      ["slop", ({ slop }) => slop],
      ["defect_points", ({ defect_points }) => defect_points],
    ];
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        const { rows } = everyRow(data, chosen);
        expect(rows.map(({ configuration }) => configuration).sort()).toEqual(
          [...new Set(facts.map(({ entry }) => entry.configuration))].sort(),
        );
        for (const row of rows) {
          const { configuration } = row;
          for (const [name, read] of measures) {
            const { value } = row[name] as { value: number | null };
            same(value, slowAverage(facts, configuration, read), `${configuration} ${name}`);
          }
          expect(row.hidden).toEqual(slowHidden(facts, configuration));
          if (row.coverage.finished > 0 || chosen.task === null) {
            same(
              row.cost.value,
              slowAverage(facts, configuration, (entry) => entry.cost?.usd ?? null),
              "cost",
            );
            same(row.comparable_cost, slowCost(facts, configuration), "comparable cost");
            same(
              row.time.value,
              slowAverage(facts, configuration, ({ seconds }) => seconds),
              "time",
            );
          }
          for (const judge of row.judges)
            same(
              judge.score,
              slowAverage(
                facts,
                configuration,
                ({ seats }) => seats.find((seat) => seat.judge === judge.judge)?.score ?? null,
              ),
              `judge ${judge.judge}`,
            );
          for (const lead of row.leads)
            same(
              lead.final,
              slowAverage(factsOf(data, { ...chosen, lead: lead.lead }), configuration, ({ final }) => final),
              `lead ${lead.lead}`,
            );
        }
      }),
      RUNS,
    );
  });

  it("gives speeds geometric means, and keeps proxies apart", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        for (const { configuration, speed, proxy } of everyRow(data, chosen).rows) {
          const of = (wanted: boolean) =>
            slowAverage(
              facts,
              configuration,
              (entry) => (entry.speed?.proxy === wanted ? entry.speed.speedup : null),
              plainGeometric,
            );
          same(speed.value, of(false), "speed");
          same(proxy.value, chosen.task === null ? null : of(true), "proxy");
        }
      }),
      RUNS,
    );
  });

  it("keeps of each model or lab the best of the column, ties to the cheaper, then by name", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        const view = deriveView(indexData(data), chosen);
        const candidates = CONFIGURATIONS.map((configuration) => {
          const any = facts.find(({ entry }) => entry.configuration === configuration)?.entry;
          return {
            configuration,
            group:
              chosen.efforts === "best-per-model"
                ? `${any?.model}`
                : chosen.efforts === "best-per-lab"
                  ? `${any?.vendor}`
                  : configuration,
            score: slowAverage(facts, configuration, (entry) => entry[chosen.column]),
            cost: slowCost(facts, configuration),
          };
        });
        const scored = view.rows.filter(({ rank }) => rank !== null);
        expect(scored.map(({ configuration }) => configuration).sort()).toEqual(slowBest(candidates));
        for (const row of scored) {
          const mine = row[chosen.column].value ?? Number.NaN;
          const better = scored.filter((other) => (other[chosen.column].value ?? 0) > mine + 1e-9).length;
          expect(row.rank).toBe(better + 1);
        }
      }),
      RUNS,
    );
  });
});

describe("Methodology: Top overall picks, against a slow twin", () => {
  it("ranks the eligible by value, each model or lab at its best value, at most six", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        const { picks } = deriveView(indexData(data), chosen);
        const worth = CONFIGURATIONS.flatMap((configuration) => {
          const any = facts.find(({ entry }) => entry.configuration === configuration)?.entry;
          const score = slowValue(facts, configuration);
          if (any === undefined || score === null) return [];
          const group =
            chosen.efforts === "all"
              ? configuration
              : chosen.efforts === "best-per-lab"
                ? any.vendor
                : any.model;
          return [{ configuration, group, score, cost: slowCost(facts, configuration) }];
        });
        const best = slowBest(worth);
        expect(picks.picks.map(({ configuration }) => configuration).sort()).toEqual(best);
        for (const [index, pick] of picks.picks.entries()) {
          const value =
            worth.find(({ configuration }) => configuration === pick.configuration)?.score ?? null;
          same(pick.value, value, "value");
          const { council, price, liability } = pick.parts;
          same(council + price + liability, value, "parts");
          const next = picks.picks[index + 1];
          if (next !== undefined) expect(pick.value).toBeGreaterThan(next.value - 1e-9);
        }
        expect(picks.fewer === null).toBe(best.length === 6);
      }),
      RUNS,
    );
  });
});

describe("Methodology: Comparing leads, against a slow twin", () => {
  it("takes the median over configurations, overall over the tasks that all leads share", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const all = { ...chosen, lead: null };
        const { leads } = deriveView(indexData(data), all);
        const expected = slowLeads(factsOf(data, all), all.task === null);
        for (const { lead, median } of leads?.leads ?? [])
          same(median, expected.get(lead) ?? null, `median of ${lead}`);
      }),
      RUNS,
    );
  });

  it("never depends on the effort levels or the column that the view shows", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const index = indexData(data);
        const plain = deriveView(index, { ...chosen, efforts: "all", column: "final" });
        expect(deriveView(index, chosen).leads).toEqual(plain.leads);
      }),
      { numRuns: 100 },
    );
  });
});

describe("Methodology: Council judges, against a slow twin", () => {
  it("compares each judge with the mean of the others", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        for (const { judge, offset } of deriveView(indexData(data), chosen).judges.judges)
          same(offset.value, slowOffset(facts, judge), `offset of ${judge}`);
      }),
      RUNS,
    );
  });
});

describe("Methodology: Repeat runs, against a slow twin", () => {
  it("compares the replicates that stand for the same cells", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const facts = factsOf(data, chosen);
        for (const { configuration, final } of everyRow(data, chosen).rows) {
          const expected = slowSpread(facts, configuration, (entry) => entry.final);
          const values = (expected ?? []).map(({ value }) => value);
          expect(final.spread?.replicates.map(({ replicate }) => replicate)).toEqual(
            expected?.map(({ replicate }) => replicate),
          );
          if (final.spread === null) continue;
          same(final.spread.sd, pairwiseDeviation(values), "deviation");
          same(final.spread.min, Math.min(...values), "lowest");
          same(final.spread.max, Math.max(...values), "highest");
        }
      }),
      RUNS,
    );
  });

  it("changes no mean, rank, pick or lead when every run is there twice; hidden counts double", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const again = (id: string): string => `${id}-again`;
        const doubled: Data = {
          ...data,
          runs: [
            ...data.runs,
            ...data.runs.map((run) => ({ ...run, id: again(run.id), replicate: run.replicate + 3 })),
          ],
          entries: [...data.entries, ...data.entries.map((entry) => ({ ...entry, run: again(entry.run) }))],
        };
        const combined = { ...chosen, replicate: null };
        const [once, twice] = [data, doubled].map((from) => deriveView(indexData(from), combined));
        expect(twice?.rows.map(({ configuration, rank }) => [configuration, rank])).toEqual(
          once?.rows.map(({ configuration, rank }) => [configuration, rank]),
        );
        for (const [place, row] of (once?.rows ?? []).entries()) {
          const other = twice?.rows[place];
          same(other?.final.value ?? null, row.final.value, "final");
          same(other?.cost.value ?? null, row.cost.value, "cost");
          expect(other?.hidden?.total).toBe(row.hidden === null ? undefined : 2 * row.hidden.total);
        }
        expect(twice?.picks.picks.map(({ configuration }) => configuration)).toEqual(
          once?.picks.picks.map(({ configuration }) => configuration),
        );
        expect(twice?.leads?.leads.map(({ lead }) => lead)).toEqual(
          once?.leads?.leads.map(({ lead }) => lead),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("Methodology: Cost, in a view, against scaled prices", () => {
  it("scales with the prices, and moves every value alike: no pick changes", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const dearer: Data = {
          ...data,
          entries: data.entries.map((entry) => ({
            ...entry,
            cost: entry.cost === null ? null : { ...entry.cost, usd: (entry.cost.usd ?? 0) * 4 },
          })),
        };
        const [cheap, dear] = [data, dearer].map((from) => deriveView(indexData(from), chosen));
        expect(dear?.picks.picks.map(({ configuration }) => configuration)).toEqual(
          cheap?.picks.picks.map(({ configuration }) => configuration),
        );
        for (const [place, pick] of (cheap?.picks.picks ?? []).entries()) {
          same(dear?.picks.picks[place]?.value ?? null, pick.value - 0.4, "value");
          same(dear?.picks.picks[place]?.cost ?? null, pick.cost * 4, "cost");
        }
        expect(dear?.pareto.dots.map(({ on_front }) => on_front)).toEqual(
          cheap?.pareto.dots.map(({ on_front }) => on_front),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("Methodology: Repeat runs, the Pareto chart", () => {
  it("has on the front exactly what nothing dominates, and unknown cost apart", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const { pareto, rows } = deriveView(indexData(data), chosen);
        const points = pareto.dots.map(({ score, cost }) => ({ score, cost: cost ?? Number.NaN }));
        for (const [index, dot] of pareto.dots.entries())
          expect(dot.on_front).toBe(undominated(points[index] as { score: number; cost: number }, points));
        expect([...pareto.dots, ...pareto.band].map(({ configuration }) => configuration).sort()).toEqual(
          rows
            .filter(({ rank }) => rank !== null)
            .map(({ configuration }) => configuration)
            .sort(),
        );
        for (const { cost, on_front } of pareto.band) expect([cost, on_front]).toEqual([null, false]);
      }),
      RUNS,
    );
  });
});

describe("Methodology: Aggregation on the site, order", () => {
  it("is the same view whatever the order of runs, entries, seats, judges and tasks in the data", () => {
    fc.assert(
      fc.property(smallData, selection, fc.infiniteStream(fc.nat()), (data, chosen, numbers) => {
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, key: numbers.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const other: Data = {
          ...data,
          runs: shuffled(data.runs),
          entries: shuffled(data.entries).map((entry) => ({ ...entry, seats: shuffled(entry.seats) })),
          judges: shuffled(data.judges),
          tasks: shuffled(data.tasks),
          models: shuffled(data.models),
        };
        const text = (from: Data): string => JSON.stringify(deriveView(indexData(from), chosen));
        expect(text(other)).toBe(text(data));
      }),
      { numRuns: 150 },
    );
  });

  it("gives nothing of excluded runs: they could as well not be there", () => {
    fc.assert(
      fc.property(smallData, selection, (data, chosen) => {
        const kept = new Set(data.runs.filter(({ excluded }) => excluded === null).map(({ id }) => id));
        const without: Data = {
          ...data,
          runs: data.runs.filter(({ id }) => kept.has(id)),
          entries: data.entries.filter(({ run }) => kept.has(run)),
        };
        expect(deriveView(indexData(data), chosen)).toEqual(deriveView(indexData(without), chosen));
      }),
      { numRuns: 150 },
    );
  });

  it("shows the same whichever single lead and task are selected or are the only ones", () => {
    fc.assert(
      fc.property(smallData, (data) => {
        const run = data.runs.find(({ excluded }) => excluded === null);
        if (run === undefined) return;
        const chosen = { ...FIRST_SELECTION, lead: run.lead, task: run.task };
        const only: Data = {
          ...data,
          entries: data.entries.filter((entry) =>
            data.runs.some(
              ({ id, lead, task }) => id === entry.run && lead === run.lead && task === run.task,
            ),
          ),
          runs: data.runs.filter(({ lead, task }) => lead === run.lead && task === run.task),
        };
        const [here, there] = [data, only].map((from) => deriveView(indexData(from), chosen));
        expect(here?.rows).toEqual(there?.rows);
        expect(here?.picks).toEqual(there?.picks);
        expect(here?.judges).toEqual(there?.judges);
      }),
      { numRuns: 100 },
    );
  });
});
