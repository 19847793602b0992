/*
 * The core numbers of a view a second time: slow, plain loops over the published entries, written from the methodology and
 * importing nothing that the product computes with.
 */

import type { Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import type { Data, EntryData, RunData } from "../../../../src/lib/code/derive/data-schema.ts";

type Fact = { entry: EntryData; run: RunData };
type Read = (entry: EntryData) => number | null;
type Combine = (values: number[]) => number;

export const plainMean: Combine = (values) => values.reduce((a, b) => a + b, 0) / values.length;
export const plainGeometric: Combine = (values) =>
  values.reduce((product, value) => product * value, 1) ** (1 / values.length);

export function factsOf(data: Data, { lead, task, replicate }: Selection): Fact[] {
  const facts: Fact[] = [];
  for (const entry of data.entries)
    for (const run of data.runs) {
      if (run.id !== entry.run || run.excluded !== null) continue;
      if (lead !== null && run.lead !== lead) continue;
      if (task !== null && run.task !== task) continue;
      if (replicate !== null && run.replicate !== replicate) continue;
      facts.push({ entry, run });
    }
  return facts;
}

/** Mean over tasks of the mean over leads of the mean over replicates of one configuration's finished entries. */
export function slowAverage(
  facts: Fact[],
  configuration: string,
  read: Read,
  combine: Combine = plainMean,
): number | null {
  const perTask: number[] = [];
  for (const task of new Set(facts.map(({ run }) => run.task))) {
    const perLead: number[] = [];
    for (const lead of new Set(facts.map(({ run }) => run.lead))) {
      const values: number[] = [];
      for (const { entry, run } of facts) {
        if (run.task !== task || run.lead !== lead) continue;
        if (entry.configuration !== configuration || entry.dnf !== null) continue;
        const value = read(entry);
        if (value !== null) values.push(value);
      }
      if (values.length > 0) perLead.push(combine(values));
    }
    if (perLead.length > 0) perTask.push(combine(perLead));
  }
  return perTask.length > 0 ? combine(perTask) : null;
}

export function slowHidden(facts: Fact[], configuration: string): { passed: number; total: number } | null {
  let [passed, total, any] = [0, 0, false];
  for (const { entry } of facts) {
    if (entry.configuration !== configuration || entry.dnf !== null || entry.hidden === null) continue;
    passed += entry.hidden.passed;
    total += entry.hidden.total;
    any = true;
  }
  return any ? { passed, total } : null;
}

/** Cost that may be compared: of all completed tasks, and not 0. */
export function slowCost(facts: Fact[], configuration: string): number | null {
  const completed = new Set<string>();
  const priced = new Set<string>();
  for (const { entry, run } of facts) {
    if (entry.configuration !== configuration || entry.dnf !== null) continue;
    completed.add(run.task);
    if ((entry.cost?.usd ?? null) !== null) priced.add(run.task);
  }
  if (priced.size < completed.size) return null;
  const cost = slowAverage(facts, configuration, (entry) => entry.cost?.usd ?? null);
  return cost === null || cost <= 0 ? null : cost;
}

/** Value of a configuration that may be picked; null of any other. */
export function slowValue(facts: Fact[], configuration: string): number | null {
  const hidden = slowHidden(facts, configuration);
  if (hidden === null || hidden.total === 0 || hidden.passed * 100 < hidden.total * 98) return null;
  const council = slowAverage(facts, configuration, (entry) => entry.council);
  const points = slowAverage(facts, configuration, (entry) => entry.defect_points);
  const cost = slowCost(facts, configuration);
  if (council === null || points === null || cost === null) return null;
  return council - (0.2 * Math.log(cost)) / Math.log(2) - 0.5 * points;
}

/**
 * One winner of each group: nobody else of the group is better by more than a rounding error, nor as good and cheaper, nor
 * as good, as cheap and earlier by name. Scores of the tests lie on a grid, so "as good" needs no chain.
 */
export function slowBest(
  candidates: { configuration: string; group: string; score: number | null; cost: number | null }[],
): string[] {
  const winners: string[] = [];
  for (const mine of candidates) {
    if (mine.score === null) continue;
    let beaten = false;
    for (const other of candidates) {
      if (other === mine || other.group !== mine.group || other.score === null) continue;
      const ahead = other.score - mine.score;
      if (ahead > 1e-9) beaten = true;
      if (Math.abs(ahead) > 1e-9) continue;
      const [theirs, ours] = [other.cost ?? Infinity, mine.cost ?? Infinity];
      if (theirs < ours || (theirs === ours && other.configuration < mine.configuration)) beaten = true;
    }
    if (!beaten) winners.push(mine.configuration);
  }
  return winners.sort();
}

export function plainMedian(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const half = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(half)] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/** Median over configurations of a lead's final scores, over the tasks for which all leads with scores have some. */
export function slowLeads(facts: Fact[], overall: boolean): Map<string, number | null> {
  const scored = facts.filter(({ entry }) => entry.final !== null);
  const leads = [...new Set(scored.map(({ run }) => run.lead))];
  const shared = [...new Set(scored.map(({ run }) => run.task))].filter(
    (task) =>
      !overall || leads.every((lead) => scored.some(({ run }) => run.task === task && run.lead === lead)),
  );
  const medians = new Map<string, number | null>();
  for (const lead of new Set(facts.map(({ run }) => run.lead))) {
    const own = scored.filter(({ run }) => run.lead === lead && shared.includes(run.task));
    const finals: number[] = [];
    for (const configuration of new Set(own.map(({ entry }) => entry.configuration))) {
      const average = slowAverage(own, configuration, (entry) => entry.final);
      if (average !== null) finals.push(average);
    }
    medians.set(lead, plainMedian(finals));
  }
  return medians;
}

/** Offset of a judge: its scores minus the mean of the others' on the entries that it and another judge scored. */
export function slowOffset(facts: Fact[], judge: string): number | null {
  const differences: number[] = [];
  for (const { entry } of facts) {
    if (entry.dnf !== null) continue;
    const own = entry.seats.find((seat) => seat.judge === judge);
    const others = entry.seats.filter((seat) => seat.judge !== judge).map(({ score }) => score);
    if (own !== undefined && others.length > 0) differences.push(own.score - plainMean(others));
  }
  return differences.length === 0 ? null : plainMean(differences);
}

/** Whether nothing else is at least as good in both and better in one. */
export const undominated = (
  point: { score: number; cost: number },
  others: { score: number; cost: number }[],
): boolean =>
  !others.some(
    (other) =>
      other.score >= point.score &&
      other.cost <= point.cost &&
      (other.score > point.score || other.cost < point.cost),
  );

/**
 * Each replicate's own number, of the replicates with a value in all cells where the configuration has one, and their
 * sample deviation; null with fewer than two.
 */
export function slowSpread(
  facts: Fact[],
  configuration: string,
  read: Read,
): { replicate: number; value: number }[] | null {
  const own = facts.filter(({ entry }) => entry.configuration === configuration && entry.dnf === null);
  const valued = own.filter(({ entry }) => read(entry) !== null);
  const cells = new Set(valued.map(({ run }) => `${run.task} ${run.lead}`));
  const complete: { replicate: number; value: number }[] = [];
  for (const replicate of [1, 2, 3]) {
    const runs = valued.filter(({ run }) => run.replicate === replicate);
    const here = new Set(runs.map(({ run }) => `${run.task} ${run.lead}`));
    const value = slowAverage(runs, configuration, read);
    if (here.size === cells.size && value !== null) complete.push({ replicate, value });
  }
  return complete.length < 2 ? null : complete;
}

/** Square root of the squared differences of all pairs: √(Σ(x − y)² ÷ (2n(n − 1))) over ordered pairs. */
export function pairwiseDeviation(values: number[]): number {
  let squares = 0;
  for (const a of values) for (const b of values) squares += (a - b) ** 2;
  return Math.sqrt(squares / (2 * values.length * (values.length - 1)));
}
