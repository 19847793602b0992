import * as fc from "fast-check";
import type { EntryMove, Movement, ViewMove } from "../../../src/lib/code/movement/movement-schema.ts";
import type { CodePart } from "../../../src/lib/result-pr/code-report-schema.ts";
import type { Report } from "../../../src/lib/result-pr/report-schema.ts";
import { nasty, report } from "./reports.ts";

/** Reports about facts of the code benchmark, for tests of the words. Numbers are invented. */

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const all = <T>(rows: T[], total = rows.length): { rows: T[]; total: number } => ({ rows, total });

export const entryMove = (changes: Partial<EntryMove> = {}): EntryMove => ({
  run: "range-coder-sol-1",
  entry: "quill-high",
  configuration: "quill-2@high",
  state: "changed",
  values: {
    final: { before: 7.53, after: 7.61 },
    council: { before: 8.25, after: 8.4 },
    slop: { before: 0.5, after: 0.63 },
    cost_usd: { before: null, after: 0.0423 },
  },
  hidden: { before: { passed: 11, total: 12 }, after: { passed: 12, total: 12 } },
  reason: null,
  ...changes,
});

export const view = (changes: Partial<ViewMove> = {}): ViewMove => ({
  task: null,
  lead: null,
  of: { before: 4, after: 5 },
  ranks: all([
    {
      configuration: "quill-2@high",
      rank: { before: 3, after: 1 },
      score: { before: 7.53, after: 7.61 },
    },
    { configuration: "ink-1@max", rank: { before: 1, after: 2 }, score: { before: 7.6, after: 7.6 } },
    { configuration: "nib@low", rank: { before: null, after: 5 }, score: { before: null, after: 3.125 } },
  ]),
  picks: {
    before: [{ configuration: "ink-1@max", value: 6.2 }],
    after: [
      { configuration: "quill-2@high", value: 6.4 },
      { configuration: "ink-1@max", value: 6.2 },
    ],
  },
  leads: all([{ lead: "sol@max", median: { before: 7.1, after: 7.2 } }]),
  ...changes,
});

export const movement = (changes: Partial<Movement> = {}): Movement => ({
  source: { before: digest("a"), after: digest("b") },
  added: {
    runs: all([
      { id: "r-2", task: "range-coder", lead: "sol@max", replicate: 2, entries: 1, excluded: false },
    ]),
    sessions: all([{ run: "range-coder-sol-1", id: "s-5", judge: "j-ink", scored: 8 }]),
    defects: all([
      {
        task: "range-coder",
        id: "D-7",
        title: "Reads one byte past the end of an empty input",
        severity: "high",
        category: "robustness",
        method: "probe",
        entries: 2,
        reports: 3,
      },
    ]),
    configurations: all(["nib@low"]),
    judges: all([]),
  },
  revisions: all([
    {
      path: "data/runs/range-coder-sol-1.json",
      id: "v-1",
      kind: "score",
      target: "session s-1, letter B",
      from: "6",
      to: "7",
      by: "walt",
      reason: "The judge counted one finding twice.",
    },
  ]),
  entries: all([
    entryMove({ state: "new", run: "r-2", entry: "nib", configuration: "nib@low" }),
    entryMove(),
  ]),
  views: [view(), view({ task: "range-coder", lead: "sol@max" })],
  judges: all([
    {
      judge: "j-ink",
      state: "changed",
      scored: { before: 8, after: 16 },
      mean: { before: 7.1, after: 7.15 },
      offset: { before: -0.2, after: -0.15 },
      r: { before: 0.81, after: 0.84 },
      recall: { before: null, after: 0.5 },
    },
  ]),
  agreement: { single: { before: 0.61, after: 0.64 }, average: { before: 0.86, after: 0.88 } },
  ...changes,
});

export const codePart = (changes: Partial<CodePart> = {}): CodePart => ({
  schema_version: 1,
  against: "base",
  documents: [
    { path: "data/runs/range-coder-sol-1.json", kind: "runs", status: "modified", bytes: 40_000 },
    { path: "data/defects/range-coder.json", kind: "defects", status: "modified", bytes: 900 },
  ],
  deliverables: { files: 4, bytes: 9000 },
  levels: { reviews: "declared", hidden: "declared", cost: "recomputed", scores: "recomputed" },
  evidence: [digest("e")],
  movement: movement(),
  ...changes,
});

/** What needs a look: the usual verdict of an honest pull request with reviews. */
export const codeReport = (changes: Partial<Report> = {}): Report =>
  report({
    verdict: "needs-review",
    results: [],
    code: codePart(),
    findings: [
      {
        code: "code-pr-declared",
        severity: "warning",
        message:
          "The submitter says so, and no job of ours measured it: reviews, results of the hidden suite.",
        path: "data/runs/range-coder-sol-1.json",
        pointer: "",
        line: 1,
        column: 1,
        hint: "A maintainer looks at it; the comment /assay accept accepts exactly this head.",
      },
    ],
    findings_total: 1,
    ...changes,
  });

/** An old score edited. */
export const editedScore = (): Report =>
  codeReport({
    verdict: "invalid",
    code: codePart({ movement: null, levels: {} }),
    findings: [
      {
        code: "code-pr-edited",
        severity: "error",
        message:
          "The committed value at /council/sessions/[id=s-1]/reviews/[letter=B]/score is not what it was.",
        path: "data/runs/range-coder-sol-1.json",
        pointer: "/council/sessions/0/reviews/1/score",
        line: 412,
        column: 20,
        expected: "6",
        actual: "9.5",
        hint: "Restore the value as main has it; a score is corrected by an item of council.revisions that gives the reason.",
      },
    ],
  });

/** Five hundred entries move: a new card for a model that ran everywhere. */
export const manyMoves = (): Report => {
  const entries = Array.from({ length: 200 }, (_, index) =>
    entryMove({
      run: `range-coder-sol-${index % 25}`,
      entry: `entry-${index}`,
      configuration: `model-${index % 23}@high`,
      values: { cost_usd: { before: 2 + index / 100, after: 1 + index / 100 } },
      hidden: null,
    }),
  );
  const ranks = Array.from({ length: 23 }, (_, index) => ({
    configuration: `model-${index}@high`,
    rank: { before: index + 1, after: 23 - index },
    score: { before: 9 - index / 10, after: 6 + index / 10 },
  }));
  return codeReport({
    verdict: "valid",
    findings: [],
    findings_total: 0,
    code: codePart({
      movement: movement({
        added: {
          runs: all([]),
          sessions: all([]),
          defects: all([]),
          configurations: all([]),
          judges: all([]),
        },
        revisions: all([]),
        entries: all(entries, 512),
        views: Array.from({ length: 6 }, (_, index) =>
          view({ task: index === 0 ? null : `task-${index}`, ranks: all(ranks) }),
        ),
      }),
    }),
  });
};

const value = fc.option(fc.double({ min: -20, max: 1e6, noNaN: true }));
const moved = fc.record({ before: value, after: value });
const cut = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<{ rows: T[]; total: number }> =>
  fc
    .tuple(fc.array(item, { maxLength }), fc.nat(900))
    .map(([rows, more]) => ({ rows, total: rows.length + more }));
const state = fc.constantFrom("new" as const, "changed" as const, "gone" as const);
const pick = fc.record({ configuration: nasty, value: fc.double({ min: -5, max: 10, noNaN: true }) });

/** Reports whose every free string is hostile. */
export const hostileCode = (most: number): fc.Arbitrary<Report> =>
  fc
    .record({
      revisions: cut(
        fc.record({
          path: nasty,
          id: nasty,
          kind: nasty,
          target: nasty,
          from: fc.option(nasty),
          to: fc.option(nasty),
          by: nasty,
          reason: nasty,
        }),
        most,
      ),
      defects: cut(
        fc.record({
          task: nasty,
          id: nasty,
          title: nasty,
          severity: nasty,
          category: nasty,
          method: nasty,
          entries: fc.nat(9),
          reports: fc.nat(9),
        }),
        most,
      ),
      entries: cut(
        fc.record({
          run: nasty,
          entry: nasty,
          configuration: nasty,
          state,
          values: fc.record({ final: moved, cost_usd: moved, seconds: moved }, { requiredKeys: [] }),
          hidden: fc.constantFrom(null, { before: null, after: { passed: 1, total: 2 } }),
          reason: fc.option(nasty),
        }),
        most,
      ),
      views: fc.array(
        fc.record({
          task: fc.option(nasty),
          lead: fc.option(nasty),
          of: fc.record({ before: fc.nat(99), after: fc.nat(99) }),
          ranks: cut(
            fc.record({
              configuration: nasty,
              rank: fc.record({ before: fc.option(fc.nat(99)), after: fc.option(fc.nat(99)) }),
              score: moved,
            }),
            most,
          ),
          picks: fc.record({
            before: fc.array(pick, { maxLength: 6 }),
            after: fc.array(pick, { maxLength: 6 }),
          }),
          leads: cut(fc.record({ lead: nasty, median: moved }), most),
        }),
        { maxLength: 4 },
      ),
      judges: cut(
        fc.record({
          judge: nasty,
          state,
          scored: moved,
          mean: moved,
          offset: moved,
          r: moved,
          recall: moved,
        }),
        most,
      ),
      levels: fc.dictionary(nasty, fc.constantFrom("declared" as const, "recomputed" as const), {
        maxKeys: 4,
      }),
      path: nasty,
      known: fc.boolean(),
    })
    .map(({ defects, levels, path, known, ...moves }) =>
      codeReport({
        code: codePart({
          levels,
          documents: [{ path, kind: "runs", status: "added", bytes: 1 }],
          movement: known ? movement({ ...moves, added: { ...movement().added, defects } }) : null,
        }),
      }),
    );
