import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPeak } from "../../../../src/lib/code/cost/card.ts";
import { earlierCosts } from "../../../../src/lib/code/cost/history.ts";
import { type Cost, priceUsage } from "../../../../src/lib/code/cost/price.ts";
import { CURRENT_RULE, PRICING_RULES, ruleAt } from "../../../../src/lib/code/cost/rules.ts";
import type { Card, CardPrices } from "../../../../src/lib/code/schema/pricing-schema.ts";
import type { RequestRow, Usage } from "../../../../src/lib/code/schema/usage-schema.ts";
import { card, prices, usage } from "../facts.ts";

const row = (
  tokens: Partial<Record<"in" | "read" | "w5" | "w1h" | "w" | "out", number>>,
  at = 0,
): RequestRow => [
  at,
  0,
  0,
  tokens.in ?? 0,
  tokens.read ?? 0,
  tokens.w5 ?? 0,
  tokens.w1h ?? 0,
  tokens.w ?? 0,
  tokens.out ?? 0,
  0,
];
const priced = (
  item: CardPrices | null,
  used: Usage,
  change: Partial<Parameters<typeof priceUsage>[0]> = {},
): Cost =>
  priceUsage({
    usage: used,
    cardOf: () => (item === null ? null : card("acme/alpha-1", item)),
    at: "2026-11-05T09:00:00.000Z",
    knownAt: null,
    rule: CURRENT_RULE,
    ...change,
  });
const opus = prices();
const sol = prices({
  input: 2,
  cache_read: 0.1,
  cache_write: 2.5,
  cache_write_1h: undefined,
  output: 10,
  bands: [{ above: 272_000, input: 4, cache_read: 0.2, cache_write: 5, output: 15 }],
});
delete sol.cache_write_1h;
const tokens = (...requests: RequestRow[]): Usage => usage({ requests });

describe("Methodology: Cost", () => {
  it("prices one-hour cache writes by their own price: the worked example", () => {
    const request = row({ in: 12_000, read: 2_400_000, w1h: 180_000, out: 45_000 });
    expect(priced(opus, tokens(request))).toMatchObject({
      usd: 2.868,
      breakdown: { uncached_input: 0.048, cache_read: 0.48, cache_write: 1.44, output: 0.9, peak: 0 },
      as_run_usd: 2.868,
      assumptions: [],
    });
    const fiveMinutes = row({ in: 12_000, read: 2_400_000, w5: 180_000, out: 45_000 });
    expect(priced(opus, tokens(fiveMinutes)).usd).toBe(2.328);
  });

  it("the log of one Claude Code session comes to 0.202348 USD", () => {
    const requests = [
      row({ in: 3, w1h: 20_000, out: 410 }),
      row({ in: 5, w1h: 1500, read: 20_000, out: 95 }),
      row({ in: 4, w5: 3000, out: 60 }),
    ];
    expect(priced(opus, tokens(...requests)).usd).toBe(0.202348);
  });

  it("a long prompt reprices the whole request, output included", () => {
    const long = row({ in: 40_000, read: 250_000, w: 10_000, out: 2000 });
    expect(priced(sol, tokens(long)).usd).toBe(0.29);
  });

  it("exactly at the threshold is short; two short requests are no long one", () => {
    const short = priced(sol, tokens(row({ in: 272_000 }))).usd;
    const long = priced(sol, tokens(row({ in: 272_001 }))).usd;
    expect(short).toBe(0.544);
    expect(long).toBe(1.088004);
    expect(priced(sol, tokens(row({ in: 150_000 }), row({ in: 150_000 }))).usd).toBe(0.6);
    const inclusive = { ...sol, bands: sol.bands.map((band) => ({ ...band, inclusive: true as const })) };
    expect(priced(inclusive, tokens(row({ in: 272_000 }))).usd).toBe(1.088);
  });

  it("peak hours are a surcharge of their own", () => {
    const peak = {
      multiplier: 2,
      windows: [
        { days: [1, 2, 3, 4, 5], from: "01:00", to: "04:00" },
        { days: [1, 2, 3, 4, 5], from: "06:00", to: "10:00" },
      ],
    };
    const deepseek = prices({ input: 0.66, cache_read: 0.022, output: 1.98, peak, tiers: {} });
    const request = row({ in: 100_000, read: 900_000, out: 20_000 });
    // 2026-11-05 is a Thursday.
    const at = (first_event_at: string): Cost =>
      priced(deepseek, usage({ first_event_at, last_event_at: first_event_at, requests: [request] }));
    const inPeak = at("2026-11-05T03:30:00.000Z");
    expect(inPeak.usd).toBeCloseTo(0.2508, 12);
    expect(inPeak).toMatchObject({ breakdown: { peak: expect.closeTo(0.1254, 12) } });
    expect(at("2026-11-05T04:00:00.000Z").usd).toBeCloseTo(0.1254, 12);
    expect(at("2026-11-07T03:30:00.000Z").usd).toBeCloseTo(0.1254, 12);
  });

  it("windows over midnight belong to the day on which they begin", () => {
    const night = { multiplier: 2, windows: [{ days: [7], from: "22:00", to: "02:00" }] };
    const on = (text: string): boolean => isPeak(night, Date.parse(text));
    expect(on("2026-11-08T22:00:00Z")).toBe(true);
    expect(on("2026-11-09T01:59:59Z")).toBe(true);
    expect(on("2026-11-09T02:00:00Z")).toBe(false);
    expect(on("2026-11-08T01:00:00Z")).toBe(false);
  });

  it("a model without a card has no cost, never 0", () => {
    expect(priced(null, tokens(row({ in: 1 })))).toEqual({
      usd: null,
      reason: "no price card for alpha-1-log",
    });
    const later = prices({ valid_from: "2026-12-01T00:00:00.000Z" });
    expect(priced(later, tokens(row({ in: 1 }))).usd).toBeNull();
  });

  it("usage without tokens, or at a price of 0, has no cost either: a mean with 0 in it would look cheap", () => {
    for (const used of [tokens(), tokens(row({}))])
      expect(priced(opus, used)).toEqual({ usd: null, reason: "no tokens were counted" });
    expect(priced(prices({ cache_read: 0 }), tokens(row({ read: 100 })))).toEqual({
      usd: null,
      reason: "a list price of 0 is a missing price",
    });
  });

  it("what a card leaves out is assumed, and said", () => {
    const { cache_read: _, cache_write: __, cache_write_1h: ___, ...bare } = opus;
    expect(priced(bare, tokens(row({ read: 1_000_000, w: 1_000_000 })))).toMatchObject({
      usd: 8,
      assumptions: ["cache-read-at-input-price", "cache-write-at-input-price"],
    });
    expect(priced(sol, usage({ per: "turn", requests: [row({ in: 300_000 })] }))).toMatchObject({
      usd: 0.6,
      assumptions: ["short-context"],
    });
  });
});

describe("Methodology: Cost (fast mode)", () => {
  const fast = (item: CardPrices): Cost =>
    priced(
      item,
      usage({ tiers: ["priority"], requests: [row({ in: 13_000, read: 11_500, w: 12_000, out: 900 })] }),
    );

  it("the API bills a fast tier by the card's multiple; comparisons use the standard tier", () => {
    expect(fast(sol)).toMatchObject({ usd: 0.06615, as_run_usd: 0.1323, assumptions: [] });
    expect(fast({ ...sol, tiers: { priority: 2.5 } })).toMatchObject({ usd: 0.06615, as_run_usd: 0.165375 });
    expect(fast({ ...sol, tiers: {} })).toMatchObject({
      as_run_usd: 0.1323,
      assumptions: ["tier-priority-twice"],
    });
  });

  it("a tier by the name of what every object has is a tier without a multiple", () => {
    for (const tier of ["constructor", "__proto__", "toString"])
      expect(priced(opus, { ...tokens(row({ in: 1_000_000 })), tiers: [tier] })).toMatchObject({
        as_run_usd: 4,
        assumptions: [`tier-${tier}-standard`],
      });
  });

  it("each request has the tier that was in force", () => {
    const mixed = usage({
      tiers: ["standard", "priority"],
      requests: [
        [0, 0, 0, 1_000_000, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1_000_000, 0, 0, 0, 0, 0, 0],
      ],
    });
    expect(priced({ ...sol, bands: [] }, mixed)).toMatchObject({ usd: 4, as_run_usd: 6 });
  });
});

describe("Methodology: Cost (history)", () => {
  const cardOf =
    (...history: CardPrices[]) =>
    (): Card =>
      card("acme/alpha-1", ...history);
  const used = tokens(row({ in: 12_000, read: 2_400_000, w1h: 120_000, out: 45_000 }));

  it("until 2026-11-01 cache writes cost the five-minute rate", () => {
    expect(ruleAt("2026-10-31T23:59:59.999Z").id).toBe("5-minute-writes-and-recorded");
    expect(ruleAt("2026-11-01T00:00:00.000Z")).toBe(CURRENT_RULE);
    const at = "2026-10-31T12:00:00.000Z";
    const now = priceUsage({ usage: used, cardOf: cardOf(opus), at, knownAt: null, rule: CURRENT_RULE }).usd;
    const earlier = earlierCosts({ usage: used, cardOf: cardOf(opus), at }, now);
    expect(earlier).toEqual([
      { rule: "5-minute-writes-and-recorded", until: "2026-11-01T00:00:00.000Z", usd: 2.028 },
    ]);
    // With this mix of tokens the new rule raises the figure by the size that the methodology names.
    expect((now ?? 0) / 2.028 - 1).toBeCloseTo(0.1775, 3);
  });

  it("until 2026-11-01 what OpenCode recorded stood for Qwen and Grok", () => {
    const grok = usage({ harness: "opencode", cost_recorded_usd: 2.9, requests: [row({ in: 1_000_000 })] });
    const xai = (): Card => card("xai/grok", prices({ input: 5.09 }));
    const at = "2026-10-31T12:00:00.000Z";
    const now = priceUsage({ usage: grok, cardOf: xai, at, knownAt: null, rule: CURRENT_RULE }).usd;
    expect(now).toBe(5.09);
    expect(earlierCosts({ usage: grok, cardOf: xai, at }, now)).toMatchObject([{ usd: 2.9 }]);
  });

  it("a later record of the same prices re-prices and keeps the earlier figure", () => {
    const at = "2026-11-05T09:00:00.000Z";
    const corrected = { ...opus, recorded_at: "2026-11-20T00:00:00.000Z", output: 25 };
    const lookup = cardOf(opus, corrected);
    const one = tokens(row({ out: 1_000_000 }));
    const now = priceUsage({ usage: one, cardOf: lookup, at, knownAt: null, rule: CURRENT_RULE }).usd;
    expect(now).toBe(25);
    expect(earlierCosts({ usage: one, cardOf: lookup, at }, now)).toEqual([
      { rule: "list-price", until: "2026-11-20T00:00:00.000Z", usd: 20 },
    ]);
  });

  it("a price that is valid later changes no earlier run", () => {
    const raised = {
      ...opus,
      valid_from: "2026-12-01T00:00:00.000Z",
      recorded_at: "2026-12-01T00:00:00.000Z",
      output: 40,
    };
    const one = tokens(row({ out: 1_000_000 }));
    const at = "2026-11-05T09:00:00.000Z";
    const now = priceUsage({
      usage: one,
      cardOf: cardOf(opus, raised),
      at,
      knownAt: null,
      rule: CURRENT_RULE,
    }).usd;
    expect(now).toBe(20);
    expect(earlierCosts({ usage: one, cardOf: cardOf(opus, raised), at }, now)).toEqual([]);
  });
});

describe("properties of a cost", () => {
  const count = fc.integer({ min: 0, max: 2_000_000 });
  const requestRows = fc.array(
    fc.record({ in: count, read: count, w5: count, w1h: count, w: count, out: count }).map((r) => row(r)),
    { minLength: 1, maxLength: 12 },
  );
  /** Slow and exact: whole numbers of 10⁻¹² USD. */
  const oracle = (item: CardPrices, rows: readonly RequestRow[]): bigint => {
    const micro = (price: number | undefined): bigint => BigInt(Math.round((price ?? item.input) * 1e6));
    let total = 0n;
    for (const [, , , input, read, w5, w1h, w, output] of rows) {
      const prompt = input + read + w5 + w1h + w;
      const band = [...item.bands].reverse().find(({ above }) => prompt > above) ?? item;
      total += micro(band.input) * BigInt(input) + micro(band.output) * BigInt(output);
      total += micro(band.cache_read) * BigInt(read) + micro(band.cache_write) * BigInt(w5 + w);
      total += micro(band.cache_write_1h ?? band.cache_write) * BigInt(w1h);
    }
    return total;
  };

  it("is what exact arithmetic gives", () => {
    for (const item of [opus, sol])
      fc.assert(
        fc.property(requestRows, (rows) => {
          expect(priced(item, tokens(...rows)).usd).toBe(Number(oracle(item, rows)) / 1e12);
        }),
      );
  });

  it("does not depend on the order of requests, and adds up over parts", () => {
    fc.assert(
      fc.property(requestRows, requestRows, (a, b) => {
        const cost = (...rows: RequestRow[]): number => priced(sol, tokens(...rows)).usd ?? Number.NaN;
        expect(cost(...a, ...b)).toBe(cost(...b.toReversed(), ...a));
        expect(cost(...a, ...b)).toBeCloseTo(cost(...a) + cost(...b), 9);
      }),
    );
  });

  it("scales with the prices", () => {
    const twice = {
      ...opus,
      input: 8,
      cache_read: 0.4,
      cache_write: 10,
      cache_write_1h: 16,
      output: 40,
    };
    fc.assert(
      fc.property(requestRows, (rows) => {
        const once = priced(opus, tokens(...rows)).usd ?? Number.NaN;
        expect(priced(twice, tokens(...rows)).usd).toBeCloseTo(2 * once, 9);
        expect(once).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("has a rule for every moment", () => {
    expect(PRICING_RULES.map(({ since }) => since)).toEqual([null, "2026-11-01T00:00:00.000Z"]);
    expect(ruleAt("1970-01-01T00:00:00.000Z").id).toBe(PRICING_RULES[0].id);
  });
});
