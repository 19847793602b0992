import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import { Matrix } from "./matrix.tsx";
import { Part } from "./part.tsx";

interface MatricesProps {
  readonly index: DataIndex;
  readonly view: View;
  /** Opens the runs behind a cell: of a configuration in a task, or from a lead. */
  readonly onCell: (configuration: string, within: string) => void;
}

/** Configurations against tasks in the overall view, and against leads under all leads. */
export function Matrices({ index, view, onCell }: MatricesProps): JSX.Element {
  const { task, lead, column } = view.selection;
  const score = column === "final" ? "Final score" : "Council score";
  return (
    <>
      {task === null ? (
        <Part id="tasks" title="Task by task">
          <Matrix
            index={index}
            caption={`${score} by task`}
            by="task"
            matrix={view.matrix.tasks}
            onCell={onCell}
          />
        </Part>
      ) : null}
      {lead === null ? (
        <Part id="leads-matrix" title="Lead by lead">
          <Matrix
            index={index}
            caption={`${score} by the lead whose brief it worked from`}
            by="lead"
            matrix={view.matrix.leads}
            onCell={onCell}
          />
        </Part>
      ) : null}
    </>
  );
}
