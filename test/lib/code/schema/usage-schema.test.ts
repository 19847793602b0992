import { describe, expect, it } from "vitest";
import {
  requestsOf,
  sumUsage,
  type Usage,
  usageSchema,
  wallSeconds,
} from "../../../../src/lib/code/schema/usage-schema.ts";
import { DIGEST } from "../facts.ts";

const usage = (change: Partial<Usage> = {}): Usage => ({
  harness: "claude-code",
  harness_version: "2.4.1",
  logs: [{ name: "s1.jsonl", sha256: DIGEST, bytes: 10 }],
  first_event_at: "2026-11-05T09:00:00.000Z",
  last_event_at: "2026-11-05T09:00:40.250Z",
  models: ["claude-opus-5-5", "claude-haiku-5"],
  tiers: ["standard", "fast"],
  requests: [
    [4100, 0, 0, 3, 0, 0, 20_000, 0, 410, 12],
    [-1, 1, 1, 5, 20_000, 7, 1500, 9, 95, 0],
  ],
  per: "request",
  cost_recorded_usd: null,
  assumptions: [],
  skipped_lines: 0,
  ...change,
});

describe("a usage document", () => {
  it("is refused when empty, with unknown keys, with tokens that are no counts, or with rows of another length", () => {
    expect(usageSchema.safeParse(usage()).success).toBe(true);
    expect(usageSchema.safeParse({}).success).toBe(false);
    expect(usageSchema.safeParse({ ...usage(), tokens: 5 }).success).toBe(false);
    for (const row of [
      [0, 0, 0, -1, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0],
      [-2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 1e300, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ])
      expect(usageSchema.safeParse({ ...usage(), requests: [row] }).success, String(row)).toBe(false);
  });

  it("decodes its rows: moment, model, tier and each bucket in its place", () => {
    expect(requestsOf(usage())).toEqual([
      {
        at_ms: Date.parse("2026-11-05T09:00:04.100Z"),
        model: "claude-opus-5-5",
        tier: "standard",
        uncached_input: 3,
        cache_read: 0,
        cache_write_5m: 0,
        cache_write_1h: 20_000,
        cache_write: 0,
        output: 410,
        reasoning: 12,
      },
      {
        at_ms: null,
        model: "claude-haiku-5",
        tier: "fast",
        uncached_input: 5,
        cache_read: 20_000,
        cache_write_5m: 7,
        cache_write_1h: 1500,
        cache_write: 9,
        output: 95,
        reasoning: 0,
      },
    ]);
  });

  it("sums buckets, and knows its wall clock in seconds", () => {
    expect(sumUsage(usage())).toEqual({
      uncached_input: 8,
      cache_read: 20_000,
      cache_write_5m: 7,
      cache_write_1h: 21_500,
      cache_write: 9,
      output: 505,
      reasoning: 12,
    });
    expect(wallSeconds(usage())).toBe(40.25);
    expect(wallSeconds(usage({ last_event_at: "2026-11-05T08:00:00.000Z" }))).toBe(0);
  });
});
