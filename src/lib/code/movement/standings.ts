import { type JudgeMove, LISTED, type Moved, type Movement, type ViewMove } from "./movement-schema.ts";
import { byText, cutTo, distance, hasMoved, moveOf } from "./moves.ts";

/** One selection of the board as it stands: what is compared of it. */
export interface ViewStanding {
  /** By rank; equal scores share the better one. */
  readonly ranked: readonly {
    readonly configuration: string;
    readonly rank: number;
    readonly score: number;
  }[];
  readonly picks: readonly { readonly configuration: string; readonly value: number }[];
  readonly leads: readonly { readonly lead: string; readonly median: number | null }[];
}

/** The judges' table as it stands. */
export interface JudgeStanding {
  readonly judge: string;
  readonly scored: number;
  readonly mean: number | null;
  readonly offset: number | null;
  readonly r: number | null;
  readonly recall: number | null;
}

export interface Agreement {
  readonly single: number | null;
  readonly average: number | null;
}

const NOTHING: ViewStanding = { ranked: [], picks: [], leads: [] };

/** What moved in one selection; null when nothing did. */
export function moveView(
  selection: { readonly task: string | null; readonly lead: string | null },
  before: ViewStanding | null,
  after: ViewStanding,
): ViewMove | null {
  const was = before ?? NOTHING;
  const ranks = moveRanks(was, after);
  const medians = new Map(was.leads.map(({ lead, median }) => [lead, median]));
  const now = new Map(after.leads.map(({ lead, median }) => [lead, median]));
  const leads = [...new Set([...now.keys(), ...medians.keys()])]
    .map((lead) => ({ lead, median: moveOf(medians.get(lead), now.get(lead)) }))
    .filter(({ median }) => hasMoved(median))
    .sort((a, b) => distance(b.median) - distance(a.median) || byText(a.lead, b.lead));
  const picks = {
    before: was.picks.slice(0, LISTED.picks).map(({ configuration, value }) => ({ configuration, value })),
    after: after.picks.slice(0, LISTED.picks).map(({ configuration, value }) => ({ configuration, value })),
  };
  if (ranks.length === 0 && leads.length === 0 && samePicks(picks)) return null;
  return {
    ...selection,
    of: { before: was.ranked.length, after: after.ranked.length },
    ranks: cutTo(ranks, LISTED.ranks),
    picks,
    leads: cutTo(leads, LISTED.leads),
  };
}

const samePicks = ({ before, after }: ViewMove["picks"]): boolean =>
  before.length === after.length &&
  before.every(
    ({ configuration, value }, index) =>
      configuration === after[index]?.configuration && !hasMoved(moveOf(value, after[index]?.value)),
  );

/** Configurations whose place or score moved: furthest in places first, then furthest in score. */
function moveRanks(was: ViewStanding, now: ViewStanding): ViewMove["ranks"]["rows"] {
  const placesOf = ({ ranked }: ViewStanding) =>
    new Map(ranked.map(({ configuration, rank, score }) => [configuration, { rank, score }]));
  const [old, current] = [placesOf(was), placesOf(now)];
  return [...new Set([...current.keys(), ...old.keys()])]
    .map((configuration) => {
      const [before, after] = [old.get(configuration), current.get(configuration)];
      return {
        configuration,
        rank: moveOf(before?.rank, after?.rank),
        score: moveOf(before?.score, after?.score),
      };
    })
    .filter(({ rank, score }) => hasMoved(rank) || hasMoved(score))
    .sort(
      (a, b) =>
        distance(b.rank) - distance(a.rank) ||
        distance(b.score) - distance(a.score) ||
        (a.rank.after ?? Infinity) - (b.rank.after ?? Infinity) ||
        byText(a.configuration, b.configuration),
    );
}

/** What moved in the judges' table: judges with any number that did. */
export function moveJudges(
  before: readonly JudgeStanding[],
  after: readonly JudgeStanding[],
): Movement["judges"] {
  const was = new Map(before.map((row) => [row.judge, row]));
  const now = new Map(after.map((row) => [row.judge, row]));
  const rows = [...new Set([...now.keys(), ...was.keys()])].sort(byText).flatMap((judge): JudgeMove[] => {
    const [old, current] = [was.get(judge), now.get(judge)];
    const move = (key: Exclude<keyof JudgeStanding, "judge">): Moved => moveOf(old?.[key], current?.[key]);
    const numbers = {
      scored: move("scored"),
      mean: move("mean"),
      offset: move("offset"),
      r: move("r"),
      recall: move("recall"),
    };
    if (!Object.values(numbers).some(hasMoved)) return [];
    return [
      { judge, state: old === undefined ? "new" : current === undefined ? "gone" : "changed", ...numbers },
    ];
  });
  return cutTo(rows, LISTED.judges);
}

/** How the judges' agreement moved; null when it did not. */
export function moveAgreement(before: Agreement | null, after: Agreement | null): Movement["agreement"] {
  const [single, average] = [moveOf(before?.single, after?.single), moveOf(before?.average, after?.average)];
  return hasMoved(single) || hasMoved(average) ? { single, average } : null;
}
