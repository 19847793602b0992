import { describe, expect, it } from "vitest";
import { zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import { placeFindings } from "../../../src/lib/benchmarks/place-findings.ts";
import { modelFolder, parseResult, readResult, resultPath } from "../../../src/lib/benchmarks/result.ts";
import { type ResultDocument, resultSchema } from "../../../src/lib/benchmarks/result-schema.ts";
import { resultAgainstSuite } from "../../../src/lib/benchmarks/result-suite-rules.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { digestOf, sha256Hex } from "../../../src/lib/digest.ts";
import {
  attempt,
  failedMember,
  partialMember,
  passedMember,
  resultDocument,
  skippedMember,
  suiteMember,
  suiteOf,
} from "./documents.ts";

const suite = suiteOf(["a", "b", "c", "d"].map((id) => suiteMember(id)));
const honest = (): ResultDocument =>
  resultDocument([passedMember("a"), partialMember("b"), failedMember("c"), skippedMember("d")], suite);

const codes = (document: ResultDocument): string[] => {
  const read = readResult(canonicalDocument(document), resultPath(document));
  return [...new Set(read.findings.map(({ code }) => code))];
};

describe("an honest document", () => {
  it("has no findings, and comes back as it was", () => {
    const document = honest();
    const parsed = parseResult(canonicalDocument(document), resultPath(document));
    expect(parsed).toEqual({ ok: true, value: document, findings: [] });
    expect(resultAgainstSuite(document, suite, "x.json")).toEqual([]);
  });

  it("may count interrupted calls, whose cost nobody knows", () => {
    const document = resultDocument(honest().members, suite, {}, 2);
    expect(codes(document)).toEqual([]);
    expect(document.cost.complete).toBe(false);
    expect(document.totals.calls).toBe(6);
  });

  it("an empty object is no result", () => {
    expect(parseResult("{}", "x.json").ok).toBe(false);
    expect(resultSchema.safeParse({}).success).toBe(false);
  });
});

describe("the path", () => {
  it("follows from the content", () => {
    const document = honest();
    const digest8 = sha256Hex(canonicalDocument(document)).slice(0, 8);
    const hash8 = sha256Hex("acme/model-1").slice(0, 8);
    expect(resultPath(document)).toBe(
      `benchmarks/results/test-1/acme__model-1-${hash8}/20261130t101500z-${digest8}.json`,
    );
  });

  it.each([
    ["meta-llama/llama-3.3-70b-instruct:free", "meta-llama__llama-3.3-70b-instruct-free-"],
    ["Acme/Org/Model", "acme__org-model-"],
    ["a/..", "a__x-"],
    [`a/${"m".repeat(190)}`, `a__${"m".repeat(50)}-`],
  ])("%s has a safe folder", (id, start) => {
    const folder = modelFolder(id);
    expect(folder).toBe(`${start}${sha256Hex(id).slice(0, 8)}`);
    expect(folder).toMatch(/^[a-z0-9][a-z0-9._-]{0,99}$/);
  });

  it("keeps apart ids that share a slug", () => {
    expect(modelFolder("acme/Model")).not.toBe(modelFolder("acme/model"));
  });

  it("is judged unless the file is a draft elsewhere", () => {
    const text = canonicalDocument(honest());
    const elsewhere = parseResult(text, "benchmarks/results/test-1/acme/other.json");
    expect(elsewhere.findings).toMatchObject([{ code: "result-path", expected: resultPath(honest()) }]);
    expect(parseResult(text, null, "out.json").ok).toBe(true);
  });
});

type Change = (document: ResultDocument) => void;
const CASES: [code: string, what: string, change: Change][] = [
  ["result-duplicate-member", "a member twice", (d) => d.members.splice(1, 1, passedMember("a"))],
  ["result-status", "passed without a recipe", (d) => Object.assign(d.members[0]!, { recipe: null })],
  ["result-status", "passed without output", (d) => Object.assign(d.members[0]!, { output: null })],
  [
    "result-status",
    "partial with a reason",
    (d) => Object.assign(d.members[1]!, { reason: d.members[2]!.reason }),
  ],
  [
    "result-status",
    "passed with mismatch rows",
    (d) => Object.assign(d.members[0]!, { mismatches: d.members[1]!.mismatches }),
  ],
  ["result-status", "failed with a recipe", (d) => Object.assign(d.members[2]!, { recipe: {} })],
  ["result-status", "failed without a reason", (d) => Object.assign(d.members[2]!, { reason: null })],
  [
    "result-status",
    "failed with an accepted attempt",
    (d) => Object.assign(d.members[2]!.attempts[1]!, { outcome: "accepted" }),
  ],
  ["result-status", "failed without an attempt", (d) => Object.assign(d.members[2]!, { attempts: [] })],
  [
    "result-status",
    "skipped, and the model's fault",
    (d) => Object.assign(d.members[3]!.reason!, { fault: "model" }),
  ],
  [
    "result-status",
    "a transport failure that is called the model's",
    (d) => Object.assign(d.members[2]!.attempts.at(-1)!, { outcome: "transport_error" }),
  ],
  [
    "result-status",
    "an answer that is called a transport failure",
    (d) => Object.assign(d.members[2]!.reason!, { fault: "transport" }),
  ],
  [
    "result-status",
    "skipped with an attempt",
    (d) => Object.assign(d.members[3]!, { attempts: [attempt({ outcome: "empty" })] }),
  ],
  [
    "result-status",
    "passed on a refused attempt",
    (d) => Object.assign(d.members[0]!.attempts[0]!, { outcome: "refusal" }),
  ],
  [
    "result-attempt-cap",
    "more attempts than the cap",
    (d) => Object.assign(d.caps, { attempts_per_member: 1 }),
  ],
  [
    "result-attempt-order",
    "a revision first",
    (d) => Object.assign(d.members[0]!.attempts[0]!, { kind: "revision" }),
  ],
  [
    "result-attempt-order",
    "two initial attempts",
    (d) => Object.assign(d.members[2]!.attempts[1]!, { kind: "initial" }),
  ],
  [
    "result-attempt-order",
    "a retried transport failure",
    (d) => Object.assign(d.members[2]!.attempts[0]!, { outcome: "transport_error" }),
  ],
  [
    "result-attempt-order",
    "best of two accepted",
    (d) => d.members[0]!.attempts.push(attempt({ kind: "revision", started_at: "2026-11-30T10:00:09.000Z" })),
  ],
  [
    "result-attempt-response",
    "an accepted answer without digest",
    (d) => Object.assign(d.members[0]!.attempts[0]!, { response_sha256: null }),
  ],
  [
    "result-fraction",
    "a fraction that its counts do not give",
    (d) => Object.assign(d.members[1]!.metrics.cell_match_rate, { matched: 6 }),
  ],
  [
    "result-fraction",
    "more matched than there are",
    (d) => Object.assign(d.members[1]!.metrics.header_accuracy, { numerator: 5, matched: 5 }),
  ],
  [
    "result-fraction",
    "an F1 in lowest terms",
    (d) => Object.assign(d.members[1]!.metrics.value_address_f1, { numerator: 1, denominator: 1 }),
  ],
  [
    "result-zero",
    "a failed member with a score",
    (d) => Object.assign(d.members[2]!.metrics, { cell_match_rate: d.members[1]!.metrics.cell_match_rate }),
  ],
  [
    "result-zero",
    "a skipped member with counts",
    (d) => Object.assign(d.members[3]!.metrics.header_accuracy, { total: 4, denominator: 4 }),
  ],
  [
    "result-status-metric",
    "partial with exact match",
    (d) => Object.assign(d.members[1]!.metrics.exact_output_match, { numerator: 1 }),
  ],
  [
    "result-status-metric",
    "passed without exact match",
    (d) => Object.assign(d.members[0]!.metrics.exact_output_match, { numerator: 0 }),
  ],
  [
    "result-status-metric",
    "passed with a differing cell",
    (d) =>
      Object.assign(d.members[0]!.metrics, {
        cell_match_rate: { numerator: 7, denominator: 8, matched: 7, union: 8 },
      }),
  ],
  ["result-time", "a 30 February", (d) => Object.assign(d, { started_at: "2026-02-30T10:00:00.000Z" })],
  [
    "result-time-order",
    "finished before it started",
    (d) => Object.assign(d, { finished_at: "2026-11-30T09:00:00.000Z" }),
  ],
  [
    "result-time-order",
    "an attempt before the run",
    (d) => Object.assign(d.members[0]!.attempts[0]!, { started_at: "2026-11-30T09:59:59.000Z" }),
  ],
  [
    "result-time-order",
    "an attempt that outlasts the run",
    (d) => Object.assign(d.members[0]!.attempts[0]!, { duration_ms: 3_600_000 }),
  ],
  [
    "result-time-order",
    "a revision during the attempt before it",
    (d) => Object.assign(d.members[2]!.attempts[0]!, { duration_ms: 60_000 }),
  ],
  ["result-totals", "a wrong count of passed", (d) => Object.assign(d.totals, { passed: 2 })],
  ["result-totals", "fewer calls than attempts", (d) => Object.assign(d.totals, { calls: 3 })],
  ["result-totals", "wrong token total", (d) => Object.assign(d.totals, { prompt_tokens: 1 })],
  ["result-call-cap", "more calls than the cap", (d) => Object.assign(d.caps, { calls: 3 })],
  ["result-cost", "a rounded cost", (d) => Object.assign(d.cost, { total_usd: 0.039 })],
  [
    "result-cost",
    "complete though a cost is unknown",
    (d) => {
      Object.assign(d.members[0]!.attempts[0]!, { cost_usd: null });
      Object.assign(d.cost, { total_usd: 0.03 });
    },
  ],
  ["result-component", "a raised component", (d) => Object.assign(d.components, { header_accuracy: 0.51 })],
  ["result-composite", "a raised composite", (d) => Object.assign(d, { composite: 0.99 })],
];

describe("every rule has its finding code and place", () => {
  it.each(CASES)("%s: %s", (code, _what, change) => {
    const document = structuredClone(honest());
    change(document);
    expect(codes(document)).toContain(code);
    const text = JSON.stringify(document, null, 2);
    const read = readResult(text, null, "draft.json");
    for (const finding of read.findings) {
      expect(finding.path).toBe("draft.json");
      expect(finding.line).toBeGreaterThan(0);
      expect(finding.severity).toBe("error");
    }
    expect(parseResult(text, null).ok).toBe(false);
  });

  it("gives the line of the number itself", () => {
    const document = { ...honest(), composite: 0.99 };
    const text = JSON.stringify(document, null, 2);
    const finding = readResult(text, null, "draft.json").findings.find(
      ({ code }) => code === "result-composite",
    );
    const line = text.split("\n").findIndex((row) => row.includes('"composite": 0.99')) + 1;
    expect(finding).toMatchObject({ line, pointer: "/composite", actual: "0.99" });
  });

  it("refuses bytes that are not canonical, and still reads them", () => {
    const document = honest();
    for (const text of [
      JSON.stringify(document),
      `${canonicalDocument(document)}\n`,
      canonicalDocument(document).trimEnd(),
    ]) {
      const read = readResult(text, null);
      expect(read.ok && read.value.document).toEqual(document);
      expect(read.findings.map(({ code }) => code)).toEqual(["result-not-canonical"]);
    }
  });

  it("finds duplicate keys before the schema sees them", () => {
    const text = canonicalDocument(honest()).replace('"composite":', '"composite":1,"composite":');
    expect(readResult(text, null).findings[0]?.code).toMatch(/^json-/);
  });
});

describe("against the suite", () => {
  const against = (change: Change): string[] => {
    const document = structuredClone(honest());
    change(document);
    return resultAgainstSuite(document, suite, "x.json").map(({ code }) => code);
  };

  it.each<[string, Change]>([
    ["result-suite-id", (d) => Object.assign(d.suite, { id: "other" })],
    ["result-suite-digest", (d) => Object.assign(d.suite, { digest: digestOf("other") })],
    ["result-unknown-member", (d) => Object.assign(d.members[0]!, { id: "z" })],
    ["result-missing-member", (d) => d.members.pop()],
    ["result-member-order", (d) => d.members.reverse()],
    [
      "result-output-status",
      (d) => Object.assign(d.members[1]!.output!, { sha256: suite.members[1]!.reference.sha256 }),
    ],
    ["result-output-status", (d) => Object.assign(d.members[0]!.output!, { sha256: digestOf("x") })],
    [
      "result-impossible-count",
      (d) => Object.assign(d.members[1]!.metrics.cell_match_rate, { union: 7, denominator: 7 }),
    ],
    [
      "result-impossible-count",
      (d) =>
        Object.assign(d.members[1]!.metrics.header_accuracy, {
          matched: 3,
          total: 3,
          numerator: 3,
          denominator: 3,
        }),
    ],
  ])("%s", (code, change) => {
    expect(against(change)).toContain(code);
  });

  it("bank members' mismatch rows hold addresses only, whoever may see the bank", () => {
    const bank = suiteOf(
      suite.members.map((member) => ({
        ...member,
        source_kind: "bank_asset" as const,
        published_in_bank: true,
      })),
    );
    const document = resultDocument(honest().members, bank);
    expect(resultAgainstSuite(document, bank, "x.json")).toMatchObject([
      { code: "result-private-mismatch", pointer: "/members/1/mismatches/0" },
    ]);
  });

  it("findings get their place in the file afterwards", () => {
    const document = structuredClone(honest());
    document.members[0]!.metrics = zeroMetrics();
    const text = JSON.stringify(document, null, 1);
    const placed = placeFindings(resultAgainstSuite(document, suite, "x.json"), text, "x.json");
    expect(placed.length).toBeGreaterThan(0);
    for (const finding of placed) expect(finding.line).toBeGreaterThan(1);
  });
});
