import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseResult } from "../../../src/lib/benchmarks/result.ts";
import type { Suite } from "../../../src/lib/benchmarks/suite-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import type { Finding } from "../../../src/lib/findings.ts";
import { assembleDocument, type MemberHistory } from "../../../src/lib/run/document.ts";
import type { JudgedAttempt } from "../../../src/lib/run/loop.ts";
import { PIPELINE_VERSION } from "../../../src/lib/run/plan.ts";
import { promptDigest } from "../../../src/lib/run/prompt.ts";

const suites = new URL("../../../benchmarks/suites/", import.meta.url);
const load = (id: string): Suite => JSON.parse(readFileSync(new URL(`${id}.json`, suites), "utf8"));
const at = "2026-11-30T10:00:00.000Z";

const secret: Finding = {
  code: "recipe-missing-sheet",
  severity: "error",
  message: "There is no sheet Tabel 1; the workbook has: Secret sheet.",
  pointer: "/tables/0/sheet",
  actual: "Secret sheet",
  hint: "Did you mean Secret sheet?",
};

const failedAttempt = (findings: readonly Finding[]): JudgedAttempt => ({
  attempt: 1,
  kind: "initial",
  startedAt: at,
  durationMs: 1000,
  answer: {
    kind: "answer",
    text: "{}",
    refusal: null,
    response_sha256: `sha256:${"a".repeat(64)}`,
    usage: null,
    cost_usd: null,
    generation_id: null,
    finish_reason: "stop",
  },
  judged: { outcome: "invalid_recipe", findings, recipe: null, execution: null },
});

function documentOf(suite: Suite, histories: Record<string, MemberHistory>, unanswered = 0) {
  const document = assembleDocument({
    suite,
    plan: {
      suite: { id: suite.id, digest: suite.digest },
      model: { id: "test/model", parameters: { temperature: 0, max_tokens: null, response_format: "none" } },
      prompt: { mode: "listing-1", version: "1", sha256: promptDigest("listing-1") },
      pipeline_version: PIPELINE_VERSION,
      transport: "test",
      caps: { calls: 30, attempts_per_member: 1 },
      pacing: { min_interval_ms: 0 },
    },
    invocation: "npm run bench:run -- --suite s --model test/model",
    startedAt: at,
    finishedAt: "2026-11-30T10:01:00.000Z",
    runner: { name: "assay bench:run", version: "0.1.0", environment: "test" },
    unanswered,
    members: new Map(Object.entries(histories)),
  });
  const text = canonicalDocument(document);
  const parsed = parseResult(text, null);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return { document, text };
}

describe("assembleDocument", () => {
  it("keeps what findings about a bank member quote out of the document", () => {
    const suite = load("rehearsal-bank-1");
    const id = suite.members[0]?.id ?? "";
    const { document, text } = documentOf(suite, {
      [id]: { notAsked: null, attempts: [failedAttempt([secret])], score: null },
    });
    expect(text).not.toContain("Secret sheet");
    expect(document.members[0]?.attempts[0]?.findings[0]).toMatchObject({
      code: "recipe-missing-sheet",
      pointer: "/tables/0/sheet",
    });
    expect(document.members[0]?.reason).toEqual({
      fault: "model",
      code: "invalid-recipe",
      message: "No usable recipe in 1 attempt; the last one: recipe-missing-sheet",
    });
  });

  it("shows them for conformance members, cut and well-formed", () => {
    const suite = load("rehearsal-1");
    const id = suite.members[0]?.id ?? "";
    const long = { ...secret, actual: `\udc00${"x".repeat(900)}` };
    const { document } = documentOf(suite, {
      [id]: {
        notAsked: null,
        attempts: [failedAttempt(Array.from({ length: 25 }, () => long))],
        score: null,
      },
    });
    const findings = document.members[0]?.attempts[0]?.findings ?? [];
    expect(findings).toHaveLength(20);
    expect(findings[0]?.actual).toBe(`\ufffd${"x".repeat(499)}`);
  });

  it("says why a member was not asked, and counts calls without an outcome", () => {
    const suite = load("rehearsal-1");
    const [first, second] = suite.members;
    const { document } = documentOf(
      suite,
      {
        [first?.id ?? ""]: {
          notAsked: { code: "prompt-too-large", message: "The listing does not fit." },
          attempts: [],
          score: null,
        },
        [second?.id ?? ""]: { notAsked: null, attempts: [], score: null },
      },
      2,
    );
    expect(document.members.slice(0, 2)).toMatchObject([
      { status: "skipped", reason: { fault: "infrastructure", code: "prompt-too-large" } },
      { status: "skipped", reason: { fault: "infrastructure", code: "call-cap" } },
    ]);
    expect(document.totals.calls).toBe(2);
    expect(document.cost).toEqual({ total_usd: null, complete: false });
  });
});
