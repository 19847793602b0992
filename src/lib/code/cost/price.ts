import type { Card, CardPrices } from "../schema/pricing-schema.ts";
import { FAST_TIERS, type RequestUsage, requestsOf, type Usage } from "../schema/usage-schema.ts";
import { cardAt, isPeak, pricesFor } from "./card.ts";
import type { PricingRule } from "./rules.ts";

/** What a fast tier is assumed to cost where the card does not say. */
export const ASSUMED_FAST_TIER = 2;
const STANDARD = "standard";

export interface PriceInput {
  readonly usage: Usage;
  /** The card of a model as logs name it; null when there is none. */
  readonly cardOf: (logName: string) => Card | null;
  /** Prices are those of this moment (ISO 8601 UTC). */
  readonly at: string;
  /** As far as they were recorded by then; null for all that is recorded. */
  readonly knownAt: string | null;
  readonly rule: PricingRule;
}

/** USD by component. */
export interface CostBreakdown {
  readonly uncached_input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  /** Surcharge of peak hours, apart from the four. */
  readonly peak: number;
}

export type Cost =
  | {
      readonly usd: number;
      readonly reason: null;
      readonly breakdown: CostBreakdown;
      readonly as_run_usd: number;
      readonly assumptions: readonly string[];
      /** Cards used, with what they said. */
      readonly cards: readonly CardPrices[];
    }
  | { readonly usd: null; readonly reason: string };

/** Whole numbers of 10⁻¹² USD: price × 10⁶ × tokens. Exact in doubles up to 9,007 USD. */
interface Parts {
  uncached_input: number;
  cache_read: number;
  cache_write: number;
  output: number;
}

const PICO = 1e12;
const micro = (price: number): number => Math.round(price * 1e6);

/**
 * Cost = list price × tokens, cache included, at the standard tier:
 *
 *     cost_i = (uncached·p_in + reads·p_read + w5m·p_5m + w1h·p_1h + w·p_write + output·p_out) / 10⁶
 *     usd = Σ cost_i · peak_i        as_run_usd = Σ cost_i · peak_i · tier_i
 *
 * with the prices of the band that the request's prompt falls into. (Methodology, "Cost".) Reasoning is a part of output and
 * is not priced again. A model without a card has no cost, nor has usage without tokens or at a price of 0: never 0.
 */
export function priceUsage(input: PriceInput): Cost {
  const { usage, rule } = input;
  const cards = new Map<string, { card: Card; prices: CardPrices }>();
  for (const name of usage.models) {
    const card = input.cardOf(name);
    const prices = card === null ? null : cardAt(card, input.at, input.knownAt);
    if (card === null || prices === null) return { usd: null, reason: `no price card for ${name}` };
    cards.set(name, { card, prices });
  }
  if (cards.size === 0) return { usd: null, reason: "the usage names no model" };
  const [first] = cards.values();
  const provider = first?.card.id.split("/")[0] ?? "";
  if (rule.recordedFor.includes(provider) && usage.harness === "opencode")
    return recorded(usage.cost_recorded_usd);

  const assumptions = new Set(usage.assumptions);
  /** Sums by what they are multiplied with, so that each multiplication is done once. */
  const sums = new Map<string, { parts: Parts; peak: number; tier: number }>();
  let tokens = 0;
  for (const request of requestsOf(usage)) {
    tokens += tokensOf(request);
    const priced = cards.get(request.model);
    if (priced === undefined) return { usd: null, reason: `no price card for ${request.model}` };
    const { prices } = priced;
    const peak = peakOf(prices, request, assumptions);
    const tier = tierOf(prices, request.tier, assumptions);
    const key = `${peak} ${tier}`;
    const sum = sums.get(key) ?? {
      parts: { uncached_input: 0, cache_read: 0, cache_write: 0, output: 0 },
      peak,
      tier,
    };
    sums.set(key, sum);
    addRequest(sum.parts, request, prices, { rule, exact: usage.per === "request", assumptions });
  }
  const cost = total([...sums.values()], [...assumptions].sort(), [
    ...new Set([...cards.values()].map(({ prices }) => prices)),
  ]);
  if (cost.usd !== 0) return cost;
  return {
    usd: null,
    reason: tokens > 0 ? "a list price of 0 is a missing price" : "no tokens were counted",
  };
}

const recorded = (usd: number | null): Cost =>
  usd === null
    ? { usd: null, reason: "the harness recorded no cost" }
    : {
        usd,
        reason: null,
        breakdown: { uncached_input: 0, cache_read: 0, cache_write: 0, output: 0, peak: 0 },
        as_run_usd: usd,
        assumptions: ["as-recorded"],
        cards: [],
      };

const tokensOf = (request: RequestUsage): number =>
  request.uncached_input +
  request.cache_read +
  request.cache_write_5m +
  request.cache_write_1h +
  request.cache_write +
  request.output;

function peakOf({ peak }: CardPrices, { at_ms: at }: RequestUsage, assumptions: Set<string>): number {
  if (peak === undefined) return 1;
  if (at === null) {
    assumptions.add("off-peak");
    return 1;
  }
  return isPeak(peak, at) ? peak.multiplier : 1;
}

function tierOf({ tiers }: CardPrices, tier: string, assumptions: Set<string>): number {
  // A log may call its tier anything, also by the name of something that every object has.
  const multiplier = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (multiplier !== undefined) return multiplier;
  if (tier === STANDARD) return 1;
  if (FAST_TIERS.has(tier)) {
    const other = tiers.priority ?? tiers.fast;
    if (other !== undefined) return other;
    assumptions.add(`tier-${tier}-twice`);
    return ASSUMED_FAST_TIER;
  }
  assumptions.add(`tier-${tier}-standard`);
  return 1;
}

function addRequest(
  parts: Parts,
  request: RequestUsage,
  card: CardPrices,
  { rule, exact, assumptions }: { rule: PricingRule; exact: boolean; assumptions: Set<string> },
): void {
  const writes = request.cache_write_5m + request.cache_write_1h + request.cache_write;
  if (!exact && card.bands.length > 0) assumptions.add("short-context");
  const prices = exact ? pricesFor(card, request.uncached_input + request.cache_read + writes) : card;
  const orInput = (price: number | undefined, tokens: number, what: string): number => {
    if (price !== undefined) return price;
    if (tokens > 0) assumptions.add(`${what}-at-input-price`);
    return prices.input;
  };
  const write = orInput(prices.cache_write, writes, "cache-write");
  const hour = rule.hourWrites ? (prices.cache_write_1h ?? write) : write;
  if (rule.hourWrites && prices.cache_write_1h === undefined && request.cache_write_1h > 0)
    assumptions.add("cache-write-1h-at-5m-price");
  parts.uncached_input += micro(prices.input) * request.uncached_input;
  parts.cache_read +=
    micro(orInput(prices.cache_read, request.cache_read, "cache-read")) * request.cache_read;
  parts.cache_write +=
    micro(write) * (request.cache_write_5m + request.cache_write) + micro(hour) * request.cache_write_1h;
  parts.output += micro(prices.output) * request.output;
}

function total(
  sums: readonly { parts: Parts; peak: number; tier: number }[],
  assumptions: readonly string[],
  cards: readonly CardPrices[],
): Cost {
  const all: Parts = { uncached_input: 0, cache_read: 0, cache_write: 0, output: 0 };
  let surcharge = 0;
  let asRun = 0;
  let list = 0;
  for (const { parts, peak, tier } of sums) {
    for (const key of Object.keys(all) as (keyof Parts)[]) all[key] += parts[key];
    const base = parts.uncached_input + parts.cache_read + parts.cache_write + parts.output;
    list += base * peak;
    surcharge += base * (peak - 1);
    asRun += base * peak * tier;
  }
  return {
    usd: list / PICO,
    reason: null,
    breakdown: {
      uncached_input: all.uncached_input / PICO,
      cache_read: all.cache_read / PICO,
      cache_write: all.cache_write / PICO,
      output: all.output / PICO,
      peak: surcharge / PICO,
    },
    as_run_usd: asRun / PICO,
    assumptions,
    cards,
  };
}
