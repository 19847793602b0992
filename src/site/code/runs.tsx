import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { durationText, numberText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import type { RowResult } from "../../lib/code/aggregate/row.ts";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { PlainName } from "./names.tsx";

interface RunsProps {
  readonly index: DataIndex;
  readonly configuration: string;
  /** A task or a lead, where only its runs are asked for. */
  readonly within: string | null;
  readonly results: readonly RowResult[];
  readonly entryHref: (run: string, entry: string) => string;
}

/** The runs behind a number, each leading to its entry. */
export function Runs({ index, configuration, within, results, entryHref }: RunsProps): JSX.Element {
  const own = results.filter(({ task, lead }) => within === null || within === task || within === lead);
  return (
    <>
      <h2 id="panel-title">
        Runs of <PlainName index={index} configuration={configuration} />
      </h2>
      <DataTable
        caption={`${own.length} ${own.length === 1 ? "run" : "runs"}: each leads to its entry, with every finding`}
        none="No run of it is in this selection."
        columns={[
          { id: "run", title: "Run" },
          { id: "final", title: "Final", side: "right" },
          { id: "council", title: "Council", side: "right" },
          { id: "slop", title: "Slop", side: "right" },
          {
            id: "defects",
            title: "Defect points",
            side: "right",
            hint: "All findings, weighted by severity, a judge.",
          },
          { id: "cost", title: "Cost", side: "right" },
          { id: "time", title: "Time", side: "right" },
        ]}
        rows={own.map((result) => ({
          key: `${result.run}/${result.entry}`,
          cells: [
            <a href={entryHref(result.run, result.entry)}>
              <Text>{index.tasks.get(result.task)?.title ?? result.task}</Text>, lead{" "}
              <PlainName index={index} configuration={result.lead} />, run {result.replicate}
            </a>,
            result.dnf === null ? numberText(result.final) : <Text>{`did not finish: ${result.dnf}`}</Text>,
            numberText(result.council),
            numberText(result.slop),
            numberText(result.defect_points),
            usdText(result.cost),
            durationText(result.seconds),
          ],
        }))}
      />
    </>
  );
}
