import fc from "fast-check";
import type { Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import type { Data } from "../../../../src/lib/code/derive/data-schema.ts";
import { dataOf, type Given } from "./small-data.ts";

export const CONFIGURATIONS = ["ash@high", "ash@low", "birch@max", "cedar@high", "cedar@low", "elm@max"];
const TASKS = ["coder", "parser", "vm"];
const LEADS = ["one@high", "two@high", "three@low"];

/** Scores on a coarse grid, so that ties happen. */
const score = fc.integer({ min: 10, max: 20 }).map((half) => half / 2);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 6 });

const givenOver = (many: number): fc.Arbitrary<Given> =>
  fc
    .record({
      configuration: fc.constantFrom(...CONFIGURATIONS.slice(0, 2 * many)),
      task: fc.constantFrom(...TASKS.slice(0, many)),
      lead: fc.constantFrom(...LEADS.slice(0, many)),
      replicate: fc.integer({ min: 1, max: 3 }),
      council: orNull(score),
      final: orNull(score),
      slop: orNull(fc.constantFrom(0, 0.25, 0.5, 1)),
      defect_points: orNull(fc.constantFrom(0, 0.5, 1, 3)),
      hidden: orNull(
        fc.constantFrom<readonly [number, number]>([12, 12], [12, 12], [12, 12], [49, 50], [11, 12]),
      ),
      usd: orNull(fc.constantFrom(0, 0.25, 0.5, 1, 2, 5.74)),
      seconds: orNull(fc.constantFrom(0, 30, 60, 600)),
      fast: fc.boolean(),
      speed: orNull(fc.constantFrom(0.5, 1, 1.5, 4)),
      proxy: fc.boolean(),
      seats: fc.dictionary(fc.constantFrom("a", "b", "c"), score, { maxKeys: 3 }),
    })
    .chain((each) =>
      fc.option(fc.constantFrom("time limit", "no deliverable"), { nil: undefined, freq: 5 }).map((dnf) => ({
        ...each,
        ...(dnf === undefined ? {} : { dnf }),
      })),
    );

/**
 * Small data sets with gaps, ties, failures, unknowns and excluded runs; a configuration once in each run. From almost full
 * (two configurations of one task) to sparse.
 */
export const smallData: fc.Arbitrary<Data> = fc
  .integer({ min: 1, max: 3 })
  .chain((many) =>
    fc.uniqueArray(givenOver(many), {
      maxLength: 40,
      selector: ({ configuration, task, lead, replicate }) =>
        [configuration, task, lead, replicate].join(" "),
    }),
  )
  .chain((entries) =>
    fc.integer({ min: 0, max: 30 }).map((excluded) => {
      const data = dataOf(entries);
      const runs = data.runs.map((run, index) =>
        index === excluded ? { ...run, excluded: "the pilot" } : run,
      );
      return { ...data, runs };
    }),
  );

export const selection: fc.Arbitrary<Selection> = fc.record({
  lead: fc.option(fc.constantFrom(...LEADS), { nil: null, freq: 2 }),
  task: fc.option(fc.constantFrom(...TASKS), { nil: null, freq: 2 }),
  efforts: fc.constantFrom("best-per-model", "best-per-lab", "all"),
  replicate: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null, freq: 2 }),
  column: fc.constantFrom("final", "council"),
});
