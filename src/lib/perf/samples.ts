import type { Random } from "../stats/random.ts";

/** Two samples that were taken one right after the other on the same input; both in one unit, positive. */
export interface Pair {
  readonly candidate: number;
  readonly reference: number;
}

/** What was measured of one metric, in the order in which it was measured. */
export interface MetricSamples {
  readonly id: string;
  readonly pairs: readonly Pair[];
  /** The reference against itself, measured between the pairs: its second run stands as `candidate`. */
  readonly noise: readonly Pair[];
  /** Both sides are the same program by digest: the pairs hold one sample of it twice, and the speed-up is 1. */
  readonly identical?: boolean;
}

/** Who runs in a slot of a round: `again` is the reference in the candidate's place. */
export type Role = "candidate" | "reference" | "again";

/** The order of a round: the pair that is judged and the pair of the reference with itself, each pair without a gap. */
export type RoundOrder = readonly [first: readonly [Role, Role], second: readonly [Role, Role]];

/**
 * Draws the orders of two rounds. The second mirrors the first, slot by slot, so that over both rounds every role has the same mean
 * position and a steady drift cancels; that the first is drawn keeps a disturbance with a rhythm of its own from always meeting the
 * same side.
 */
export function drawRounds(random: Random): readonly [RoundOrder, RoundOrder] {
  const judged: [Role, Role] =
    random.below(2) === 0 ? ["candidate", "reference"] : ["reference", "candidate"];
  const noise: [Role, Role] = random.below(2) === 0 ? ["again", "reference"] : ["reference", "again"];
  const first: RoundOrder = random.below(2) === 0 ? [judged, noise] : [noise, judged];
  const mirrored: RoundOrder = [first[1].toReversed() as [Role, Role], first[0].toReversed() as [Role, Role]];
  return [first, mirrored];
}

/** The orders of rounds without end, two by two. */
export function* roundOrders(random: Random): Generator<RoundOrder, never> {
  for (;;) yield* drawRounds(random);
}
