import { canonicalJson } from "../../canonical-json.ts";
import { digestOf } from "../../digest.ts";
import { earlierCosts } from "../cost/history.ts";
import { priceUsage } from "../cost/price.ts";
import { CURRENT_RULE } from "../cost/rules.ts";
import type { Models } from "../schema/models-schema.ts";
import type { Card, CardPrices, Pricing } from "../schema/pricing-schema.ts";
import { sumUsage, type Usage } from "../schema/usage-schema.ts";
import type { CostData } from "./data-schema.ts";

/** Prices agent runs of the listed models, by the cards that these name. */
export interface Pricer {
  /** @param at when it ran (ISO 8601 UTC): prices are those of that day. */
  cost(usage: Usage, at: string): CostData;
}

/** A model is found by its id or by how logs write it; `priced_as` replaces its own card. */
export function makePricer(models: Models, pricing: Pricing): Pricer {
  const cards = new Map(pricing.cards.map((card) => [card.id, card]));
  const byLogName = new Map<string, Card>();
  for (const { id, log_names, price_card, priced_as } of models.models) {
    const card = cards.get(priced_as?.card ?? price_card ?? "");
    if (card !== undefined) for (const name of [id, ...log_names]) byLogName.set(name, card);
  }
  const digests = new Map<CardPrices, string>();
  const digestOfCard = (prices: CardPrices): string => {
    const digest = digests.get(prices) ?? digestOf(canonicalJson(prices));
    digests.set(prices, digest);
    return digest;
  };
  return {
    cost(usage, at) {
      const cardOf = (name: string): Card | null => byLogName.get(name) ?? null;
      const cost = priceUsage({ usage, cardOf, at, knownAt: null, rule: CURRENT_RULE });
      const shared = {
        recorded_usd: usage.cost_recorded_usd,
        history: earlierCosts({ usage, cardOf, at }, cost.usd),
        tokens: sumUsage(usage),
        requests: usage.requests.length,
      };
      if (cost.usd === null)
        return {
          usd: null,
          reason: cost.reason,
          breakdown: null,
          as_run_usd: null,
          assumptions: [...usage.assumptions],
          cards: [],
          ...shared,
        };
      return {
        usd: cost.usd,
        reason: null,
        breakdown: cost.breakdown,
        as_run_usd: cost.as_run_usd,
        assumptions: [...cost.assumptions],
        cards: cost.cards.map(digestOfCard).sort(),
        ...shared,
      };
    },
  };
}
