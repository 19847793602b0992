import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeMessage } from "../../../src/lib/bot/merge.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { type Landing, pullOf, type SheetChange } from "../../../src/lib/feed/history.ts";
import { deriveCodeChange } from "../../../src/lib/feed/history-code.ts";
import { type ChangedModel, deriveSheetChanges } from "../../../src/lib/feed/history-sheet.ts";
import type { IndexEntry, IndexWithdrawal } from "../../../src/lib/feed/index-schema.ts";
import { latestResults, rankModels } from "../../../src/lib/feed/rank.ts";
import type { ResultEntry } from "../../../src/lib/feed/schema.ts";

describe("the pull request of a commit", () => {
  it.each([
    ["our own merge", mergeMessage(41, "ab".repeat(20)), 41],
    ["GitHub's merge button and queue", "Merge pull request #7 from someone/branch\n\nA title", 7],
    ["GitHub's squash button", "A result of a model (#12)\n\nwords", 12],
    ["words of the submitter below the title", "Nightly (#12)\n\nMerge pull request #99 from x/y\n(#98)", 12],
    ["a number that the title's author wrote", "Mend (#3) at last (#12)", 12],
    ["none", "Mend a typo of #3\n\nAssay-Pull-Request: 99", null],
  ])("%s", (_, message, pull) => {
    expect(pullOf(message)).toBe(pull);
  });
});

const SUITE = { id: "s-1", digest: digestOf("suite") };
const components = {
  deterministic_pass_rate: 1,
  exact_output_match: 1,
  cell_match_rate: 1,
  value_address_f1: 1,
  header_accuracy: 1,
};

const result = (file: string, composite: number, more: Partial<IndexEntry> = {}): IndexEntry => ({
  file,
  blob: "0".repeat(40),
  digest: digestOf(file),
  suite_digest: SUITE.digest,
  finished_at: `2026-11-${file.slice(1, 3)}T10:00:00.000Z`,
  components,
  composite,
  composite_version: "provisional-1",
  solved: 1,
  members: 2,
  cost: { total_usd: 1, complete: true },
  supersedes: null,
  evidence: null,
  ...more,
});
const withdrawal = (file: string, of: string): IndexWithdrawal => ({
  file,
  blob: "0".repeat(40),
  digest: digestOf(file),
  suite_digest: SUITE.digest,
  withdraws: digestOf(of),
  reason: "It was run with another model.",
  withdrawn_at: "2026-11-30T10:00:00.000Z",
});

const pathOf = (model: string, file: string): string => `benchmarks/results/${SUITE.id}/${model}/${file}`;
const landing = (at: number, ...files: string[]): Landing => ({
  sha: String(at).padStart(40, "0"),
  at: `2026-12-01T10:00:${String(at).padStart(2, "0")}Z`,
  message: `A result (#${at})`,
  files,
});
const changedModel = (model: string, documents: readonly (IndexEntry | IndexWithdrawal)[]): ChangedModel => ({
  folder: model,
  model,
  results: documents.flatMap((document) => ("withdraws" in document ? [] : [document])),
  withdrawals: documents.flatMap((document) => ("withdraws" in document ? [document] : [])),
  order: [],
});
const named = (...models: string[]): Map<string, string> =>
  new Map(models.map((model) => [model, model.toUpperCase()]));
const short = ({ kind, model, before, after, passed }: SheetChange): unknown[] => [
  kind,
  model,
  before === null ? null : [before.rank, before.composite],
  after === null ? null : [after.rank, after.composite],
  passed,
];

describe("what a result moved on its board", () => {
  it("a new model, one that overtakes, one that does not count, a correction, withdrawals", () => {
    const a = [
      result("d01", 0.5),
      result("d03", 0.9),
      result("d02", 0.99),
      withdrawal("w1", "d03"),
      withdrawal("w2", "d02"),
      withdrawal("w3", "d05"),
      result("d05", 0.6, { supersedes: digestOf("d01") }),
    ];
    const changes = deriveSheetChanges({
      suite: SUITE,
      curated: named("a", "b", "c"),
      unchanged: [
        { model: "b", composite: 0.8 },
        { model: "c", composite: 0.7 },
        { model: "not-curated", composite: 0.95 },
      ],
      changed: [changedModel("a", a)],
      landings: ["d01", "d03", "d02", "w1", "w2", "d05", "w3"].map((file, at) =>
        landing(at, pathOf("a", file)),
      ),
    });
    expect(changes.map(short)).toEqual([
      ["new-model", "a", null, [3, 0.5], []],
      ["overtakes", "a", [3, 0.5], [1, 0.9], ["B", "C"]],
      ["not-counted", "a", [1, 0.9], [1, 0.9], []],
      ["withdrawn", "a", [1, 0.9], [1, 0.99], []],
      ["withdrawn", "a", [1, 0.99], [3, 0.5], []],
      ["correction", "a", [3, 0.5], [3, 0.6], []],
      ["leaves", "a", [3, 0.6], null, []],
    ]);
    expect(changes[1]).toMatchObject({ commit: landing(1).sha, pull: 1, name: "A", passedCount: 2 });
    expect(changes[3]?.reason).toContain("another model");
  });

  it("a model that is not curated has a composite and no rank; a result of another suite digest moves nothing", () => {
    const changes = deriveSheetChanges({
      suite: SUITE,
      curated: named("b"),
      unchanged: [{ model: "b", composite: 0.8 }],
      changed: [
        changedModel("x", [result("d01", 0.9)]),
        changedModel("b", [result("d02", 1, { suite_digest: digestOf("other") })]),
      ],
      landings: [landing(1, pathOf("x", "d01")), landing(2, pathOf("b", "d02"))],
    });
    expect(changes.map(short).slice(0, 1)).toEqual([["new-model", "x", null, [null, 0.9], []]]);
    expect(changes[1]).toMatchObject({ kind: "not-counted", after: null, passedCount: 0 });
  });

  it("a file that is not there today is no change, and one that came twice is one", () => {
    const changes = deriveSheetChanges({
      suite: SUITE,
      curated: named("a"),
      unchanged: [],
      changed: [changedModel("a", [result("d01", 0.5)])],
      landings: [
        landing(1, pathOf("a", "d01"), pathOf("a", "d09"), pathOf("other", "d01")),
        landing(2, pathOf("a", "d01")),
      ],
    });
    expect(changes.map(({ commit, path }) => [commit, path])).toEqual([[landing(2).sha, pathOf("a", "d01")]]);
  });

  it("says of every commit what ranking all documents anew would say", () => {
    const models = ["a", "b", "c", "d"] as const;
    const step = fc.record({
      model: fc.constantFrom(...models),
      composite: fc.constantFrom(0.2, 0.4, 0.4, 0.8),
      day: fc.integer({ min: 1, max: 28 }),
      does: fc.constantFrom("result", "result", "result", "correct", "withdraw"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), fc.integer({ min: 0, max: 24 }), (steps, first) => {
        const documents = steps.map((each, at) => {
          const earlier = steps
            .slice(0, at)
            .flatMap((other, place) =>
              other.model === each.model && other.does !== "withdraw" ? [fileOf(other.day, place)] : [],
            );
          const target = earlier[earlier.length - 1];
          if (each.does === "withdraw" && target !== undefined)
            return { model: each.model, document: withdrawal(`w${at}`, target) };
          const supersedes = each.does === "correct" && target !== undefined ? digestOf(target) : null;
          return {
            model: each.model,
            document: result(fileOf(each.day, at), each.composite, { supersedes }),
          };
        });
        // A withdrawal without anything to withdraw became a result; its file is named like one.
        const curated = named("a", "b", "c");
        const input = {
          suite: SUITE,
          curated,
          unchanged: [],
          changed: models.map((model) =>
            changedModel(
              model,
              documents.flatMap((each) => (each.model === model ? [each.document] : [])),
            ),
          ),
          landings: documents.flatMap(({ model, document }, at) =>
            at < first ? [] : [landing(at, pathOf(model, document.file))],
          ),
        };
        const told = deriveSheetChanges(input);
        expect(told.map(({ before, after }) => [before, after])).toEqual(
          documents.flatMap(({ model }, at) =>
            at < first
              ? []
              : [[placeAnew(documents.slice(0, at), model), placeAnew(documents.slice(0, at + 1), model)]],
          ),
        );
      }),
      { numRuns: 300, seed: 20261201 },
    );
  });
});

const fileOf = (day: number, at: number): string => `d${String(day).padStart(2, "0")}-${at}`;

/** The slow and obvious way: everything that is there, ranked from the beginning. */
function placeAnew(
  documents: readonly { readonly model: string; readonly document: IndexEntry | IndexWithdrawal }[],
  model: string,
): { rank: number | null; composite: number } | null {
  const withdrawn = new Set(
    documents.flatMap(({ document }) => ("withdraws" in document ? [document.withdraws] : [])),
  );
  const entries = documents.flatMap(({ model: owner, document }): ResultEntry[] =>
    "withdraws" in document
      ? []
      : [
          {
            ...document,
            path: document.file,
            model: owner,
            suite: SUITE,
            passed: [],
          } as unknown as ResultEntry,
        ],
  );
  const latest = latestResults(entries, SUITE, [], withdrawn);
  const own = latest.find((entry) => entry.model === model);
  if (own === undefined) return null;
  const registry = { schema_version: 1 as const, models: ["a", "b", "c"].map((id) => ({ id, name: id })) };
  // What a withdrawn correction replaced stays replaced, so only what stands is ranked.
  const ranked = rankModels(
    latest.map((entry) => ({ ...entry, supersedes: null })),
    registry,
    SUITE,
  );
  return {
    rank: ranked.find((entry) => entry.model === model)?.position ?? null,
    composite: own.composite,
  };
}

describe("what a commit brought to the code benchmark", () => {
  const session = (id: string, judge: string, findings: number[]): unknown => ({
    id,
    judge,
    reviews: findings.map((count) => ({ letter: "A", findings: Array.from({ length: count }, () => ({})) })),
  });
  const run = (entries: unknown[], sessions: unknown[], revisions: unknown[] = []): unknown => ({
    task: "coder",
    entries,
    council: { sessions },
    revisions,
  });
  const path = "data/runs/r-1.json";

  it("a new run, then reviews, then a corrected fact", () => {
    const brief = run([{}, { dnf: { reason: "x" } }], []);
    const reviewed = run([{}, { dnf: { reason: "x" } }], [session("s1", "j", [2, 1])]);
    const corrected = run([{}, {}], [session("s1", "j", [2, 1])], [{}]);
    const of = (before: unknown, after: unknown) =>
      deriveCodeChange(landing(4), [{ path, before, after }])?.runs[0];
    expect(of(null, brief)).toMatchObject({
      run: "r-1",
      arrived: true,
      entries: 2,
      unfinished: 1,
      reviews: 0,
    });
    expect(of(brief, reviewed)).toMatchObject({
      arrived: false,
      entries: 0,
      reviews: 2,
      findings: 3,
      judges: ["j"],
    });
    expect(of(reviewed, corrected)).toMatchObject({ entries: 0, reviews: 0, judges: [], revisions: 1 });
    expect(of(corrected, corrected)).toBeUndefined();
  });

  it("verified defects and new judges; what cannot be read or is not told is nothing", () => {
    const defects = (count: number) => ({ task: "coder", defects: Array(count).fill({}), revisions: [] });
    const change = deriveCodeChange(landing(4), [
      { path: "data/defects/coder.json", before: defects(1), after: defects(3) },
      {
        path: "data/judges.json",
        before: { judges: [{ id: "a" }] },
        after: { judges: [{ id: "a" }, { id: "b" }] },
      },
      { path, before: null, after: "no run" },
      { path: "data/pricing.json", before: {}, after: {} },
      { path: "data/entries/r-1/e1/src/x.json", before: null, after: {} },
    ]);
    expect(change).toMatchObject({
      pull: 4,
      runs: [],
      defects: [{ task: "coder", added: 2, revised: 0 }],
      judges: ["b"],
      others: ["data/pricing.json"],
    });
    expect(deriveCodeChange(landing(4), [{ path, before: null, after: 3 }])).toBeNull();
  });
});
