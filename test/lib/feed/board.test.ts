import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { renderBoard } from "../../../src/lib/feed/board.ts";
import {
  type BoardResult,
  type BoardSuiteInput,
  buildBoardIndex,
  buildBoardSuite,
} from "../../../src/lib/feed/board-build.ts";
import { boardIndexSchema, boardSuiteSchema } from "../../../src/lib/feed/board-schema.ts";
import {
  partialMember,
  passedMember,
  resultDocument,
  skippedMember,
  suiteMember,
  suiteOf,
} from "../benchmarks/documents.ts";

const suite = suiteOf([
  suiteMember("a", { feature_tags: ["single_table"] }),
  suiteMember("b", { source_kind: "bank_asset", feature_tags: ["single_table", "time_series"] }),
  suiteMember("c"),
]);
const vocabulary: BoardSuiteInput["vocabulary"] = {
  schema_version: 1,
  difficulties: [],
  tags: ["single_table", "time_series", "unit_rows"].map((id) => ({ id, definition: `What ${id} means.` })),
};
const registry: BoardSuiteInput["registry"] = {
  schema_version: 1,
  models: [
    { id: "a/one", name: "One" },
    { id: "b/two", name: "Two" },
  ],
};
const CANARY = "canary-6d1f";
const resultOf = (
  model: string,
  members = [passedMember("a"), partialMember("b"), skippedMember("c")],
): BoardResult => {
  const document: ResultDocument = resultDocument(members, suite, {
    model: { id: model, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
  });
  return {
    path: `benchmarks/results/test-1/${model.replace("/", "__")}/x.json`,
    blob: "c".repeat(40),
    digest: digestOf(model),
    document,
    previous: null,
  };
};
const board = (results: BoardResult[], more: Partial<BoardSuiteInput> = {}) =>
  buildBoardSuite({
    sourceTree: "a".repeat(40),
    resultsTree: "b".repeat(40),
    suiteTree: "d".repeat(40),
    suite,
    vocabulary,
    registry,
    results,
    withdrawn: [],
    ...more,
  });

describe("a suite's board", () => {
  it("holds its schema, ranks the curated models, and names where each number comes from", () => {
    const better = resultOf("b/two", [passedMember("a"), passedMember("b"), passedMember("c")]);
    const made = board([resultOf("x/unlisted"), resultOf("a/one"), better]);
    expect(boardSuiteSchema.parse(made)).toEqual(made);
    expect(made.rows.map(({ rank, model, name }) => [rank, model, name])).toEqual([
      [1, "b/two", "Two"],
      [2, "a/one", "One"],
      [null, "x/unlisted", null],
    ]);
    expect(made.rows[1]).toMatchObject({
      result: { digest: digestOf("a/one"), blob: "c".repeat(40) },
      solved: 1,
      members: 3,
      // 1, 7/8 of the cells and 0, over three members; half away from zero at six decimals.
      components: { cell_match_rate: 0.625, exact_output_match: 0.333333, deterministic_pass_rate: 0.666667 },
      tags: { single_table: { passed: 1, total: 3 }, time_series: { passed: 0, total: 1 } },
      cost: { total_usd: 0.02, complete: true, per_solved_usd: 0.02 },
      levels: { scores: "recomputed", model: "declared", cost: "declared" },
    });
    expect(made.tags.map(({ id, members }) => [id, members])).toEqual([
      ["single_table", 3],
      ["time_series", 1],
    ]);
  });

  it("says no more of any member than status and rounded components", () => {
    const leaky = partialMember("b", {
      recipe: { version: 1, note: CANARY },
      mismatches: [
        { kind: "cell", address: CANARY, row: 1, column: CANARY, expected: CANARY, actual: CANARY },
      ],
    });
    const made = board([resultOf("a/one", [passedMember("a"), leaky, skippedMember("c")])]);
    expect(canonicalDocument(made)).not.toContain(CANARY);
    expect(made.members.map((member) => member.private)).toEqual([false, true, false]);
    expect(made.rows[0]?.by_member[1]).toEqual({
      id: "b",
      status: "partial",
      components: {
        deterministic_pass_rate: 1,
        exact_output_match: 0,
        cell_match_rate: 0.875,
        value_address_f1: 1,
        header_accuracy: 1,
      },
    });
  });

  it("without results there is, and holds no row", () => {
    const made = board([], { suiteTree: null });
    expect(boardSuiteSchema.parse(made).rows).toEqual([]);
    expect(renderBoard([made])).toContain("No curated model has a result in this suite.");
  });

  it("is the same bytes for the same results in any order", () => {
    const results = ["a/one", "b/two", "x/y", "w/z"].map((model) => resultOf(model));
    const bytes = (list: BoardResult[]): string =>
      canonicalDocument(board(list)) + renderBoard([board(list)]);
    fc.assert(
      fc.property(fc.shuffledSubarray(results, { minLength: results.length }), (shuffled) => {
        expect(bytes(shuffled)).toBe(bytes(results));
      }),
    );
  });
});

describe("the list of boards", () => {
  it("says what the metrics mean, and where each suite's rows are", () => {
    const index = buildBoardIndex([board([resultOf("a/one"), resultOf("x/y")])], {
      source_tree: null,
      results_tree: null,
    });
    expect(boardIndexSchema.parse(index)).toEqual(index);
    expect(index.suites).toMatchObject([{ id: "test-1", file: "board/test-1.json", models: 2, ranked: 1 }]);
    expect(index.metrics.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(index.metrics.every(({ definition }) => definition.length > 40)).toBe(true);
  });
});

describe("the board as a page of Markdown", () => {
  it("shows ranked models best first, unlisted ones apart, and what was withdrawn", () => {
    const page = renderBoard([
      board([resultOf("a/one"), resultOf("x/unlisted")], {
        withdrawn: [
          {
            model: "b/two",
            result: digestOf("gone"),
            reason: "It saw | the *answers*.",
            withdrawn_at: "2026-12-01T00:00:00.000Z",
            withdrawal: { digest: digestOf("w"), path: "p", blob: "e".repeat(40) },
          },
        ],
      }),
    ]);
    expect(page).toContain("| 1 | One `a/one` | ");
    expect(page).toMatch(/^- `x\/unlisted` 0\.\d{6} /m);
    expect(page).toContain("It saw \\| the \\*answers\\*.");
    expect(page).toContain(`Made from the tree \`${"a".repeat(40)}\``);
  });

  it("names cannot become markup", () => {
    const hostile = { ...registry, models: [{ id: "a/one", name: "<img src=x>|[a](b) *x*" }] };
    expect(renderBoard([board([resultOf("a/one")], { registry: hostile })])).toContain(
      "\\<img src=x\\>\\|\\[a\\](b) \\*x\\*",
    );
  });
});
