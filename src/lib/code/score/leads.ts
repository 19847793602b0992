import { mean, median } from "../../stats/describe.ts";
import { groupBy } from "./group.ts";
import { byText } from "./order.ts";

/** Final score of one configuration from one lead's briefs of one task; null when it has none. */
export interface LeadScore {
  readonly lead: string;
  readonly task: string;
  readonly configuration: string;
  readonly final: number | null;
}

export interface LeadSummary {
  readonly lead: string;
  /** What the card shows: one breakdown near 0 hardly moves it. */
  readonly median: number | null;
  /** Shown on hover. */
  readonly mean: number | null;
  /** Every configuration, by score from high to low: breakdowns stay visible. */
  readonly strip: readonly { readonly configuration: string; readonly final: number }[];
}

/**
 * Leads in one task: the median final score over every configuration that ran from a lead's briefs, whatever the view,
 * with the mean and the strip. Several scores of a configuration (replicates) are averaged first. In order of the leads'
 * ids. (Methodology, "Comparing leads".)
 */
export function compareLeads(scores: readonly LeadScore[]): LeadSummary[] {
  return leadsOf(scores).map((lead) =>
    summarize(
      lead,
      scores.filter((score) => score.lead === lead),
    ),
  );
}

/**
 * Leads over all tasks: each configuration is averaged over the tasks that every shown lead has scores for, then the
 * median is taken. `tasks` are those tasks. (Methodology, "Comparing leads", "Overall".)
 */
export function compareLeadsOverall(scores: readonly LeadScore[]): {
  readonly tasks: string[];
  readonly leads: LeadSummary[];
} {
  const there = scores.filter(({ final }) => final !== null);
  const leads = leadsOf(scores);
  const tasksOf = (lead: string): Set<string> =>
    new Set(there.filter((score) => score.lead === lead).map(({ task }) => task));
  const [first, ...others] = leads.map(tasksOf);
  const tasks = [...(first ?? [])].filter((task) => others.every((held) => held.has(task))).sort(byText);
  const shared = there.filter(({ task }) => tasks.includes(task));
  return {
    tasks,
    leads: leads.map((lead) =>
      summarize(
        lead,
        shared.filter((score) => score.lead === lead),
      ),
    ),
  };
}

const leadsOf = (scores: readonly LeadScore[]): string[] =>
  [...new Set(scores.map(({ lead }) => lead))].sort(byText);

function summarize(lead: string, scores: readonly LeadScore[]): LeadSummary {
  const strip = [...groupBy(scores, ({ configuration }) => configuration)]
    .flatMap(([configuration, own]) => {
      const perTask = [...groupBy(own, ({ task }) => task).values()].map((inTask) =>
        mean(inTask.flatMap(({ final }) => final ?? [])),
      );
      const final = mean(perTask.filter((value) => value !== null));
      return final === null ? [] : [{ configuration, final }];
    })
    .sort((a, b) => b.final - a.final || byText(a.configuration, b.configuration));
  const finals = strip.map(({ final }) => final);
  return { lead, median: median(finals), mean: mean(finals), strip };
}
