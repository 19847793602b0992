import { METRIC_LIST } from "./metrics.ts";
import {
  add,
  fromFraction,
  multiply,
  type Rational,
  rational,
  roundHalfAway,
  sumFractions,
  ZERO,
} from "./rational.ts";
import { type Components, METRIC_IDS, type MemberMetrics, type MetricId } from "./result-schema.ts";

/** Decimal places of every published score. */
export const SCORE_DECIMALS = 6;

interface Scored {
  readonly metrics: MemberMetrics;
}

/**
 * A suite component: the exact mean of the member fractions over all members, every one with equal weight (macro
 * average). Failed and skipped members are in the list with 0.
 * @throws RangeError when there are no members.
 */
export function exactMean(members: readonly Scored[], id: MetricId): Rational {
  if (members.length === 0) throw new RangeError("a suite has at least one member");
  return multiply(
    sumFractions(members.map(({ metrics }) => metrics[id])),
    rational(1n, BigInt(members.length)),
  );
}

/**
 * The five components, each rounded once, half away from zero, to six decimals.
 *
 * Worked example: three members with cell match rates 1/1, 2/3 and 0/1 have the mean 5/9 = 0.555556.
 */
export const componentsOf = (members: readonly Scored[]): Components =>
  Object.fromEntries(
    METRIC_IDS.map((id) => [id, roundHalfAway(exactMean(members, id), SCORE_DECIMALS)]),
  ) as Components;

/**
 * Composite `provisional-1`: 0.30 × deterministic pass rate + 0.30 × exact output match + 0.15 × cell match rate
 * + 0.15 × value-address F1 + 0.10 × header accuracy, over the exact means and rounded once, half away from zero,
 * to six decimals. Cost never enters.
 *
 * Worked example: one member, executed, digest different, cells 2/3, addresses 1/1, headers 1/2:
 * 0.30 + 0 + 0.15·2/3 + 0.15 + 0.10/2 = 0.6.
 */
export function compositeOf(members: readonly Scored[]): number {
  const exact = METRIC_LIST.reduce<Rational>(
    (sum, metric) => add(sum, multiply(fromFraction(metric.weight), exactMean(members, metric.id))),
    ZERO,
  );
  return roundHalfAway(exact, SCORE_DECIMALS);
}
