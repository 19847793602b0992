import { describe, expect, it } from "vitest";
import { ATTEMPT_OUTCOMES, type Attempt } from "../../../src/lib/benchmarks/result-schema.ts";
import type { CallAnswer } from "../../../src/lib/run/call.ts";
import type { JournalRecord } from "../../../src/lib/run/journal.ts";
import {
  decideMember,
  decideRun,
  deriveAttempts,
  deriveHistory,
  type JudgedAttempt,
} from "../../../src/lib/run/loop.ts";

const at = "2026-11-30T10:00:00.000Z";
const answerOf = (text: string): CallAnswer => ({
  kind: "answer",
  text,
  refusal: null,
  response_sha256: null,
  usage: null,
  cost_usd: null,
  generation_id: null,
  finish_reason: "stop",
});

function attempts(...outcomes: Attempt["outcome"][]): JudgedAttempt[] {
  return outcomes.map((outcome, index) => ({
    attempt: index + 1,
    kind: index === 0 ? "initial" : "revision",
    startedAt: at,
    durationMs: 1,
    answer: answerOf(outcome),
    judged: { outcome, findings: [], recipe: null, execution: null },
  }));
}

describe("decideMember", () => {
  it("asks first", () => {
    expect(decideMember([], 3)).toEqual({ do: "ask", attempt: 1, kind: "initial", after: null });
  });

  it.each(ATTEMPT_OUTCOMES)("after %s", (outcome) => {
    const revisable = ["invalid_json", "invalid_recipe", "execution_error", "empty", "truncated"];
    const [first] = attempts(outcome);
    expect(decideMember(attempts(outcome), 3)).toEqual(
      revisable.includes(outcome)
        ? { do: "ask", attempt: 2, kind: "revision", after: first }
        : { do: "settle" },
    );
  });

  it("revises twice at most, whatever the cap says", () => {
    expect(decideMember(attempts("invalid_json", "invalid_recipe"), 3)).toMatchObject({ attempt: 3 });
    expect(decideMember(attempts("invalid_json", "invalid_recipe", "invalid_json"), 9)).toEqual({
      do: "settle",
    });
    expect(decideMember(attempts("invalid_json"), 1)).toEqual({ do: "settle" });
  });
});

describe("decideRun", () => {
  const caps = { calls: 10, attempts_per_member: 3 };
  const member = (id: string, ...outcomes: Attempt["outcome"][]) => ({
    id,
    askable: true,
    attempts: attempts(...outcomes),
  });

  it("settles members in suite order before it turns to the next", () => {
    const step = decideRun([member("a", "accepted"), member("b", "invalid_json"), member("c")], 2, caps);
    expect(step).toMatchObject({ do: "call", call: 3, member: "b", attempt: 2, kind: "revision" });
  });

  it("passes over members that cannot be asked", () => {
    const step = decideRun([{ ...member("a"), askable: false }, member("b")], 0, caps);
    expect(step).toMatchObject({ member: "b", call: 1 });
  });

  it("ends at the cap, which counts every call that was ever about to be sent", () => {
    expect(decideRun([member("a")], 10, caps)).toEqual({ do: "finish", capReached: true });
    expect(decideRun([member("a", "refusal")], 10, caps)).toEqual({ do: "finish", capReached: false });
  });
});

describe("deriveHistory", () => {
  const intended = (call: number, attempt: number): JournalRecord => ({
    type: "call-intended",
    at,
    call,
    member: "a",
    attempt,
    kind: attempt === 1 ? "initial" : "revision",
    request_sha256: `sha256:${"0".repeat(64)}`,
  });
  const completed = (call: number, answer: CallAnswer): JournalRecord => ({
    type: "call-completed",
    at,
    call,
    duration_ms: 5,
    answer,
  });
  const judge = () => ({ outcome: "invalid_json", findings: [], recipe: null, execution: null }) as const;

  it("counts an interrupted call and asks again under the same attempt number", () => {
    const history = deriveHistory([
      intended(1, 1),
      intended(2, 1),
      completed(2, answerOf("x")),
      intended(3, 2),
    ]);
    expect(history.calls).toHaveLength(3);
    expect(history.unanswered).toBe(2);
    const made = deriveAttempts(history.calls, "a", judge);
    expect(made.map(({ attempt }) => attempt)).toEqual([1]);
    expect(
      decideRun([{ id: "a", askable: true, attempts: made }], 3, { calls: 9, attempts_per_member: 3 }),
    ).toMatchObject({ call: 4, attempt: 2 });
  });

  it("takes a refused account for no attempt", () => {
    const history = deriveHistory([
      intended(1, 1),
      completed(1, { kind: "account", status: 402, message: "pay" }),
    ]);
    expect(history.unanswered).toBe(1);
    expect(deriveAttempts(history.calls, "a", judge)).toEqual([]);
  });
});
