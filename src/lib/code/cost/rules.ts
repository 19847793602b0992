/** How tokens become money, by the time in which it was the rule. */
export interface PricingRule {
  readonly id: string;
  /** From when on it holds; null for the first. */
  readonly since: string | null;
  /** Whether one-hour cache writes have their own price, or that of five-minute ones. */
  readonly hourWrites: boolean;
  /** Providers (first word of a card's id) whose cost was what OpenCode recorded. */
  readonly recordedFor: readonly string[];
}

/** The rules so far, oldest first (methodology, "Cost": History). */
export const PRICING_RULES: readonly [PricingRule, ...PricingRule[]] = [
  {
    id: "5-minute-writes-and-recorded",
    since: null,
    hourWrites: false,
    recordedFor: ["alibaba", "qwen", "xai", "x-ai"],
  },
  { id: "list-price", since: "2026-11-01T00:00:00.000Z", hourWrites: true, recordedFor: [] },
];

/** The rule in force. */
export const CURRENT_RULE: PricingRule = PRICING_RULES.at(-1) ?? PRICING_RULES[0];

/** The rule at a moment (ISO 8601 UTC with milliseconds, which sort as text). */
export const ruleAt = (at: string): PricingRule =>
  PRICING_RULES.findLast(({ since }) => since === null || since <= at) ?? PRICING_RULES[0];
