import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import {
  countText,
  durationText,
  numberText,
  UNKNOWN,
  usdText,
} from "../../lib/code/aggregate/numbers-text.ts";
import type { RankedRow } from "../../lib/code/aggregate/shown.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { RankRange, RankRanges } from "../../lib/code/score/rank-ranges.ts";
import { LevelLetter } from "../ui/level.tsx";
import { type Column, DataTable, type Sorting } from "../ui/table.tsx";
import { Tip } from "../ui/tip.tsx";
import { MeasureCell, Unknown } from "./cells.tsx";
import { Name, rowAnchor } from "./names.tsx";
import { sortRows } from "./sort-rows.ts";
import { costReason } from "./tokens.tsx";

interface RankingProps {
  readonly index: DataIndex;
  readonly view: View;
  /** Null while they are being drawn. */
  readonly ranks: RankRanges | null;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
  /** Opens what is behind a configuration: its runs. */
  readonly onRuns: (configuration: string) => void;
}

const COLUMNS: readonly Column[] = [
  { id: "configuration", title: "Configuration" },
  {
    id: "rank",
    title: "Rank",
    side: "right",
    sort: "low",
    hint: "In brackets the ranks that the data leave open (bootstrap over runs, leads and judges). Configurations of one group are not clearly different from the first of it.",
  },
  {
    id: "final",
    title: "Final",
    side: "right",
    sort: "high",
    hint: "Council average × share of the hidden suite passed − 0.5 × slop. ± is the run-to-run standard deviation.",
  },
  {
    id: "council",
    title: "Council",
    side: "right",
    sort: "high",
    hint: "Mean of the panel's scores, 0 to 10.",
  },
  {
    id: "cross-vendor",
    title: "Cross-vendor",
    side: "right",
    sort: "high",
    hint: "The council score of judges from other vendors only.",
  },
  {
    id: "hidden",
    title: "Hidden",
    side: "right",
    sort: "high",
    hint: "Categories of the hidden suite passed, of all, summed over runs.",
  },
  {
    id: "speed",
    title: "Speed",
    side: "right",
    sort: "high",
    hint: "Times as fast as the reference: geometric mean. Above 1 is faster. Instruction counts (proxy) are marked and never mixed with timings.",
  },
  {
    id: "cost",
    title: "Cost",
    side: "right",
    sort: "low",
    hint: "List price of all tokens at the standard tier, USD a run.",
  },
  {
    id: "time",
    title: "Time",
    side: "right",
    sort: "low",
    hint: "Wall clock from the first to the last logged event. ⚡: estimate for the standard tier.",
  },
  {
    id: "slop",
    title: "Slop",
    side: "right",
    sort: "low",
    hint: "Weight of slop findings a judge: untrue documentation, dead code, redundancy, verbosity. Lower is better.",
  },
  {
    id: "defects",
    title: "Defect points",
    side: "right",
    sort: "low",
    hint: "All findings: weight of every valid finding a judge, of any category. Lower is better.",
  },
  {
    id: "coverage",
    title: "Coverage",
    side: "right",
    sort: "high",
    hint: "Tasks finished at least once, of the tasks with runs. Who skipped hard tasks is not penalised, so read it before comparing.",
  },
];

/** The ranking table. (Methodology, "Aggregation on the site".) */
export function Ranking({ index, view, ranks, sorting, onSort, onRuns }: RankingProps): JSX.Element {
  const rangeOf = new Map(ranks?.ranks.map((rank) => [rank.configuration, rank]));
  const rows = sortRows(view.rows, sorting);
  return (
    <DataTable
      caption={`Ranking by ${view.selection.column} score`}
      columns={COLUMNS}
      sorting={sorting}
      onSort={onSort}
      rows={rows.map((row) => ({
        key: row.configuration,
        id: rowAnchor(row.configuration),
        cells: [
          <button type="button" class="open" onClick={() => onRuns(row.configuration)}>
            <Name index={index} configuration={row.configuration} fast={row.fast.n > 0} />
          </button>,
          <RankCell row={row} rank={rangeOf.get(row.configuration)} />,
          <MeasureCell
            measure={row.final}
            text={numberText}
            reason="no final score: see the hidden suite and the council"
          />,
          <MeasureCell measure={row.council} text={numberText} reason="no council score" />,
          numberText(row.cross_vendor.value),
          <HiddenCell row={row} />,
          <SpeedCell row={row} />,
          <CostCell row={row} index={index} />,
          <TimeCell row={row} />,
          <MeasureCell measure={row.slop} text={numberText} reason="no seat reviewed it" />,
          <MeasureCell measure={row.defect_points} text={numberText} reason="no seat reviewed it" />,
          <Coverage row={row} />,
        ],
      }))}
    />
  );
}

function RankCell({
  row,
  rank,
}: {
  readonly row: RankedRow;
  readonly rank: RankRange | undefined;
}): JSX.Element {
  if (row.rank === null) return <>{UNKNOWN}</>;
  const range = rank?.range ?? null;
  if (range === null) return <>{row.rank}</>;
  return (
    <>
      {row.rank}{" "}
      <span class="soft">({range.best === range.worst ? range.best : `${range.best}–${range.worst}`})</span>
    </>
  );
}

function HiddenCell({
  row: { hidden, hidden_missing, hidden_level },
}: {
  readonly row: RankedRow;
}): JSX.Element {
  return (
    <>
      {countText(hidden)}
      {hidden_missing === 0 ? null : <span class="sd">{`${hidden_missing} not run`}</span>}
      {hidden_level === null ? null : <LevelLetter level={hidden_level} />}
    </>
  );
}

const times = (value: number | null): string => (value === null ? UNKNOWN : `${numberText(value)}×`);

function SpeedCell({ row: { speed, proxy, coverage } }: { readonly row: RankedRow }): JSX.Element {
  const cell = speed.value === null && proxy.value !== null ? proxy : speed;
  const parts: ComponentChildren[] = [times(cell.value)];
  if (cell === proxy) parts.push(<span class="sd">proxy: instructions</span>);
  if (cell.value === null)
    return (
      <Unknown
        reason={cell.reasons.join("; ") || (coverage.finished === 0 ? "did not finish" : "not measured")}
      />
    );
  if (cell.reasons.length > 0)
    parts.push(<span class="sd">{`${cell.measured}/${coverage.finished} measured`}</span>);
  if (cell.level !== null) parts.push(<LevelLetter level={cell.level} />);
  return <>{parts}</>;
}

function CostCell({ row, index }: { readonly row: RankedRow; readonly index: DataIndex }): JSX.Element {
  const { cost, comparable_cost, cost_level } = row;
  return (
    <>
      <MeasureCell measure={cost} text={usdText} reason={costReason(row, index)} />
      {cost.value !== null && comparable_cost === null ? <span class="sd">not comparable</span> : null}
      {cost_level === null ? null : <LevelLetter level={cost_level} />}
    </>
  );
}

function TimeCell({ row: { time } }: { readonly row: RankedRow }): JSX.Element {
  return (
    <>
      <MeasureCell measure={time} text={durationText} reason="no logged events" />
      {time.extended === null ? null : (
        <span class="sd">
          <span aria-hidden="true">⚡ </span>
          {`${durationText(time.extended)} (×${numberText(time.factor)}, ${time.basis ?? "assumed"})`}
        </span>
      )}
    </>
  );
}

function Coverage({ row: { coverage, dnf } }: { readonly row: RankedRow }): JSX.Element {
  return (
    <>
      <span class={coverage.tasks < coverage.of_tasks ? "tag tag-part" : "tag"}>
        {`${coverage.tasks}/${coverage.of_tasks} ${coverage.of_tasks === 1 ? "task" : "tasks"}`}
      </span>
      {dnf.n === 0 ? null : (
        <span class="line">
          <Tip text={dnf.reasons.map(({ reason, n }) => `${n} × ${reason}`).join("; ")}>{`${dnf.n} DNF`}</Tip>
        </span>
      )}
    </>
  );
}
