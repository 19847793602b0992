import { mean, rangeOf } from "../../stats/describe.ts";
import { type Known, known, unknown } from "../../stats/known.ts";
import { groupBy } from "../score/group.ts";
import { byText } from "../score/order.ts";

/** One judge's score with the vendors on both sides. */
export interface VendorScore {
  readonly entry: string;
  readonly entry_vendor: string;
  readonly judge_vendor: string;
  readonly score: number;
}

export interface SelfPreference {
  readonly vendor: string;
  /** Points that the vendor's judges give its own entries more than others do, beyond what they give other entries more. */
  readonly preference: Known;
  /** Mean difference to the other vendors' judges on the vendor's own entries, and the scores it comes from. */
  readonly own: number | null;
  readonly own_n: number;
  /** The same on the other vendors' entries. */
  readonly other: number | null;
  readonly other_n: number;
}

/**
 * Self-preference of each vendor that has judges: with d = a score of one of its judges − the mean of the other vendors'
 * judges on the same entry,
 *
 *     preference = mean d over the vendor's own entries − mean d over all other entries
 *
 * so that a judge who is generous to everybody shows none. Positive favours its own. Entries that no other vendor's judge
 * scored are left out. (Methodology, "Known biases and caveats": judges share families with contestants.)
 */
export function selfPreference(scores: readonly VendorScore[]): SelfPreference[] {
  const byEntry = groupBy(scores, ({ entry }) => entry);
  return [...groupBy(scores, ({ judge_vendor }) => judge_vendor)]
    .sort(([a], [b]) => byText(a, b))
    .map(([vendor, given]) => {
      const differences = given.flatMap(({ entry, entry_vendor, score }) => {
        const outside = mean(
          (byEntry.get(entry) ?? []).filter((each) => each.judge_vendor !== vendor).map((each) => each.score),
        );
        return outside === null ? [] : [{ own: entry_vendor === vendor, difference: score - outside }];
      });
      const of = (side: boolean): number[] =>
        differences.filter(({ own }) => own === side).map(({ difference }) => difference);
      const [own, other] = [mean(of(true)), mean(of(false))];
      return {
        vendor,
        preference:
          own === null || other === null
            ? unknown("needs scores of its own and of other vendors' entries")
            : known(own - other),
        own,
        own_n: of(true).length,
        other,
        other_n: of(false).length,
      };
    });
}

/** Two scores of one entry by the same judge, in separate sessions. */
export type ScorePair = readonly [first: number, second: number];

/**
 * The same judge twice: mean absolute difference between its two scores of the same entries (0 is perfectly repeatable),
 * the largest one, and the mean difference second − first. Null without pairs.
 */
export function sameJudgeTwice(pairs: readonly ScorePair[]): {
  readonly mean_absolute: number;
  readonly largest: number;
  readonly drift: number;
  readonly n: number;
} | null {
  const distances = pairs.map(([first, second]) => Math.abs(second - first));
  const range = rangeOf(distances);
  if (range === null) return null;
  return {
    mean_absolute: mean(distances) as number,
    largest: range.max,
    drift: mean(pairs.map(([first, second]) => second - first)) as number,
    n: pairs.length,
  };
}
