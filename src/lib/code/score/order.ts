/** Scores that differ by no more are equal: what is left is the rounding of sums. */
export const TIE = 1e-9;

/** Ascending order of ids by code units: the same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A configuration in a ranking. */
export interface Rankable {
  readonly configuration: string;
  /** USD; null when unknown, which comes after every known cost. */
  readonly cost: number | null;
}

/**
 * In order of rank: higher score first; scores within 10⁻⁹ of each other by lower cost, then by the configuration's id.
 * Items whose score is null are left out. Near ties are gathered from the top, each group beginning at its highest score,
 * so that the order cannot depend on that of the input. Returns a new list.
 */
export function inRankOrder<T extends Rankable>(
  items: readonly T[],
  scoreOf: (item: T) => number | null,
): T[] {
  const scored = items.flatMap((item) => {
    const score = scoreOf(item);
    return score === null ? [] : [{ item, score }];
  });
  return tieGroups(scored).flatMap((group) => group.map(({ item }) => item).sort(byCostThenId));
}

/** Rank of each score, from 1, in the order given; ties (within 10⁻⁹) share the better rank and leave a gap after it. */
export function ranksOf(scores: readonly number[]): number[] {
  const ranks = scores.map(() => 0);
  let before = 0;
  for (const group of tieGroups(scores.map((score, index) => ({ score, index })))) {
    for (const { index } of group) ranks[index] = before + 1;
    before += group.length;
  }
  return ranks;
}

function tieGroups<T extends { readonly score: number }>(items: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const item of items.toSorted((a, b) => b.score - a.score)) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && group[0].score - item.score <= TIE) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

function byCostThenId(a: Rankable, b: Rankable): number {
  const [costA, costB] = [a.cost ?? Number.POSITIVE_INFINITY, b.cost ?? Number.POSITIVE_INFINITY];
  return costA < costB ? -1 : costA > costB ? 1 : byText(a.configuration, b.configuration);
}
