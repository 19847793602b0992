import { compareLeads, compareLeadsOverall, type LeadSummary } from "../score/leads.ts";
import { byText } from "../score/order.ts";
import type { Scope } from "./index-data.ts";
import type { Selection } from "./selection.ts";

/** The card "Leads compared". */
export interface LeadsCompared {
  /** The tasks that count: those every shown lead has scores for, in page order. */
  readonly tasks: readonly string[];
  /** By median, the best first; leads without a score last. */
  readonly leads: readonly LeadSummary[];
}

/**
 * Leads by their median final score over every configuration that ran from their briefs, at every effort level, whatever
 * the view shows. A lead that has no score yet takes no part in which tasks are shared. Null when one lead is selected.
 * (Methodology, "Comparing leads".)
 */
export function leadsCompared(scope: Scope, { lead, task }: Selection): LeadsCompared | null {
  if (lead !== null) return null;
  const scores = scope.results.flatMap(({ entry, run }) =>
    entry.final === null
      ? []
      : { lead: run.lead, task: run.task, configuration: entry.configuration, final: entry.final },
  );
  const compared =
    task === null ? compareLeadsOverall(scores) : { tasks: scope.tasks, leads: compareLeads(scores) };
  const there = new Set(compared.leads.map((summary) => summary.lead));
  const silent = scope.leads
    .filter((id) => !there.has(id))
    .map((id) => ({ lead: id, median: null, mean: null, strip: [] }));
  return {
    tasks: scope.tasks.filter((id) => compared.tasks.includes(id) && scores.length > 0),
    leads: [...compared.leads, ...silent].sort(
      (a, b) =>
        (b.median ?? Number.NEGATIVE_INFINITY) - (a.median ?? Number.NEGATIVE_INFINITY) ||
        byText(a.lead, b.lead),
    ),
  };
}
