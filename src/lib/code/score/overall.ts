import { mean } from "../../stats/describe.ts";

/** A mean and how many of how many it stands for, shown as `n/N tasks`. */
export interface Covered {
  readonly value: number | null;
  readonly n: number;
  readonly of: number;
}

/**
 * Overall view of one measure: the mean over the tasks that the configuration completed. Tasks without a value (null: not
 * run, or did not finish) are left out and not penalised; read the coverage. (Methodology, "Aggregation on the site".)
 * @param perTask one value for each task of the selection
 */
export function overallMean(perTask: readonly (number | null)[]): Covered {
  const there = perTask.filter((value) => value !== null);
  return { value: mean(there), n: there.length, of: perTask.length };
}

/**
 * All leads: the mean of the per-lead averages, so that a lead with more runs weighs no more than another. Leads without a
 * value are left out. (Methodology, "Aggregation on the site", "Leads".)
 * @param perLead the runs' values of each lead
 */
export function allLeadsMean(perLead: readonly (readonly (number | null)[])[]): number | null {
  const averages = perLead.map((values) => mean(values.filter((value) => value !== null)));
  return mean(averages.filter((average) => average !== null));
}
