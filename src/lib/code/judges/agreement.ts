import { pearson } from "../../stats/correlation.ts";
import { mean, median } from "../../stats/describe.ts";
import { type Icc, icc } from "../../stats/icc.ts";
import { type Known, known, unknown } from "../../stats/known.ts";
import { groupBy } from "../score/group.ts";
import { byText } from "../score/order.ts";

/** One judge's score of one live entry of the selection, 0 … 10; anchors do not belong here. */
export interface JudgedScore {
  /** Unique over runs. */
  readonly entry: string;
  readonly judge: string;
  readonly score: number;
}

/** How one judge scores, and how it relates to the others. */
export interface JudgeAgreement {
  readonly judge: string;
  /** Entries it scored. */
  readonly n: number;
  /** Of its raw scores. */
  readonly mean: number;
  readonly median: number;
  /** Entries that another judge scored too: what offset and r are about. */
  readonly compared: number;
  /** Positive is more generous than the others. A tendency, not a quality. */
  readonly offset: Known;
  /** Whether it ranks entries as the others do. */
  readonly r: Known;
}

/**
 * Of every judge, in order of ids: mean, median, and over the entries that it and at least one other judge scored
 *
 *     offset = mean(s − o)      r = Pearson(s, o)      o = mean of the other judges' scores of the entry
 *
 * A judge is never part of its own comparison. With a complete matrix the offsets sum to 0. (Methodology, "Council judges".)
 */
export function judgeAgreement(scores: readonly JudgedScore[]): JudgeAgreement[] {
  const byEntry = groupBy(scores, ({ entry }) => entry);
  return [...groupBy(scores, ({ judge }) => judge)]
    .sort(([a], [b]) => byText(a, b))
    .map(([judge, given]) => {
      const pairs = given.flatMap(({ entry, score }) => {
        const others = mean(
          (byEntry.get(entry) ?? []).filter((each) => each.judge !== judge).map((each) => each.score),
        );
        return others === null ? [] : [{ score, others }];
      });
      const own = given.map(({ score }) => score);
      const offset = mean(pairs.map(({ score, others }) => score - others));
      return {
        judge,
        n: given.length,
        mean: mean(own) as number,
        median: median(own) as number,
        compared: pairs.length,
        offset: offset === null ? unknown("no entry was scored by another judge too") : known(offset),
        r: pearson(
          pairs.map(({ score }) => score),
          pairs.map(({ others }) => others),
        ),
      };
    });
}

/** Scores in a rectangle: one row an entry, one column a judge. */
export interface ScoreMatrix {
  readonly judges: readonly string[];
  readonly entries: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/** The entries that all the judges scored, both in order of ids. @param judges by default all who scored anything */
export function completeMatrix(
  scores: readonly JudgedScore[],
  judges: readonly string[] = [...new Set(scores.map(({ judge }) => judge))].sort(byText),
): ScoreMatrix {
  const complete = [...groupBy(scores, ({ entry }) => entry)]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([entry, given]) => {
      const scoreOf = new Map(given.map(({ judge, score }) => [judge, score]));
      const row = judges.flatMap((judge) => scoreOf.get(judge) ?? []);
      return row.length === judges.length ? [{ entry, row }] : [];
    });
  return { judges, entries: complete.map(({ entry }) => entry), rows: complete.map(({ row }) => row) };
}

/**
 * ICC(2,1) and ICC(2,k) over the entries scored by every judge: agreement between single judges, and reliability of the
 * panel mean, which is the published score. (Methodology, "Council judges".)
 */
export const panelIcc = (scores: readonly JudgedScore[], judges?: readonly string[]): Icc =>
  icc(completeMatrix(scores, judges).rows);
