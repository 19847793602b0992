import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { groupedText, numberText, shareText } from "../../lib/code/aggregate/numbers-text.ts";
import type { Row } from "../../lib/code/aggregate/row.ts";
import { DataTable } from "../ui/table.tsx";
import { Tip } from "../ui/tip.tsx";
import { Unknown } from "./cells.tsx";
import { Name } from "./names.tsx";

interface CodeMetricsProps {
  readonly index: DataIndex;
  readonly rows: readonly Row[];
}

/** What tools measured of the implementations: context beside the scores, never part of them. */
export const CodeMetricsSection = ({ index, rows }: CodeMetricsProps): JSX.Element => (
  <DataTable
    caption="Code metrics, means over entries"
    columns={[
      { id: "configuration", title: "Configuration" },
      { id: "n", title: "Entries", side: "right", hint: "Finished entries that were measured." },
      { id: "lines", title: "Lines", side: "right", hint: "Implementation lines; tests are left out." },
      {
        id: "comments",
        title: "Comments",
        side: "right",
        hint: "Comment lines as a share of comment and code lines.",
      },
      {
        id: "duplicated",
        title: "Duplicated",
        side: "right",
        hint: "Share of significant lines inside a run of six or more that appears more than once. Some repetition is inherent.",
      },
      { id: "lint", title: "Lint", side: "right", hint: "Warnings of the task's own linter." },
      {
        id: "complexity",
        title: "Complexity",
        side: "right",
        hint: "Mean cyclomatic complexity of a function.",
      },
      { id: "max", title: "Highest", side: "right", hint: "Of any function of any entry." },
      {
        id: "above",
        title: "Above 10",
        side: "right",
        hint: "Functions of an entry with a complexity above 10.",
      },
    ]}
    rows={rows.map((row) => ({
      key: row.configuration,
      cells: [
        <Name index={index} configuration={row.configuration} fast={row.fast.n > 0} />,
        ...cellsOf(row),
      ],
    }))}
    none="No configuration ran."
  />
);

function cellsOf({ code, coverage }: Row): ComponentChildren[] {
  const nothing =
    code.n > 0 ? "not counted" : coverage.finished === 0 ? "did not finish" : "not measured yet";
  const cell = (value: number | null, text: (value: number) => string): ComponentChildren =>
    value === null ? <Unknown reason={nothing} /> : text(value);
  const { complexity } = code;
  const why = code.n === 0 ? nothing : (code.complexity_reason ?? nothing);
  const complex = (value: number | null | undefined, text: (value: number) => string): ComponentChildren =>
    value == null ? <Unknown reason={why} /> : text(value);
  return [
    code.n === coverage.finished ? code.n : `${code.n} of ${coverage.finished}`,
    cell(code.implementation_lines, groupedText),
    cell(code.comment_share, shareText),
    cell(code.duplicated_share, shareText),
    cell(code.lint, (value) => numberText(value, 1)),
    complexity !== null && complexity.n < code.n && complexity.mean !== null ? (
      <Tip
        text={`From ${complexity.n} of ${code.n} entries; the others could not be parsed or were not measured.`}
      >
        {numberText(complexity.mean, 1)}
      </Tip>
    ) : complexity === null && code.n > 0 && /cannot parse/.test(why) ? (
      <Tip text={why}>cannot parse</Tip>
    ) : (
      complex(complexity?.mean, (value) => numberText(value, 1))
    ),
    complex(complexity?.max, groupedText),
    complex(complexity?.above_10, (value) => numberText(value, 1)),
  ];
}
