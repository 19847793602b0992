import type { LogPlace } from "./log-file.ts";
import type { Reading } from "./reading.ts";
import { has, type Json, objectAt } from "./values.ts";

/** Buckets of one step of OpenCode. */
export interface OpenCodeTokens {
  readonly uncached_input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly reasoning: number;
}

/**
 * The buckets of `tokens`. `input` is what remains after reads and writes. `output` excludes reasoning, unless `total` shows
 * that it is inside. Null when there are none, or when they cannot be read, which is a finding.
 */
export function opencodeTokens(
  tokens: Json | null,
  place: LogPlace,
  reading: Reading,
): OpenCodeTokens | null {
  if (tokens === null) return null;
  const own = reading.counts(tokens, ["input", "output", "reasoning", "total"], place);
  const cache = reading.counts(objectAt(tokens, "cache"), ["read", "write"], place);
  if (own === null || cache === null) return null;
  const { input, output, reasoning } = own;
  const beside = input + output + reasoning + cache.read + cache.write;
  const total = has(tokens, "total") ? own.total : beside;
  const isInside = total === beside - reasoning && reasoning <= output;
  if (total !== beside && !isInside) {
    reading.sumError(
      place,
      `total ${beside}, or ${beside - reasoning} with reasoning inside`,
      `total ${total}`,
    );
    return null;
  }
  if (beside === 0) return null;
  return {
    uncached_input: input,
    cache_read: cache.read,
    cache_write: cache.write,
    output: total === beside ? output + reasoning : output,
    reasoning,
  };
}
