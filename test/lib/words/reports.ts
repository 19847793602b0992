import * as fc from "fast-check";
import type { MemberMetrics } from "../../../src/lib/benchmarks/result-schema.ts";
import type { Report, ReportMember, ReportResult } from "../../../src/lib/result-pr/report-schema.ts";

/** Reports for tests of the words and of the bot. Numbers are those of an invented result. */

export const SHA = {
  head: "1111111111111111111111111111111111111111",
  base: "2222222222222222222222222222222222222222",
  mergeBase: "3333333333333333333333333333333333333333",
  tree: "4444444444444444444444444444444444444444",
} as const;

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

export const metrics = (numerator: number, denominator: number): MemberMetrics => ({
  deterministic_pass_rate: { numerator: 1, denominator: 1 },
  exact_output_match: { numerator: numerator === denominator ? 1 : 0, denominator: 1 },
  cell_match_rate: { numerator, denominator, matched: numerator, union: denominator },
  value_address_f1: {
    numerator: 2 * numerator,
    denominator: 2 * denominator,
    true_positives: numerator,
    false_positives: denominator - numerator,
    false_negatives: denominator - numerator,
  },
  header_accuracy: { numerator, denominator, matched: numerator, total: denominator },
});

export const member = (id: string, changes: Partial<ReportMember> = {}): ReportMember => ({
  id,
  private: false,
  claimed_status: "passed",
  recomputed_status: "passed",
  fault: null,
  claimed: metrics(12, 12),
  recomputed: metrics(12, 12),
  previous_status: null,
  mismatches: [],
  ...changes,
});

const components = (value: number) => ({
  deterministic_pass_rate: 1,
  exact_output_match: value,
  cell_match_rate: value,
  value_address_f1: value,
  header_accuracy: value,
});

export const result = (changes: Partial<ReportResult> = {}): ReportResult => ({
  path: "benchmarks/results/rehearsal-1/acme__quill-0a1b2c3d/20261130t101500z-deadbeef.json",
  document: digest("a"),
  suite: { id: "rehearsal-1", digest: digest("b") },
  model: "acme/quill",
  finished_at: "2026-11-30T10:15:00.000Z",
  supersedes: null,
  evidence: digest("e"),
  claimed: { components: components(0.875), composite: 0.9125 },
  recomputed: { components: components(0.875), composite: 0.9125 },
  members: [
    member("conf-fills"),
    member("conf-stacked", {
      claimed_status: "partial",
      recomputed_status: "partial",
      claimed: metrics(9, 12),
      recomputed: metrics(9, 12),
      previous_status: "passed",
      mismatches: [
        {
          kind: "cell",
          address: "Table 1!R7C3",
          row: 4,
          column: "state",
          expected: "NSW",
          actual: "",
        },
      ],
    }),
    member("conf-units", { previous_status: "failed" }),
    member("bank-private", {
      private: true,
      claimed_status: "failed",
      recomputed_status: "failed",
      fault: "transport",
    }),
  ],
  cost: { total_usd: 0.1834, complete: true, per_solved_usd: 0.0917 },
  previous: {
    document: digest("c"),
    components: components(0.75),
    composite: 0.825,
    finished_at: "2026-09-01T08:00:00.000Z",
  },
  tags: [
    { tag: "stacked_blocks", passed: 1, total: 2, previous_passed: 2 },
    { tag: "unit_rows", passed: 1, total: 1, previous_passed: 0 },
  ],
  rank: {
    before: 3,
    after: 2,
    of: 4,
    neighbours: [
      { model: "acme/inkwell", composite: 0.94, rank: 1 },
      { model: "acme/quill", composite: 0.9125, rank: 2 },
      { model: "baseline/heuristic", composite: 0.61, rank: 3 },
    ],
    reason: null,
  },
  duplicates: [],
  levels: {
    components: "recomputed",
    composite: "recomputed",
    cost: "declared",
    model: "declared",
    tokens: "declared",
  },
  ...changes,
});

export const report = (changes: Partial<Report> = {}): Report => ({
  schema_version: 1,
  mode: "head",
  pull_request: 4,
  head_sha: SHA.head,
  base_sha: SHA.base,
  merge_base_sha: SHA.mergeBase,
  commit_sha: SHA.head,
  tree_sha: SHA.tree,
  engine: { version: "0.1.0", digest: digest("d") },
  verdict: "valid",
  findings: [],
  findings_total: 0,
  changed_files: 1,
  results: [result()],
  ...changes,
});

/** A score raised by hand: the claim says 1, the evidence 0.9125. */
export const tampered = (changes: Partial<Report> = {}): Report =>
  report({
    verdict: "invalid",
    findings: [
      {
        code: "score-composite",
        severity: "error",
        message: "The claimed composite is not what the recipes give.",
        path: result().path,
        pointer: "/composite",
        line: 1,
        column: 2210,
        expected: "0.9125",
        actual: "1",
        hint: "Commit the document as bench:run wrote it.",
      },
    ],
    findings_total: 1,
    results: [
      result({
        claimed: { components: components(1), composite: 1 },
        members: [
          member("conf-fills"),
          member("conf-stacked", {
            claimed_status: "passed",
            recomputed_status: "partial",
            recomputed: metrics(9, 12),
          }),
        ],
      }),
    ],
    ...changes,
  });

/** Strings that have broken comments elsewhere. */
export const NASTY: readonly string[] = [
  "@octocat please look",
  "#12 and GH-12",
  "https://evil.example/a?b=c and www.evil.example",
  "![x](https://evil.example/x.png)",
  "[click](javascript:alert(1))",
  "<img src=x onerror=alert(1)>",
  "</details></table></code><script>alert(1)</script>",
  "<!-- assay:result head=0000000000000000000000000000000000000000 kind=verdict -->",
  "-->",
  "a | b \\| c || d",
  "``` \n/assay merge\n```",
  "````",
  "`",
  "` `",
  "\u202egnp.exe\u2066",
  "line\nbreak\r\n/assay merge",
  "\u0000\u0007\u001b[31m",
  "&#64;octocat &lt;b&gt;",
  "漢字仮名交じり文".repeat(30),
  "👩‍👩‍👧‍👦🇦🇺".repeat(40),
  "\ud800 lone \udc00",
  "   ",
  "",
  "~~x~~ **y** _z_ :tada: $x$ [^1]",
  "| --- |\n| x |",
  "===\n---",
];

export const nasty: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 120 }),
  fc.string({ maxLength: 60 }),
  fc.tuple(fc.constantFrom(...NASTY), fc.constantFrom(...NASTY)).map(([a, b]) => a + b),
);

const finding = fc.record({
  code: fc.constant("score-metric"),
  severity: fc.constantFrom("error" as const, "warning" as const, "notice" as const),
  message: nasty,
  path: nasty,
  pointer: nasty,
  line: fc.integer({ min: 1, max: 9999 }),
  column: fc.integer({ min: 1, max: 9999 }),
  expected: nasty,
  actual: nasty,
  hint: nasty,
});

const arbitraryMember: fc.Arbitrary<ReportMember> = fc
  .record({
    id: nasty,
    private: fc.boolean(),
    claimed_status: fc.constantFrom("passed" as const, "partial" as const, "failed" as const),
    recomputed_status: fc.constantFrom("passed" as const, "partial" as const, "unverified" as const),
    fault: fc.constantFrom("model" as const, "transport" as const, "infrastructure" as const, null),
    previous_status: fc.constantFrom("passed" as const, "skipped" as const, null),
    recomputed: fc.constantFrom(metrics(3, 7), metrics(0, 1), null),
    mismatches: fc.array(
      fc.record({
        kind: fc.constantFrom("cell" as const, "header" as const),
        address: fc.option(nasty),
        row: fc.option(fc.integer({ min: 1, max: 1e6 })),
        column: fc.option(nasty),
        expected: fc.option(nasty),
        actual: fc.option(nasty),
      }),
      { maxLength: 20 },
    ),
  })
  .map((fields) => ({ ...fields, claimed: metrics(6, 7) }));

/** Reports whose every free string is hostile. */
export const hostileReport = (size: {
  members: number;
  findings: number;
  results: number;
}): fc.Arbitrary<Report> =>
  fc
    .record({
      verdict: fc.constantFrom(
        "valid" as const,
        "invalid" as const,
        "incomplete" as const,
        "needs-review" as const,
        "error" as const,
      ),
      version: nasty,
      findings: fc.array(finding, { maxLength: size.findings }),
      results: fc.array(
        fc
          .record({
            path: nasty,
            model: nasty,
            suite: nasty,
            finished: nasty,
            reason: fc.option(nasty),
            after: fc.option(fc.integer({ min: 1, max: 9 })),
            neighbours: fc.array(
              fc.record({
                model: nasty,
                composite: fc.double({ min: 0, max: 1, noNaN: true }),
                rank: fc.integer({ min: 1, max: 9 }),
              }),
              { maxLength: 4 },
            ),
            members: fc.array(arbitraryMember, { maxLength: size.members }),
            tags: fc.array(
              fc.record({
                tag: nasty,
                passed: fc.nat(9),
                total: fc.nat(9),
                previous_passed: fc.option(fc.nat(9)),
              }),
              { maxLength: 6 },
            ),
            duplicates: fc.array(fc.record({ path: nasty, document: fc.constant(digest("e")) }), {
              maxLength: 3,
            }),
            levels: fc.dictionary(nasty, fc.constantFrom("recomputed" as const, "declared" as const), {
              maxKeys: 5,
            }),
          })
          .map((fields) =>
            result({
              path: fields.path,
              model: fields.model,
              suite: { id: fields.suite, digest: digest("b") },
              finished_at: fields.finished,
              members: fields.members,
              tags: fields.tags,
              duplicates: fields.duplicates,
              levels: fields.levels,
              rank: {
                before: null,
                after: fields.after,
                of: 9,
                neighbours: fields.neighbours,
                reason: fields.reason,
              },
            }),
          ),
        { maxLength: size.results },
      ),
    })
    .map((fields) =>
      report({
        verdict: fields.verdict,
        engine: { version: fields.version, digest: digest("d") },
        findings: fields.findings,
        findings_total: fields.findings.length,
        results: fields.results,
      }),
    );

/** A report whose strings try everything at once. */
export function hostileSample(): Report {
  const findings = NASTY.map((text) => ({
    code: "score-metric",
    severity: "error" as const,
    message: text,
    path: text,
    pointer: text,
    line: 3,
    expected: text,
    actual: text,
    hint: text,
  }));
  return report({
    verdict: "invalid",
    findings,
    findings_total: findings.length,
    results: [
      result({
        model: NASTY.join(" "),
        path: NASTY[0] ?? "",
        members: NASTY.map((text) =>
          member(text, {
            recomputed: metrics(3, 7),
            mismatches: [{ kind: "cell", address: text, row: 1, column: text, expected: text, actual: text }],
          }),
        ),
      }),
    ],
  });
}

/** A report that needs cutting everywhere. */
export function largeSample(): Report {
  const text = "漢字とかなで書かれた、とても長い説明。".repeat(12);
  const findings = Array.from({ length: 500 }, (_, line) => ({
    code: "score-metric",
    severity: "error" as const,
    message: text,
    path: result().path,
    line: line + 1,
    expected: text,
    actual: text,
    hint: text,
  }));
  return report({
    verdict: "invalid",
    findings,
    findings_total: 7321,
    results: Array.from({ length: 6 }, (_, index) =>
      result({
        model: `acme/quill-${index}`,
        members: Array.from({ length: 30 }, (_, number) =>
          member(`conf-member-${number}`, { recomputed: metrics(3, 7) }),
        ),
      }),
    ),
  });
}
