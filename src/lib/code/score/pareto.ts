import { byText } from "./order.ts";

export interface ParetoPoint {
  readonly configuration: string;
  /** Higher is better. */
  readonly score: number;
  /** USD, lower is better; null when unknown: no place in the chart. */
  readonly cost: number | null;
}

export interface ParetoSplit<T> {
  /** Nothing is at least as good in both and better in one; from cheap to dear. Drawn as steps. */
  readonly front: T[];
  readonly behind: T[];
  /** Their cost is unknown, so they are on neither side. */
  readonly unplaced: T[];
}

/**
 * The Pareto front of score against cost: a point is on it when no other is at least as good in both and better in one.
 * Equal points are all on it. Compared unrounded. (Methodology, "Repeat runs" and "Colours": the Pareto chart.)
 */
export function paretoFront<T extends ParetoPoint>(points: readonly T[]): ParetoSplit<T> {
  const placed = points
    .filter((point): point is T & { cost: number } => point.cost !== null)
    .toSorted((a, b) => a.cost - b.cost || b.score - a.score || byText(a.configuration, b.configuration));
  const [front, behind]: [T[], T[]] = [[], []];
  let best: { score: number; cost: number } | null = null;
  for (const point of placed) {
    const equal = best !== null && point.score === best.score && point.cost === best.cost;
    if (best === null || point.score > best.score || equal) {
      front.push(point);
      best = point;
    } else behind.push(point);
  }
  return { front, behind, unplaced: points.filter(({ cost }) => cost === null) };
}
