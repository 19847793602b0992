import type { Card, CardPrices, Pricing } from "../schema/pricing-schema.ts";
import { cardAt } from "./card.ts";

const COLUMNS = ["input", "cache_read", "cache_write", "cache_write_1h", "output"] as const;
const HEADINGS = ["input", "read", "write", "write 1h", "output"];

/** A price without what binary fractions add to it: 0.825, not 0.8250000000000001. */
const priceText = (price: number | null | undefined): string =>
  price === null || price === undefined ? "–" : String(Number(price.toPrecision(12)));

const rowOf = (prices: CardPrices): string[] => COLUMNS.map((column) => priceText(prices[column]));

/** Columns side by side: the first to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** What every card says at a moment, USD per million tokens. */
export const renderCards = (pricing: Pricing, at: string): string[] =>
  table([
    ["card", ...HEADINGS],
    ...pricing.cards.map((card) => {
      const prices = cardAt(card, at, null);
      return [card.id, ...(prices === null ? ["not valid yet"] : rowOf(prices))];
    }),
  ]).concat("USD per million tokens");

/** One card with all its records: prices, bands, tiers, peak hours, sources. */
export const renderCard = (card: Card): string[] => [
  `${card.id}: ${card.name} (USD per million tokens)`,
  ...card.history.flatMap((item) => [
    "",
    `from ${item.valid_from}, recorded ${item.recorded_at}, ${item.source.kind}${item.source.note === undefined ? "" : `: ${item.source.note}`}`,
    ...table([
      ["prompt", ...HEADINGS],
      ["any length", ...rowOf(item)],
      ...item.bands.map((band) => [
        `${band.inclusive === true ? "≥" : ">"} ${band.above}`,
        ...COLUMNS.map((column) => priceText(band[column])),
      ]),
    ]).map((line) => `  ${line}`),
    ...Object.entries(item.tiers).map(([tier, multiple]) => `  ${tier}: × ${multiple}`),
    ...(item.peak?.windows ?? []).map(
      ({ days, from, to }) =>
        `  × ${item.peak?.multiplier ?? 1} on days ${days.join(",")} from ${from} to ${to} UTC`,
    ),
    ...(item.additions ?? []).map(({ field, source }) => `  ${field}: ${source}`),
  ]),
];
