import type { BoardRow } from "../../lib/feed/board-schema.ts";

/** A score as results and boards hold it: six decimals. */
export const scoreText = (value: number): string => value.toFixed(6);

/** A share in three decimals. What is not quite nothing or everything does not look so. */
export function shareText(value: number): string {
  if (value > 0 && value < 0.0005) return "<0.001";
  if (value < 1 && value >= 0.9995) return ">0.999";
  return value.toFixed(3);
}

/** US dollars with three digits that say something: `$0.0429`, `$12.30`, `$0`. */
export function usdText(value: number): string {
  if (value === 0) return "$0";
  if (value >= 1) return `$${value.toFixed(2)}`;
  const places = Math.min(12, 2 - Math.floor(Math.log10(value)));
  return `$${value.toFixed(places)}`;
}

/** The cost per solved sheet, or why there is none. */
export function solvedCostText({ cost, solved }: Pick<BoardRow, "cost" | "solved">): {
  readonly text: string;
  readonly known: boolean;
} {
  if (cost.per_solved_usd !== null) return { text: usdText(cost.per_solved_usd), known: true };
  if (cost.total_usd === null) return { text: "unknown: no cost was reported", known: false };
  if (!cost.complete) return { text: "unknown: the cost of some calls was not reported", known: false };
  return solved === 0
    ? { text: "none: no sheet was solved", known: false }
    : { text: "unknown", known: false };
}

/** `2026-11-30T10:15:00.250Z` as `2026-11-30 10:15 UTC`. */
export const timeText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

/** Probability of a test: never exactly nothing. */
export const probabilityText = (p: number): string => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`. */
export const listText = (items: readonly string[]): string =>
  items.length < 2
    ? (items[0] ?? "")
    : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1] ?? ""}`;
