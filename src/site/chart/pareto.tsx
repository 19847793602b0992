import type { JSX } from "preact";
import type { Spread } from "../../lib/code/aggregate/nest.ts";
import type { ParetoChart, ParetoDot } from "../../lib/code/aggregate/pareto-chart.ts";
import type { ScoreColumn } from "../../lib/code/aggregate/selection.ts";
import { type ChartTable, NothingToDraw } from "./frame.tsx";
import { fullName, type LookOf } from "./look.ts";
import { Scatter } from "./scatter.tsx";
import type { ScatterInput, ScatterPoint } from "./scatter-input.ts";
import { scatterNotes } from "./scatter-notes.ts";
import { numberText, usdText } from "./units.ts";

/** Score and cost of the code benchmark's configurations. (Methodology, "Repeat runs" and "Colours".) */

export interface ParetoProps {
  /** Unique on the page. */
  readonly id: string;
  readonly chart: ParetoChart;
  readonly lookOf: LookOf;
  readonly column: ScoreColumn;
  /** USD; null without a budget line. */
  readonly budget: number | null;
}

const SCORE_NAMES: Readonly<Record<ScoreColumn, string>> = { final: "Final score", council: "Council score" };

export function Pareto({ id, chart, lookOf, column, budget }: ParetoProps): JSX.Element {
  const input = inputOf(chart, lookOf, budget);
  if (input.points.length === 0) return <NothingToDraw why="No configuration has a score yet." />;
  return (
    <Scatter
      id={id}
      title={`${SCORE_NAMES[column]} and cost`}
      description={describePareto(chart, lookOf)}
      input={input}
      yTitle={SCORE_NAMES[column]}
      xTitle="Cost (USD, log scale)"
    />
  );
}

/** What the chart shows, in two or three sentences. */
export function describePareto({ dots, band }: ParetoChart, lookOf: LookOf): string {
  const front = dots.filter(({ on_front }) => on_front);
  const named = front.slice(0, 12).map(({ configuration, score, cost }) => {
    return `${fullName(lookOf(configuration))} (${numberText(score)} at ${usdText(cost)})`;
  });
  const more = front.length > named.length ? ` and ${front.length - named.length} more` : "";
  return [
    `${dots.length} configurations by cost, from left to right on a log scale, and score, upwards.`,
    front.length === 0
      ? "None has a cost, so there is no front."
      : `On the front, where nothing else is as good for less: ${named.join(", ")}${more}.`,
    ...(band.length === 0 ? [] : [`${band.length} more have no known cost or cost 0 and stand apart.`]),
  ].join(" ");
}

/** What has to be said under the chart: how to read it, and what it leaves to the table. */
export const paretoNotes = ({
  chart,
  lookOf,
  budget,
}: Pick<ParetoProps, "chart" | "lookOf" | "budget">): string[] =>
  scatterNotes(inputOf(chart, lookOf, budget));

/** Every datum of the chart. */
export const paretoTable = ({
  chart,
  lookOf,
  column,
}: Pick<ParetoProps, "chart" | "lookOf" | "column">): ChartTable => ({
  columns: [
    { title: "Configuration" },
    { title: "Lab" },
    { title: SCORE_NAMES[column], side: "right" },
    { title: "Score range", side: "right" },
    { title: "Cost", side: "right" },
    { title: "Cost range", side: "right" },
    { title: "On the front" },
  ],
  rows: [...chart.dots, ...chart.band].map((dot) => {
    const look = lookOf(dot.configuration);
    return [
      fullName(look),
      look.vendor.name,
      numberText(dot.score),
      rangeText(dot.score_range, numberText),
      dot.cost === null ? "unknown or 0" : usdText(dot.cost),
      rangeText(dot.cost_range, usdText),
      dot.on_front ? "yes" : dot.cost === null ? "–" : "no",
    ];
  }),
});

/** `8.1 to 8.4 (3 runs)`. */
export const rangeText = (spread: Spread | null, text: (value: number) => string): string =>
  spread === null ? "–" : `${text(spread.min)} to ${text(spread.max)} (${spread.n} runs)`;

const inputOf = (chart: ParetoChart, lookOf: LookOf, budget: number | null): ScatterInput => ({
  points: [...chart.dots, ...chart.band].map((dot) => pointOf(dot, lookOf)),
  steps: chart.steps.map(({ cost, score }) => ({ x: cost, y: score })),
  budget,
});

function pointOf(dot: ParetoDot, lookOf: LookOf): ScatterPoint {
  const look = lookOf(dot.configuration);
  const range = (name: string, spread: Spread | null, text: (value: number) => string): string =>
    spread === null ? "" : `, ${name} ${rangeText(spread, text)}`;
  const tip = [
    `score ${numberText(dot.score)}${range("range", dot.score_range, numberText)}`,
    dot.cost === null
      ? "cost unknown or 0"
      : `cost ${usdText(dot.cost)}${range("range", dot.cost_range, usdText)}`,
    dot.cost === null ? "not compared by cost" : dot.on_front ? "on the front" : "not on the front",
  ];
  return {
    key: dot.configuration,
    look,
    y: dot.score,
    x: dot.cost,
    yRange: dot.score_range,
    xRange: dot.cost_range,
    onFront: dot.on_front,
    description: `${fullName(look)}, ${look.vendor.name}: ${tip.join("; ")}`,
    tip: [look.vendor.name, ...tip],
  };
}
