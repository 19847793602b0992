import { z } from "zod";
import { instantMs } from "../../benchmarks/instant.ts";
import { digestSchema, instantSchema } from "../../benchmarks/suite-schema.ts";

export const HARNESSES = [
  "claude-code",
  "codex",
  "opencode",
  "gemini-cli",
  "qwen-code",
  "grok-build",
  "copilot-cli",
  "openai-api",
  "other",
] as const;
export type Harness = (typeof HARNESSES)[number];

const count = z.int().nonnegative();

/** Tokens of one row: so few that the sum over all rows of a document is exact. */
const tokenCount = count.max(10_000_000_000);

/**
 * One request (or turn): `[at, model, tier, uncached_input, cache_read, cache_write_5m, cache_write_1h, cache_write, output,
 * reasoning]`. `at` is in ms after the first event, -1 when unknown; model and tier are indexes; the rest are tokens in
 * disjoint buckets, of which `reasoning` alone is a part of another (`output`).
 */
export const requestRowSchema = z.tuple([
  z.int().min(-1),
  count,
  count,
  tokenCount,
  tokenCount,
  tokenCount,
  tokenCount,
  tokenCount,
  tokenCount,
  tokenCount,
]);

/** Tokens and times of one agent run, as its harness logged them. */
export const usageSchema = z.strictObject({
  harness: z.enum(HARNESSES),
  harness_version: z.string().max(60).nullable(),
  /** The logs it was read from. */
  logs: z
    .array(z.strictObject({ name: z.string().min(1).max(300), sha256: digestSchema, bytes: count }))
    .max(2000),
  /** First and last of any event of the contestant. */
  first_event_at: instantSchema,
  last_event_at: instantSchema,
  /** As the log writes them. */
  models: z.array(z.string().min(1).max(200)).max(100),
  tiers: z.array(z.string().min(1).max(40)).max(20),
  requests: z.array(requestRowSchema).max(100_000),
  /** What a row stands for; only single requests decide long-context bands exactly. */
  per: z.enum(["request", "turn", "session"]),
  /** What the harness says it billed; never used to compare. */
  cost_recorded_usd: z.number().nonnegative().nullable(),
  /** What the log left open and had to be assumed (`cache-write-lifetime-5m`). */
  assumptions: z.array(z.string().min(1).max(100)).max(50),
  skipped_lines: count,
});

export type RequestRow = z.infer<typeof requestRowSchema>;
export type Usage = z.infer<typeof usageSchema>;

/** Service tiers that are faster than the standard one. */
export const FAST_TIERS: ReadonlySet<string> = new Set(["priority", "fast"]);

/** Tokens by bucket. */
export interface Tokens {
  readonly uncached_input: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  /** Written with no lifetime told apart. */
  readonly cache_write: number;
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
}

/** A row, decoded. */
export interface RequestUsage extends Tokens {
  /** Milliseconds since 1970 (UTC); null when unknown. */
  readonly at_ms: number | null;
  readonly model: string;
  readonly tier: string;
}

/** The rows as requests. A row that refers to nothing has the name `?` (which is a finding elsewhere). */
export function requestsOf(usage: Usage): RequestUsage[] {
  const first = instantMs(usage.first_event_at);
  return usage.requests.map(([at, model, tier, ...tokens]) => ({
    at_ms: at < 0 || first === null ? null : first + at,
    model: usage.models[model] ?? "?",
    tier: usage.tiers[tier] ?? "?",
    uncached_input: tokens[0],
    cache_read: tokens[1],
    cache_write_5m: tokens[2],
    cache_write_1h: tokens[3],
    cache_write: tokens[4],
    output: tokens[5],
    reasoning: tokens[6],
  }));
}

/** Sums over all rows. */
export function sumUsage({ requests }: Usage): Tokens {
  const total = (column: number): number => requests.reduce((sum, row) => sum + (row[column] ?? 0), 0);
  return {
    uncached_input: total(3),
    cache_read: total(4),
    cache_write_5m: total(5),
    cache_write_1h: total(6),
    cache_write: total(7),
    output: total(8),
    reasoning: total(9),
  };
}

/** Wall clock in seconds: last minus first event. 0 when either is no moment, which is a finding elsewhere. */
export function wallSeconds(usage: Usage): number {
  const [first, last] = [instantMs(usage.first_event_at), instantMs(usage.last_event_at)];
  return first === null || last === null ? 0 : Math.max(0, last - first) / 1000;
}
