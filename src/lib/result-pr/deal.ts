import type { SuiteMember } from "../benchmarks/suite-schema.ts";

/** Something to be executed by one of several machines. */
export interface Share {
  readonly key: string;
  /** About how long it takes, in any unit. */
  readonly work: number;
}

/**
 * About how long a member takes, in bytes of workbook read: one cell of its table takes as long as three of them. (Dealt so,
 * the longer of two shares of all suites takes 1.02 to 1.05 of their mean, in processor time of fresh processes.)
 */
export const workOf = ({ workbook, reference }: SuiteMember): number =>
  workbook.bytes + 3 * reference.rows * reference.columns;

/**
 * Deals shares to `of` shards, numbered from 1: the largest first, each to whoever has least so far, the first of equals.
 * Follows from the shares alone, whatever their order, so that machines agree without talking.
 */
export function dealShares(shares: readonly Share[], of: number): ReadonlyMap<string, number> {
  const loads = Array.from({ length: of }, () => 0);
  const dealt = new Map<string, number>();
  const largestFirst = [...shares].sort(
    (a, b) => b.work - a.work || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
  for (const { key, work } of largestFirst) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + work;
    dealt.set(key, lightest + 1);
  }
  return dealt;
}

/** A share, and whether it needs the vault. */
export interface PlacedShare extends Share {
  readonly vault: boolean;
}

/** How many parts there are, and how many of them, the last ones, run beside the vault. */
export interface Parts {
  readonly shards: number;
  readonly vault: number;
}

/** Deals shares to parts: what needs the vault to the parts beside it, when there are any, and the rest to the others. */
export function dealParts(
  shares: readonly PlacedShare[],
  { shards, vault }: Parts,
): ReadonlyMap<string, number> {
  const hosted = shards - vault;
  const beside = vault === 0 ? [] : shares.filter((share) => share.vault);
  const others = vault === 0 ? shares : shares.filter((share) => !share.vault);
  const dealt = new Map<string, number>();
  if (hosted > 0) for (const [key, part] of dealShares(others, hosted)) dealt.set(key, part);
  if (vault > 0) for (const [key, part] of dealShares(beside, vault)) dealt.set(key, hosted + part);
  return dealt;
}
