import type { CostData } from "../derive/data-schema.ts";
import { averageOf, type Nest, resultsIn } from "./nest.ts";

type Buckets = CostData["tokens"];
type Breakdown = NonNullable<CostData["breakdown"]>;

/** A row of the table "Tokens and cost": means a run, put together as every other number. */
export interface TokenMeans {
  /** Entries with a log. */
  readonly n: number;
  readonly requests: number | null;
  readonly tokens: { readonly [Bucket in keyof Buckets]: number | null };
  /** USD by component. */
  readonly breakdown: { readonly [Component in keyof Breakdown]: number | null };
  /** What had to be assumed to price them. */
  readonly assumptions: readonly string[];
}

/** (Methodology, "Cost", "Visibility".) */
export function tokenMeansOf(nest: Nest): TokenMeans {
  const logged = resultsIn(nest).flatMap(({ entry }) => entry.cost ?? []);
  const average = (read: (cost: CostData) => number | undefined): number | null =>
    averageOf(nest, ({ entry }) => (entry.cost === null ? null : (read(entry.cost) ?? null)));
  const tokens = (bucket: keyof Buckets): number | null => average((cost) => cost.tokens[bucket]);
  const usd = (component: keyof Breakdown): number | null => average((cost) => cost.breakdown?.[component]);
  return {
    n: logged.length,
    requests: average(({ requests }) => requests),
    tokens: {
      uncached_input: tokens("uncached_input"),
      cache_read: tokens("cache_read"),
      cache_write_5m: tokens("cache_write_5m"),
      cache_write_1h: tokens("cache_write_1h"),
      cache_write: tokens("cache_write"),
      output: tokens("output"),
      reasoning: tokens("reasoning"),
    },
    breakdown: {
      uncached_input: usd("uncached_input"),
      cache_read: usd("cache_read"),
      cache_write: usd("cache_write"),
      output: usd("output"),
      peak: usd("peak"),
    },
    assumptions: [...new Set(logged.flatMap(({ assumptions }) => assumptions))].sort(),
  };
}
