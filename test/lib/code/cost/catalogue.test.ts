import { describe, expect, it } from "vitest";
import { type Catalogue, updateFromCatalogue } from "../../../../src/lib/code/cost/catalogue.ts";
import { pricingSchema } from "../../../../src/lib/code/schema/pricing-schema.ts";
import { card, prices, pricing } from "../facts.ts";

const options = {
  validFrom: "2026-12-01T00:00:00.000Z",
  recordedAt: "2026-12-01T08:00:00.000Z",
  add: [],
};
const same = { input: 4, output: 20, cache_read: 0.2, cache_write: 5 };
const catalogue = (model: Catalogue[string]["models"][string]): Catalogue => ({
  acme: { id: "acme", models: { "alpha-1": { name: "Alpha 1", ...model } } },
});
const only = { ...pricing(), cards: [card("acme/alpha-1")] };
const update = (model: Catalogue[string]["models"][string], given = only, add: string[] = []) => {
  const done = updateFromCatalogue(given, catalogue(model), { ...options, add });
  expect(pricingSchema.safeParse(done.pricing).error).toBeUndefined();
  return done;
};

describe("price cards from a catalogue", () => {
  it("nothing is appended where nothing changed", () => {
    const done = update({ cost: same });
    expect(done).toMatchObject({ changes: [], unchanged: 1, findings: [] });
    expect(done.pricing).toEqual(only);
  });

  it("a changed price is appended, and the record before it stays", () => {
    const done = update({ cost: { ...same, output: 25 } });
    expect(done.changes).toEqual([{ card: "acme/alpha-1", what: "output 20 → 25" }]);
    const [before, after] = done.pricing.cards[0]?.history ?? [];
    expect(before).toEqual(prices());
    expect(after).toMatchObject({
      output: 25,
      valid_from: options.validFrom,
      recorded_at: options.recordedAt,
    });
  });

  it("what the catalogue does not know is kept, with its source", () => {
    const peak = { multiplier: 2, windows: [{ days: [1], from: "01:00", to: "04:00" }] };
    const given = { ...only, cards: [card("acme/alpha-1", prices({ peak }))] };
    const { cache_write: _, ...forgets } = same;
    const record = update({ cost: { ...forgets, output: 25 } }, given).pricing.cards[0]?.history[1];
    expect(record).toMatchObject({ cache_write: 5, cache_write_1h: 8, peak, tiers: { priority: 2 } });
    expect(record?.additions?.map(({ field }) => field)).toEqual(["cache_write", "cache_write_1h"]);
  });

  it("bands come from tiers, not from the mirror with the wrong threshold", () => {
    const done = update({
      cost: {
        ...same,
        context_over_200k: { input: 8, output: 30 },
        tiers: [{ input: 8, output: 30, cache_read: 0.4, tier: { type: "context", size: 272_000 } }],
      },
    });
    expect(done.pricing.cards[0]?.history[1]?.bands).toEqual([
      { above: 272_000, input: 8, output: 30, cache_read: 0.4 },
    ]);
    const unknown = update({ cost: { ...same, tiers: [{ input: 1, output: 1, tier: { type: "moon" } }] } });
    expect(unknown.findings.map(({ code }) => code)).toEqual(["code-price-band"]);
  });

  it("a fast mode is a multiple when one multiple fits all its prices", () => {
    const mode = (cost: typeof same) => ({
      cost: same,
      experimental: { modes: { fast: { cost, provider: { body: { service_tier: "priority" } } } } },
    });
    const twoAndAHalf = { input: 10, output: 50, cache_read: 0.5, cache_write: 12.5 };
    expect(update(mode(twoAndAHalf)).pricing.cards[0]?.history[1]?.tiers).toEqual({ priority: 2.5 });
    expect(update(mode({ ...twoAndAHalf, output: 99 })).findings.map(({ code }) => code)).toEqual([
      "code-price-mode",
    ]);
  });

  it.each([
    ["no price", {}],
    ["a price of 0", { cost: { ...same, input: 0 } }],
    ["a negative price", { cost: { ...same, input: -1 } }],
    ["more than six decimals", { cost: { ...same, input: 0.12345678 } }],
  ])("%s leaves the card as it is", (_, model) => {
    const done = update(model);
    expect(done.pricing).toEqual(only);
    expect(done.findings.map(({ code }) => code)).toEqual(["code-price-unusable"]);
  });

  it("begins the cards it is asked for, and no others", () => {
    const empty = { ...only, cards: [] };
    expect(update({ cost: same }, empty).pricing.cards).toEqual([]);
    const done = update({ cost: same }, empty, ["acme/alpha-1", "acme/none"]);
    expect(done.pricing.cards.map(({ id, name }) => [id, name])).toEqual([["acme/alpha-1", "Alpha 1"]]);
    expect(done.findings.map(({ code, severity, actual }) => [code, severity, actual])).toEqual([
      ["code-price-not-listed", "error", "acme/none"],
    ]);
  });
});
