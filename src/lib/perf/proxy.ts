import type { PerfFacts } from "./perf-facts.ts";

/*
 * Counts of an emulator's instructions, in place of time where the real processor is not there (docs/perf.md, "Instruction counts"). They
 * know nothing of caches, branch prediction, width or latency, so they are never mixed with timings.
 */

/** Iterations of the shorter of two runs; the longer one has twice as many, and the difference is what the work takes. */
export const PROXY_ITERATIONS = 64;
/** Two counts of the same work that differ by a larger share are no count at all. */
const MAX_DIFFERENCE = 1e-4;

/** How many instructions a counting emulator says it executed: its last word counts. Null when it says nothing. */
export function parseInstructions(said: string): number | null {
  const last = [...said.matchAll(/^(?:total |cpu \d+ )?insns: (\d{1,15})$/gm)].at(-1)?.[1];
  return last === undefined ? null : Number(last);
}

/** Instructions of whole processes that did the same work. */
export interface Counted {
  /** With `PROXY_ITERATIONS`. */
  readonly once: number;
  /** With twice as many. */
  readonly twice: number;
}

/** What the work itself took, without start, reading and end. */
const netOf = ({ once, twice }: Counted): number => twice - once;

/** Why two counts of one program cannot be used, as the rest of a sentence about it; null when they can. */
export function findDisagreement(first: Counted, second: Counted): string | null {
  const [a, b] = [netOf(first), netOf(second)];
  if (a <= 0 || b <= 0) return `twice the work took ${Math.min(a, b)} instructions more`;
  if (Math.abs(a - b) > MAX_DIFFERENCE * Math.max(a, b))
    return `two counts of the same work are ${a} and ${b}`;
  return null;
}

/** Both counts of each side, by metric. */
export interface CountedMetric {
  readonly id: string;
  readonly candidate: readonly [Counted, Counted];
  readonly reference: readonly [Counted, Counted];
}

/** What an entry's `perf` takes: counts in place of times, without an interval, marked as what they are. */
export function toProxyFacts(
  metrics: readonly CountedMetric[],
  { seed, outputOk, note }: { readonly seed: string; readonly outputOk: boolean; readonly note?: string },
): PerfFacts {
  return {
    proxy: true,
    output_ok: outputOk,
    unit: "instructions",
    seed,
    metrics: metrics.map(({ id, candidate, reference }) => ({
      id,
      candidate: candidate.map(netOf),
      reference: reference.map(netOf),
    })),
    flags: [],
    ...(note === undefined ? {} : { note }),
  };
}
