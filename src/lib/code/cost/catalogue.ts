import { z } from "zod";
import type { Finding } from "../../findings.ts";
import {
  type Band,
  type Card,
  type CardPrices,
  cardPricesSchema,
  type Pricing,
} from "../schema/pricing-schema.ts";
import { cardAt } from "./card.ts";

/*
 * Price cards from a catalogue of models.dev (`api.json`): an object of providers, each with an object of models, whose
 * `cost` is in USD per million tokens. Other keys of it are none of our business, so its schema is loose.
 */

const price = z.number();
const costSchema = z.looseObject({
  input: price.optional(),
  output: price.optional(),
  cache_read: price.optional(),
  cache_write: price.optional(),
  tiers: z
    .array(
      z.looseObject({
        input: price,
        output: price,
        cache_read: price.optional(),
        cache_write: price.optional(),
        tier: z.looseObject({ type: z.string(), size: z.number().optional() }),
      }),
    )
    .max(20)
    .optional(),
});
const modelSchema = z.looseObject({
  name: z.string().max(200).optional(),
  cost: costSchema.optional(),
  experimental: z
    .looseObject({
      modes: z
        .record(
          z.string(),
          z.looseObject({
            cost: costSchema.optional(),
            provider: z
              .looseObject({
                body: z
                  .looseObject({ service_tier: z.string().optional(), speed: z.string().optional() })
                  .optional(),
              })
              .optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

/** What of a models.dev catalogue is read. */
export const catalogueSchema = z.record(
  z.string(),
  z.looseObject({ models: z.record(z.string(), modelSchema) }),
);
export type Catalogue = z.infer<typeof catalogueSchema>;
type CatalogueModel = z.infer<typeof modelSchema>;
type Cost = z.infer<typeof costSchema>;

export interface CatalogueUpdate {
  /** The cards with what changed appended; the given ones where nothing did. */
  readonly pricing: Pricing;
  /** One line a card that changed or is new. */
  readonly changes: readonly { readonly card: string; readonly what: string }[];
  /** Cards that say what the catalogue says. */
  readonly unchanged: number;
  readonly findings: readonly Finding[];
}

export interface UpdateOptions {
  /** From when the catalogue's prices hold (ISO 8601 UTC). */
  readonly validFrom: string;
  /** Now. */
  readonly recordedAt: string;
  /** Ids of cards to begin. */
  readonly add: readonly string[];
}

const doubt = (card: string, code: string, message: string, hint: string): Finding => ({
  code,
  severity: "warning",
  message,
  actual: card,
  hint,
});

/**
 * Brings the cards up to a catalogue. A record is appended only where a value changed; what the catalogue does not know
 * (one-hour writes, peak hours, a forgotten cache price) is kept from the card, with its source.
 */
export function updateFromCatalogue(
  pricing: Pricing,
  catalogue: Catalogue,
  { validFrom, recordedAt, add }: UpdateOptions,
): CatalogueUpdate {
  const findings: Finding[] = [];
  const changes: { card: string; what: string }[] = [];
  let unchanged = 0;
  const wanted = new Map<string, Card | null>(pricing.cards.map((card) => [card.id, card]));
  for (const id of add) if (!wanted.has(id)) wanted.set(id, null);
  const cards: Card[] = [];
  for (const [id, card] of wanted) {
    const model = modelOf(catalogue, id);
    const current = card === null ? null : cardAt(card, validFrom, null);
    const next = model === null ? null : recordOf(model, id, current, { validFrom, recordedAt }, findings);
    if (model === null)
      findings.push(
        card === null
          ? {
              ...doubt(
                id,
                "code-price-not-listed",
                "The catalogue has no such model.",
                "Correct the name: provider/model, as the catalogue calls them.",
              ),
              severity: "error",
            }
          : doubt(
              id,
              "code-price-not-listed",
              "The catalogue has no such model.",
              "Keep the card by hand, or correct its id.",
            ),
      );
    const what = next === null ? null : difference(current, next);
    if (next === null || what === null) {
      if (next !== null) unchanged += 1;
      if (card !== null) cards.push(card);
      continue;
    }
    changes.push({ card: id, what });
    cards.push({ id, name: card?.name ?? model?.name ?? id, history: [...(card?.history ?? []), next] });
  }
  cards.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { pricing: { ...pricing, cards }, changes, unchanged, findings };
}

function modelOf(catalogue: Catalogue, id: string): CatalogueModel | null {
  const slash = id.indexOf("/");
  return catalogue[id.slice(0, slash)]?.models[id.slice(slash + 1)] ?? null;
}

/** The catalogue's values as a record of a card, completed from the card; null (and a finding) when they are no prices. */
function recordOf(
  model: CatalogueModel,
  id: string,
  current: CardPrices | null,
  { validFrom, recordedAt }: Pick<UpdateOptions, "validFrom" | "recordedAt">,
  findings: Finding[],
): CardPrices | null {
  const { cost } = model;
  if (cost?.input === undefined || cost.output === undefined || cost.input === 0 || cost.output === 0) {
    findings.push(
      doubt(
        id,
        "code-price-unusable",
        "The catalogue gives no price, or 0, which means the same.",
        "Look the price up elsewhere; until then the card stays as it is.",
      ),
    );
    return null;
  }
  const kept = keptFrom(current, cost);
  const record = {
    valid_from: validFrom,
    recorded_at: recordedAt,
    source: { kind: "models.dev" as const },
    input: cost.input,
    output: cost.output,
    ...pricesOf(cost),
    ...kept.values,
    bands: bandsOf(cost, id, findings),
    tiers: { ...current?.tiers, ...tiersOf(model, id, findings) },
    ...(current?.peak === undefined ? {} : { peak: current.peak }),
    ...(kept.additions.length === 0 ? {} : { additions: kept.additions }),
  };
  const checked = cardPricesSchema.safeParse(record);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  findings.push(
    doubt(
      id,
      "code-price-unusable",
      `The catalogue's ${issue?.path.join(".") ?? "prices"} cannot be a price: ${issue?.message ?? ""}`,
      "Look the price up elsewhere; until then the card stays as it is.",
    ),
  );
  return null;
}

const pricesOf = ({ cache_read, cache_write }: Cost): Pick<CardPrices, "cache_read" | "cache_write"> => ({
  ...(cache_read === undefined ? {} : { cache_read }),
  ...(cache_write === undefined ? {} : { cache_write }),
});

/** Prices that only the card has, each with a source. */
function keptFrom(current: CardPrices | null, cost: Cost) {
  const values: Pick<CardPrices, "cache_read" | "cache_write" | "cache_write_1h"> = {};
  const additions = [...(current?.additions ?? [])];
  if (current !== null)
    for (const field of ["cache_read", "cache_write", "cache_write_1h"] as const) {
      const value = current[field];
      if (value === undefined || (field !== "cache_write_1h" && cost[field] !== undefined)) continue;
      values[field] = value;
      if (!additions.some((addition) => addition.field === field))
        additions.push({ field, source: `Kept from the record of ${current.recorded_at}.` });
    }
  return { values, additions };
}

/** Context bands from `tiers`; the older mirror of one of them is not read, since its name hides the real threshold. */
function bandsOf(cost: Cost, id: string, findings: Finding[]): Band[] {
  const bands = (cost.tiers ?? []).flatMap(({ tier, input, output, ...rest }): Band[] => {
    if (tier.type === "context" && tier.size !== undefined)
      return [{ above: tier.size, input, output, ...pricesOf({ ...rest }) }];
    findings.push(
      doubt(
        id,
        "code-price-band",
        "The catalogue has a band of a kind that is not known.",
        "Add it to the card by hand, or extend the import.",
      ),
    );
    return [];
  });
  return bands.sort((a, b) => a.above - b.above);
}

/** Multiples of the standard price, where a mode's prices are one multiple of all of them. */
function tiersOf(
  { cost, experimental }: CatalogueModel,
  id: string,
  findings: Finding[],
): Record<string, number> {
  const tiers: Record<string, number> = {};
  for (const [mode, { cost: other, provider }] of Object.entries(experimental?.modes ?? {})) {
    if (other === undefined || cost === undefined) continue;
    const ratios = (["input", "output", "cache_read", "cache_write"] as const).flatMap((field) => {
      const [base, price] = [cost[field], other[field]];
      return base === undefined || price === undefined || base === 0 ? [] : [price / base];
    });
    const [first] = ratios;
    const name = provider?.body?.service_tier ?? provider?.body?.speed ?? mode;
    if (first === undefined) continue;
    if (ratios.every((ratio) => Math.abs(ratio - first) < 1e-9)) tiers[name] = Math.round(first * 1e6) / 1e6;
    else
      findings.push(
        doubt(
          id,
          "code-price-mode",
          `The prices of "${name}" are not one multiple of the standard ones.`,
          "Its as-run price is computed from the card's other tiers; enter a multiple by hand if one fits.",
        ),
      );
  }
  return tiers;
}

/** What changed, in words; null when nothing did. */
function difference(current: CardPrices | null, next: CardPrices): string | null {
  if (current === null) return `new: ${next.input} in, ${next.output} out`;
  const parts: string[] = [];
  for (const field of ["input", "output", "cache_read", "cache_write", "cache_write_1h"] as const)
    if (current[field] !== next[field])
      parts.push(`${field} ${current[field] ?? "–"} → ${next[field] ?? "–"}`);
  for (const field of ["bands", "tiers"] as const)
    if (JSON.stringify(sorted(current[field])) !== JSON.stringify(sorted(next[field]))) parts.push(field);
  return parts.length === 0 ? null : parts.join(", ");
}

/** With keys in one order, so that only values can differ. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, item]): [string, unknown] => [key, sorted(item)])
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value;
