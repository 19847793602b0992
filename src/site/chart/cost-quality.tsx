import type { JSX } from "preact";
import { paretoFront } from "../../lib/code/score/pareto.ts";
import { type ChartTable, NothingToDraw } from "./frame.tsx";
import { fullName, type MarkLook } from "./look.ts";
import { Scatter } from "./scatter.tsx";
import type { ScatterInput, ScatterPoint } from "./scatter-input.ts";
import { cornersOf, scatterNotes } from "./scatter-notes.ts";
import { numberText, numberTick, usdText } from "./units.ts";

/** Quality against cost of results that have no replicates, such as the sheet benchmark's. */

export interface QualityPoint {
  readonly key: string;
  readonly look: MarkLook;
  readonly quality: number;
  /** USD; null or 0 stands in the band apart. */
  readonly cost: number | null;
}

export interface CostQualityProps {
  /** Unique on the page. */
  readonly id: string;
  readonly points: readonly QualityPoint[];
  /** What the number upwards is, such as "Composite". */
  readonly quality: string;
  /** What the money buys, such as "Cost per solved sheet". */
  readonly cost: string;
  /** The quality in text; two decimals by default. */
  readonly text?: (value: number) => string;
  /** The quality at a tick. */
  readonly tick?: (value: number) => string;
  /** USD; null without a budget line. */
  readonly budget?: number | null;
}

export function CostQuality(props: CostQualityProps): JSX.Element {
  const { id, quality, cost, text = numberText } = props;
  const input = costQualityInput(props);
  if (input.points.length === 0) return <NothingToDraw why="No result has a score yet." />;
  const front = input.points.filter(({ onFront }) => onFront);
  const named = front.slice(0, 12).map(({ look, y, x }) => `${fullName(look)} (${text(y)} at ${usdText(x)})`);
  const without = input.points.filter(({ x }) => x === null).length;
  return (
    <Scatter
      id={id}
      title={`${quality} and ${cost.toLowerCase()}`}
      description={[
        `${input.points.length - without} results by cost, from left to right on a log scale, and ${quality.toLowerCase()}, upwards.`,
        front.length === 0 ? "None has a cost, so there is no front." : `On the front: ${named.join(", ")}.`,
        ...(without === 0 ? [] : [`${without} more have no known cost or cost 0 and stand apart.`]),
      ].join(" ")}
      input={input}
      yTitle={quality}
      xTitle={`${cost} (USD, log)`}
    />
  );
}

/** What has to be said under the chart. */
export const costQualityNotes = (props: CostQualityProps): string[] => scatterNotes(costQualityInput(props));

/** Every datum of the chart, from cheap to dear. */
export function costQualityTable(props: CostQualityProps): ChartTable {
  const { quality, cost, text = numberText } = props;
  return {
    columns: [
      { title: "Model" },
      { title: "Lab" },
      { title: quality, side: "right" },
      { title: cost, side: "right" },
      { title: "On the front" },
    ],
    rows: costQualityInput(props).points.map(({ look, x, y, onFront }) => [
      fullName(look),
      look.vendor.name,
      text(y),
      x === null ? "unknown or 0" : usdText(x),
      x === null ? "–" : onFront ? "yes" : "no",
    ]),
  };
}

function costQualityInput({
  points,
  quality,
  cost: costName,
  text = numberText,
  tick = numberTick,
  budget = null,
}: CostQualityProps): ScatterInput {
  const split = paretoFront(
    points.map((point) => ({
      configuration: point.key,
      score: point.quality,
      cost: point.cost === null || !(point.cost > 0) ? null : point.cost,
      look: point.look,
    })),
  );
  const pointOf = (
    { configuration, score, cost, look }: (typeof split.front)[number],
    onFront: boolean,
  ): ScatterPoint => {
    const said = [
      `${quality.toLowerCase()} ${text(score)}`,
      cost === null ? "cost unknown or 0" : `${costName.toLowerCase()} ${usdText(cost)}`,
      cost === null ? "not compared by cost" : onFront ? "on the front" : "not on the front",
    ];
    return {
      key: configuration,
      look,
      y: score,
      x: cost,
      xRange: null,
      yRange: null,
      onFront,
      description: `${fullName(look)}, ${look.vendor.name}: ${said.join("; ")}`,
      tip: [look.vendor.name, ...said],
    };
  };
  return {
    points: [
      ...split.front.map((point) => pointOf(point, true)),
      ...split.behind.map((point) => pointOf(point, false)),
      ...split.unplaced.map((point) => pointOf(point, false)),
    ].toSorted((a, b) => (a.x ?? Number.POSITIVE_INFINITY) - (b.x ?? Number.POSITIVE_INFINITY) || b.y - a.y),
    steps: cornersOf(split.front.map(({ cost, score }) => ({ x: cost ?? 0, y: score }))),
    budget,
    yTick: tick,
  };
}
