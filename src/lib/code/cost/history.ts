import type { Card } from "../schema/pricing-schema.ts";
import { type PriceInput, priceUsage } from "./price.ts";
import { PRICING_RULES, ruleAt } from "./rules.ts";

/** An earlier figure of an agent run's cost. */
export interface EarlierCost {
  /** The rule that it was computed by. */
  readonly rule: string;
  /** When another rule or record replaced it. */
  readonly until: string;
  readonly usd: number;
}

/**
 * The figures that an agent run had before, oldest first: under each earlier rule and each earlier record of its cards since
 * it ran. A change that left the figure as it was is none. (Methodology, "Cost": History.)
 */
export function earlierCosts(
  input: Pick<PriceInput, "usage" | "cardOf" | "at">,
  current: number | null,
): EarlierCost[] {
  const { usage, cardOf, at } = input;
  const cards = usage.models.map(cardOf).filter((card): card is Card => card !== null);
  const changes = [
    ...PRICING_RULES.map(({ since }) => since ?? ""),
    ...cards.flatMap(({ history }) => history.map(({ recorded_at }) => recorded_at)),
  ].filter((moment) => moment > at);
  const earlier: EarlierCost[] = [];
  let since = at;
  for (const until of [...new Set(changes)].sort()) {
    const rule = ruleAt(since);
    const { usd } = priceUsage({ usage, cardOf, at, knownAt: since, rule });
    since = until;
    if (usd === null) continue;
    const last = earlier.at(-1);
    if (last?.usd === usd) earlier.pop();
    earlier.push({ rule: rule.id, until, usd });
  }
  while (earlier.length > 0 && earlier.at(-1)?.usd === current) earlier.pop();
  return earlier;
}
