import { groupBy } from "../score/group.ts";
import { byText } from "../score/order.ts";
import {
  type SlopBar,
  type SpeedChart,
  slopChart,
  speedChart,
  type TimeChartBar,
  timeChart,
} from "./bar-charts.ts";
import { type DefectRow, defectRows } from "./defects.ts";
import { type DataIndex, isLive, type Scope, scopeOf } from "./index-data.ts";
import { type JudgesTable, judgesTable } from "./judges.ts";
import { type LeadsCompared, leadsCompared } from "./leads.ts";
import { type Matrix, matrixOf } from "./matrix.ts";
import { type ParetoChart, paretoChart } from "./pareto-chart.ts";
import { type Picks, picksOf } from "./picks.ts";
import { type Row, rowOf } from "./row.ts";
import type { Selection } from "./selection.ts";
import { type RankedRow, shownRows } from "./shown.ts";
import { type Switchers, switchersOf } from "./switchers.ts";

/** Everything that a page or a terminal shows of one selection. Numbers are unrounded; unknown is null. */
export interface View {
  readonly selection: Selection;
  /** Made by a generator: never results. */
  readonly synthetic: boolean;
  /** Why there is nothing to show; null when there is something. */
  readonly empty: string | null;
  readonly about: About;
  /** The ranking. */
  readonly rows: readonly RankedRow[];
  /** Configurations that the effort selection hides. */
  readonly hidden_configurations: number;
  readonly matrix: { readonly tasks: Matrix; readonly leads: Matrix };
  readonly picks: Picks;
  /** Null when one lead is selected. */
  readonly leads: LeadsCompared | null;
  readonly judges: JudgesTable;
  readonly pareto: ParetoChart;
  readonly speed: SpeedChart;
  readonly time: readonly TimeChartBar[];
  readonly slop: readonly SlopBar[];
  readonly defects: readonly DefectRow[];
  readonly switchers: Switchers;
}

/** What the numbers are about. */
export interface About {
  readonly runs: number;
  readonly entries: number;
  readonly dnf: number;
  readonly configurations: number;
  readonly tasks: readonly string[];
  readonly leads: readonly string[];
  readonly judges: readonly string[];
  readonly replicates: readonly number[];
  /** Runs that were judged against their brief in place of the task's contract. */
  readonly judged_by_brief: number;
}

/**
 * The view of a selection. The same in a browser and in Node; of the same data, in whatever order its lists are, always the
 * same. Intervals of ranks take longer and are apart: `deriveRanks`.
 * @param index from `indexData`, made once
 */
export function deriveView(index: DataIndex, selection: Selection): View {
  const scope = scopeOf(index, selection);
  const byConfiguration = groupBy(scope.results, ({ entry }) => entry.configuration);
  const all = rowsOf(scope, selection, index);
  const rows = shownRows(all, selection.efforts, selection.column);
  const matrix = (by: "task" | "lead"): Matrix =>
    matrixOf(by, rows, (id) => byConfiguration.get(id) ?? [], scope, selection.column, index);
  return {
    selection,
    synthetic: index.data.synthetic,
    empty: emptyBecause(scope, selection, index),
    about: aboutOf(scope, all),
    rows,
    hidden_configurations: all.length - rows.length,
    matrix: { tasks: matrix("task"), leads: matrix("lead") },
    picks: picksOf(all, selection.efforts),
    leads: leadsCompared(scope, selection),
    judges: judgesTable(scope, index),
    pareto: paretoChart(rows, selection.column),
    speed: speedChart(rows, selection, index),
    time: timeChart(rows),
    slop: slopChart(rows),
    defects: defectRows(scope, index),
    switchers: switchersOf(index, selection),
  };
}

/** A row for every configuration of the scope, at every effort level, by configuration. */
export const rowsOf = (scope: Scope, selection: Selection, index: DataIndex): Row[] =>
  [...groupBy(scope.results, ({ entry }) => entry.configuration)]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, results]) => rowOf(results, scope, selection, index) ?? []);

const aboutOf = (scope: Scope, all: readonly Row[]): About => ({
  runs: scope.runs.length,
  entries: scope.results.length,
  dnf: scope.results.filter(({ entry }) => !isLive(entry)).length,
  configurations: all.length,
  tasks: scope.tasks,
  leads: scope.leads,
  judges: scope.judges,
  replicates: scope.replicates,
  judged_by_brief: scope.runs.filter(({ basis }) => basis === "brief").length,
});

function emptyBecause(scope: Scope, { lead, task, replicate }: Selection, index: DataIndex): string | null {
  if (scope.results.length > 0) return null;
  if (index.results.length === 0) return "there are no results yet";
  if (scope.runs.length > 0) return "the runs of this selection have no entries yet";
  if (task !== null && !index.runs.some((run) => run.task === task)) return `no run of task ${task}`;
  if (lead !== null && !index.runs.some((run) => run.lead === lead)) return `no run of lead ${lead}`;
  return replicate === null ? "no run of this lead in this task" : `no run ${replicate} of this selection`;
}
