import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import type { Finding } from "../../../src/lib/findings.ts";
import { committedResult } from "../../../src/lib/result-pr/evidence.ts";
import { assembleReport, type ReportFacts, type ResultFacts } from "../../../src/lib/result-pr/report.ts";
import { reportSchema } from "../../../src/lib/result-pr/report-schema.ts";
import { decideVerdict, sortFindings } from "../../../src/lib/result-pr/verdict.ts";
import { parseStrictJson } from "../../../src/lib/strict-json/parse.ts";
import {
  passedMember,
  resultDocument,
  skippedMember,
  suiteMember,
  suiteOf,
} from "../benchmarks/documents.ts";

const finding = (code: string, severity: Finding["severity"], more: Partial<Finding> = {}): Finding => ({
  code,
  severity,
  message: code,
  ...more,
});

describe("the verdict", () => {
  it.each<[string, Finding[], boolean, string]>([
    ["nothing to say", [], false, "valid"],
    ["a notice", [finding("pr-same-evidence", "notice")], false, "valid"],
    ["something to look at", [finding("pr-supersedes", "warning")], false, "needs-review"],
    ["a workbook that is not here", [finding("score-unverified", "warning")], true, "incomplete"],
    ["our suite does not hold", [finding("suite-digest", "error")], true, "error"],
    [
      "our failure beside a look",
      [finding("grader-part-missing", "error"), finding("pr-supersedes", "warning")],
      false,
      "error",
    ],
    [
      "the submitter's error, whatever else",
      [finding("suite-digest", "error"), finding("pr-file-mode", "error")],
      true,
      "invalid",
    ],
    ["a wrong number", [finding("score-composite", "error")], false, "invalid"],
  ])("of %s", (_, findings, unverified, expected) =>
    expect(decideVerdict(findings, unverified)).toBe(expected),
  );

  it("does not depend on the order in which things were found", () => {
    const one = fc.record({
      code: fc.constantFrom("pr-a", "pr-b"),
      severity: fc.constantFrom("error" as const, "warning" as const, "notice" as const),
      message: fc.constantFrom("m", "n"),
      path: fc.constantFrom("x", "y"),
      line: fc.constantFrom(1, 2),
    });
    fc.assert(
      fc.property(fc.array(one), fc.nat(), (findings, turn) => {
        const turned = findings.map((_, index) => findings[(index + turn) % findings.length]!);
        expect(sortFindings(turned)).toEqual(sortFindings(findings));
        const order = ["error", "warning", "notice"];
        const severities = sortFindings(findings).map(({ severity }) => order.indexOf(severity));
        expect(severities).toEqual([...severities].sort());
      }),
    );
  });
});

const suite = suiteOf([
  suiteMember("a"),
  suiteMember("b", { source_kind: "bank_asset", published_in_bank: true }),
]);
const registry = {
  schema_version: 1 as const,
  models: ["m/1", "m/2", "m/3", "m/4", "m/5", "m/6", "own/model"].map((id) => ({ id, name: id })),
};
const model = (id: string): Partial<ResultDocument> => ({ model: { ...base.model, id } });
const base = resultDocument([passedMember("a"), passedMember("b")], suite);
const committed = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((composite, index) => {
  const id = `m/${index + 1}`;
  return committedResult(`r/${id}.json`, digestOf(id), { ...base, ...model(id), composite });
});

function resultFacts(
  document: ResultDocument,
  composite: number | null,
  more: Partial<ResultFacts> = {},
): ResultFacts {
  return {
    path: "r/own.json",
    digest: digestOf(canonicalDocument(document)),
    document,
    recomputed: {
      members: document.members.map(({ id, status, metrics, mismatches }) => ({
        id,
        status,
        metrics,
        mismatches,
      })),
      components: composite === null ? null : document.components,
      composite,
    },
    suite,
    tags: ["single_table"],
    duplicates: [],
    ...more,
  };
}

const facts = (result: ResultFacts, more: Partial<ReportFacts> = {}): ReportFacts => ({
  identity: {
    mode: "local",
    pull_request: null,
    head_sha: null,
    base_sha: null,
    merge_base_sha: null,
    commit_sha: null,
    tree_sha: null,
  },
  engine: { version: "0.0.0", digest: digestOf("engine") },
  changedFiles: 1,
  findings: [],
  findingsDropped: 0,
  results: [result],
  committed,
  registry,
  ...more,
});

const rankOf = (result: ResultFacts, more: Partial<ReportFacts> = {}) =>
  assembleReport(facts(result, more)).results[0]!.rank;

describe("the report", () => {
  const own = { ...base, ...model("own/model") };

  it("is one of its schema, the same for the same facts", () => {
    const report = assembleReport(facts(resultFacts(own, 0.65)));
    expect(reportSchema.parse(report)).toEqual(report);
    expect(canonicalDocument(assembleReport(facts(resultFacts(own, 0.65))))).toBe(canonicalDocument(report));
  });

  it("ranks by the recomputed number, with two neighbours on each side", () => {
    const claimed = { ...own, composite: 0.99 };
    expect(rankOf(resultFacts(claimed, 0.65))).toEqual({
      before: null,
      after: 4,
      of: 7,
      neighbours: [
        { model: "m/2", composite: 0.8, rank: 2 },
        { model: "m/3", composite: 0.7, rank: 3 },
        { model: "own/model", composite: 0.65, rank: 4 },
        { model: "m/4", composite: 0.6, rank: 5 },
        { model: "m/5", composite: 0.5, rank: 6 },
      ],
      reason: null,
    });
    expect(rankOf(resultFacts(own, 0.95)).neighbours.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it("compares with the model's previous result, and moves it", () => {
    const better = { ...base, ...model("m/5"), finished_at: "2026-11-30T23:00:00.000Z" };
    const report = assembleReport(facts(resultFacts(better, 1)));
    expect(report.results[0]).toMatchObject({
      previous: { composite: 0.5, document: digestOf("m/5") },
      rank: { before: 5, after: 1, of: 6 },
      tags: [{ tag: "single_table", passed: 2, total: 2, previous_passed: 2 }],
    });
  });

  it("says why there is no rank", () => {
    expect(rankOf(resultFacts({ ...base, ...model("un/listed") }, 1)).reason).toMatch(
      /registry does not list/,
    );
    expect(rankOf(resultFacts(own, null)).reason).toMatch(/recomputed/);
    expect(rankOf(resultFacts(own, 1), { findings: [finding("pr-x", "error")] }).reason).toMatch(
      /without errors/,
    );
    expect(rankOf(resultFacts(own, 1), { registry: null }).reason).toMatch(/no readable registry/);
    const old = { ...base, ...model("m/1"), finished_at: "2020-01-01T00:00:00.000Z" };
    expect(rankOf(resultFacts(old, 1)).reason).toMatch(/later result/);
  });

  it("keeps what is private inside, also when it was not run", () => {
    const mismatch = {
      kind: "cell" as const,
      address: "Secret!R1C1",
      row: 1,
      column: "x",
      expected: "1",
      actual: "2",
    };
    const partial = passedMember("b", { status: "partial", mismatches: [mismatch] });
    const document = resultDocument([skippedMember("a"), partial], suite);
    const [result] = assembleReport(facts(resultFacts(document, 0.5))).results;
    expect(JSON.stringify(result)).not.toContain("Secret");
    expect(result!.members).toMatchObject([
      { id: "a", private: false, fault: "infrastructure", recomputed: zeroMetrics() },
      { id: "b", private: true, mismatches: [], recomputed: { header_accuracy: { matched: 0, total: 0 } } },
    ]);
    const open = assembleReport(facts(resultFacts(document, 0.5), { privacy: { openBank: true } }));
    expect(open.results[0]!.members[1]!.mismatches).toEqual([mismatch]);
  });

  it("gives the cost per member that recomputation passed, and none for an unknown cost", () => {
    const paid = { ...own, cost: { total_usd: 0.3, complete: true } };
    expect(assembleReport(facts(resultFacts(paid, 1))).results[0]!.cost.per_solved_usd).toBe(0.15);
    const unknown = { ...own, cost: { total_usd: 0.3, complete: false } };
    expect(assembleReport(facts(resultFacts(unknown, 1))).results[0]!.cost.per_solved_usd).toBeNull();
  });

  it("keeps the worst 500 findings, cuts none of them open, and counts all", () => {
    const many = Array.from({ length: 700 }, (_, index) => finding("pr-n", "warning", { path: `f${index}` }));
    const long = finding("pr-long", "error", { actual: `x${"😀".repeat(9000)}`, path: "\ud800" });
    const report = assembleReport(
      facts(resultFacts(own, 1), { findings: [...many, long], findingsDropped: 9 }),
    );
    expect(report.findings).toHaveLength(500);
    expect(report.findings[0]!.code).toBe("pr-long");
    expect(report.findings[0]!.actual!.length).toBeLessThanOrEqual(1000);
    // Half a pair would make the report unreadable for a strict reader.
    expect(parseStrictJson(canonicalDocument(report)).ok).toBe(true);
    expect(report.findings_total).toBe(710);
    expect(report.verdict).toBe("invalid");
  });
});
