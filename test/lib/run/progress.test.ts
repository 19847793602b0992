import { describe, expect, it } from "vitest";
import type { LoopMember, RecordedCall } from "../../../src/lib/run/loop.ts";
import { duration, estimateRun, progressBar, progressText, usd } from "../../../src/lib/run/progress.ts";

const at = "2026-11-30T10:00:00.000Z";

function call(number: number, durationMs: number | null, cost: number | null): RecordedCall {
  return {
    call: number,
    member: "a",
    attempt: 1,
    kind: "initial",
    intendedAt: at,
    completion:
      durationMs === null
        ? null
        : {
            at,
            durationMs,
            answer: {
              kind: "answer",
              text: "",
              refusal: null,
              response_sha256: null,
              usage: null,
              cost_usd: cost,
              generation_id: null,
              finish_reason: null,
            },
          },
  };
}

function member(id: string, calls: readonly RecordedCall[], last: "accepted" | "invalid_json"): LoopMember {
  const attempts = calls.flatMap((each, index) =>
    each.completion === null
      ? []
      : [
          {
            attempt: index + 1,
            kind: "initial" as const,
            startedAt: at,
            durationMs: each.completion.durationMs,
            answer: each.completion.answer,
            judged: { outcome: last, findings: [], recipe: null, execution: null },
          },
        ],
  );
  return { id, askable: true, attempts };
}

describe("estimateRun", () => {
  it("expects of the members left what the settled ones took", () => {
    const calls = [call(1, 2000, 0.01), call(2, 4000, 0.03), call(3, 3000, 0.02)];
    const progress = {
      caps: { calls: 30, attempts_per_member: 3 },
      pacing: { min_interval_ms: 0 },
      calls,
      members: [
        member("a", calls.slice(0, 1), "accepted"),
        member("b", calls.slice(1), "accepted"),
        member("c", [], "accepted"),
        member("d", [], "accepted"),
        { ...member("e", [], "accepted"), askable: false },
      ],
    };
    // Two settled members took 3 calls, 1.5 each: 3 calls are left, at 3 s and $0.02 each.
    expect(estimateRun(progress)).toMatchObject({
      askable: 4,
      settled: 2,
      callsMade: 3,
      callsLeft: 3,
      spentIsPartial: false,
      leftMs: 9000,
    });
    expect(progressText(progress)).toBe(
      "2/4 members · 3 calls (cap 30) · $0.0600 spent, about $0.0600 left · about 9 s left",
    );
  });

  it("says what it does not know", () => {
    const calls = [call(1, null, null), call(2, 1000, null)];
    const progress = {
      caps: { calls: 3, attempts_per_member: 3 },
      pacing: { min_interval_ms: 5000 },
      calls,
      members: [member("a", calls, "invalid_json"), member("b", [], "accepted")],
    };
    expect(estimateRun(progress)).toMatchObject({
      callsLeft: 1,
      spentUsd: null,
      leftUsd: null,
      leftMs: 5000,
    });
    expect(progressText(progress)).toContain("cost not reported");
    const partly = { ...progress, calls: [call(1, null, null), call(2, 1000, 0.5)] };
    expect(progressText(partly)).toContain("$0.5000 spent or more");
  });
});

it("writes amounts, times and bars", () => {
  expect([0, 0.00012, 0.5, 12.345].map(usd)).toEqual(["$0.00", "$0.0001", "$0.5000", "$12.35"]);
  expect([400, 8000, 90_000, 3_900_000].map(duration)).toEqual(["0 s", "8 s", "2 min", "1 h 5 min"]);
  expect([progressBar(0, 4, 4), progressBar(3, 4, 4), progressBar(0, 0, 4)]).toEqual([
    "░░░░",
    "███░",
    "████",
  ]);
});
