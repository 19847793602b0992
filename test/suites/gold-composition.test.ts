import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Composition,
  compositionOf,
  GOLD_2026_07_COMPOSITION,
} from "../../src/lib/benchmarks/composition.ts";
import { describeSuite } from "../../src/lib/benchmarks/describe-suite.ts";
import { parseSuite, suitePath } from "../../src/lib/benchmarks/suite.ts";
import type { Suite } from "../../src/lib/benchmarks/suite-schema.ts";
import { parseVocabulary, VOCABULARY_PATH, type Vocabulary } from "../../src/lib/benchmarks/vocabulary.ts";

/** The frozen suite has exactly the published composition, counted here and as `bench:suite describe` prints it. */

const ID = "gold-2026.07";
const root = join(import.meta.dirname, "../..");

function frozen(): Suite {
  const file = join(root, suitePath(ID));
  if (!existsSync(file))
    throw new Error(
      `${suitePath(ID)} is missing: npm run bench:suite -- freeze scripts/suites/drafts/${ID}.json`,
    );
  const suite = parseSuite(readFileSync(file), suitePath(ID));
  if (!suite.ok) throw new Error(JSON.stringify(suite.findings));
  return suite.value;
}

function vocabulary(): Vocabulary {
  const parsed = parseVocabulary(readFileSync(join(root, VOCABULARY_PATH)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

/** Members of a table that `describe` prints, by first column. */
function printed(suite: Suite, title: string): Record<string, number> {
  const table = describeSuite(suite, vocabulary()).tables.find((each) => each.title === title);
  if (table === undefined) throw new Error(`describe prints no table "${title}"`);
  expect(table.columns.at(-1)).toBe("Members");
  return Object.fromEntries(table.rows.map((row) => [row[0] ?? "", Number(row.at(-1))]));
}

describe("the published composition", () => {
  it("adds up", () => {
    const { members, ...counts }: Composition = GOLD_2026_07_COMPOSITION;
    for (const table of [counts.source_kind, counts.difficulty, counts.publisher])
      expect(Object.values(table).reduce((sum, count) => sum + count, 0)).toBe(members);
    expect(Object.keys(counts.feature_tags)).toEqual(vocabulary().tags.map(({ id }) => id));
  });
});

describe(`${ID}, frozen`, () => {
  it("has it, property by property", () => {
    expect(compositionOf(frozen())).toEqual(GOLD_2026_07_COMPOSITION);
  });

  it.each([
    ["Members by source kind", GOLD_2026_07_COMPOSITION.source_kind],
    ["Members by difficulty", GOLD_2026_07_COMPOSITION.difficulty],
    ["Members by publisher", GOLD_2026_07_COMPOSITION.publisher],
    ["Members by structure feature tag", GOLD_2026_07_COMPOSITION.feature_tags],
  ])("describe prints it: %s", (title, counts) => {
    expect(printed(frozen(), title)).toEqual(counts);
  });

  it("describe says how many members there are, and how many of them are published", () => {
    const { summary } = describeSuite(frozen(), vocabulary());
    expect(summary).toContain("; 30 members; 14 marked as published in the Data Bank.");
  });

  it("every bank member counts as published, and a re-created layout names what it re-creates", () => {
    const suite = frozen();
    const published = suite.members.filter((member) => member.published_in_bank);
    expect(published.filter((member) => member.source_kind === "bank_asset")).toHaveLength(12);
    for (const member of published.filter((each) => each.source_kind === "conformance"))
      expect(member.derived_from).toMatch(/\S/);
  });
});
