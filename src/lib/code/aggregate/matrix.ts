import { type DataIndex, isLive, type Result, type Scope } from "./index-data.ts";
import { leadPart, type Measure, measureOf, type Nest, nestOf, resultsIn, taskPart } from "./nest.ts";
import type { Row } from "./row.ts";
import type { ScoreColumn } from "./selection.ts";

/** Configurations against tasks, or against leads, in the view's score column. */
export interface Matrix {
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly {
    readonly configuration: string;
    readonly cells: readonly (MatrixCell | null)[];
  }[];
}

/** One cell: the mean, with the run-to-run deviation under it (`spread.sd`) and each run on hover. */
export interface MatrixCell extends Measure {
  readonly dnf: number;
  readonly runs: readonly CellRun[];
}

export interface CellRun {
  readonly run: string;
  readonly entry: string;
  readonly task: string;
  readonly lead: string;
  readonly replicate: number;
  readonly value: number | null;
  readonly dnf: string | null;
}

/** (Methodology, "Repeat runs".) A cell without any entry is null. */
export function matrixOf(
  by: "task" | "lead",
  rows: readonly Row[],
  resultsOf: (configuration: string) => readonly Result[],
  scope: Scope,
  column: ScoreColumn,
  index: DataIndex,
): Matrix {
  const ids = by === "task" ? scope.tasks : scope.leads;
  const part = by === "task" ? taskPart : leadPart;
  return {
    columns: ids.map((id) => ({ id, title: by === "task" ? (index.tasks.get(id)?.title ?? id) : id })),
    rows: rows.map(({ configuration }) => {
      const nest = nestOf(resultsOf(configuration));
      return { configuration, cells: ids.map((id) => cellOf(part(nest, id), column)) };
    }),
  };
}

function cellOf(nest: Nest, column: ScoreColumn): MatrixCell | null {
  const results = resultsIn(nest);
  if (results.length === 0) return null;
  return {
    // Entries that did not finish have no score.
    ...measureOf(nest, ({ entry }) => entry[column]),
    dnf: results.filter(({ entry }) => !isLive(entry)).length,
    runs: results.map(({ entry, run }) => ({
      run: run.id,
      entry: entry.id,
      task: run.task,
      lead: run.lead,
      replicate: run.replicate,
      value: entry[column],
      dnf: entry.dnf,
    })),
  };
}
