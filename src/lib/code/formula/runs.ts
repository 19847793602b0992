import { z } from "zod";
import { mean } from "../../stats/describe.ts";
import { compareLeads, compareLeadsOverall, type LeadSummary } from "../score/leads.ts";
import { allLeadsMean, overallMean } from "../score/overall.ts";
import { rankRanges } from "../score/rank-ranges.ts";
import { combineReplicates, rangesOverlap } from "../score/replicates.ts";
import { defineFormula } from "./formula.ts";
import { gapsInput, idInput, listOf } from "./inputs.ts";
import { meanTerms, shown, terms } from "./show.ts";

const replicates = defineFormula({
  name: "replicates",
  title: "Repeat runs combined",
  section: "Repeat runs",
  formula:
    "mean; sample SD = √(Σ(x − mean)² ÷ (n − 1)), none of one run; min; max; runs without a value are left out",
  input: z.strictObject({ runs: gapsInput }),
  example: { runs: [8.1, 8.5, 8.4] },
  compute({ runs }) {
    const combined = combineReplicates(runs);
    if (combined === null) return { result: { mean: null, n: 0 }, steps: ["no run has a value"] };
    const there = runs.filter((run) => run !== null);
    const squares = there.map((run) => (run - combined.mean) ** 2);
    return {
      result: { ...combined },
      steps: [
        `mean = ${meanTerms(there)} = ${shown(combined.mean)}`,
        combined.sd === null
          ? "SD: none of one run"
          : `SD = √(${terms(squares)} ÷ ${there.length - 1}) = ${shown(combined.sd)}`,
        `range = ${shown(combined.min)} … ${shown(combined.max)}`,
      ],
    };
  },
});

const rangeInput = z
  .strictObject({ min: z.number(), max: z.number() })
  .refine(({ min, max }) => min <= max, "The range ends before it begins.");

const overlap = defineFormula({
  name: "ranges-overlap",
  title: "Overlap of two ranges",
  section: "Repeat runs",
  formula: "overlap when a.min ≤ b.max and b.min ≤ a.max (closed ranges): then not clearly different",
  input: z.strictObject({ a: rangeInput, b: rangeInput }),
  example: { a: { min: 8.1, max: 8.5 }, b: { min: 8.5, max: 9 } },
  compute({ a, b }) {
    const overlapping = rangesOverlap(a, b);
    const sign = (low: number, high: number): string =>
      `${shown(low)} ${low <= high ? "≤" : ">"} ${shown(high)}`;
    return {
      result: { overlap: overlapping },
      steps: [
        `a.min and b.max: ${sign(a.min, b.max)}; b.min and a.max: ${sign(b.min, a.max)}`,
        overlapping ? "they overlap: not clearly different" : "they do not overlap",
      ],
    };
  },
});

const overall = defineFormula({
  name: "overall-mean",
  title: "Overall view",
  section: "Aggregation on the site",
  formula:
    "overall = mean over the tasks completed (null: not run, or did not finish); coverage = n of N tasks",
  input: z.strictObject({ per_task: gapsInput }),
  example: { per_task: [8, null, 6, 7.5, null] },
  compute({ per_task }) {
    const { value, n, of } = overallMean(per_task);
    const there = per_task.filter((task) => task !== null);
    return {
      result: { value, n, of },
      steps: [
        value === null ? "no task was completed" : `overall = ${meanTerms(there)} = ${shown(value)}`,
        `coverage = ${n}/${of} tasks`,
      ],
    };
  },
});

const allLeads = defineFormula({
  name: "all-leads-mean",
  title: "All leads",
  section: "Aggregation on the site",
  formula: "all leads = mean over leads of the mean over the lead's runs; leads without a value are left out",
  input: z.strictObject({ leads: listOf(z.strictObject({ lead: idInput, runs: gapsInput })) }),
  example: {
    leads: [
      { lead: "opus-5.5@xhigh", runs: [9, 8, 8.5] },
      { lead: "gpt-6.1-sol@xhigh", runs: [7] },
    ],
  },
  compute({ leads }) {
    const value = allLeadsMean(leads.map(({ runs }) => runs));
    const averages = leads.flatMap(({ lead, runs }) => {
      const there = runs.filter((run) => run !== null);
      const average = mean(there);
      return average === null ? [] : [{ lead, there, average }];
    });
    const steps = averages.map(
      ({ lead, there, average }) => `${lead}: ${meanTerms(there)} = ${shown(average)}`,
    );
    return {
      result: { value },
      steps: [
        ...steps,
        value === null
          ? "no lead has a value"
          : `all leads = ${meanTerms(averages.map(({ average }) => average))} = ${shown(value)}`,
      ],
    };
  },
});

const leadScoresInput = z.strictObject({
  scores: listOf(
    z.strictObject({ lead: idInput, task: idInput, configuration: idInput, final: z.number().nullable() }),
  ),
});
const scores = (lead: string, task: string, finals: readonly (number | null)[]) =>
  finals.map((final, index) => ({ lead, task, configuration: `c${index + 1}`, final }));

const stepsOfLeads = (leads: readonly LeadSummary[]): string[] =>
  leads.map(
    ({ lead, median, mean: average, strip }) =>
      `${lead}: ${strip.map(({ configuration, final }) => `${configuration} ${shown(final)}`).join(", ") || "nothing"}; median = ${shown(median)}, mean = ${shown(average)}`,
  );

const leads = defineFormula({
  name: "lead-median",
  title: "Leads of one task",
  section: "Comparing leads",
  formula:
    "median (and mean, and strip) of the final score over every configuration that ran from the lead's briefs",
  input: leadScoresInput,
  example: {
    scores: [
      ...scores("opus-5.5@xhigh", "t1", [6.0, 7.1, 8.0, 8.4]),
      ...scores("muse@default", "t1", [0.2, 7.9, 8.1, null]),
    ],
  },
  compute({ scores: given }) {
    const summaries = compareLeads(given);
    return { result: { leads: summaries }, steps: stepsOfLeads(summaries) };
  },
});

const leadsOverall = defineFormula({
  name: "lead-median-overall",
  title: "Leads over all tasks",
  section: "Comparing leads",
  formula:
    "each configuration's mean over the tasks that every shown lead has scores for; then the median over configurations",
  input: leadScoresInput,
  example: {
    scores: [
      ...scores("opus-5.5@xhigh", "t1", [8, 5]),
      ...scores("opus-5.5@xhigh", "t2", [6]),
      ...scores("opus-5.5@xhigh", "t3", [1]),
      ...scores("muse@default", "t1", [9, 7]),
      ...scores("muse@default", "t2", [4]),
    ],
  },
  compute({ scores: given }) {
    const { tasks, leads: summaries } = compareLeadsOverall(given);
    return {
      result: { tasks, leads: summaries },
      steps: [
        `tasks that every lead has scores for: ${tasks.join(", ") || "none"}`,
        ...stepsOfLeads(summaries),
      ],
    };
  },
});

const ranges = defineFormula({
  name: "rank-ranges",
  title: "Ranges of ranks",
  section: "How sure a rank is",
  formula:
    "in each draw one fewer than there are of the judges, the leads and a cell's replicates, with replacement; clearly different: ahead in more than 97.5% of draws; range: 1 + clearly better … all − clearly worse",
  input: z.strictObject({
    seed: z.string().min(1).max(100),
    draws: z.int().min(100).max(10_000),
    entries: listOf(
      z.strictObject({
        configuration: idInput,
        task: idInput,
        lead: idInput,
        seats: z
          .array(z.strictObject({ judge: idInput, value: z.number() }))
          .min(1)
          .max(100),
      }),
    ),
  }),
  example: {
    seed: "example",
    draws: 1000,
    // Per lead: a is ahead of b by 0.2 to 0.4, and of c only on the whole.
    entries: ["l1", "l2", "l3", "l4"].flatMap((lead, index) =>
      Object.entries({
        "a@max": [8.4, 8.6, 8.5, 8.3],
        "b@max": [8.1, 8.2, 8.3, 8.0],
        "c@max": [8.5, 8.0, 8.1, 8.6],
      }).map(([configuration, values]) => ({
        configuration,
        task: "t1",
        lead,
        seats: [{ judge: "opus", value: values[index] ?? 0 }],
      })),
    ),
  },
  compute({ seed, draws, entries }) {
    const { ranks, ...drawn } = rankRanges(entries, { seed, draws });
    return {
      result: { ...drawn, ranks },
      steps: [
        `${draws} draws from ${drawn.judges} judge(s), ${drawn.leads} lead(s) and up to ${drawn.replicates} replicate(s) of a cell`,
        ...ranks.map(
          ({ configuration, score, rank, range, reason, group }) =>
            `${rank}. ${configuration}: ${shown(score)}, ${range === null ? `no range: ${reason}` : `rank ${range.best} … ${range.worst}`}, group ${group}`,
        ),
      ],
    };
  },
});

export const RUN_FORMULAS = [replicates, overlap, overall, allLeads, leads, leadsOverall, ranges];
