import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeSuite, renderSuite } from "../../../src/lib/benchmarks/describe-suite.ts";
import { parseSuite, suiteDigest, suitePath } from "../../../src/lib/benchmarks/suite.ts";
import { type Suite, suiteSchema } from "../../../src/lib/benchmarks/suite-schema.ts";
import { tagRates } from "../../../src/lib/benchmarks/tag-rates.ts";
import { parseVocabulary, VOCABULARY_PATH } from "../../../src/lib/benchmarks/vocabulary.ts";
import { suiteMember, suiteOf } from "./documents.ts";

const repository = new URL("../../../", import.meta.url);
const vocabulary = parseVocabulary(readFileSync(new URL(VOCABULARY_PATH, repository)));

const codes = (suite: Suite, path = suitePath(suite.id)): string[] =>
  parseSuite(JSON.stringify(suite, null, 2), path).findings.map(({ code }) => code);

describe("a frozen suite", () => {
  const suite = suiteOf([suiteMember("a"), suiteMember("b")]);

  it("is read with its digest, whatever its layout and key order", () => {
    expect(parseSuite(JSON.stringify(suite, null, 2), suitePath(suite.id))).toMatchObject({
      ok: true,
      value: suite,
    });
    const reversed = Object.fromEntries(Object.entries(suite).reverse());
    expect(parseSuite(JSON.stringify(reversed), suitePath(suite.id)).ok).toBe(true);
    expect(suiteSchema.safeParse({}).success).toBe(false);
  });

  it("does not hold when anything in it changes", () => {
    const changed = { ...suite, members: [{ ...suite.members[0]!, title: "Another" }, suite.members[1]!] };
    expect(codes(changed)).toEqual(["suite-digest"]);
    const finding = parseSuite(JSON.stringify(changed, null, 2), suitePath(suite.id)).findings[0];
    expect(finding).toMatchObject({
      pointer: "/digest",
      expected: suiteDigest(changed),
      actual: suite.digest,
    });
    expect(finding?.line).toBeGreaterThan(1);
  });

  it.each<[string, Suite]>([
    ["suite-duplicate-member", suiteOf([suiteMember("a"), suiteMember("a")])],
    ["suite-duplicate-tag", suiteOf([suiteMember("a", { feature_tags: ["single_table", "single_table"] })])],
    ["suite-bank-member", suiteOf([suiteMember("a", { source_kind: "bank_asset" })])],
    ["suite-derived-from", suiteOf([suiteMember("a", { published_in_bank: true })])],
    ["suite-time", suiteOf([suiteMember("a")], { frozen_at: "2026-02-31T00:00:00.000Z" })],
  ])("%s", (code, broken) => {
    expect(codes(broken)).toEqual([code]);
  });

  it("lies in the file that its id names", () => {
    expect(codes(suite, "benchmarks/suites/other.json")).toEqual(["suite-path"]);
  });
});

describe("the vocabulary", () => {
  it("defines the methodology's twelve tags and three difficulties", () => {
    expect(vocabulary.ok && vocabulary.value.tags.map(({ id }) => id)).toEqual([
      "filled_spans",
      "footnote_contamination",
      "hierarchical_headers",
      "merged_cells",
      "metadata_sheet",
      "multi_table",
      "single_table",
      "sparse_data",
      "stacked_blocks",
      "time_series",
      "transposed_headers",
      "unit_rows",
    ]);
    expect(vocabulary.ok && vocabulary.value.difficulties.map(({ id }) => id)).toEqual([
      "easy",
      "medium",
      "hard",
    ]);
  });

  it("refuses an id twice, and an empty object", () => {
    const tag = { id: "a", definition: "x" };
    const difficulties = ["easy", "medium", "hard"].map((id) => ({ id, definition: "x" }));
    const twice = parseVocabulary(JSON.stringify({ schema_version: 1, difficulties, tags: [tag, tag] }));
    expect(twice.findings.map(({ code }) => code)).toEqual(["vocabulary-duplicate"]);
    expect(parseVocabulary("{}").ok).toBe(false);
  });
});

describe("describing a suite", () => {
  it("gives the methodology's four tables with counts, without empty rows", () => {
    const suite = suiteOf([
      suiteMember("a", { feature_tags: ["time_series", "single_table"] }),
      suiteMember("b", {
        difficulty: "hard",
        publisher: "abs",
        source_kind: "bank_asset",
        published_in_bank: true,
      }),
    ]);
    if (!vocabulary.ok) throw new Error("vocabulary");
    const { summary, tables } = describeSuite(suite, vocabulary.value);
    expect(summary).toContain("2 members; 1 marked as published in the Data Bank");
    expect(tables.map(({ rows }) => rows.map((row) => [row[0], row.at(-1)]))).toEqual([
      [
        ["bank_asset", "1"],
        ["conformance", "1"],
      ],
      [
        ["easy", "1"],
        ["hard", "1"],
      ],
      [
        ["abs", "1"],
        ["synthetic", "1"],
      ],
      [
        ["single_table", "2"],
        ["time_series", "1"],
      ],
    ]);
    expect(renderSuite(suite, vocabulary.value)).toContain("| single_table |");
  });
});

describe("tag rates", () => {
  it("count all members that carry a tag of the vocabulary; only passed ones pass", () => {
    const members = [
      suiteMember("a", { feature_tags: ["x", "y"] }),
      suiteMember("b", { feature_tags: ["x"] }),
      suiteMember("c", { feature_tags: ["z"] }),
    ];
    const statuses = new Map([
      ["a", "passed"],
      ["b", "partial"],
    ] as const);
    expect(tagRates(members, statuses, ["y", "x", "unused"])).toEqual([
      { tag: "y", passed: 1, total: 1 },
      { tag: "x", passed: 1, total: 2 },
    ]);
  });
});
