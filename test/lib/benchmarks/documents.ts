import { componentsOf, compositeOf } from "../../../src/lib/benchmarks/composite.ts";
import { zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import type {
  Attempt,
  MemberMetrics,
  ResultDocument,
  ResultMember,
} from "../../../src/lib/benchmarks/result-schema.ts";
import { suiteDigest } from "../../../src/lib/benchmarks/suite.ts";
import type { Suite, SuiteMember } from "../../../src/lib/benchmarks/suite-schema.ts";
import { costOf, totalsOf } from "../../../src/lib/benchmarks/totals.ts";
import { digestOf } from "../../../src/lib/digest.ts";

/** Documents for tests that need no workbook; every derived number is derived, so that a changed one stands out. */

export const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  kind: "initial",
  outcome: "accepted",
  started_at: "2026-11-30T10:00:01.000Z",
  duration_ms: 1200,
  findings: [],
  usage: { prompt_tokens: 100, completion_tokens: 20 },
  cost_usd: 0.01,
  generation_id: "gen-1",
  response_sha256: digestOf("answer"),
  finish_reason: "stop",
  ...changes,
});

export const perfectMetrics = (rows: number, columns: number): MemberMetrics => ({
  deterministic_pass_rate: { numerator: 1, denominator: 1 },
  exact_output_match: { numerator: 1, denominator: 1 },
  cell_match_rate: {
    numerator: rows * columns,
    denominator: rows * columns,
    matched: rows * columns,
    union: rows * columns,
  },
  value_address_f1: {
    numerator: 2 * rows,
    denominator: 2 * rows,
    true_positives: rows,
    false_positives: 0,
    false_negatives: 0,
  },
  header_accuracy: { numerator: rows, denominator: rows, matched: rows, total: rows },
});

export const REFERENCE = digestOf("reference");

/** A passed member over a reference of 4 rows and 2 columns. */
export const passedMember = (id: string, changes: Partial<ResultMember> = {}): ResultMember => ({
  id,
  status: "passed",
  reason: null,
  attempts: [attempt()],
  recipe: { version: 1 },
  output: { sha256: REFERENCE, rows: 4, columns: 2 },
  metrics: perfectMetrics(4, 2),
  mismatches: [],
  ...changes,
});

/** The same table but for one of its eight cells. */
export const partialMember = (id: string, changes: Partial<ResultMember> = {}): ResultMember =>
  passedMember(id, {
    status: "partial",
    output: { sha256: digestOf("other"), rows: 4, columns: 2 },
    metrics: {
      ...perfectMetrics(4, 2),
      exact_output_match: { numerator: 0, denominator: 1 },
      cell_match_rate: { numerator: 7, denominator: 8, matched: 7, union: 8 },
    },
    mismatches: [{ kind: "cell", address: "S!R2C2", row: 1, column: "value", expected: "1", actual: "2" }],
    ...changes,
  });

export const failedMember = (id: string, changes: Partial<ResultMember> = {}): ResultMember => ({
  id,
  status: "failed",
  reason: { fault: "model", code: "invalid_recipe", message: "No attempt gave a recipe that executes." },
  attempts: [
    attempt({ outcome: "invalid_json" }),
    attempt({ kind: "revision", outcome: "invalid_recipe", started_at: "2026-11-30T10:00:05.000Z" }),
  ],
  recipe: null,
  output: null,
  metrics: zeroMetrics(),
  mismatches: [],
  ...changes,
});

export const skippedMember = (id: string, changes: Partial<ResultMember> = {}): ResultMember =>
  failedMember(id, {
    status: "skipped",
    reason: { fault: "infrastructure", code: "call-cap", message: "The run's call cap was reached." },
    attempts: [],
    ...changes,
  });

export const suiteMember = (id: string, changes: Partial<SuiteMember> = {}): SuiteMember => ({
  id,
  title: `Member ${id}`,
  source_kind: "conformance",
  publisher: "synthetic",
  difficulty: "easy",
  feature_tags: ["single_table"],
  published_in_bank: false,
  task: "Everything on the first sheet.",
  workbook: { sha256: digestOf(`workbook ${id}`), bytes: 10 },
  recipe: { sha256: digestOf(`recipe ${id}`) },
  reference: { sha256: REFERENCE, rows: 4, columns: 2 },
  checked_by: "By hand.",
  ...changes,
});

export function suiteOf(members: SuiteMember[], changes: Partial<Suite> = {}): Suite {
  const content = {
    schema_version: 1 as const,
    id: "test-1",
    title: "A suite for tests",
    note: "Not a real suite.",
    vocabulary: digestOf("vocabulary"),
    frozen_at: "2026-11-01T00:00:00.000Z",
    members,
    ...changes,
  };
  return { ...content, digest: suiteDigest(content) };
}

/** A document over these members; pass `interrupted` calls and any change to the rest. */
export function resultDocument(
  members: ResultMember[],
  suite: Pick<Suite, "id" | "digest">,
  changes: Partial<ResultDocument> = {},
  interrupted = 0,
): ResultDocument {
  return {
    schema_version: 1,
    suite: { id: suite.id, digest: suite.digest },
    model: {
      id: "acme/model-1",
      parameters: { temperature: 0, max_tokens: 4000, response_format: "json_object" },
    },
    prompt: { mode: "listing-1", version: "1", sha256: digestOf("prompt") },
    pipeline_version: "1",
    started_at: "2026-11-30T10:00:00.000Z",
    finished_at: "2026-11-30T10:15:00.250Z",
    caps: { calls: 30, attempts_per_member: 3 },
    pacing: { min_interval_ms: 0 },
    runner: {
      name: "bench:run",
      version: "0.1.0",
      environment: "node",
      transport: "openai-compatible",
      invocation: "npm run bench:run -- --suite test-1 --model acme/model-1",
      deterministic_components: ["recipe engine"],
    },
    model_output_deterministic: false,
    members,
    totals: totalsOf(members, interrupted),
    components: componentsOf(members),
    composite: compositeOf(members),
    composite_version: "provisional-1",
    cost: costOf(members, interrupted),
    ...changes,
  };
}
