import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import { DataTable } from "../ui/table.tsx";
import { Tip } from "../ui/tip.tsx";
import { MeasureCell, nameColumn, Unknown } from "./cells.tsx";
import { Name } from "./names.tsx";

interface ColumnsProps {
  readonly index: DataIndex;
  readonly view: View;
}

const counted = (n: number): string => `Mean of ${n} ${n === 1 ? "entry" : "entries"}.`;

/** Each judge's mean of every shown configuration. */
export const JudgeColumns = ({ index, view }: ColumnsProps): JSX.Element => (
  <DataTable
    caption="Scores of each judge"
    columns={[
      { id: "configuration", title: "Configuration" },
      { id: "council", title: "Council", side: "right", hint: "Mean over each run's panel." },
      {
        id: "cross-vendor",
        title: "Cross-vendor",
        side: "right",
        hint: "The same without judges of the entry's own vendor.",
      },
      ...view.about.judges.map((judge) => ({
        id: `judge-${judge}`,
        ...nameColumn(index.judges.get(judge)?.name ?? judge),
        side: "right" as const,
      })),
    ]}
    rows={view.rows.map((row) => ({
      key: row.configuration,
      cells: [
        <Name index={index} configuration={row.configuration} fast={row.fast.n > 0} />,
        <MeasureCell measure={row.council} text={numberText} reason="no council score" />,
        <MeasureCell
          measure={row.cross_vendor}
          text={numberText}
          reason="no judge of another vendor on the panel"
        />,
        ...row.judges.map(({ score, n }) =>
          score === null ? (
            <Unknown reason="it scored nothing of this configuration" />
          ) : (
            <Tip text={counted(n)}>{numberText(score)}</Tip>
          ),
        ),
      ],
    }))}
    none="No configuration ran."
  />
);
