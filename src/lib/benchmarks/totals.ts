import { add, fromDecimal, type Rational, ZERO } from "./rational.ts";
import type { Attempt, ResultDocument, ResultMember } from "./result-schema.ts";

/**
 * Counts of a run, derived from its members. A call is one attempt. Token totals add up what providers reported;
 * null when there were calls and none reported usage.
 */
export function totalsOf(
  members: readonly Pick<ResultMember, "status" | "attempts">[],
): ResultDocument["totals"] {
  const attempts = members.flatMap((member) => member.attempts);
  const counted = (status: ResultMember["status"]): number =>
    members.filter((member) => member.status === status).length;
  const usages = attempts.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const tokens = (pick: (usage: (typeof usages)[number]) => number): number | null =>
    attempts.length > 0 && usages.length === 0 ? null : usages.reduce((sum, usage) => sum + pick(usage), 0);
  return {
    members: members.length,
    passed: counted("passed"),
    partial: counted("partial"),
    failed: counted("failed"),
    skipped: counted("skipped"),
    calls: attempts.length,
    prompt_tokens: tokens((usage) => usage.prompt_tokens),
    completion_tokens: tokens((usage) => usage.completion_tokens),
  };
}

/**
 * Cost of a run in US dollars, derived from its members' attempts: the exact decimal sum of what is known, null when
 * there were calls and no cost is known; `complete` is false when any call's cost is unknown.
 * Worked example: costs 0.1, 0.2 and unknown give `{ total_usd: 0.3, complete: false }`.
 */
export function costOf(members: readonly { attempts: readonly Attempt[] }[]): ResultDocument["cost"] {
  const costs = members.flatMap(({ attempts }) => attempts.map(({ cost_usd }) => cost_usd));
  const known = costs.filter((cost) => cost !== null);
  return {
    total_usd: costs.length > 0 && known.length === 0 ? null : toNumber(sum(known)),
    complete: known.length === costs.length,
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
