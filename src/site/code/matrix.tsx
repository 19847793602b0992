import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { MatrixCell, Matrix as MatrixData } from "../../lib/code/aggregate/matrix.ts";
import { numberText, UNKNOWN } from "../../lib/code/aggregate/numbers-text.ts";
import { safeText } from "../../lib/picture/text.ts";
import { DataTable } from "../ui/table.tsx";
import { Tip } from "../ui/tip.tsx";
import { Name, plainName } from "./names.tsx";

interface MatrixProps {
  readonly index: DataIndex;
  readonly caption: string;
  readonly by: "task" | "lead";
  readonly matrix: MatrixData;
  /** Opens the runs behind a cell. */
  readonly onCell: (configuration: string, column: string) => void;
}

/** Configurations against tasks or leads: the mean, the deviation from run to run under it, each run on hover. */
export function Matrix({ index, caption, by, matrix: { columns, rows }, onCell }: MatrixProps): JSX.Element {
  return (
    <DataTable
      caption={caption}
      columns={[
        { id: "configuration", title: "Configuration" },
        ...columns.map(({ id, title }) => ({
          id,
          title: safeText(by === "lead" ? plainName(index, id) : title),
          side: "right" as const,
        })),
      ]}
      rows={rows.map(({ configuration, cells }) => ({
        key: configuration,
        cells: [
          <Name index={index} configuration={configuration} />,
          ...cells.map((cell, place) => (
            <Cell cell={cell} index={index} onOpen={() => onCell(configuration, columns[place]?.id ?? "")} />
          )),
        ],
      }))}
    />
  );
}

interface CellProps {
  readonly index: DataIndex;
  readonly cell: MatrixCell | null;
  readonly onOpen: () => void;
}

/** Runs listed on hover; the others are in what opens. */
const MOST_LISTED = 8;

function Cell({ index, cell, onOpen }: CellProps): JSX.Element {
  if (cell === null) return <span class="soft">not run</span>;
  const { value, spread, dnf, runs } = cell;
  const listed = runs.slice(0, MOST_LISTED);
  return (
    <Tip
      onClick={onOpen}
      text={
        <>
          {listed.map((run) => (
            <span class="line" key={`${run.run}/${run.entry}`}>
              {`${safeText(index.tasks.get(run.task)?.title ?? run.task)}, lead ${safeText(plainName(index, run.lead))}, run ${run.replicate}: ${run.dnf === null ? numberText(run.value) : "did not finish"}`}
            </span>
          ))}
          {runs.length > listed.length ? (
            <span class="line">{`and ${runs.length - listed.length} more`}</span>
          ) : null}
        </>
      }
    >
      {value === null ? (dnf > 0 ? "DNF" : UNKNOWN) : numberText(value)}
      {spread === null ? null : <span class="sd">{`±${numberText(spread.sd)}`}</span>}
      {value !== null && dnf > 0 ? <span class="sd">{`${dnf} DNF`}</span> : null}
    </Tip>
  );
}
