import type { Analysis } from "./analyse.ts";
import type { MetricSamples, Pair, Role } from "./samples.ts";

/** One timed sample as it was taken. */
export interface RawSample {
  readonly metric: string;
  /** `warm-up` samples are discarded; `judged` pairs decide; `noise` pairs are the reference with itself. */
  readonly part: "warm-up" | "judged" | "noise";
  /** From 0, each part for itself. */
  readonly round: number;
  readonly role: Role;
  readonly ns: number;
  /** Involuntary context switches; null where the platform does not tell. */
  readonly switches: number | null;
}

/** One measurement from warm-up to its last look. */
export interface Attempt {
  /** In the order in which they were taken. */
  readonly samples: readonly RawSample[];
  /** False when the time for warming up ended before the samples agreed. */
  readonly warm: boolean;
  /** Null when it was broken off. */
  readonly analysis: Analysis | null;
}

/**
 * Puts raw samples together again as pairs. Only whole pairs count; warm-up does not.
 * @param identical metrics whose two sides are one program: their pairs are made of the reference's samples in `noise` pairs
 */
export function pairsOf(
  samples: readonly RawSample[],
  ids: readonly string[],
  identical: ReadonlySet<string>,
): MetricSamples[] {
  return ids.map((id) => {
    const own = samples.filter(({ metric }) => metric === id);
    const noise = pairsOfPart(own.filter(({ part }) => part === "noise"));
    if (!identical.has(id))
      return { id, pairs: pairsOfPart(own.filter(({ part }) => part === "judged")), noise };
    const pairs = noise.map(({ reference }) => ({ candidate: reference, reference }));
    return { id, pairs, noise, identical: true };
  });
}

function pairsOfPart(samples: readonly RawSample[]): Pair[] {
  const rounds = new Map<number, { candidate?: number; reference?: number }>();
  for (const { round, role, ns } of samples) {
    const pair = rounds.get(round) ?? {};
    pair[role === "reference" ? "reference" : "candidate"] = ns;
    rounds.set(round, pair);
  }
  return [...rounds.values()].flatMap(({ candidate, reference }) =>
    candidate === undefined || reference === undefined ? [] : [{ candidate, reference }],
  );
}

/** Involuntary context switches of the samples that count, where they are known. */
export const switchesOf = (samples: readonly RawSample[]): number[] =>
  samples.flatMap(({ part, switches }) => (part === "warm-up" || switches === null ? [] : [switches]));
