import type { Moved } from "./movement-schema.ts";

/** Numbers before and after, and when they count as moved. Pure. */

/** Differences that come from the order of additions, not from the facts. */
const NOISE = 1e-9;

/** Whether a number moved: appeared, went, or changed by more than arithmetic does. */
export const hasMoved = ({ before, after }: Moved): boolean =>
  before === null || after === null
    ? before !== after
    : Math.abs(after - before) > NOISE * Math.max(1, Math.abs(before), Math.abs(after));

export const moveOf = (before: number | null | undefined, after: number | null | undefined): Moved => ({
  before: before ?? null,
  after: after ?? null,
});

/** How far a number moved; what appears or goes moved furthest. */
export const distance = (move: Moved | undefined): number => {
  if (move === undefined || !hasMoved(move)) return 0;
  const { before, after } = move;
  return before === null || after === null ? Number.MAX_VALUE : Math.abs(after - before);
};

/** The first `most` of a list, and how many there are. */
export const cutTo = <T>(rows: readonly T[], most: number): { rows: T[]; total: number } => ({
  rows: rows.slice(0, most),
  total: rows.length,
});

/** Texts in code-unit order. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
