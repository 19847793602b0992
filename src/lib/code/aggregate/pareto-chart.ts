import { byText } from "../score/order.ts";
import { paretoFront } from "../score/pareto.ts";
import type { Spread } from "./nest.ts";
import type { Row } from "./row.ts";
import { scoreOf } from "./row.ts";
import type { ScoreColumn } from "./selection.ts";

/** One configuration of the Pareto chart. */
export interface ParetoDot {
  readonly configuration: string;
  readonly vendor: string;
  readonly score: number;
  /** USD; null for what lies in the band apart. */
  readonly cost: number | null;
  /** Ranges over replicates: the score's is drawn vertically, the cost's horizontally. */
  readonly score_range: Spread | null;
  readonly cost_range: Spread | null;
  readonly on_front: boolean;
}

export interface ParetoChart {
  /** From cheap to dear. */
  readonly dots: readonly ParetoDot[];
  /**
   * Corners of the step line, from cheap to dear: the best score available for a budget. Between two dots of the front it
   * runs level to the next one's cost and then up.
   */
  readonly steps: readonly { readonly cost: number; readonly score: number }[];
  /** Cost unknown or 0: in a band beside the axis, never as if cheap. By score from high to low. */
  readonly band: readonly ParetoDot[];
}

/** Score against cost of the shown rows. Rows without a score are not in it. */
export function paretoChart(rows: readonly Row[], column: ScoreColumn): ParetoChart {
  const points = rows.flatMap((row) => {
    const score = scoreOf(row, column);
    return score === null ? [] : { configuration: row.configuration, score, cost: row.comparable_cost, row };
  });
  const { front, unplaced } = paretoFront(points);
  const onFront = new Set(front);
  const dotOf = (point: (typeof points)[number]): ParetoDot => ({
    configuration: point.configuration,
    vendor: point.row.vendor,
    score: point.score,
    cost: point.cost,
    score_range: point.row[column].spread,
    cost_range: point.row.cost.spread,
    on_front: onFront.has(point),
  });
  return {
    dots: points
      .filter(({ cost }) => cost !== null)
      .toSorted(
        (a, b) =>
          (a.cost ?? 0) - (b.cost ?? 0) || b.score - a.score || byText(a.configuration, b.configuration),
      )
      .map(dotOf),
    steps: stepsOf(front.map(({ cost, score }) => ({ cost: cost ?? 0, score }))),
    band: unplaced
      .toSorted((a, b) => b.score - a.score || byText(a.configuration, b.configuration))
      .map(dotOf),
  };
}

function stepsOf(front: readonly { cost: number; score: number }[]): { cost: number; score: number }[] {
  const steps: { cost: number; score: number }[] = [];
  for (const corner of front) {
    const last = steps.at(-1);
    if (last !== undefined && last.cost === corner.cost && last.score === corner.score) continue;
    if (last !== undefined) steps.push({ cost: corner.cost, score: last.score });
    steps.push(corner);
  }
  return steps;
}
