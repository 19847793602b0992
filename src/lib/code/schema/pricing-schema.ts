import { z } from "zod";
import { instantSchema } from "../../benchmarks/suite-schema.ts";
import { textSchema } from "./names.ts";

/** USD per million tokens, with at most six decimals, so that prices times tokens are whole numbers of 10⁻¹² USD. */
const priceSchema = z
  .number()
  .nonnegative()
  .max(1_000_000)
  .refine((price) => Math.abs(price * 1e6 - Math.round(price * 1e6)) < 1e-6, "expected at most six decimals");

const prices = {
  input: priceSchema,
  output: priceSchema,
  cache_read: priceSchema.optional(),
  /** Five-minute writes, or the only kind there is. */
  cache_write: priceSchema.optional(),
  cache_write_1h: priceSchema.optional(),
};

/** Prices of a whole request once its prompt is longer than `above` tokens (or as long, when `inclusive`). */
export const bandSchema = z.strictObject({
  above: z.int().positive(),
  inclusive: z.literal(true).optional(),
  ...prices,
});

const clockSchema = z.string().regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/);

/** Hours in which everything costs `multiplier` times as much. */
export const peakSchema = z.strictObject({
  multiplier: z.number().positive().max(100),
  windows: z
    .array(
      z.strictObject({
        /** Days of the week on which the window begins, 1 Monday to 7 Sunday, in UTC. */
        days: z.array(z.int().min(1).max(7)).min(1).max(7),
        /** UTC; the start belongs to it, the end does not; an end before the start is on the next day. */
        from: clockSchema,
        to: clockSchema,
      }),
    )
    .min(1)
    .max(20),
});

export const SOURCES = [
  "models.dev",
  "litellm",
  "openrouter",
  "vendor",
  "public-catalogue",
  "synthetic",
] as const;

/** What a card says from a moment on. */
export const cardPricesSchema = z.strictObject({
  valid_from: instantSchema,
  /** When it was written here: a later record of the same time re-prices, and the earlier figure stays known. */
  recorded_at: instantSchema,
  source: z.strictObject({ kind: z.enum(SOURCES), note: textSchema(500).optional() }),
  ...prices,
  bands: z.array(bandSchema).max(10),
  /** As-run price of other service tiers than the standard one, as multiples of this: `priority`, `flex`, `fast` … */
  tiers: z.record(z.string().regex(/^(?!standard$)[a-z0-9-]{1,40}$/), z.number().positive().max(100)),
  peak: peakSchema.optional(),
  /** Where values come from that the source does not give (one-hour writes, peak hours). */
  additions: z
    .array(z.strictObject({ field: textSchema(60), source: textSchema(500) }))
    .max(20)
    .optional(),
});

export const cardSchema = z.strictObject({
  /** `provider/model`, as catalogues name it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._:@-]*$/),
  name: textSchema(200),
  history: z.array(cardPricesSchema).min(1).max(500),
});

/** `data/pricing.json`. */
export const pricingSchema = z.strictObject({
  schema_version: z.literal(1),
  currency: z.literal("USD"),
  per_tokens: z.literal(1_000_000),
  cards: z.array(cardSchema).max(5000),
});

export type Band = z.infer<typeof bandSchema>;
export type Peak = z.infer<typeof peakSchema>;
export type CardPrices = z.infer<typeof cardPricesSchema>;
export type Card = z.infer<typeof cardSchema>;
export type Pricing = z.infer<typeof pricingSchema>;
