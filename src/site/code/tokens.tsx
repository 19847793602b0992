import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { keyOf } from "../../lib/code/aggregate/index-data.ts";
import { groupedText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import type { Row } from "../../lib/code/aggregate/row.ts";
import type { CostData } from "../../lib/code/derive/data-schema.ts";
import { mean } from "../../lib/stats/describe.ts";
import { Level } from "../ui/level.tsx";
import { type Column, DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Tip } from "../ui/tip.tsx";
import { MeasureCell, Unknown } from "./cells.tsx";
import { Name } from "./names.tsx";

interface TokensSectionProps {
  readonly index: DataIndex;
  readonly rows: readonly Row[];
}

/** Tokens by kind, what each kind costs, and the price as listed, as run and as recorded. Means a run. */
export const TokensSection = ({ index, rows }: TokensSectionProps): JSX.Element => (
  <DataTable
    caption="Tokens and cost, means a run"
    columns={COLUMNS}
    rows={rows.map((row) => ({
      key: row.configuration,
      cells: [
        <Name index={index} configuration={row.configuration} fast={row.fast.n > 0} />,
        ...costCells(row, index),
        ...tokenCells(row),
      ],
    }))}
    none="No configuration ran."
  />
);

const number = (id: string, title: string, hint?: string): Column => ({
  id,
  title,
  side: "right",
  ...(hint === undefined ? {} : { hint }),
});

const COLUMNS: readonly Column[] = [
  { id: "configuration", title: "Configuration" },
  number("list", "List price", "All tokens at list price, standard tier. Only this is compared."),
  number("usd-input", "Input $", "Uncached input tokens at their price."),
  number("usd-read", "Cache reads $"),
  number("usd-write", "Cache writes $"),
  number("usd-output", "Output $"),
  number("usd-peak", "Peak $", "Surcharge of peak hours."),
  number("as-run", "As run", "At the tier that each request ran on: what a fast tier bills."),
  number("recorded", "Recorded", "What the harness says it billed; on a subscription often 0."),
  { id: "level", title: "Known by" },
  { id: "notes", title: "Notes", hint: "What had to be assumed, and earlier figures under other rules." },
  number("requests", "Requests"),
  number("input", "Uncached input", "Tokens."),
  number("read", "Cache reads", "Tokens."),
  number("write", "Cache writes", "Tokens, of every lifetime."),
  number("output", "Output", "Tokens, reasoning included."),
  number("reasoning", "Reasoning", "Tokens; a part of the output."),
];

const costsOf = ({ results }: Row, index: DataIndex): CostData[] =>
  results.flatMap(({ run, entry }) => index.byKey.get(keyOf(run, entry))?.entry.cost ?? []);

/** Why a configuration has no price. */
export function costReason(row: Row, index: DataIndex): string {
  const reasons = [...new Set(costsOf(row, index).flatMap(({ reason }) => reason ?? []))].sort();
  if (reasons.length > 0) return reasons.join("; ");
  return row.tokens.n === 0 ? "no log of its tokens" : "not priced";
}

function costCells(row: Row, index: DataIndex): ComponentChildren[] {
  const { breakdown } = row.tokens;
  const reason = costReason(row, index);
  const part = (value: number | null): ComponentChildren =>
    value === null ? <Unknown reason={reason} /> : usdText(value);
  return [
    <MeasureCell measure={row.cost} text={usdText} reason={reason} />,
    part(breakdown.uncached_input),
    part(breakdown.cache_read),
    part(breakdown.cache_write),
    part(breakdown.output),
    part(breakdown.peak),
    <MeasureCell measure={row.as_run_cost} text={usdText} reason={reason} />,
    <MeasureCell measure={row.recorded_cost} text={usdText} reason="its harness records no bill" />,
    row.cost_level === null ? <Unknown reason={reason} /> : <Level level={row.cost_level} />,
    <CostNotes row={row} index={index} />,
  ];
}

function CostNotes({ row, index }: { readonly row: Row; readonly index: DataIndex }): ComponentChildren {
  const { assumptions } = row.tokens;
  const earlier = earlierFigures(costsOf(row, index));
  const partly =
    row.cost.value !== null && row.comparable_cost === null
      ? [
          row.cost.value === 0
            ? "a price of 0 is compared with none"
            : "a completed task has no known price: not compared",
        ]
      : [];
  const notes = [...partly, ...assumptions.map((each) => `assumed: ${each}`), ...earlier];
  return notes.length === 0 ? (
    "none"
  ) : (
    <ul class="plain">
      {notes.map((note) => (
        <li key={note}>
          <Text>{note}</Text>
        </li>
      ))}
    </ul>
  );
}

/** For each earlier rule, what the same entries cost then and now. */
function earlierFigures(costs: readonly CostData[]): string[] {
  const rules = [...new Set(costs.flatMap(({ history }) => history.map(({ rule }) => rule)))].sort();
  return rules.map((rule) => {
    const then = costs.flatMap(({ history, usd }) => {
      const figure = history.findLast((each) => each.rule === rule);
      return figure === undefined ? [] : [{ ...figure, now: usd }];
    });
    const until =
      then
        .map((each) => each.until)
        .sort()
        .at(-1) ?? "";
    const now = mean(then.flatMap((each) => each.now ?? []));
    return `earlier, until ${until.slice(0, 10)} (${rule}): ${usdText(mean(then.map(({ usd }) => usd)))} over ${then.length} ${then.length === 1 ? "entry" : "entries"}, now ${usdText(now)}`;
  });
}

function tokenCells({ tokens: { n, requests, tokens } }: Row): ComponentChildren[] {
  const writes = [tokens.cache_write_5m, tokens.cache_write_1h, tokens.cache_write];
  const cell = (value: number | null): ComponentChildren =>
    value === null ? <Unknown reason="no log of its tokens" /> : groupedText(value);
  return [
    requests === null ? (
      cell(null)
    ) : (
      <Tip text={`Mean of ${n} ${n === 1 ? "log" : "logs"}.`}>{groupedText(requests)}</Tip>
    ),
    cell(tokens.uncached_input),
    cell(tokens.cache_read),
    writes.every((value) => value === null) ? (
      cell(null)
    ) : (
      <Tip
        text={`Five minutes ${groupedText(writes[0] ?? null)}, one hour ${groupedText(writes[1] ?? null)}, lifetime not told ${groupedText(writes[2] ?? null)}.`}
      >
        {groupedText(writes.reduce<number>((total, value) => total + (value ?? 0), 0))}
      </Tip>
    ),
    cell(tokens.output),
    cell(tokens.reasoning),
  ];
}
