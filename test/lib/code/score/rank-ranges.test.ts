import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finalScore } from "../../../../src/lib/code/score/final.ts";
import { finalSeatValues, type RankedEntry, rankRanges } from "../../../../src/lib/code/score/rank-ranges.ts";
import { randomFrom } from "../../../../src/lib/stats/random.ts";

interface Noise {
  readonly run: number;
  readonly seat: number;
}

/** A board whose configuration c has the true score 7 + effect(c), with noise of runs and of seats. */
function board(
  size: { configurations: number; tasks: number; leads: number; replicates: number; judges: number },
  effect: (configuration: number) => number,
  noise: Noise,
  seed: string | number,
): RankedEntry[] {
  const random = randomFrom(seed);
  const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const strictness = indices(size.judges).map(() => 0.5 * random.normal());
  return indices(size.configurations).flatMap((configuration) =>
    indices(size.tasks).flatMap((task) =>
      indices(size.leads).flatMap((lead) =>
        indices(size.replicates).map(() => {
          const run = noise.run * random.normal();
          return {
            configuration: `c${String(configuration).padStart(2, "0")}@x`,
            task: `t${task}`,
            lead: `l${lead}`,
            seats: strictness.map((strict, judge) => ({
              judge: `j${judge}`,
              value: 7 + effect(configuration) + strict + run + noise.seat * random.normal(),
            })),
          };
        }),
      ),
    ),
  );
}

const SIZE = { configurations: 6, tasks: 2, leads: 4, replicates: 1, judges: 3 };
const NOISE = { run: 0.3, seat: 0.2 };

/** Two configurations whose difference in each lead is given: one task, one run of each, one judge. */
const pairOf = (differences: readonly number[]): RankedEntry[] =>
  differences.flatMap((difference, lead) =>
    [
      { configuration: "a@x", value: 5 + difference },
      { configuration: "b@x", value: 5 },
    ].map(({ configuration, value }) => ({
      configuration,
      task: "t",
      lead: `l${lead}`,
      seats: [{ judge: "j", value }],
    })),
  );

/** Share of all ordered draws of n − 1 out of n leads in which the sum of differences is positive: every one is tried. */
function shareAhead(differences: readonly number[]): number {
  let sums = [0];
  for (let drawn = 1; drawn < differences.length; drawn += 1)
    sums = sums.flatMap((sum) => differences.map((difference) => sum + difference));
  return sums.filter((sum) => sum > 1e-9).length / sums.length;
}

describe("Beyond the methodology: a range for every rank", () => {
  it("scores by the mean over tasks of the mean over leads of the mean over replicates", () => {
    const entry = (task: string, lead: string, value: number) => ({
      configuration: "a@x",
      task,
      lead,
      seats: [{ judge: "j", value }],
    });
    const entries = [entry("t1", "l1", 9), entry("t1", "l1", 7), entry("t1", "l2", 4), entry("t2", "l1", 8)];
    // t1: (8 + 4) ÷ 2 = 6; t2: 8.
    expect(rankRanges(entries, { seed: 1 }).ranks[0]!.score).toBe(7);
  });

  it("leaves one rank to configurations far apart, and all ranks to equal ones", () => {
    const apart = rankRanges(
      board(SIZE, (index) => -3 * index, NOISE, "apart"),
      { seed: 1 },
    );
    expect(apart.ranks.map(({ rank, range, group }) => [rank, range, group])).toEqual(
      [1, 2, 3, 4, 5, 6].map((rank) => [rank, { best: rank, worst: rank }, rank]),
    );
    const equal = rankRanges(
      board(SIZE, () => 0, { run: 0, seat: 0 }, "equal"),
      { seed: 1 },
    );
    for (const { rank, range, group } of equal.ranks)
      expect([rank, range, group]).toEqual([1, { best: 1, worst: 6 }, 1]);
  });

  it("calls clear exactly what is ahead in more than 97.5% of all possible draws", () => {
    const differences = fc.array(fc.integer({ min: -4, max: 12 }), { minLength: 3, maxLength: 5 });
    fc.assert(
      fc.property(differences, (given) => {
        const total = given.reduce((sum, difference) => sum + difference, 0);
        const share = shareAhead(total < 0 ? given.map((difference) => -difference) : given);
        // Draws are a sample of all: what lies within their error of the border may fall either way.
        fc.pre(Math.abs(share - 0.975) > 0.012);
        const { ranks } = rankRanges(pairOf(given), { seed: "twin", draws: 2000 });
        const clear = ranks[1]!.range!.best === 2;
        expect(clear).toBe(total !== 0 && share > 0.975);
        expect(ranks[0]!.range!.worst).toBe(clear ? 1 : 2);
        expect(ranks[1]!.group).toBe(clear ? 2 : 1);
      }),
      { numRuns: 60 },
    );
  });

  it("draws one fewer than there are, of leads and of replicates alike", () => {
    // Of all 625 draws of four, 95.7% are positive; of five, 98.7% would be.
    const five = [-3, 1, 9, 9, 9];
    expect(shareAhead(five)).toBeCloseTo(0.9568, 4);
    // Of all draws of five out of six, 96.1%.
    const six = [-3, 1, 2, 3, 8, 9];
    expect(shareAhead(six)).toBeCloseTo(0.96065, 5);
    for (const differences of [five, six]) {
      const replicates = pairOf(differences).map((entry) => ({ ...entry, lead: "l0" }));
      for (const entries of [pairOf(differences), replicates])
        expect(rankRanges(entries, { seed: "one fewer", draws: 10_000 }).ranks[0]!.range).toEqual({
          best: 1,
          worst: 2,
        });
    }
    // And where all but hopeless draws are positive, replicates make it clear too.
    const clear = pairOf([1, 2, 3]).map((entry) => ({ ...entry, lead: "l0" }));
    expect(rankRanges(clear, { seed: 1 }).ranks[0]!.range).toEqual({ best: 1, worst: 1 });
  });

  it("counts all seats and leads of a configuration where none of those drawn is its own", () => {
    const entry = (configuration: string, lead: string, judge: string, value: number): RankedEntry => ({
      configuration,
      task: "t",
      lead,
      seats: [{ judge, value }],
    });
    const apart = ["l0", "l1", "l2"].flatMap((lead, index) => [
      entry("a@x", lead, "j0", 9),
      entry("b@x", `l${index + 3}`, "j1", 5),
    ]);
    expect(rankRanges(apart, { seed: 1 }).ranks.map(({ range }) => range)).toEqual([
      { best: 1, worst: 1 },
      { best: 2, worst: 2 },
    ]);
  });

  it("does not call a difference clear that one of five leads turns around", () => {
    expect(rankRanges(pairOf([0.2, 0.3, 0.2, 0.1, -1.5]), { seed: 1 }).ranks[0]!.range).toEqual({
      best: 1,
      worst: 2,
    });
    expect(rankRanges(pairOf([0.2, 0.3, 0.2, 0.1, 0.1]), { seed: 1 }).ranks[0]!.range).toEqual({
      best: 1,
      worst: 1,
    });
  });

  it("is not moved by a judge who is strict with everybody", () => {
    const entries = board(SIZE, (index) => -0.2 * index, NOISE, "strict");
    const stricter = entries.map((entry) => ({
      ...entry,
      seats: entry.seats.map((seat) => (seat.judge === "j1" ? { ...seat, value: seat.value - 2 } : seat)),
    }));
    const ranges = (given: RankedEntry[]) => rankRanges(given, { seed: 5 }).ranks.map(({ range }) => range);
    expect(ranges(stricter)).toEqual(ranges(entries));
  });

  it("has no range where fewer than three runs of a task leave the spread between runs unknown", () => {
    const single = rankRanges(
      board({ ...SIZE, leads: 1 }, (index) => -3 * index, NOISE, "one"),
      { seed: 1 },
    );
    for (const { range, reason, group } of single.ranks) {
      expect([range, group]).toEqual([null, 1]);
      expect(reason).toContain("fewer than 3 runs in a task");
    }
    const replicated = rankRanges(
      board({ ...SIZE, leads: 1, replicates: 3 }, (index) => -3 * index, NOISE, "three"),
      {
        seed: 1,
      },
    );
    expect(replicated.ranks.map(({ range }) => range!.best)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([replicated.leads, replicated.replicates, replicated.judges]).toEqual([1, 3, 3]);
  });

  it("counts a configuration with too few runs as clearly different from nobody, and heads no group with it", () => {
    const entries = board(SIZE, (index) => -3 * index, NOISE, "few");
    const few = entries.filter(({ configuration, lead }) => configuration !== "c00@x" || lead < "l2");
    const { ranks } = rankRanges(few, { seed: 1 });
    expect(ranks[0]).toMatchObject({ configuration: "c00@x", range: null, group: 1 });
    expect(ranks[1]).toMatchObject({ configuration: "c01@x", range: { best: 1, worst: 2 }, group: 1 });
    expect(ranks[2]).toMatchObject({ range: { best: 2, worst: 3 }, group: 2 });
  });

  it("is the same for the same seed, and for entries and seats in any order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const entries = board(SIZE, (index) => -0.1 * index, NOISE, seed);
        const { shuffled } = randomFrom(`order ${seed}`);
        const other = shuffled(entries).map((entry) => ({ ...entry, seats: shuffled(entry.seats) }));
        const [one, two] = [entries, other].map((given) => rankRanges(given, { seed, draws: 300 }));
        const withoutScore = (ranks: typeof one) => ranks!.ranks.map(({ score: _, ...rest }) => rest);
        expect(withoutScore(two)).toEqual(withoutScore(one));
      }),
      { numRuns: 15 },
    );
  });

  it("holds every rank inside its range, and groups in one piece from the top", () => {
    for (const seed of ["a", "b", "c", "d"]) {
      const { ranks } = rankRanges(
        board(SIZE, (index) => -0.15 * index, NOISE, seed),
        { seed },
      );
      for (const { rank, range } of ranks) {
        expect(range!.best).toBeLessThanOrEqual(rank);
        expect(range!.worst).toBeGreaterThanOrEqual(rank);
      }
      const groups = ranks.map(({ group }) => group);
      expect(groups).toEqual(groups.toSorted((a, b) => a - b));
    }
  });

  it("has the true rank inside the range at least as often as 95 times in 100", () => {
    let [inside, all] = [0, 0];
    for (let trial = 0; trial < 60; trial += 1) {
      const { ranks } = rankRanges(
        board(SIZE, (index) => -0.1 * index, NOISE, `true ${trial}`),
        { seed: trial, draws: 500 },
      );
      for (const { configuration, range } of ranks) {
        const truth = Number(configuration.slice(1, 3)) + 1;
        all += 1;
        if (range!.best <= truth && truth <= range!.worst) inside += 1;
      }
    }
    expect(inside / all).toBeGreaterThanOrEqual(0.95);
  });

  it("copes with judges who did not sit everywhere, and with nothing at all", () => {
    const entries = board(SIZE, (index) => -3 * index, NOISE, "gaps").map((entry, index) => ({
      ...entry,
      seats: entry.seats.filter((_, seat) => seat !== index % 3),
    }));
    expect(rankRanges(entries, { seed: 1 }).ranks.map(({ range }) => range!.best)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(rankRanges([], { seed: 1 })).toEqual({
      ranks: [],
      judges: 0,
      leads: 0,
      replicates: 0,
      draws: 2000,
    });
  });

  it("takes 2,000 draws of a full board in a fraction of a second", () => {
    const full = board(
      { configurations: 23, tasks: 5, leads: 5, replicates: 1, judges: 4 },
      (index) => -0.1 * index,
      NOISE,
      1,
    );
    rankRanges(full, { seed: 1, draws: 200 });
    const times = [1, 2, 3].map((seed) => {
      const start = performance.now();
      rankRanges(full, { seed });
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(300);
  });
});

describe("Methodology: Final score, seat by seat", () => {
  it("is the mean of the seats' contributions, judges outside the panel counting for slop only", () => {
    const seats = fc.array(
      fc.record({
        score: fc.integer({ min: 0, max: 100 }),
        slop: fc.integer({ min: 0, max: 16 }),
        inside: fc.boolean(),
      }),
      { minLength: 1, maxLength: 7 },
    );
    fc.assert(
      fc.property(seats, fc.integer({ min: 0, max: 12 }), (drawn, passed) => {
        const all = drawn.map(({ score, slop, inside }, index) => ({
          judge: `j${index}`,
          score: score / 10,
          slop: slop / 2,
          inside,
        }));
        const panel = all.filter(({ inside }) => inside);
        fc.pre(panel.length > 0);
        const mean = (values: number[]): number =>
          values.reduce((sum, value) => sum + value, 0) / values.length;
        const council = mean(panel.map(({ score }) => score));
        const slop = mean(all.map((seat) => seat.slop));
        const values = finalSeatValues(
          all,
          panel.map(({ judge }) => judge),
          passed / 12,
        );
        expect(values).toHaveLength(panel.length);
        const final = finalScore(council, { passed, total: 12 }, slop).value!;
        expect(mean(values.map(({ value }) => value))).toBeCloseTo(final, 9);
      }),
    );
  });
});
