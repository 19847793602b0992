import type { Data, EntryData, RunData, TaskData } from "../derive/data-schema.ts";
import { byText } from "../score/order.ts";
import type { Selection } from "./selection.ts";

/** One entry with the run that it belongs to. */
export interface Result {
  /** `run/entry`: unique over the data. */
  readonly key: string;
  readonly entry: EntryData;
  readonly run: RunData;
}

/** `data.json`, arranged once so that every view is quick. Excluded runs are not in it. */
export interface DataIndex {
  readonly data: Data;
  /** By id. */
  readonly runs: readonly RunData[];
  /** In page order of tasks, then by lead, replicate, run and entry: no order of the data's lists can show in a number. */
  readonly results: readonly Result[];
  readonly byKey: ReadonlyMap<string, Result>;
  readonly tasks: ReadonlyMap<string, TaskData>;
  /** Place of each task on the page, from 0. */
  readonly taskPlace: ReadonlyMap<string, number>;
  readonly models: ReadonlyMap<string, Data["models"][number]>;
  readonly vendors: ReadonlyMap<string, Data["vendors"][number]>;
  readonly judges: ReadonlyMap<string, Data["judges"][number]>;
  readonly fastFactors: ReadonlyMap<string, Data["fast_factors"][number]>;
}

/** Arranges the data for `deriveView`: once for a page, whatever is selected on it later. */
export function indexData(data: Data): DataIndex {
  const runs = data.runs.filter(({ excluded }) => excluded === null).toSorted((a, b) => byText(a.id, b.id));
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const tasks = new Map(data.tasks.map((task) => [task.id, task]));
  const placed = [...new Set([...tasks.keys(), ...runs.map(({ task }) => task)])].sort(
    (a, b) => positionOf(tasks, a) - positionOf(tasks, b) || byText(a, b),
  );
  const taskPlace = new Map(placed.map((task, place) => [task, place]));
  const results = data.entries
    .flatMap((entry): Result[] => {
      const run = runOf.get(entry.run);
      return run === undefined ? [] : [{ key: keyOf(entry.run, entry.id), entry, run }];
    })
    .sort(
      (a, b) =>
        (taskPlace.get(a.run.task) ?? 0) - (taskPlace.get(b.run.task) ?? 0) ||
        byText(a.run.lead, b.run.lead) ||
        a.run.replicate - b.run.replicate ||
        byText(a.run.id, b.run.id) ||
        byText(a.entry.id, b.entry.id),
    );
  return {
    data,
    runs,
    results,
    byKey: new Map(results.map((result) => [result.key, result])),
    tasks,
    taskPlace,
    models: new Map(data.models.map((model) => [model.id, model])),
    vendors: new Map(data.vendors.map((vendor) => [vendor.id, vendor])),
    judges: new Map(data.judges.map((judge) => [judge.id, judge])),
    fastFactors: new Map(data.fast_factors.map((factor) => [factor.configuration, factor])),
  };
}

/** A task that the catalogue does not have comes last. */
const positionOf = (tasks: ReadonlyMap<string, TaskData>, id: string): number =>
  tasks.get(id)?.position ?? Number.MAX_SAFE_INTEGER;

/** Key of an entry over all runs. */
export const keyOf = (run: string, entry: string): string => `${run}/${entry}`;

/** What a selection is about, before any effort level is chosen. */
export interface Scope {
  readonly runs: readonly RunData[];
  readonly results: readonly Result[];
  /** Tasks with runs, in page order. */
  readonly tasks: readonly string[];
  /** Leads with runs, by id. */
  readonly leads: readonly string[];
  /** Judges with scores of what finished, by id. */
  readonly judges: readonly string[];
  readonly replicates: readonly number[];
}

/** The runs and entries that lead, task and replicate of a selection leave. */
export function scopeOf(index: DataIndex, selection: Selection): Scope {
  const inScope = inSelection(selection);
  const runs = index.runs.filter(inScope);
  const results = index.results.filter(({ run }) => inScope(run));
  const judges = results.flatMap(({ entry }) => (isLive(entry) ? entry.seats.map(({ judge }) => judge) : []));
  return {
    runs,
    results,
    tasks: [...new Set(runs.map(({ task }) => task))].sort(
      (a, b) => (index.taskPlace.get(a) ?? 0) - (index.taskPlace.get(b) ?? 0),
    ),
    leads: [...new Set(runs.map(({ lead }) => lead))].sort(byText),
    judges: [...new Set(judges)].sort(byText),
    replicates: [...new Set(runs.map(({ replicate }) => replicate))].sort((a, b) => a - b),
  };
}

const inSelection =
  ({ lead, task, replicate }: Selection) =>
  (run: RunData): boolean =>
    (lead === null || run.lead === lead) &&
    (task === null || run.task === task) &&
    (replicate === null || run.replicate === replicate);

/** Whether an entry finished: only such an entry has scores. */
export const isLive = ({ dnf }: EntryData): boolean => dnf === null;
