import { describe, expect, it } from "vitest";
import { legacySessions } from "../../../../src/lib/code/council/legacy.ts";
import { readLegacyMarkdown } from "../../../../src/lib/code/council/legacy-markdown.ts";
import { classifyByKeywords, KEYWORD_RULES } from "../../../../src/lib/code/council/legacy-rules.ts";
import { type Legacy, legacySchema, type Overrides } from "../../../../src/lib/code/council/legacy-schema.ts";
import type { CodeRun } from "../../../../src/lib/code/schema/run-schema.ts";
import { DIGEST, run } from "../facts.ts";

describe("Methodology: Council, legacy reviews are sorted by keyword rules", () => {
  it.each([
    ["The comment claims constant time, but the loop ends early.", "misleading-docs"],
    ["README says that it supports streaming, which is wrong: documentation is outdated.", "misleading-docs"],
    ["Misleading doc comment on `flush`.", "misleading-docs"],
    ["Dead code: the second branch is unreachable.", "dead-code"],
    ["`renormalise` is never called.", "dead-code"],
    ["The table walk is duplicated in encoder and decoder.", "redundancy"],
    ["Redundant bounds check.", "redundancy"],
    ["Over-commented; every line is restated in prose.", "verbosity"],
    ["Needlessly complex abstraction.", "verbosity"],
    ["No test covers the empty input, where it panics.", "tests"],
    ["The tests only check that nothing is thrown.", "tests"],
    ["Untested error paths.", "tests"],
    ["Public functions are undocumented.", "docs"],
    ["The documentation does not state units.", "docs"],
    ["Return type differs from the contract.", "abi"],
    ["Panics on truncated input.", "robustness"],
    ["Integer overflow for inputs above 2 GiB.", "robustness"],
    ["Allocates in the inner loop.", "performance"],
    ["Quadratic in the number of symbols.", "performance"],
    ["Encodes the wrong byte order.", "correctness"],
    ["Off-by-one in the last symbol.", "correctness"],
    ["Does not round-trip an empty block.", "correctness"],
    ["Inconsistent naming of constants.", "style"],
    ["Clippy would complain.", "style"],
  ])("%s → %s", (text, category) => expect(classifyByKeywords(text)).toBe(category));

  it("gives null for what no rule knows", () => expect(classifyByKeywords("Odd.")).toBeNull());

  it("has a reason for every rule, and no rule that another one before it hides", () => {
    for (const { reason } of KEYWORD_RULES) expect(reason.length).toBeGreaterThan(15);
    expect(new Set(KEYWORD_RULES.map(({ category }) => category)).size).toBe(11);
  });
});

const legacy = (findings: Legacy["sessions"][number]["reviews"][number]["findings"]): Legacy => ({
  schema_version: 1,
  sessions: [
    {
      judge: "j-alpha",
      started_at: "2026-11-07T09:00:00.000Z",
      finished_at: "2026-11-07T10:00:00.000Z",
      reviews: [{ entry: "e2", score: 8, findings }],
    },
  ],
});
const old = (): CodeRun => run({ basis: "brief", council: { sessions: [], revisions: [] } });
const overrides = (...list: Overrides["overrides"]): Overrides => ({ schema_version: 1, overrides: list });
const by = (finding: string, category: "style" | "docs" | "tests"): Overrides["overrides"][number] => ({
  ...{ judge: "j-alpha", finding, category },
  reason: "Read again.",
});
const codes = (given: Legacy, over: Overrides, of = old()): string[] =>
  legacySessions(given, over, of, DIGEST).findings.map(({ code }) => code);

describe("Methodology: Council, legacy reviews and documented overrides", () => {
  it("says of each finding how it got its category, and why an override was made", () => {
    const made = legacySessions(
      legacy([
        { severity: "low", text: "Dead code in `flush`.", file: "src/lib.rs", line: 3 },
        { severity: "nit", text: "Odd." },
        { severity: "high", text: "Panics.", false_positive: "It does not: see the test." },
      ]),
      overrides(by("e2-2", "style")),
      old(),
      DIGEST,
    );
    expect(made.ok && made.value[0]?.reviews[0]?.findings).toEqual([
      {
        id: "e2-1",
        severity: "low",
        category: "dead-code",
        file: "src/lib.rs",
        line: 3,
        text: "Dead code in `flush`.",
        status: "valid",
        classified_by: "keywords",
      },
      {
        id: "e2-2",
        severity: "nit",
        category: "style",
        text: "Odd.",
        status: "valid",
        note: "Category by override: Read again.",
        classified_by: "override",
      },
      {
        id: "e2-3",
        severity: "high",
        category: "robustness",
        text: "Panics.",
        status: "false_positive",
        note: "It does not: see the test.",
        classified_by: "keywords",
      },
    ]);
    expect(made.ok && made.value[0]).toMatchObject({
      id: "j-alpha.legacy",
      pack: { sha256: DIGEST, seed: "legacy" },
      order: [{ letter: "A", entry: "e2" }],
    });
  });
  it("asks for an override where nothing fits, and gives no session", () => {
    const made = legacySessions(legacy([{ severity: "low", text: "Odd." }]), overrides(), old(), DIGEST);
    expect(made).toMatchObject({ ok: false, findings: [{ code: "code-council-unclassified" }] });
    expect(made.findings[0]?.hint).toContain('"finding": "e2-1"');
  });
  it("accepts no override that is of nothing, or that the rules make needless", () => {
    const dead = legacy([{ severity: "low", text: "Odd naming." }]);
    expect(codes(dead, overrides(by("e2-9", "docs")))).toEqual(["code-council-override-unknown"]);
    expect(codes(dead, overrides(by("e2-1", "style")))).toEqual(["code-council-override-unneeded"]);
    expect(codes(dead, overrides(by("e2-1", "tests")))).toEqual([]);
  });
  it("is only for runs that were judged against their brief, and once a file", () => {
    const given = legacy([]);
    expect(codes(given, overrides(), run({ council: { sessions: [], revisions: [] } }))).toEqual([
      "code-council-legacy-basis",
    ]);
    const first = legacySessions(given, overrides(), old(), DIGEST);
    const again = { ...old(), council: { sessions: first.ok ? first.value : [], revisions: [] } };
    expect(codes(given, overrides(), again)).toEqual(["code-council-imported"]);
  });
});

describe("legacy reviews in Markdown", () => {
  const text = [
    "# j-alpha 2026-11-07T09:00:00.000Z 2026-11-07T10:00:00.000Z",
    "",
    "## e1 8.5",
    "Careful work.",
    "Reads well.",
    "- **low**: Dead code (`src/lib.rs:12`)",
    "- [nit] Naming,",
    "  of constants.",
    "* high: Panics (src/lib.rs).",
    "## e2 7",
    "- **medium:** No tests",
    "",
  ].join("\n");
  it("are read into the same form as JSON", () => {
    const { value, findings } = readLegacyMarkdown(text, "r.md");
    expect(findings).toEqual([]);
    expect(legacySchema.parse(value).sessions[0]?.reviews).toEqual([
      {
        entry: "e1",
        score: 8.5,
        summary: "Careful work. Reads well.",
        findings: [
          { severity: "low", text: "Dead code", file: "src/lib.rs", line: 12 },
          { severity: "nit", text: "Naming, of constants." },
          { severity: "high", text: "Panics", file: "src/lib.rs" },
        ],
      },
      { entry: "e2", score: 7, findings: [{ severity: "medium", text: "No tests" }] },
    ]);
  });
  it.each([
    ["a bullet before any entry", "- low: x", 1],
    ["an entry before any judge", "## e1 8", 1],
    ["an unknown severity", `${text}- blocker: x`, 12],
    ["words after the bullets", `${text}More words.`, 12],
    ["another heading", `${text}### Notes`, 12],
  ])("%s is a finding with its line", (_, given, line) => {
    expect(readLegacyMarkdown(given, "r.md").findings).toMatchObject([
      { code: "code-council-legacy-line", path: "r.md", line },
    ]);
  });
});
