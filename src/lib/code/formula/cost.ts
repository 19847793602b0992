import { z } from "zod";
import { instantMs } from "../../benchmarks/instant.ts";
import { instantSchema } from "../../benchmarks/suite-schema.ts";
import { known } from "../../stats/known.ts";
import { pricesFor } from "../cost/card.ts";
import { type Cost, priceUsage } from "../cost/price.ts";
import { CURRENT_RULE } from "../cost/rules.ts";
import { type Card, type CardPrices, cardPricesSchema } from "../schema/pricing-schema.ts";
import type { Usage } from "../schema/usage-schema.ts";
import { defineFormula, type Worked, workedValue } from "./formula.ts";
import { countInput, listOf } from "./inputs.ts";
import { shown, terms } from "./show.ts";

const tokensInput = countInput.max(1_000_000_000).default(0);

const costInput = z.strictObject({
  /** USD per million tokens. */
  card: cardPricesSchema
    .omit({ valid_from: true, recorded_at: true, source: true, additions: true })
    .partial({ bands: true, tiers: true }),
  requests: listOf(
    z.strictObject({
      /** When it was made; null when unknown: then no peak hours are applied. */
      at: instantSchema.refine((text) => instantMs(text) !== null, "There is no such moment.").nullable(),
      tier: z.string().min(1).max(40),
      uncached_input: tokensInput,
      cache_read: tokensInput,
      cache_write_5m: tokensInput,
      cache_write_1h: tokensInput,
      cache_write: tokensInput,
      output: tokensInput,
    }),
  ),
});
type CostInput = z.infer<typeof costInput>;
type Request = CostInput["requests"][number];

const request = (tokens: Partial<Request>): Request => ({
  at: null,
  tier: "standard",
  uncached_input: 0,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cache_write: 0,
  output: 0,
  ...tokens,
});

const EPOCH = "1970-01-01T00:00:00.000Z";
const MODEL = "formula/model";
/** So many requests are written out. */
const MOST_LINES = 20;

const cardOf = ({ card }: CostInput): CardPrices => ({
  ...card,
  bands: card.bands ?? [],
  tiers: card.tiers ?? {},
  valid_from: EPOCH,
  recorded_at: EPOCH,
  source: { kind: "vendor" },
});

/** Prices requests by the rule in force, as if they were an agent's log. */
function price(input: CostInput, requests: readonly Request[]): Cost {
  const tiers = [...new Set(requests.map(({ tier }) => tier))];
  const card: Card = { id: MODEL, name: MODEL, history: [cardOf(input)] };
  const usage: Usage = {
    harness: "other",
    harness_version: null,
    logs: [],
    first_event_at: EPOCH,
    last_event_at: EPOCH,
    models: [MODEL],
    tiers,
    requests: requests.map((each) => [
      each.at === null ? -1 : (instantMs(each.at) ?? -1),
      0,
      tiers.indexOf(each.tier),
      each.uncached_input,
      each.cache_read,
      each.cache_write_5m,
      each.cache_write_1h,
      each.cache_write,
      each.output,
      0,
    ]),
    per: "request",
    cost_recorded_usd: null,
    assumptions: [],
    skipped_lines: 0,
  };
  return priceUsage({ usage, cardOf: () => card, at: EPOCH, knownAt: null, rule: CURRENT_RULE });
}

/** What one request costs, component by component, with the prices that were in force. */
function stepOf(
  input: CostInput,
  each: Request,
  index: number,
): { step: string; usd: number; asRun: number } {
  const cost = price(input, [each]);
  if (cost.usd === null) return { step: `request ${index + 1}: ${cost.reason}`, usd: 0, asRun: 0 };
  const { breakdown } = cost;
  const writes = each.cache_write_5m + each.cache_write_1h + each.cache_write;
  const prompt = each.uncached_input + each.cache_read + writes;
  const parts = (
    [
      ["uncached input", each.uncached_input, breakdown.uncached_input],
      ["cache reads", each.cache_read, breakdown.cache_read],
      ["cache writes", writes, breakdown.cache_write],
      ["output", each.output, breakdown.output],
    ] as const
  ).flatMap(([name, tokens, usd]) =>
    tokens === 0 ? [] : [`${name} ${tokens} × ${shown((usd * 1e6) / tokens)}`],
  );
  const prices = pricesFor(cardOf(input), prompt);
  const peak = breakdown.peak === 0 ? "" : ` × ${shown(cost.usd / (cost.usd - breakdown.peak))} (peak hours)`;
  const notes = [
    ...("above" in prices ? [`prompt ${prompt}: prices above ${prices.above}`] : []),
    ...(cost.as_run_usd === cost.usd
      ? []
      : [`tier ${each.tier} × ${shown(cost.as_run_usd / cost.usd)}: as run ${shown(cost.as_run_usd)} USD`]),
  ];
  return {
    step: `request ${index + 1}: (${parts.join(" + ") || "nothing"}) ÷ 10⁶${peak} = ${shown(cost.usd)} USD${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`,
    usd: cost.usd,
    asRun: cost.as_run_usd,
  };
}

function worked(input: CostInput, name: "cost" | "as run"): Worked {
  const cost = price(input, input.requests);
  if (cost.usd === null) return workedValue({ value: null, reason: cost.reason }, [], name);
  const lines = input.requests.map((each, index) => stepOf(input, each, index));
  const more = lines.length - MOST_LINES;
  const steps = [
    ...lines.slice(0, MOST_LINES).map(({ step }) => step),
    ...(more > 0 ? [`… (${more} more requests)`] : []),
    ...cost.assumptions.map((assumption) => `assumed: ${assumption}`),
  ];
  const total = name === "cost" ? cost.usd : cost.as_run_usd;
  const each = lines.map(({ usd, asRun }) => (name === "cost" ? usd : asRun));
  const { result, steps: all } = workedValue(known(total), steps, `${name} = ${terms(each) || "nothing"}`);
  const breakdown = name === "cost" ? { breakdown: cost.breakdown } : {};
  return { result: { ...result, ...breakdown, assumptions: cost.assumptions }, steps: all };
}

const cost = defineFormula({
  name: "cost",
  title: "Cost at list price, standard tier",
  section: "Cost",
  formula:
    "Σ over requests of (uncached × input + reads × cache read + writes × cache write + output × output price) ÷ 10⁶ × peak; USD per million tokens; prices of the band that the request's prompt exceeds",
  input: costInput,
  example: {
    card: { input: 4, cache_read: 0.2, cache_write: 5, cache_write_1h: 8, output: 20 },
    requests: [
      request({ uncached_input: 12_000, cache_read: 2_400_000, cache_write_1h: 180_000, output: 45_000 }),
    ],
  },
  compute: (input) => worked(input, "cost"),
});

const asRun = defineFormula({
  name: "cost-as-run",
  title: "Cost as run, at the tier of each request",
  section: "Cost",
  formula:
    "Σ over requests of cost × the card's multiplier for the tier that the request ran on (2 where a fast tier has none)",
  input: costInput,
  example: {
    card: {
      input: 2,
      cache_read: 0.1,
      cache_write: 2.5,
      output: 10,
      bands: [{ above: 272_000, input: 4, cache_read: 0.2, cache_write: 5, output: 15 }],
      tiers: { priority: 2 },
      peak: { multiplier: 1.5, windows: [{ days: [4], from: "01:00", to: "04:00" }] },
    },
    requests: [
      request({
        tier: "priority",
        uncached_input: 40_000,
        cache_read: 250_000,
        cache_write: 10_000,
        output: 2000,
      }),
      request({ uncached_input: 100_000 }),
      // A Thursday.
      request({ at: "2026-11-05T03:30:00.000Z", uncached_input: 100_000 }),
    ],
  },
  compute: (input) => worked(input, "as run"),
});

export const COST_FORMULAS = [cost, asRun];
