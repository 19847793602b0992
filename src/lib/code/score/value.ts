import { type Known, known, unknown } from "../../stats/known.ts";
import { bestPer } from "./best.ts";
import { type HiddenCount, isEligible } from "./hidden.ts";
import type { Rankable } from "./order.ts";

/** Points that a doubling of the cost costs, and a defect point. */
export const DOUBLING_COST = 0.2;
export const DEFECT_COST = 0.5;
/** The site headlines at most so many. */
export const MOST_PICKS = 6;

/**
 * Value = score − 0.2 · log2(cost) − 0.5 · defect points. (Methodology, "Top overall picks".)
 * @param score council score, 0 … 10
 * @param cost USD; a list price of 0 means a missing price, so it has no value
 * @param defectPoints severity-weighted findings of any category per seat
 */
export function pickValue(score: number | null, cost: number | null, defectPoints: number | null): Known {
  if (score === null) return unknown("no council score");
  if (cost === null || cost <= 0) return unknown("the cost is unknown");
  if (defectPoints === null) return unknown("no seat reviewed it");
  return known(score - DOUBLING_COST * Math.log2(cost) - DEFECT_COST * defectPoints);
}

/** A configuration as the picks see it: means over its runs, and in the overall view over tasks. */
export interface PickCandidate extends Rankable {
  readonly council: number | null;
  readonly defect_points: number | null;
  /** Summed over runs and tasks. */
  readonly hidden: HiddenCount | null;
}

/**
 * The top picks: the eligible candidates with the highest values, at most six. Under best per model or per lab each key
 * appears once, at its best value; with fewer eligible ones there are fewer. Ties as everywhere: cheaper, then by id.
 * (Methodology, "Top overall picks".)
 * @param keyOf model or lab of a candidate; without it every effort level stands for itself
 */
export function topPicks<T extends PickCandidate>(
  candidates: readonly T[],
  keyOf: (candidate: T) => string = ({ configuration }) => configuration,
): { readonly candidate: T; readonly value: number }[] {
  const worth = (candidate: T): number | null =>
    pickValue(candidate.council, candidate.cost, candidate.defect_points).value;
  const eligible = candidates.filter(({ hidden }) => isEligible(hidden));
  return bestPer(eligible, keyOf, worth)
    .slice(0, MOST_PICKS)
    .map((candidate) => ({ candidate, value: worth(candidate) as number }));
}
