import { type Known, known, unknown } from "../../stats/known.ts";
import { type HiddenCount, hiddenShare } from "./hidden.ts";

/** Points that a point of slop costs. */
export const SLOP_COST = 0.5;

/**
 * Final score = council × passed ÷ total − 0.5 × slop; it may be negative. (Methodology, "Final score".)
 * @param council the panel's mean, 0 … 10
 * @param slop severity-weighted slop findings per seat
 */
export function finalScore(council: number | null, hidden: HiddenCount | null, slop: number | null): Known {
  const share = hiddenShare(hidden);
  if (council === null) return unknown("no council score");
  if (share === null) return unknown("the hidden suite was not run");
  if (slop === null) return unknown("no seat reviewed the entry");
  return known(council * share - SLOP_COST * slop);
}
