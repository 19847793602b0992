import { numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { Row } from "../../lib/code/aggregate/row.ts";
import { mean, median, rangeOf, sampleSd } from "../../lib/stats/describe.ts";
import {
  atMost,
  counted,
  type Difference,
  type Grounds,
  named,
  pairedDifference,
  quoted,
  type Statement,
  type Strength,
  say,
  strengthOf,
} from "./statement.ts";

/** Which lead's briefs give the highest median. Null with fewer than two leads that have scores. */
export function leadsStatement({ view, all }: Grounds): Statement | null {
  const leads = (view.leads?.leads ?? []).flatMap((lead) =>
    lead.median === null ? [] : [{ ...lead, median: lead.median }],
  );
  const [first, second] = leads;
  if (first === undefined || second === undefined) return null;
  const gap = first.median - second.median;
  const other = new Map(second.strip.map(({ configuration, final }) => [configuration, final]));
  const difference = pairedDifference(
    first.strip.flatMap(({ configuration, final }) => {
      const against = other.get(configuration);
      return against === undefined ? [] : [final - against];
    }),
  );
  const head = {
    kind: "leads",
    id: "leads",
    says: say`Briefs by ${named(first.lead)} give the highest median final score, ${numberText(first.median)}; ${named(second.lead)} follows with ${numberText(second.median)}, and the lowest of ${leads.length} leads has ${numberText(leads.at(-1)?.median ?? null)}.`,
  } as const;
  if (difference === null)
    return { ...head, strength: "not clear", because: say`No configuration has scores from both.` };
  // Each lead wrote one brief a task: from few tasks nobody can tell the lead from the brief.
  const tasks = view.leads?.tasks.length ?? 0;
  const measured = gap <= 0 || difference.mean <= 0 ? "not clear" : strengthOf(difference);
  const sds = all.flatMap(({ final }) => final.spread?.sd ?? []);
  const noise = median(sds);
  return {
    ...head,
    strength: tasks < 3 ? atMost(measured, "moderate") : measured,
    because: say`The medians are ${numberText(gap)} apart. ${pairedText(difference, gap)}, over ${counted(tasks, "task")} with one brief each.${noise === null ? "" : ` From run to run a configuration varies by ${numberText(noise)}.`}`,
  };
}

/** How the same configurations fare from both leads' briefs. */
function pairedText({ mean: centre, error, n }: Difference, gap: number): string {
  const size = numberText(Math.abs(centre));
  const sure = error === null ? "" : ` ± ${numberText(error)} (one standard error)`;
  const way = centre > 0 ? "more" : "less";
  return `On average the same ${counted(n, "configuration")} score ${size}${sure} ${way} from the first one's briefs${centre * gap > 0 ? "" : ", which does not bear the medians out"}`;
}

/** What is known about fast mode: one statement for measured factors, one for the assumed one. */
export function fastStatements({ view, index }: Grounds): Statement[] {
  const fast = view.rows.filter(({ fast: { n }, time }) => n > 0 && time.factor !== null);
  const of = (basis: "measured" | "assumed") => fast.filter(({ time }) => time.basis === basis);
  const measured = measuredStatement(of("measured"), index);
  const assumed = of("assumed");
  const [first, ...others] = assumed;
  if (first === undefined) return measured;
  const entries = assumed.reduce((total, { fast: { n } }) => total + n, 0);
  return [
    ...measured,
    {
      kind: "fast-mode",
      id: "fast-assumed",
      strength: "weak",
      says: say`${named(first.configuration)}${others.length === 0 ? "" : ` and ${others.length} more`} ran in fast mode (⚡) in ${counted(entries, "entry", "entries")}; the standard tier is taken to need ${numberText(first.time.factor)} times the time.`,
      because: say`That factor is an assumption, not a measurement: nobody ran the same configuration on both tiers.`,
    },
  ];
}

function measuredStatement(rows: readonly Row[], index: Grounds["index"]): Statement[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const factors = rangeOf(rows.flatMap(({ time }) => time.factor ?? []));
  const pairs = rangeOf(rows.map(({ configuration }) => index.fastFactors.get(configuration)?.pairs ?? 0));
  if (factors === null || pairs === null) return [];
  const span = (low: string, high: string): string => (low === high ? low : `${low} to ${high}`);
  const times = span(numberText(factors.min), numberText(factors.max));
  return [
    {
      kind: "fast-mode",
      id: "fast-measured",
      strength: pairs.min >= 10 ? "strong" : pairs.min >= 3 ? "moderate" : "weak",
      says: say`${named(first.configuration)}${others.length === 0 ? " takes" : ` and ${others.length} more take`} ${times} times as long on the standard tier as in fast mode (⚡).`,
      because: say`Measured on ${span(String(pairs.min), String(pairs.max))} ${pairs.max === 1 ? "pair" : "pairs"} of the same task and lead on both tiers${others.length === 0 ? "" : ", each configuration by itself"}.`,
    },
  ];
}

/** Which task tells configurations apart most, and which least. Null in one task's view, or when fewer than two can be compared. */
export function tasksStatement({ view }: Grounds): Statement | null {
  if (view.selection.task !== null) return null;
  const { columns, rows } = view.matrix.tasks;
  const tasks = columns
    .flatMap(({ title }, place) => {
      const cells = rows.flatMap(({ cells }) => cells[place] ?? []);
      const values = cells.flatMap(({ value }) => value ?? []);
      const [sd, range] = [sampleSd(values), rangeOf(values)];
      const noise = mean(
        cells.flatMap(({ spread }) => (spread === null ? [] : spread.sd / Math.sqrt(spread.n))),
      );
      return sd === null || range === null ? [] : [{ title, sd, range, n: values.length, noise }];
    })
    .toSorted((a, b) => b.sd - a.sd);
  const [most, least] = [tasks[0], tasks.at(-1)];
  if (tasks.length < 2 || most === undefined || least === undefined) return null;
  const ratio = least.sd === 0 ? Number.POSITIVE_INFINITY : most.sd / least.sd;
  const known = most.noise !== null && most.noise > 0 ? most.sd / most.noise : null;
  return {
    kind: "tasks",
    id: "tasks",
    strength: tasksStrength(ratio, known, most.n),
    says: say`${quoted(most.title)} tells configurations apart most: scores from ${numberText(most.range.min)} to ${numberText(most.range.max)}, standard deviation ${numberText(most.sd)}. ${quoted(least.title)} does least, with ${numberText(least.sd)}.`,
    because: say`Over ${counted(most.n, "configuration")}. ${known === null ? "Single runs: how much of it is chance is not known." : `That is ${numberText(known, 1)} times what repeat runs of it differ by chance.`}`,
  };
}

function tasksStrength(ratio: number, overNoise: number | null, n: number): Strength {
  if (ratio < 1.25 || n < 3) return "not clear";
  if (overNoise !== null && overNoise < 2) return "not clear";
  if (overNoise !== null && overNoise >= 3 && ratio >= 1.5 && n >= 10) return "strong";
  return ratio >= 2 && n >= 10 ? "moderate" : "weak";
}
