import { inRankOrder, type Rankable } from "./order.ts";

/**
 * Best per model or per lab: of each key the configuration with the highest score; scores within 10⁻⁹ go to the cheaper,
 * then to the smaller id. Configurations without a score are left out. Result in rank order.
 * (Methodology, "Aggregation on the site", "Best per model".)
 * @param keyOf the model or the lab of an item; for all effort levels, the configuration itself
 * @param scoreOf the one column that decides: final, or council where the view shows that
 */
export function bestPer<T extends Rankable>(
  items: readonly T[],
  keyOf: (item: T) => string,
  scoreOf: (item: T) => number | null,
): T[] {
  const seen = new Set<string>();
  return inRankOrder(items, scoreOf).filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
