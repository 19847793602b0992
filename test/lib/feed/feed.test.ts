import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Components } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { buildFeed, costPerSolved, type FeedInput } from "../../../src/lib/feed/build.ts";
import { latestResults, rankModels, supersedesFindings } from "../../../src/lib/feed/rank.ts";
import {
  entryOf,
  feedSchema,
  parseRegistry,
  REGISTRY_PATH,
  type ResultEntry,
} from "../../../src/lib/feed/schema.ts";
import { passedMember, resultDocument, suiteMember, suiteOf } from "../benchmarks/documents.ts";

const suite = suiteOf([
  suiteMember("a", { feature_tags: ["time_series", "single_table"] }),
  suiteMember("b", { feature_tags: ["time_series", "local_word"] }),
]);
const registry = {
  schema_version: 1 as const,
  models: [
    { id: "b/two", name: "Two" },
    { id: "a/one", name: "One" },
    { id: "c/three", name: "Three" },
  ],
};
const components: Components = {
  deterministic_pass_rate: 1,
  exact_output_match: 0.5,
  cell_match_rate: 0.9,
  value_address_f1: 0.9,
  header_accuracy: 0.9,
};

let serial = 0;
const entry = (model: string, changes: Partial<ResultEntry> = {}): ResultEntry => {
  serial += 1;
  return {
    path: `benchmarks/results/test-1/${model.replace("/", "__")}/${serial}.json`,
    digest: digestOf(`document ${serial}`),
    suite: { id: suite.id, digest: suite.digest },
    model,
    finished_at: "2026-11-30T10:00:00.000Z",
    components,
    composite: 0.8,
    composite_version: "provisional-1",
    passed: ["a"],
    members: 2,
    cost: { total_usd: 0.5, complete: true },
    supersedes: null,
    ...changes,
  };
};

const input = (entries: ResultEntry[], changes: Partial<FeedInput> = {}): FeedInput => ({
  sourceTree: "a".repeat(40),
  registry,
  suites: [suite],
  tags: ["single_table", "time_series", "unit_rows"],
  entries,
  ...changes,
});

describe("the latest result of a model and suite", () => {
  it("is the one that finished last", () => {
    const old = entry("a/one");
    const late = entry("a/one", { finished_at: "2026-11-30T10:00:00.001Z", composite: 0.1 });
    expect(latestResults([late, old], suite)).toEqual([late]);
  });

  it("equal times go by first-parent merge order, then by digest", () => {
    const [first, second] = [entry("a/one"), entry("a/one")];
    expect(latestResults([first, second], suite, [second.path, first.path])).toEqual([first]);
    expect(latestResults([first, second], suite, [first.path, second.path])).toEqual([second]);
    // A path that is not merged yet comes after all that are.
    expect(latestResults([first, second], suite, [second.path])).toEqual([first]);
    const greater = first.digest > second.digest ? first : second;
    expect(latestResults([first, second], suite)).toEqual([greater]);
    expect(latestResults([second, first], suite)).toEqual([greater]);
  });

  it("is never one that another supersedes, even when the correction finished earlier", () => {
    const wrong = entry("a/one", { finished_at: "2026-11-30T12:00:00.000Z" });
    const right = entry("a/one", { finished_at: "2026-11-30T11:00:00.000Z", supersedes: wrong.digest });
    const righter = entry("a/one", { finished_at: "2026-11-30T10:30:00.000Z", supersedes: right.digest });
    expect(latestResults([wrong, right, righter], suite)).toEqual([righter]);
  });

  it("is never a withdrawn one, and what a withdrawn correction replaced stays replaced", () => {
    const first = entry("a/one", { finished_at: "2026-11-30T09:00:00.000Z" });
    const wrong = entry("a/one", { finished_at: "2026-11-30T10:00:00.000Z" });
    const right = entry("a/one", { finished_at: "2026-11-30T11:00:00.000Z", supersedes: wrong.digest });
    const withdrawn = new Set([right.digest]);
    expect(latestResults([first, wrong, right], suite, [], withdrawn)).toEqual([first]);
    expect(latestResults([wrong, right], suite, [], withdrawn)).toEqual([]);
  });

  it("a correction of another model or suite replaces nothing, and is a finding", () => {
    const theirs = entry("a/one", { finished_at: "2026-11-30T12:00:00.000Z" });
    const grab = entry("b/two", { supersedes: theirs.digest });
    const lost = entry("b/two", { supersedes: digestOf("nothing") });
    expect(latestResults([theirs, grab], suite).map(({ model }) => model)).toEqual(["a/one", "b/two"]);
    expect(supersedesFindings([theirs, grab, lost]).map(({ code }) => code)).toEqual([
      "result-supersedes-other",
      "result-supersedes-unknown",
    ]);
  });
});

describe("rank", () => {
  it("compares only curated models with a latest result in that same suite", () => {
    const other = { id: suite.id, digest: digestOf("another version") };
    const entries = [
      entry("a/one", { composite: 0.5 }),
      entry("b/two", { composite: 0.9 }),
      entry("x/unlisted", { composite: 1 }),
      entry("c/three", { composite: 1, suite: other }),
    ];
    expect(
      rankModels(entries, registry, suite).map(({ model, position, of }) => [model, position, of]),
    ).toEqual([
      ["b/two", 1, 2],
      ["a/one", 2, 2],
    ]);
    expect(rankModels(entries, registry, other).map(({ model }) => model)).toEqual(["c/three"]);
  });

  it("Composite ties are ordered deterministically by model ID, whatever the order of results", () => {
    const entries = ["c/three", "a/one", "b/two"].map((model) => entry(model));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: 3 }), (shuffled) => {
        expect(rankModels(shuffled, registry, suite).map(({ model }) => model)).toEqual([
          "a/one",
          "b/two",
          "c/three",
        ]);
      }),
    );
  });
});

describe("the feed", () => {
  it("records what the methodology lists", () => {
    const one = entry("a/one");
    const feed = buildFeed(input([one]));
    expect(feedSchema.parse(feed)).toEqual(feed);
    expect(feed.models[0]).toEqual({
      id: "a/one",
      name: "One",
      benchmark: [
        {
          suite: suite.id,
          suite_digest: suite.digest,
          result: one.digest,
          path: one.path,
          finished_at: one.finished_at,
          components,
          composite: 0.8,
          composite_version: "provisional-1",
          rank: { position: 1, of: 1 },
          solved: 1,
          members: 2,
          cost_per_solved_usd: 0.5,
          // Only tags of the vocabulary, only those the suite has.
          tags: { single_table: { passed: 1, total: 1 }, time_series: { passed: 1, total: 2 } },
        },
      ],
    });
  });

  it("Models without committed results have no benchmark block", () => {
    const feed = buildFeed(input([]));
    expect(feed.models.map((model) => Object.keys(model))).toEqual([
      ["id", "name"],
      ["id", "name"],
      ["id", "name"],
    ]);
    expect(canonicalDocument(feed)).not.toContain("benchmark");
  });

  it("leaves unlisted models out", () => {
    const unlisted = entry("x/unlisted");
    expect(canonicalDocument(buildFeed(input([unlisted])))).not.toContain("unlisted");
  });

  it("is the same bytes for the same results in any order", () => {
    const entries = ["a/one", "b/two", "x/y", "a/one"].map((model, index) =>
      entry(model, { finished_at: `2026-11-30T10:00:0${index}.000Z`, composite: index / 10 }),
    );
    const bytes = (list: ResultEntry[]): string => canonicalDocument(buildFeed(input(list)));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        expect(bytes(shuffled)).toBe(bytes(entries));
      }),
    );
  });
});

describe("cost per solved sheet", () => {
  it.each([
    [{ total_usd: 0.3, complete: true }, 7, 0.042857143],
    [{ total_usd: 0, complete: true }, 3, 0],
    [{ total_usd: 0.3, complete: false }, 7, null],
    [{ total_usd: null, complete: false }, 7, null],
    [{ total_usd: 0.3, complete: true }, 0, null],
  ])("%o over %i is %s", (cost, solved, expected) => {
    expect(costPerSolved(cost, solved)).toBe(expected);
  });
});

describe("registry and entries", () => {
  it("the committed registry is sound and has the floor", () => {
    const parsed = parseRegistry(readFileSync(new URL(`../../../${REGISTRY_PATH}`, import.meta.url)));
    expect(parsed.ok && parsed.value.models.map(({ id }) => id)).toContain("baseline/heuristic");
  });

  it("a model twice is a finding; an empty object is no registry", () => {
    const model = { id: "a/one", name: "One" };
    const twice = parseRegistry(JSON.stringify({ schema_version: 1, models: [model, model] }));
    expect(twice.findings).toMatchObject([{ code: "registry-duplicate", pointer: "/models/1/id", line: 1 }]);
    expect(parseRegistry("{}").ok).toBe(false);
    expect(feedSchema.safeParse({}).success).toBe(false);
  });

  it("an entry says what its document says", () => {
    const document = resultDocument([passedMember("a"), passedMember("b")], suite);
    expect(entryOf(document, "p.json")).toMatchObject({
      model: "acme/model-1",
      passed: ["a", "b"],
      composite: 1,
      members: 2,
      supersedes: null,
    });
  });
});
