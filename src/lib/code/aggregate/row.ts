import type { EntryData } from "../derive/data-schema.ts";
import { addHidden, type HiddenCount } from "../score/hidden.ts";
import { type FastFactor, type TimeBar, timeBar } from "../score/time.ts";
import { type CodeMeans, codeMeansOf } from "./code-means.ts";
import { type DataIndex, isLive, type Result, type Scope } from "./index-data.ts";
import {
  averageOf,
  GEOMETRIC_MEANS,
  leadPart,
  type Measure,
  meanOfKnown,
  measureOf,
  type Nest,
  nestOf,
  resultsIn,
} from "./nest.ts";
import type { ScoreColumn, Selection } from "./selection.ts";
import { type TokenMeans, tokenMeansOf } from "./token-means.ts";

/** How well a number is known, from the weakest of the numbers that went into it. */
export type Level = EntryData["cost_level"];

/** A run that did not finish, and what it took. */
export interface Unfinished {
  readonly n: number;
  readonly reasons: readonly { readonly reason: string; readonly n: number }[];
  /** Mean cost and wall time of the unfinished runs; null in the overall view, where only completed tasks count. */
  readonly cost: number | null;
  readonly seconds: number | null;
}

/** The speed of a configuration, and what is behind it. */
export interface SpeedCell extends Measure {
  /** Finished entries that were measured (timings for the speed, instruction counts for the proxy). */
  readonly measured: number;
  /** Why the others have no speed. */
  readonly reasons: readonly string[];
  readonly level: Level | null;
}

/** Wall time; where runs were on the fast tier also the estimate for the standard one. */
export interface TimeCell extends Measure {
  /** Mean seconds with every fast run extended; null when none was fast. */
  readonly extended: number | null;
  /** What fast runs are multiplied by, and whether somebody measured it. Null when none was fast. */
  readonly factor: number | null;
  readonly basis: "assumed" | "measured" | null;
}

/** One configuration in a view. All numbers are unrounded; unknown is null. */
export interface Row {
  readonly configuration: string;
  readonly model: string;
  readonly model_name: string;
  readonly effort: string;
  readonly vendor: string;
  /** Finished and unfinished entries, in page order of tasks, then by lead and replicate. */
  readonly results: readonly RowResult[];
  readonly council: Measure;
  readonly cross_vendor: Measure;
  readonly final: Measure;
  /** Summed over all finished runs. */
  readonly hidden: HiddenCount | null;
  /** Finished entries whose hidden suite was not run: the sum is without them. */
  readonly hidden_missing: number;
  readonly hidden_level: Level | null;
  readonly slop: Measure;
  readonly defect_points: Measure;
  /**
   * List price at the standard tier, USD a run. Of configurations that only failed it is, in a task's view, the price of
   * the failures.
   */
  readonly cost: Measure;
  /** The cost that may be compared: null when unknown, 0, or when a completed task's is unknown. */
  readonly comparable_cost: number | null;
  readonly cost_level: Level | null;
  readonly as_run_cost: Measure;
  readonly recorded_cost: Measure;
  /** Seconds from the first to the last event; of what only failed as for the cost. */
  readonly time: TimeCell;
  /** From timings alone. */
  readonly speed: SpeedCell;
  /** From instruction counts alone, never in the overall view. */
  readonly proxy: SpeedCell;
  readonly code: CodeMeans;
  readonly tokens: TokenMeans;
  /** Entries on a faster service tier (⚡), of all. */
  readonly fast: { readonly n: number; readonly of: number };
  readonly dnf: Unfinished;
  readonly coverage: Coverage;
  /** The mean of each judge of the view's columns; null where it scored nothing of this row. */
  readonly judges: readonly { readonly judge: string; readonly score: number | null; readonly n: number }[];
  /** The averages of each lead of the view's columns: final and council score, over that lead's tasks. */
  readonly leads: readonly {
    readonly lead: string;
    readonly final: number | null;
    readonly council: number | null;
    readonly n: number;
  }[];
}

/** One run behind a row, listed on hover. */
export interface RowResult {
  readonly run: string;
  readonly entry: string;
  readonly task: string;
  readonly lead: string;
  readonly replicate: number;
  readonly final: number | null;
  readonly council: number | null;
  readonly slop: number | null;
  readonly defect_points: number | null;
  /** List price in USD, and wall time. */
  readonly cost: number | null;
  readonly seconds: number | null;
  readonly dnf: string | null;
}

export interface Coverage {
  /** Tasks in which it finished at least once, of the tasks with runs: the `n/N tasks` tag. */
  readonly tasks: number;
  readonly of_tasks: number;
  /** Leads from whose briefs it finished at least once. */
  readonly leads: number;
  readonly of_leads: number;
  readonly finished: number;
  readonly entries: number;
}

/**
 * The row of one configuration.
 * @param results all its entries of the scope, in the order of the index; at least one
 */
export function rowOf(
  results: readonly Result[],
  scope: Scope,
  selection: Selection,
  index: DataIndex,
): Row | null {
  const [first] = results;
  if (first === undefined) return null;
  const { configuration, model, effort, vendor } = first.entry;
  const live = results.filter(({ entry }) => isLive(entry));
  const nest = nestOf(live);
  // In a task's view what was spent on failures stays visible; overall means are about completed tasks.
  const spent = live.length > 0 || selection.task === null ? nest : nestOf(results);
  const measure = (read: (entry: EntryData) => number | null): Measure =>
    measureOf(nest, ({ entry }) => read(entry));
  const cost = measureOf(spent, ({ entry }) => entry.cost?.usd ?? null);
  return {
    configuration,
    model,
    model_name: index.models.get(model)?.name ?? model,
    effort,
    vendor,
    results: results.map(rowResult),
    council: measure(({ council }) => council),
    cross_vendor: measure(({ cross_vendor }) => cross_vendor),
    final: measure(({ final }) => final),
    hidden: addHidden(live.flatMap(({ entry }) => entry.hidden ?? [])),
    hidden_missing: live.filter(({ entry }) => entry.hidden === null).length,
    hidden_level: weakest(live.flatMap(({ entry }) => entry.hidden?.level ?? [])),
    slop: measure(({ slop }) => slop),
    defect_points: measure(({ defect_points }) => defect_points),
    cost,
    comparable_cost: comparableCost(cost, spent),
    cost_level: weakest(
      resultsIn(spent).flatMap(({ entry }) => (entry.cost === null ? [] : entry.cost_level)),
    ),
    as_run_cost: measureOf(spent, ({ entry }) => entry.cost?.as_run_usd ?? null),
    recorded_cost: measureOf(spent, ({ entry }) => entry.cost?.recorded_usd ?? null),
    time: timeCell(spent, index.fastFactors.get(configuration) ?? null),
    speed: speedCell(nest, false),
    proxy: speedCell(selection.task === null ? [] : nest, true),
    code: codeMeansOf(nest),
    tokens: tokenMeansOf(spent),
    fast: { n: results.filter(({ entry }) => entry.fast_mode).length, of: results.length },
    dnf: unfinishedOf(results, selection),
    coverage: coverageOf(results, nest, scope),
    judges: scope.judges.map((judge) => ({
      judge,
      score: averageOf(nest, ({ entry }) => seatScore(entry, judge)),
      n: live.filter(({ entry }) => entry.seats.some((seat) => seat.judge === judge)).length,
    })),
    leads: scope.leads.map((lead) => {
      const part = leadPart(nest, lead);
      return {
        lead,
        final: averageOf(part, ({ entry }) => entry.final),
        council: averageOf(part, ({ entry }) => entry.council),
        n: resultsIn(part).length,
      };
    }),
  };
}

/** The row's number in the column that ranks the view. */
export const scoreOf = (row: Row, column: ScoreColumn): number | null => row[column].value;

const rowResult = ({ entry, run }: Result): RowResult => ({
  run: run.id,
  entry: entry.id,
  task: run.task,
  lead: run.lead,
  replicate: run.replicate,
  final: entry.final,
  council: entry.council,
  slop: entry.slop,
  defect_points: entry.defect_points,
  cost: entry.cost?.usd ?? null,
  seconds: entry.seconds,
  dnf: entry.dnf,
});

const seatScore = (entry: EntryData, judge: string): number | null =>
  meanOfKnown(entry.seats.filter((seat) => seat.judge === judge).map(({ score }) => score));

/** A mean over other tasks than those it completed is no price of them; a list price of 0 means a missing price. */
const comparableCost = ({ value, tasks }: Measure, nest: Nest): number | null =>
  value === null || value <= 0 || tasks < nest.length ? null : value;

/** Fast runs extended to the standard tier, each as its bar is (`score/time.ts`). */
function timeCell(nest: Nest, measured: FastFactor | null): TimeCell {
  const time = measureOf(nest, ({ entry }) => entry.seconds);
  const barOf = ({ entry: { seconds, fast_mode } }: Result): TimeBar | null =>
    seconds === null ? null : timeBar(seconds, fast_mode, measured);
  const fast = resultsIn(nest)
    .map(barOf)
    .find((bar) => bar !== null && bar.extended_seconds !== null);
  if (fast === undefined || fast === null) return { ...time, extended: null, factor: null, basis: null };
  return {
    ...time,
    extended: averageOf(nest, (result) => {
      const bar = barOf(result);
      return bar === null ? null : (bar.extended_seconds ?? bar.measured_seconds);
    }),
    factor: fast.factor,
    basis: fast.basis,
  };
}

function speedCell(nest: Nest, proxy: boolean): SpeedCell {
  const measured = resultsIn(nest).flatMap(({ entry }) =>
    entry.speed !== null && entry.speed.proxy === proxy ? entry.speed : [],
  );
  return {
    ...measureOf(
      nest,
      ({ entry }) => (entry.speed?.proxy === proxy ? entry.speed.speedup : null),
      GEOMETRIC_MEANS,
    ),
    measured: measured.length,
    reasons: [...new Set(measured.flatMap(({ reason }) => reason ?? []))].sort(),
    level: weakest(measured.map(({ level }) => level)),
  };
}

function unfinishedOf(results: readonly Result[], { task }: Selection): Unfinished {
  const failed = results.filter(({ entry }) => !isLive(entry));
  const nest = task === null ? [] : nestOf(failed);
  const reasons = new Map<string, number>();
  for (const { entry } of failed)
    if (entry.dnf !== null) reasons.set(entry.dnf, (reasons.get(entry.dnf) ?? 0) + 1);
  return {
    n: failed.length,
    reasons: [...reasons]
      .map(([reason, n]) => ({ reason, n }))
      .sort((a, b) => b.n - a.n || (a.reason < b.reason ? -1 : 1)),
    cost: averageOf(nest, ({ entry }) => entry.cost?.usd ?? null),
    seconds: averageOf(nest, ({ entry }) => entry.seconds),
  };
}

const coverageOf = (results: readonly Result[], nest: Nest, scope: Scope): Coverage => ({
  tasks: nest.length,
  of_tasks: scope.tasks.length,
  leads: new Set(nest.flatMap(({ leads }) => leads.map(({ lead }) => lead))).size,
  of_leads: scope.leads.length,
  finished: resultsIn(nest).length,
  entries: results.length,
});

const LEVELS: readonly Level[] = ["declared", "attested", "recomputed"];

/** The weakest of the levels; null of none. */
const weakest = (levels: readonly Level[]): Level | null =>
  LEVELS.find((level) => levels.includes(level)) ?? null;
