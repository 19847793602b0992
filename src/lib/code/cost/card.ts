import { instantMs } from "../../benchmarks/instant.ts";
import type { Band, Card, CardPrices, Peak } from "../schema/pricing-schema.ts";

/**
 * What a card said of a moment, as far as it was known at another: of the items recorded by `knownAt` the one that is
 * valid at `at`, and of those with the same start the last recorded. Null when there was none.
 */
export function cardAt(card: Card, at: string, knownAt: string | null): CardPrices | null {
  const moment = instantMs(at) ?? Number.NaN;
  const known = knownAt === null ? Infinity : (instantMs(knownAt) ?? Number.NaN);
  let best: CardPrices | null = null;
  for (const item of card.history) {
    const from = instantMs(item.valid_from) ?? Infinity;
    if (from > moment || (instantMs(item.recorded_at) ?? Infinity) > known) continue;
    // Records are in order, so of equal starts the later one replaces the earlier.
    if (best === null || from >= (instantMs(best.valid_from) ?? 0)) best = item;
  }
  return best;
}

/**
 * The prices of a request by the length of its prompt: those of the highest band that it exceeds, for the whole request,
 * output included; else the card's own. Exactly at a threshold is still short, unless the band is inclusive.
 */
export function pricesFor(card: CardPrices, prompt: number): CardPrices | Band {
  return (
    card.bands.findLast(({ above, inclusive }) => (inclusive === true ? prompt >= above : prompt > above)) ??
    card
  );
}

const MINUTE = 60_000;
const DAY = 1440;

/** True when the moment lies in a peak window: start included, end not. 1970-01-01 was a Thursday. */
export function isPeak(peak: Peak, atMs: number): boolean {
  const minute = Math.floor(atMs / MINUTE);
  const ofDay = ((minute % DAY) + DAY) % DAY;
  const day = ((Math.floor(minute / DAY) + 3) % 7) + 1;
  const before = ((day + 5) % 7) + 1;
  return peak.windows.some(({ days, from, to }) => {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (start < end) return days.includes(day) && ofDay >= start && ofDay < end;
    return (days.includes(day) && ofDay >= start) || (days.includes(before) && ofDay < end);
  });
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
