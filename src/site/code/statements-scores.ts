import { countText, numberText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import type { TopPick } from "../../lib/code/aggregate/picks.ts";
import { type Row, scoreOf } from "../../lib/code/aggregate/row.ts";
import { isEligible } from "../../lib/code/score/hidden.ts";
import type { RankRange } from "../../lib/code/score/rank-ranges.ts";
import { rangesOverlap } from "../../lib/code/score/replicates.ts";
import { pickValue } from "../../lib/code/score/value.ts";
import { rangeOf } from "../../lib/stats/describe.ts";
import { counted, type Grounds, named, type Statement, type Strength, say } from "./statement.ts";

/** A few tenths within single runs are a tie. (Methodology, "Repeat runs".) */
const FEW_TENTHS = 0.5;
/** Points of value that a doubling of the price costs: less than that is within what prices do. */
const ONE_DOUBLING = 0.2;
/** So many entries make a mean that single runs do not move much. */
const POOLED = 10;

/** What the difference between the first two is said to be. */
const VERDICTS: Readonly<Record<Strength, string>> = {
  strong: "the two are clearly different",
  moderate: "the two are clearly different",
  weak: "the two may be different",
  "not clear": "the two are not clearly different",
};

type Judged = Pick<Statement, "strength" | "because">;

/** Who leads, and whether the first two differ. Null when nobody has a score. */
export function leaderStatement({ view, ranks }: Grounds): Statement | null {
  const { column } = view.selection;
  const [first, second] = view.rows.filter(({ rank }) => rank !== null);
  if (first === undefined) return null;
  const head = { kind: "leader", id: "leader" } as const;
  const score = `${column} score`;
  if (second === undefined)
    return {
      ...head,
      strength: "not clear",
      says: say`${named(first.configuration)} is the only one with a score: a ${score} of ${scoreText(first, column)}.`,
      because: say`There is nobody to compare it with.`,
    };
  const judged = judgeFirst(first, second, ranks, column);
  const tie = first.rank === second.rank;
  const verdict = VERDICTS[judged.strength];
  const says = tie
    ? say`${named(first.configuration)} and ${named(second.configuration)} share the first place, with a ${score} of ${scoreText(first, column)}.`
    : say`${named(first.configuration)} leads with a ${score} of ${scoreText(first, column)}. ${named(second.configuration)} follows with ${scoreText(second, column)}: ${verdict}.`;
  return { ...head, says, ...judged, ...(tie ? { strength: "not clear" } : {}) };
}

function scoreText(row: Row, column: "final" | "council"): string {
  const { spread } = row[column];
  return `${numberText(scoreOf(row, column))}${spread === null ? "" : ` ± ${numberText(spread.sd)}`}`;
}

function judgeFirst(first: Row, second: Row, ranks: Grounds["ranks"], column: "final" | "council"): Judged {
  const rankOf = (row: Row): RankRange | undefined =>
    ranks.ranks.find(({ configuration }) => configuration === row.configuration);
  const [top, next] = [rankOf(first), rankOf(second)];
  if (top?.range == null || next?.range == null) return bySpread(first, second, column, top?.reason ?? null);
  const drawn = `${ranks.draws} random draws of ${counted(ranks.judges, "judge")}, ${counted(ranks.leads, "lead")} and their runs`;
  if (next.group === top.group)
    return {
      strength: "not clear",
      because: say`In ${drawn} it is not ahead in more than 97.5%; ranks ${top.range.best} to ${top.range.worst} are open for it.`,
    };
  const few = ranks.judges < 2 ? "one judge" : ranks.leads < 2 ? "one lead" : null;
  const alone = top.range.worst === 1;
  return {
    strength: few === null && alone ? "strong" : "moderate",
    because: say`In more than 97.5% of ${drawn} it is ahead of the second${alone ? " and of everybody else shown" : `; ranks ${top.range.best} to ${top.range.worst} are open for it`}.${few === null ? "" : ` Yet it rests on ${few} alone.`}`,
  };
}

/** Without ranges of ranks: by the ranges over repeat runs, else by the gap alone. */
function bySpread(first: Row, second: Row, column: "final" | "council", reason: string | null): Judged {
  const [a, b] = [first[column].spread, second[column].spread];
  const why = reason === null ? "" : ` (No range of ranks: ${reason}.)`;
  if (a !== null && b !== null)
    return rangesOverlap(a, b)
      ? { strength: "not clear", because: say`Their ranges over repeat runs overlap.${why}` }
      : {
          strength: "weak",
          because: say`Their ranges over repeat runs do not overlap, but there are only ${Math.min(a.n, b.n)} runs each.${why}`,
        };
  const gap = (scoreOf(first, column) ?? 0) - (scoreOf(second, column) ?? 0);
  return gap > FEW_TENTHS
    ? {
        strength: "weak",
        because: say`They are ${numberText(gap)} apart, more than a few tenths, but without repeat runs in each cell nobody knows how much of it is chance.${why}`,
      }
    : {
        strength: "not clear",
        because: say`They are ${numberText(gap)} apart; with single runs a few tenths are a tie.${why}`,
      };
}

/** The best value, against the second-best. Null when nothing could be picked. */
export function valueStatement({ view, all }: Grounds): Statement | null {
  const [first, second] = view.picks.picks;
  if (first === undefined) return null;
  const says = say`${named(first.configuration)} is the best value: ${numberText(first.value)}, from a council score of ${numberText(first.council)}, ${usdText(first.cost)} a task and ${numberText(first.defect_points)} defect points (hidden ${countText(first.hidden)}).`;
  const head = { kind: "best-value", id: "best-value", says } as const;
  if (second === undefined)
    return {
      ...head,
      strength: "weak",
      because: say`It is the only one that could be picked${view.picks.fewer === null ? "" : `: ${view.picks.fewer}`}.`,
    };
  return { ...head, ...judgeValue(first, second, all) };
}

function judgeValue(first: TopPick, second: TopPick, all: readonly Row[]): Judged {
  const rowOf = (pick: TopPick): Row | undefined =>
    all.find(({ configuration }) => configuration === pick.configuration);
  const [a, b] = [valueRange(rowOf(first)), valueRange(rowOf(second))];
  const gap = first.value - second.value;
  const lead = say`${named(second.configuration)} has ${numberText(second.value)}`;
  if (a !== null && b !== null) {
    if (rangesOverlap(a, b))
      return { strength: "not clear", because: [...lead, "; their values overlap over repeat runs."] };
    const strength = Math.min(a.n, b.n) >= 3 ? "strong" : "moderate";
    return {
      strength,
      because: [...lead, `; over ${Math.min(a.n, b.n)} repeat runs their values do not overlap.`],
    };
  }
  const n = Math.min(rowOf(first)?.council.n ?? 0, rowOf(second)?.council.n ?? 0);
  const strength: Strength =
    gap < ONE_DOUBLING ? "not clear" : gap >= FEW_TENTHS && n >= POOLED ? "moderate" : "weak";
  const meaning = gap < ONE_DOUBLING ? "less than" : "at least";
  return {
    strength,
    because: [
      ...lead,
      `, ${numberText(gap)} below: ${meaning} what a doubling of the price costs (${ONE_DOUBLING}). Each rests on at least ${counted(n, "entry", "entries")}, and no repeat runs say how much of it is chance.`,
    ],
  };
}

/** The range of values over the replicates that have all three parts; null with fewer than two. */
function valueRange(
  row: Row | undefined,
): { readonly min: number; readonly max: number; readonly n: number } | null {
  const parts = [row?.council.spread, row?.cost.spread, row?.defect_points.spread];
  const [council, cost, defects] = parts.map(
    (spread) => new Map(spread?.replicates.map(({ replicate, value }) => [replicate, value])),
  );
  const values = [...(council ?? [])].flatMap(
    ([replicate, score]) =>
      pickValue(score, cost?.get(replicate) ?? null, defects?.get(replicate) ?? null).value ?? [],
  );
  const range = rangeOf(values);
  return range === null || values.length < 2 ? null : { ...range, n: values.length };
}

/** The cheapest that passes nearly every hidden category. Null when none of them has a known cost. */
export function cheapestStatement({ all }: Grounds): Statement | null {
  const [first, second] = all
    .flatMap((row) =>
      isEligible(row.hidden) && row.comparable_cost !== null ? [{ row, cost: row.comparable_cost }] : [],
    )
    .toSorted((a, b) => a.cost - b.cost || (a.row.configuration < b.row.configuration ? -1 : 1));
  if (first === undefined) return null;
  const says = say`${named(first.row.configuration)} is the cheapest that passes at least 98% of the hidden categories: ${usdText(first.cost)} a task, with a council score of ${numberText(first.row.council.value)}.`;
  const head = { kind: "cheapest", id: "cheapest", says } as const;
  if (second === undefined)
    return { ...head, strength: "weak", because: say`No other that passes has a known cost.` };
  const [a, b] = [first.row.cost.spread, second.row.cost.spread];
  const next = say`The next, ${named(second.row.configuration)}, costs ${usdText(second.cost)}`;
  if (a !== null && b !== null && rangesOverlap(a, b))
    return { ...head, strength: "not clear", because: [...next, "; their costs overlap over repeat runs."] };
  const ratio = second.cost / first.cost;
  const n = Math.min(first.row.cost.n, second.row.cost.n);
  return {
    ...head,
    strength: ratio < 1.1 ? "not clear" : ratio < 1.5 ? "weak" : n >= POOLED ? "strong" : "moderate",
    because: [...next, `, ${numberText(ratio)} times as much, over ${counted(n, "entry", "entries")} each.`],
  };
}
