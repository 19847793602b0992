import { geometricMean, mean } from "../../stats/describe.ts";
import { allLeadsMean, overallMean } from "../score/overall.ts";
import { combineReplicates } from "../score/replicates.ts";
import type { Result } from "./index-data.ts";

/** The runs of one configuration: tasks in page order, in each the leads by id, in each the replicates in order. */
export type Nest = readonly TaskNest[];
export interface TaskNest {
  readonly task: string;
  readonly leads: readonly LeadNest[];
}
export interface LeadNest {
  readonly lead: string;
  readonly results: readonly Result[];
}

/** Nests results that are in the order of the index. */
export function nestOf(results: readonly Result[]): Nest {
  const tasks: { task: string; leads: { lead: string; results: Result[] }[] }[] = [];
  for (const result of results) {
    const { task, lead } = result.run;
    let inTask = tasks.at(-1);
    if (inTask?.task !== task) {
      inTask = { task, leads: [] };
      tasks.push(inTask);
    }
    const inCell = inTask.leads.at(-1);
    if (inCell?.lead === lead) inCell.results.push(result);
    else inTask.leads.push({ lead, results: [result] });
  }
  return tasks;
}

/** The part of a nest that is one task's, or one lead's. */
export const taskPart = (nest: Nest, task: string): Nest => nest.filter((part) => part.task === task);
export const leadPart = (nest: Nest, lead: string): Nest =>
  nest.flatMap(({ task, leads }) => {
    const own = leads.filter((part) => part.lead === lead);
    return own.length === 0 ? [] : [{ task, leads: own }];
  });

export const resultsIn = (nest: Nest): Result[] =>
  nest.flatMap(({ leads }) => leads.flatMap(({ results }) => results));

/** How numbers are put together: the values of each lead's runs of a task, then the tasks' numbers. */
export interface Averaging {
  readonly task: (perLead: readonly (readonly (number | null)[])[]) => number | null;
  readonly overall: (perTask: readonly (number | null)[]) => number | null;
}

/** Mean over replicates, then over leads, then over tasks. (Methodology, "Aggregation on the site".) */
export const MEANS: Averaging = { task: allLeadsMean, overall: (perTask) => overallMean(perTask).value };

const geometric = (values: readonly (number | null)[]): number | null =>
  geometricMean(values.filter((value) => value !== null));

/** The same steps with geometric means, for speed-ups. (Methodology, "Speed".) */
export const GEOMETRIC_MEANS: Averaging = {
  task: (perLead) => geometric(perLead.map(geometric)),
  overall: geometric,
};

/** Spread over replicates that stand for the same cells. */
export interface Spread {
  /** Replicates compared, at least two. */
  readonly n: number;
  /** Sample standard deviation (n − 1). */
  readonly sd: number;
  readonly min: number;
  readonly max: number;
  /** Each replicate's own number. */
  readonly replicates: readonly { readonly replicate: number; readonly value: number }[];
}

/** A number of one configuration. */
export interface Measure {
  readonly value: number | null;
  /** Entries that have a value. */
  readonly n: number;
  /** Tasks that have a value. */
  readonly tasks: number;
  /** Null with fewer than two comparable replicates. */
  readonly spread: Spread | null;
}

type Read = (result: Result) => number | null;

/** The averaged number alone, without counts and spread. */
export const averageOf = (nest: Nest, read: Read, averaging: Averaging = MEANS): number | null =>
  averaging.overall(nest.map(({ leads }) => averaging.task(leads.map(({ results }) => results.map(read)))));

/**
 * A measure of one configuration: over its replicates of each lead and task, then over leads, then over tasks; runs, leads
 * and tasks without a value are left out. The spread compares the replicates' own numbers, each computed in the same way,
 * and only of those replicates that have a value in every cell where the configuration has one: others stand for other work.
 */
export function measureOf(nest: Nest, read: Read, averaging: Averaging = MEANS): Measure {
  let [n, tasks] = [0, 0];
  for (const { leads } of nest) {
    const there = leads.reduce(
      (sum, { results }) => sum + results.filter((result) => read(result) !== null).length,
      0,
    );
    n += there;
    if (there > 0) tasks += 1;
  }
  return {
    value: averageOf(nest, read, averaging),
    n,
    tasks,
    spread: spreadOf(nest, read, averaging),
  };
}

function spreadOf(nest: Nest, read: Read, averaging: Averaging): Spread | null {
  const complete = completeReplicates(nest, read);
  if (complete.length < 2) return null;
  const replicates = complete
    .toSorted((a, b) => a - b)
    .flatMap((replicate) => {
      const value = averageOf(
        nest,
        (result) => (result.run.replicate === replicate ? read(result) : null),
        averaging,
      );
      return value === null ? [] : [{ replicate, value }];
    });
  const combined = combineReplicates(replicates.map(({ value }) => value));
  if (combined === null || combined.sd === null) return null;
  return { n: combined.n, sd: combined.sd, min: combined.min, max: combined.max, replicates };
}

/** The replicates with a value in every cell that has one; none when a cell has a single run. */
function completeReplicates(nest: Nest, read: Read): number[] {
  let complete: number[] | null = null;
  for (const { leads } of nest)
    for (const { results } of leads) {
      const there = results.filter((result) => read(result) !== null).map(({ run }) => run.replicate);
      if (there.length === 0) continue;
      if (there.length === 1) return [];
      complete = complete === null ? there : complete.filter((replicate) => there.includes(replicate));
    }
  return [...new Set(complete)];
}

/** Plain mean over a list in which unknowns are left out. */
export const meanOfKnown = (values: readonly (number | null)[]): number | null =>
  mean(values.filter((value) => value !== null));
