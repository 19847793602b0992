import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemberScore } from "../../../src/lib/benchmarks/compare.ts";
import { zeroMetrics } from "../../../src/lib/benchmarks/metrics.ts";
import type { MemberMetrics, ResultMember } from "../../../src/lib/benchmarks/result-schema.ts";
import type { CallAnswer } from "../../../src/lib/run/call.ts";
import type { JudgedAttempt } from "../../../src/lib/run/loop.ts";
import { compareMember, sampleMembers, spotTotals, whyNotAsked } from "../../../src/lib/run/spot-check.ts";

const digest = (character: string): string => `sha256:${character.repeat(64)}`;
const whole = { numerator: 1, denominator: 1 };
const metrics: MemberMetrics = {
  deterministic_pass_rate: whole,
  exact_output_match: { numerator: 0, denominator: 1 },
  cell_match_rate: { numerator: 1, denominator: 3, matched: 1, union: 3 },
  value_address_f1: { ...whole, true_positives: 2, false_positives: 0, false_negatives: 0 },
  header_accuracy: { ...whole, matched: 2, total: 2 },
};
const attempt = (outcome: ResultMember["attempts"][number]["outcome"]): ResultMember["attempts"][number] => ({
  kind: "initial",
  outcome,
  started_at: "2026-12-01T00:00:00.000Z",
  duration_ms: 1,
  findings: [],
  usage: null,
  cost_usd: null,
  generation_id: null,
  response_sha256: outcome === "transport_error" ? null : digest("a"),
  finish_reason: null,
});
const member: ResultMember = {
  id: "m",
  status: "partial",
  reason: null,
  attempts: [attempt("accepted")],
  recipe: {},
  output: { sha256: digest("1"), rows: 2, columns: 2 },
  metrics,
  mismatches: [],
};
const answer = (text: string): CallAnswer => ({
  kind: "answer",
  text,
  refusal: null,
  response_sha256: digest(text),
  usage: null,
  cost_usd: null,
  generation_id: null,
  finish_reason: "stop",
});
const judged = (outcome: JudgedAttempt["judged"]["outcome"], given = answer("a")): JudgedAttempt => ({
  attempt: 1,
  kind: "initial",
  startedAt: "2026-12-01T00:00:00.000Z",
  durationMs: 1,
  answer: given,
  judged: { outcome, findings: [], recipe: null, execution: null },
});
const score = (more: Partial<MemberScore> = {}): MemberScore => ({
  status: "partial",
  metrics,
  mismatches: [],
  output: { sha256: digest("1"), rows: 2, columns: 2 },
  ...more,
});

describe("sampleMembers", () => {
  const ids = Array.from({ length: 30 }, (_, at) => `member-${at}`);

  it("follows from the seed alone, keeps the order, and has the size asked for", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
        const sample = sampleMembers(ids, seed, size);
        expect(sample).toEqual(sampleMembers(ids, seed, size));
        expect(sample).toHaveLength(Math.min(size, ids.length));
        expect(ids.filter((id) => sample.includes(id))).toEqual(sample);
        // A larger sample of one seed holds the smaller one.
        const larger = sampleMembers(ids, seed, size + 1);
        expect(sample.every((id) => larger.includes(id))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("gives every member its turn", () => {
    const seen = new Set(Array.from({ length: 200 }, (_, at) => sampleMembers(ids, `seed-${at}`, 3)).flat());
    expect(seen.size).toBe(ids.length);
  });
});

describe("compareMember", () => {
  it("agrees on the same table, and says so of the answer's text too", () => {
    expect(compareMember(member, [judged("accepted")], score())).toMatchObject({
      agreement: "same",
      same_output: true,
      same_status: true,
      same_first_response: true,
      metric_deltas: { deterministic_pass_rate: 0, cell_match_rate: 0 },
    });
    const reworded = compareMember(member, [judged("accepted", answer("b"))], score());
    expect(reworded).toMatchObject({ agreement: "same", same_first_response: false });
  });

  it("says by how much another table differs, rounded once", () => {
    const better: MemberMetrics = {
      ...metrics,
      cell_match_rate: { numerator: 1, denominator: 1, matched: 3, union: 3 },
      header_accuracy: { numerator: 1, denominator: 7, matched: 1, total: 7 },
    };
    const other = score({ metrics: better, output: { sha256: digest("2"), rows: 2, columns: 2 } });
    expect(compareMember(member, [judged("accepted")], other)).toMatchObject({
      agreement: "differs",
      same_output: false,
      same_status: true,
      metric_deltas: { cell_match_rate: 0.666667, header_accuracy: -0.857143, value_address_f1: 0 },
    });
  });

  it("takes no usable recipe for a failure with zero in every metric", () => {
    expect(compareMember(member, [judged("invalid_json"), judged("refusal")], null)).toMatchObject({
      agreement: "differs",
      asked: { status: "failed", output: null, attempts: ["invalid_json", "refusal"] },
      metric_deltas: { deterministic_pass_rate: -1, cell_match_rate: -0.333333 },
    });
    const failed = { ...member, status: "failed" as const, output: null, metrics: zeroMetrics() };
    expect(compareMember(failed, [judged("invalid_json")], null).agreement).toBe("same");
  });

  it("knows nothing when no answer arrived", () => {
    const silent: CallAnswer = {
      kind: "transport",
      code: "timeout",
      status: null,
      message: "",
      usage: null,
      cost_usd: null,
      generation_id: null,
      finish_reason: null,
    };
    for (const attempts of [[], [judged("invalid_json"), judged("transport_error", silent)]])
      expect(compareMember(member, attempts, null)).toMatchObject({
        agreement: "unknown",
        same_output: null,
        asked: null,
        metric_deltas: null,
      });
  });
});

describe("whyNotAsked", () => {
  it.each([
    [member, true, null],
    [member, false, "its workbook is not here"],
    [{ ...member, attempts: [] }, true, "the run did not ask it"],
    [{ ...member, attempts: [attempt("transport_error")] }, true, "the run got no answer to its last call"],
  ])("case %#", (given, available, expected) => {
    expect(whyNotAsked(given, available)).toBe(expected);
  });
});

describe("spotTotals", () => {
  it("counts calls and members, and never takes an unknown cost for zero", () => {
    const same = compareMember(member, [judged("accepted")], score());
    const unknown = compareMember(member, [], null);
    expect(spotTotals([same, same, unknown], [0.25, null, 0.5])).toEqual({
      asked: 3,
      same: 2,
      differs: 0,
      unknown: 1,
      calls: 3,
      cost_usd: 0.75,
      cost_complete: false,
    });
    expect(spotTotals([], [null])).toMatchObject({ cost_usd: null, cost_complete: false, calls: 1 });
  });
});
