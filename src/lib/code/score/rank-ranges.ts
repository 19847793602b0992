import { mean } from "../../stats/describe.ts";
import { type Random, randomFrom } from "../../stats/random.ts";
import { SLOP_COST } from "./final.ts";
import { groupBy } from "./group.ts";
import { byText, ranksOf, TIE } from "./order.ts";

/** What one judge contributes to an entry's score: the score is the mean over its seats. */
export interface SeatValue {
  readonly judge: string;
  readonly value: number;
}

/** One entry in the ranking's column: a run of one task from one lead's brief. Several of one cell are replicates. */
export interface RankedEntry {
  readonly configuration: string;
  readonly task: string;
  readonly lead: string;
  /** At least one. */
  readonly seats: readonly SeatValue[];
}

export interface RankRange {
  readonly configuration: string;
  /** Mean over tasks of the mean over leads of the mean over replicates. */
  readonly score: number;
  /** By score; ties share the better one. */
  readonly rank: number;
  /** Ranks that the data leave open, 1 + those clearly better … all − those clearly worse. Null: see `reason`. */
  readonly range: { readonly best: number; readonly worst: number } | null;
  readonly reason: string | null;
  /** From 1. Whoever is in the group of another is not clearly different from the best of it. */
  readonly group: number;
}

export interface RankRanges {
  /** By score from high to low. */
  readonly ranks: readonly RankRange[];
  /** What there was to draw from. */
  readonly judges: number;
  readonly leads: number;
  /** Most replicates of a cell. */
  readonly replicates: number;
  readonly draws: number;
}

export interface RankRangeOptions {
  readonly seed: string | number;
  /** Default 2,000. */
  readonly draws?: number;
}

const DRAWS = 2000;
/** Clearly ahead: in more than this share of draws. */
const CLEAR = 0.975;
/** With fewer runs of a task nobody knows how far a next one would be from them. */
const RUNS_NEEDED = 3;

/**
 * Final score of an entry as contributions of the panel's seats, whose mean is exactly
 * council × share − 0.5 × slop: value = score × share − 0.5 × (slop of the seat × panel ÷ seats + slop outside ÷ seats),
 * where seats outside the panel take part in slop only.
 * @param seats every seat that reviewed the entry
 * @param share passed ÷ total of the hidden suite
 */
export function finalSeatValues(
  seats: readonly { readonly judge: string; readonly score: number; readonly slop: number }[],
  panel: readonly string[],
  share: number,
): SeatValue[] {
  const inside = seats.filter(({ judge }) => panel.includes(judge));
  const outside = seats
    .filter(({ judge }) => !panel.includes(judge))
    .reduce((total, { slop }) => total + slop, 0);
  return inside.map(({ judge, score, slop }) => ({
    judge,
    value: score * share - (SLOP_COST * (slop * inside.length + outside)) / seats.length,
  }));
}

/**
 * How sure each rank is. Every draw takes at random, with replacement, one fewer than there are of: the judges, the leads
 * (both the same for all configurations, so that differences stay paired), and the replicates of every cell; then it
 * computes all scores. (One fewer makes the variance of few units unbiased: McCarthy & Snowden, The bootstrap and finite
 * population sampling, 1985; Rao & Wu, JASA 83 (1988) 231–241. Judges and leads at once: Owen, Annals of Applied Statistics
 * 1 (2007) 386–411.) Tasks are never drawn: the board is about these.
 *
 * Two configurations are **clearly different** when the one with the higher score is ahead in more than 97.5% of draws.
 * A rank's range is 1 + the number clearly better … all − the number clearly worse. Groups: from the top, each takes
 * whoever is not clearly different from its best, up to the first who is. A configuration with fewer than three runs in one
 * of its tasks has no range and is clearly different from nobody. Rule, reasons and measured error rates:
 * docs/decisions/012-ranks-are-ranges.md.
 */
export function rankRanges(entries: readonly RankedEntry[], options: RankRangeOptions): RankRanges {
  const { draws = DRAWS, seed } = options;
  const judges = idsOf(entries.flatMap(({ seats }) => seats.map(({ judge }) => judge)));
  const leads = idsOf(entries.map(({ lead }) => lead));
  const contestants = [...groupBy(entries, ({ configuration }) => configuration)]
    .sort(([a], [b]) => byText(a, b))
    .map(([configuration, own]) => contestantOf(configuration, own, judges, leads))
    .sort((a, b) => b.score - a.score);
  const drawn = drawScores(contestants, { judges: judges.length, leads: leads.length, draws, seed });
  return {
    ranks: rangesOf(contestants, drawn, draws),
    judges: judges.length,
    leads: leads.length,
    replicates: Math.max(
      0,
      ...contestants.flatMap(({ tasks }) => tasks.flat().map(({ runs }) => runs.length)),
    ),
    draws,
  };
}

const idsOf = (texts: readonly string[]): string[] => [...new Set(texts)].sort(byText);

interface SeatAt {
  readonly judge: number;
  readonly value: number;
}
type Run = readonly SeatAt[];
interface Cell {
  readonly lead: number;
  readonly runs: readonly Run[];
}
interface Contestant {
  readonly configuration: string;
  readonly score: number;
  readonly tasks: readonly (readonly Cell[])[];
  /** Has enough runs in each task. */
  readonly judged: boolean;
}

function contestantOf(
  configuration: string,
  own: readonly RankedEntry[],
  judges: readonly string[],
  leads: readonly string[],
): Contestant {
  const judgeAt = new Map(judges.map((judge, index) => [judge, index]));
  const leadAt = new Map(leads.map((lead, index) => [lead, index]));
  const runOf = ({ seats }: RankedEntry): Run =>
    seats
      .map(({ judge, value }) => ({ judge: judgeAt.get(judge) ?? 0, value }))
      .sort((a, b) => a.judge - b.judge || a.value - b.value);
  const inOrder = <T>(groups: Map<string, T>): T[] =>
    [...groups].sort(([a], [b]) => byText(a, b)).map(([, group]) => group);
  const tasks = inOrder(groupBy(own, ({ task }) => task)).map((inTask) =>
    inOrder(groupBy(inTask, ({ lead }) => lead)).map((inCell) => ({
      lead: leadAt.get(inCell[0]?.lead ?? "") ?? 0,
      // Replicates in an order of their own values: that of the input must not decide what is drawn.
      runs: inCell.map(runOf).sort((a, b) => valueOfRun(a) - valueOfRun(b)),
    })),
  );
  const scoreOfTask = (cells: readonly Cell[]): number =>
    mean(cells.map(({ runs }) => mean(runs.map(valueOfRun)) ?? 0)) ?? 0;
  return {
    configuration,
    score: mean(tasks.map(scoreOfTask)) ?? 0,
    tasks,
    judged: tasks.every((cells) => cells.reduce((sum, { runs }) => sum + runs.length, 0) >= RUNS_NEEDED),
  };
}

const valueOfRun = (run: Run): number => mean(run.map(({ value }) => value)) ?? 0;

/** Scores of every contestant in every draw. */
function drawScores(
  contestants: readonly Contestant[],
  size: {
    readonly judges: number;
    readonly leads: number;
    readonly draws: number;
    readonly seed: string | number;
  },
): Float64Array[] {
  const random = randomFrom(size.seed);
  const drawn = contestants.map(() => new Float64Array(size.draws));
  for (let draw = 0; draw < size.draws; draw += 1) {
    const judgeWeights = drawWeights(size.judges, random);
    const leadWeights = drawWeights(size.leads, random);
    for (const [index, { tasks }] of contestants.entries()) {
      let total = 0;
      for (const cells of tasks) total += drawTask(cells, judgeWeights, leadWeights, random);
      const scores = drawn[index];
      if (scores !== undefined) scores[draw] = total / tasks.length;
    }
  }
  return drawn;
}

/** How often each of `count` units is drawn when one fewer than there are is taken with replacement; one is kept. */
function drawWeights(count: number, random: Random): Uint32Array {
  const weights = new Uint32Array(count);
  if (count === 1) weights[0] = 1;
  for (let drawn = 1; drawn < count; drawn += 1) {
    const unit = random.below(count);
    weights[unit] = (weights[unit] ?? 0) + 1;
  }
  return weights;
}

/** Weighted mean over leads; where none of the drawn leads has a run, each that has one counts once. */
function drawTask(cells: readonly Cell[], judges: Uint32Array, leads: Uint32Array, random: Random): number {
  let [total, weights, plain] = [0, 0, 0];
  for (const { lead, runs } of cells) {
    const value = drawCell(runs, judges, random);
    const weight = leads[lead] ?? 0;
    total += weight * value;
    weights += weight;
    plain += value;
  }
  return weights === 0 ? plain / cells.length : total / weights;
}

function drawCell(runs: readonly Run[], judges: Uint32Array, random: Random): number {
  const [first] = runs;
  if (first === undefined) return 0;
  if (runs.length === 1) return drawRun(first, judges);
  let total = 0;
  for (let drawn = 1; drawn < runs.length; drawn += 1)
    total += drawRun(runs[random.below(runs.length)] ?? first, judges);
  return total / (runs.length - 1);
}

/** Weighted mean over seats; where none of the drawn judges sat, each that did counts once. */
function drawRun(run: Run, judges: Uint32Array): number {
  let [total, weights, plain] = [0, 0, 0];
  for (const { judge, value } of run) {
    const weight = judges[judge] ?? 0;
    total += weight * value;
    weights += weight;
    plain += value;
  }
  return weights === 0 ? plain / run.length : total / weights;
}

/** @param contestants by score from high to low */
function rangesOf(
  contestants: readonly Contestant[],
  drawn: readonly Float64Array[],
  draws: number,
): RankRange[] {
  // Row: the worse one; column: the better one.
  const clear = contestants.map((_, low) =>
    contestants.slice(0, low).map((_, high) => isClear(contestants, drawn, high, low, draws)),
  );
  const groups = groupsOf(contestants, clear);
  const ranks = ranksOf(contestants.map(({ score }) => score));
  return contestants.map(({ configuration, score, judged }, index) => {
    const better = clear[index]?.filter(Boolean).length ?? 0;
    const worse = clear.filter((row) => row[index] === true).length;
    return {
      configuration,
      score,
      rank: ranks[index] ?? index + 1,
      range: judged ? { best: 1 + better, worst: contestants.length - worse } : null,
      reason: judged ? null : `fewer than ${RUNS_NEEDED} runs in a task: the spread between runs is unknown`,
      group: groups[index] ?? 1,
    };
  });
}

function isClear(
  contestants: readonly Contestant[],
  drawn: readonly Float64Array[],
  high: number,
  low: number,
  draws: number,
): boolean {
  const [better, worse] = [contestants[high], contestants[low]];
  const [above, below] = [drawn[high], drawn[low]];
  if (!(better?.judged && worse?.judged) || above === undefined || below === undefined) return false;
  if (better.score - worse.score <= TIE) return false;
  let ahead = 0;
  for (let draw = 0; draw < draws; draw += 1) if ((above[draw] ?? 0) - (below[draw] ?? 0) > TIE) ahead += 1;
  return ahead > CLEAR * draws;
}

/** From the top: a new group begins with the first that is clearly worse than the best (with a range) of the last one. */
function groupsOf(contestants: readonly Contestant[], clear: readonly (readonly boolean[])[]): number[] {
  let head: number | null = null;
  let group = 1;
  return contestants.map(({ judged }, index) => {
    if (head === null) head = judged ? index : null;
    else if (clear[index]?.[head] === true) {
      head = index;
      group += 1;
    }
    return group;
  });
}
