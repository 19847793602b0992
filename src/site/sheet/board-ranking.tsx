import type { JSX } from "preact";
import { METRIC_LIST } from "../../lib/benchmarks/metrics.ts";
import { COMPOSITE_VERSION, type MetricId } from "../../lib/benchmarks/result-schema.ts";
import type { BoardRow, BoardSuite } from "../../lib/feed/board-schema.ts";
import type { Neighbours } from "../../lib/feed/neighbours.ts";
import { wilsonInterval } from "../../lib/stats/wilson.ts";
import { href } from "../site-info.ts";
import { Level } from "../ui/level.tsx";
import { type Column, DataTable } from "../ui/table.tsx";
import { countText, probabilityText, scoreText, shareText, solvedCostText, timeText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { Below, SheetModel } from "./parts.tsx";

/** Components that count members, so that an interval over members can be said. */
const COUNTED: ReadonlySet<MetricId> = new Set(["deterministic_pass_rate", "exact_output_match"]);

interface RankingProps {
  readonly context: SheetContext;
  readonly path: string;
  readonly rows: readonly BoardRow[];
  readonly neighbours: readonly Neighbours[];
  readonly caption: string;
  readonly none: string;
}

/** Rows of the board with composite, components, cost and the way to each result's page. */
export function RankingTable({ context, path, rows, neighbours, caption, none }: RankingProps): JSX.Element {
  const below = new Map(neighbours.map((pair) => [pair.upper.model, pair]));
  const ranked = rows.some(({ rank }) => rank !== null);
  const compared = ranked && neighbours.length > 0;
  const ties = tiedModels(context.own.board.rows);
  return (
    <div class="sheet-wide">
      <DataTable
        caption={caption}
        none={none}
        columns={columnsOf(ranked, compared)}
        rows={rows.map((row) => ({
          key: row.model,
          ...(context.site.preview?.results.includes(row.result.digest) === true ? { class: "chosen" } : {}),
          cells: [
            <ModelCell key="model" context={context} path={path} row={row} />,
            <CompositeCell key="composite" row={row} tied={ranked && ties.has(row.model)} />,
            ...(compared ? [<NextRank key="next" pair={below.get(row.model)} />] : []),
            `${row.solved} of ${row.members}`,
            <Cost key="cost" row={row} />,
            ...METRIC_LIST.map(({ id }) => <Component key={id} row={row} metric={id} />),
            timeText(row.finished_at),
            <ResultLink key="result" context={context} path={path} row={row} />,
          ],
        }))}
      />
    </div>
  );
}

const columnsOf = (ranked: boolean, compared: boolean): Column[] => [
  { id: "model", title: ranked ? "Rank, model" : "Model" },
  {
    id: "composite",
    title: `Composite (${COMPOSITE_VERSION})`,
    side: "right",
    hint: "The weighted sum of the five components. Cost never enters it.",
  },
  ...(compared
    ? [
        {
          id: "next",
          title: "Against the next rank",
          hint: "Members that only this model, and only the next one, matched exactly, and how likely such a difference is between equals (exact sign test).",
        },
      ]
    : []),
  { id: "solved", title: "Solved", side: "right", hint: "Members whose table is exactly the reference's." },
  {
    id: "cost",
    title: "Cost per solved sheet",
    side: "right",
    hint: "Reported cost of the whole run over solved members, in US dollars.",
  },
  ...METRIC_LIST.map(
    (metric): Column => ({
      id: metric.id,
      title: metric.title,
      side: "right",
      hint: COUNTED.has(metric.id)
        ? `${metric.definition} Below it the 95% Wilson interval over the members.`
        : metric.definition,
    }),
  ),
  { id: "finished", title: "Finished" },
  { id: "result", title: "Result" },
];

const ModelCell = ({
  context,
  path,
  row,
}: Pick<RankingProps, "context" | "path"> & { readonly row: BoardRow }): JSX.Element => {
  const page = context.resultPages.get(row.result.digest);
  return (
    <>
      {row.rank === null ? null : <span class="sheet-rank">{row.rank}</span>}{" "}
      <SheetModel
        model={row.model}
        name={row.name}
        vendors={context.vendors}
        link={page === undefined ? undefined : href(path, page)}
      />
      {context.site.preview?.results.includes(row.result.digest) === true ? (
        <Below>of this pull request</Below>
      ) : null}
    </>
  );
};

const CompositeCell = ({ row, tied }: { readonly row: BoardRow; readonly tied: boolean }): JSX.Element => (
  <>
    <strong>{scoreText(row.composite)}</strong>
    {tied ? <Below>tied: by model id</Below> : null}
    <Below>
      <Level level={row.levels.scores} />
    </Below>
  </>
);

function Component({ row, metric }: { readonly row: BoardRow; readonly metric: MetricId }): JSX.Element {
  const hits = row.by_member.filter(({ components }) => components[metric] === 1).length;
  const interval = COUNTED.has(metric) ? wilsonInterval(hits, row.by_member.length) : null;
  return (
    <>
      {shareText(row.components[metric])}
      {interval === null ? null : (
        <Below>
          {shareText(interval.low)} to {shareText(interval.high)}
        </Below>
      )}
    </>
  );
}

function Cost({ row }: { readonly row: BoardRow }): JSX.Element {
  const { text, known } = solvedCostText(row);
  return known ? (
    <>
      {text}
      <Below>
        <Level level={row.levels.cost} />
      </Below>
    </>
  ) : (
    <span class="none sheet-why">{text}</span>
  );
}

function NextRank({ pair }: { readonly pair: Neighbours | undefined }): JSX.Element {
  if (pair === undefined) return <span class="none">no rank below</span>;
  const words = {
    clear: "clearly ahead",
    unclear: "not clearly different",
    reversed: "clearly fewer exact matches",
  }[pair.verdict];
  return (
    <span class="sheet-why">
      {words}
      <Below>
        {pair.onlyUpper} against {pair.onlyLower}, {probabilityText(pair.p)}
      </Below>
    </span>
  );
}

const ResultLink = ({
  context,
  path,
  row,
}: Pick<RankingProps, "context" | "path"> & { readonly row: BoardRow }): JSX.Element => {
  const page = context.resultPages.get(row.result.digest);
  const short = row.result.digest.slice("sha256:".length, "sha256:".length + 12);
  return page === undefined ? <code>{short}</code> : <a href={href(path, page)}>{short}</a>;
};

/** Ranked models whose composite another ranked model has as well. */
export function tiedModels(rows: readonly BoardRow[]): ReadonlySet<string> {
  const ranked = rows.filter(({ rank }) => rank !== null);
  const counts = new Map<number, number>();
  for (const { composite } of ranked) counts.set(composite, (counts.get(composite) ?? 0) + 1);
  return new Set(
    ranked.filter(({ composite }) => (counts.get(composite) ?? 0) > 1).map(({ model }) => model),
  );
}

/** Pairs named in the sentence; the table says it of every rank. */
const NAMED_PAIRS = 12;

/** What the order can bear, in words. */
export function OrderWords({
  board,
  neighbours,
}: {
  readonly board: BoardSuite;
  readonly neighbours: readonly Neighbours[];
}): JSX.Element | null {
  const ranked = board.rows.filter(({ rank }) => rank !== null);
  if (ranked.length === 0) return null;
  if (ranked.length === 1)
    return <p>One curated model has a result here, so there is nothing to compare it with.</p>;
  const open = neighbours.filter(({ verdict }) => verdict === "unclear");
  const names = open.slice(0, NAMED_PAIRS).map(({ upper, lower }) => `${upper.rank} and ${lower.rank}`);
  const rest = open.length - names.length;
  return (
    <>
      <p>
        {open.length === 0
          ? "Every rank is clearly different from the one below it, compared over the same members."
          : `Not clearly different from each other, compared over the same members: ranks ${names.join("; ")}${
              rest > 0 ? `; and ${countText(rest, "more pair")} of neighbours, as the table says` : ""
            }.`}{" "}
        {tiedModels(board.rows).size > 0
          ? "Equal composites share nothing but their score: they are ordered by model id. "
          : ""}
      </p>
      <p class="soft">
        Intervals: Wilson's score interval of 95%, (p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) ÷ (1 + z²/n), over
        the n = {board.members.length} members. Ranks: exact sign test (McNemar's exact test) over the members
        that only one of two models matched exactly; clearly different below 5%. Each model was asked once.
      </p>
    </>
  );
}
