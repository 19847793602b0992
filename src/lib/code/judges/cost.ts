import { mean, sum } from "../../stats/describe.ts";
import { type Known, known, unknown } from "../../stats/known.ts";

/** One council session of a judge. */
export interface ReviewSession {
  /** List price; null when unknown. */
  readonly cost_usd: number | null;
  /** Entries scored, anchors not counted. */
  readonly scored: number;
  /** Wall clock. */
  readonly seconds: number;
}

export interface ReviewCost {
  /** USD over all sessions. */
  readonly cost: Known;
  /** USD for each entry scored; anchors are excluded from the count, not from the cost. */
  readonly cost_per_entry: Known;
  /** Mean wall-clock seconds of a session; null without sessions. */
  readonly seconds_per_session: number | null;
  readonly sessions: number;
  readonly scored: number;
}

/**
 * What a judge's reviews cost: the list price of its sessions, that ÷ entries scored, and the mean wall time of a session.
 * One session of unknown cost makes the sum unknown. (Methodology, "Council judges", "Review cost and time".)
 */
export function reviewCost(sessions: readonly ReviewSession[]): ReviewCost {
  const scored = sum(sessions.map((session) => session.scored));
  const costs = sessions.flatMap(({ cost_usd }) => cost_usd ?? []);
  const cost =
    sessions.length === 0
      ? unknown("no session")
      : costs.length < sessions.length
        ? unknown("the cost of a session is unknown")
        : known(sum(costs));
  return {
    cost,
    cost_per_entry:
      cost.value === null ? cost : scored === 0 ? unknown("no entry was scored") : known(cost.value / scored),
    seconds_per_session: mean(sessions.map(({ seconds }) => seconds)),
    sessions: sessions.length,
    scored,
  };
}
