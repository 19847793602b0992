import { signTest } from "../stats/sign-test.ts";
import type { BoardRow } from "./board-schema.ts";

/** Below this probability a difference counts as clear. */
export const CLEAR_BELOW = 0.05;

/** Two ranks, one below the other, compared over the same members. */
export interface Neighbours {
  readonly upper: BoardRow;
  readonly lower: BoardRow;
  /** Members that only one of the two matched exactly. */
  readonly onlyUpper: number;
  readonly onlyLower: number;
  /** Of the exact sign test. */
  readonly p: number;
  /** `reversed`: the difference is clear, and it is the lower rank that matched more members exactly. */
  readonly verdict: "clear" | "unclear" | "reversed";
}

type Compared = Pick<BoardRow, "by_member">;

/**
 * Compares two results of one suite member by member: how many each matched exactly and the other did not, and by
 * `signTest` how likely a difference like that is between equals.
 */
export function compareExactMatches(
  upper: Compared,
  lower: Compared,
): Pick<Neighbours, "onlyUpper" | "onlyLower" | "p" | "verdict"> {
  const other = new Map(lower.by_member.map((member) => [member.id, isExact(member)]));
  let [onlyUpper, onlyLower] = [0, 0];
  for (const member of upper.by_member) {
    const below = other.get(member.id);
    if (below === undefined || below === isExact(member)) continue;
    if (below) onlyLower += 1;
    else onlyUpper += 1;
  }
  const p = signTest(onlyUpper, onlyLower);
  const verdict = p >= CLEAR_BELOW ? "unclear" : onlyUpper > onlyLower ? "clear" : "reversed";
  return { onlyUpper, onlyLower, p, verdict };
}

/** Every rank of a board with the one below it, best first. Rows without a rank are left out. */
export function neighboursOf(rows: readonly BoardRow[]): Neighbours[] {
  const ranked = rows.filter(({ rank }) => rank !== null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return ranked.slice(1).flatMap((lower, index) => {
    const upper = ranked[index];
    return upper === undefined ? [] : [{ upper, lower, ...compareExactMatches(upper, lower) }];
  });
}

const isExact = ({ components }: BoardRow["by_member"][number]): boolean =>
  components.exact_output_match === 1;
