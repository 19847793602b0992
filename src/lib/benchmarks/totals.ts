import { add, fromDecimal, type Rational, ZERO } from "./rational.ts";
import type { Attempt, ResultDocument, ResultMember } from "./result-schema.ts";

/**
 * Counts of a run, derived from its members. A call is one attempt, or a call that was interrupted (its process died
 * before the outcome was known): that one was asked again, stands in no member, and counts all the same.
 * Token totals add up what providers reported; null when there were calls and none reported usage.
 */
export function totalsOf(
  members: readonly Pick<ResultMember, "status" | "attempts">[],
  interrupted = 0,
): ResultDocument["totals"] {
  const attempts = members.flatMap((member) => member.attempts);
  const calls = attempts.length + interrupted;
  const counted = (status: ResultMember["status"]): number =>
    members.filter((member) => member.status === status).length;
  const usages = attempts.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const tokens = (pick: (usage: (typeof usages)[number]) => number): number | null =>
    calls > 0 && usages.length === 0 ? null : usages.reduce((sum, usage) => sum + pick(usage), 0);
  return {
    members: members.length,
    passed: counted("passed"),
    partial: counted("partial"),
    failed: counted("failed"),
    skipped: counted("skipped"),
    calls,
    prompt_tokens: tokens((usage) => usage.prompt_tokens),
    completion_tokens: tokens((usage) => usage.completion_tokens),
  };
}

/**
 * Cost of a run in US dollars, derived from its members' attempts: the exact decimal sum of what is known, null when
 * there were calls and no cost is known; `complete` is false when any call's cost is unknown, as an interrupted call's
 * always is.
 * Worked example: costs 0.1, 0.2 and unknown give `{ total_usd: 0.3, complete: false }`.
 */
export function costOf(
  members: readonly { attempts: readonly Attempt[] }[],
  interrupted = 0,
): ResultDocument["cost"] {
  const costs = members.flatMap(({ attempts }) => attempts.map(({ cost_usd }) => cost_usd));
  const known = costs.filter((cost) => cost !== null);
  const calls = costs.length + interrupted;
  return {
    total_usd: calls > 0 && known.length === 0 ? null : toNumber(sum(known)),
    complete: known.length === calls,
  };
}

const sum = (values: readonly number[]): Rational =>
  values.reduce<Rational>((total, value) => add(total, fromDecimal(value)), ZERO);

/** The double nearest to a sum of decimals. */
function toNumber({ numerator, denominator }: Rational): number {
  // The denominator divides a power of ten, so the sum has a finite decimal expansion.
  let [decimals, scale] = [0, 1n];
  while (scale % denominator !== 0n) [decimals, scale] = [decimals + 1, scale * 10n];
  return Number(`${numerator * (scale / denominator)}e-${decimals}`);
}
