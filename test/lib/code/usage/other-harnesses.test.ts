import { describe, expect, it } from "vitest";
import { wallSeconds } from "../../../../src/lib/code/schema/usage-schema.ts";
import { importCopilotCli } from "../../../../src/lib/code/usage/copilot-cli.ts";
import { importGeminiCli } from "../../../../src/lib/code/usage/gemini-cli.ts";
import { importGrokBuild } from "../../../../src/lib/code/usage/grok-build.ts";
import { importQwenCode } from "../../../../src/lib/code/usage/qwen-code.ts";
import { codesOf, GEMINI_MESSAGE, log, QWEN_LINE, raw, sumsOf, usageOf } from "./logs.ts";

describe("Methodology: Cost (tokens of Gemini CLI)", () => {
  const EXPECTED = { uncached_input: 2040, cache_read: 7000, output: 700, reasoning: 500 };

  it("takes cached tokens out of the input, and adds thoughts and what tools put in", () => {
    const outcome = importGeminiCli([log("session-1.jsonl", [GEMINI_MESSAGE])]);
    expect(sumsOf(outcome)).toEqual(EXPECTED);
    expect(usageOf(outcome)).toMatchObject({ harness: "gemini-cli", models: ["gemini-3-pro"] });
    const document = { sessionId: "s", projectHash: "h", messages: [GEMINI_MESSAGE] };
    expect(sumsOf(importGeminiCli([raw("session-1.json", JSON.stringify(document, null, 2))]))).toEqual(
      EXPECTED,
    );
  });

  it("counts a message as it was written last; one that was rewound was billed", () => {
    const early = {
      ...GEMINI_MESSAGE,
      tokens: { input: 9000, output: 1, cached: 0, thoughts: 0, tool: 0, total: 9001 },
    };
    const lines = [
      { sessionId: "s", projectHash: "h", startTime: "2026-11-05T08:00:00.000Z" },
      { id: "u1", type: "user", timestamp: "2026-11-05T09:00:00.000Z", content: "go" },
      early,
      { ...GEMINI_MESSAGE, tokens: null, id: "g0" },
      GEMINI_MESSAGE,
      { $rewindTo: "u1" },
      { $set: { lastUpdated: "2026-11-05T10:00:00.000Z" } },
    ];
    const outcome = importGeminiCli([log("session-1.jsonl", lines)]);
    expect(sumsOf(outcome)).toEqual(EXPECTED);
    expect(wallSeconds(usageOf(outcome))).toBe(12);
    const older = { sessionId: "s", projectHash: "h", messages: [early] };
    const copies = [
      log("b.json", [older]),
      log("a.json", [
        {
          ...older,
          messages: [GEMINI_MESSAGE, { id: "x", type: "info", timestamp: "2026-11-05T09:00:13.000Z" }],
        },
      ]),
    ];
    expect(sumsOf(importGeminiCli(copies)), "of two copies of a session, the later one").toEqual(EXPECTED);
  });

  it("is refused where the total is another, or more is cached than was sent", () => {
    const bad = (change: object) =>
      importGeminiCli([
        log("s.jsonl", [{ ...GEMINI_MESSAGE, tokens: { ...GEMINI_MESSAGE.tokens, ...change } }]),
      ]);
    expect(codesOf(bad({ total: 9741 }))).toEqual(["code-usage-sum"]);
    expect(codesOf(bad({ cached: 9001 }))).toEqual(["code-usage-sum"]);
  });
});

describe("Methodology: Cost (tokens of Qwen Code)", () => {
  it("takes cached tokens out of the prompt, and adds thoughts", () => {
    const outcome = importQwenCode([log("s.jsonl", [QWEN_LINE])]);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 1000, cache_read: 8000, output: 500, reasoning: 100 });
    expect(usageOf(outcome)).toMatchObject({ harness: "qwen-code", models: ["qwen3.7-max"] });
  });

  it("tells by the total whether thoughts are inside, and counts a copied line once", () => {
    const inside = { ...QWEN_LINE, usageMetadata: { ...QWEN_LINE.usageMetadata, totalTokenCount: 9400 } };
    expect(sumsOf(importQwenCode([log("s.jsonl", [inside])]))).toMatchObject({ output: 400, reasoning: 100 });
    const copied = importQwenCode([log("a.jsonl", [QWEN_LINE]), log("b.jsonl", [QWEN_LINE])]);
    expect(usageOf(copied).requests).toHaveLength(1);
    const neither = { ...QWEN_LINE, usageMetadata: { ...QWEN_LINE.usageMetadata, totalTokenCount: 9450 } };
    expect(codesOf(importQwenCode([log("s.jsonl", [neither])]))).toEqual(["code-usage-sum"]);
  });
});

describe("Methodology: Cost (tokens of Grok Build)", () => {
  const USAGE = {
    inputTokens: 50_000,
    cachedReadTokens: 42_000,
    cacheCreationTokens: 0,
    outputTokens: 1200,
    reasoningTokens: 500,
    modelCalls: 3,
    costUsdTicks: 150_000_000,
  };
  const turn = (prompt: string, usage: object = USAGE, session = "s", second = 0) => ({
    timestamp: 1_793_869_200 + second,
    method: "_x.ai/session/update",
    params: {
      sessionId: session,
      update: {
        sessionUpdate: "turn_completed",
        prompt_id: prompt,
        usage: { ...usage, modelUsage: { "grok-5-build": usage } },
      },
    },
  });

  it("reads turns, takes cached tokens out of the input, and turns ticks into dollars", () => {
    const outcome = importGrokBuild([log("updates.jsonl", [turn("p1")])]);
    expect(sumsOf(outcome)).toEqual({
      uncached_input: 8000,
      cache_read: 42_000,
      output: 1200,
      reasoning: 500,
    });
    expect(usageOf(outcome)).toMatchObject({
      harness: "grok-build",
      per: "turn",
      cost_recorded_usd: 0.015,
      models: ["grok-5-build"],
      first_event_at: "2026-11-05T09:00:00.000Z",
    });
  });

  it("counts a turn that was logged twice once, and never a parent's sub-agents twice", () => {
    const twice = importGrokBuild([
      log("updates.jsonl", [turn("p1"), turn("p1"), turn("p2", USAGE, "s", 60)]),
    ]);
    expect(usageOf(twice).requests).toHaveLength(2);
    expect(usageOf(twice).cost_recorded_usd).toBe(0.03);
    expect(wallSeconds(usageOf(twice))).toBe(60);
    const files = [log("a.jsonl", [turn("p1")]), log("b.jsonl", [turn("c1", USAGE, "child")])];
    expect(codesOf(importGrokBuild(files))).toEqual(["code-usage-session"]);
    expect(usageOf(importGrokBuild(files, ["s"])).requests).toHaveLength(1);
  });

  it("says what is incomplete, and keeps no partial cost", () => {
    const outcome = importGrokBuild([
      log("updates.jsonl", [turn("p1", { ...USAGE, costIsPartial: true, usageIsIncomplete: true })]),
    ]);
    expect(codesOf(outcome)).toEqual(["code-usage-incomplete"]);
    expect(usageOf(outcome)).toMatchObject({ cost_recorded_usd: null, assumptions: ["usage-incomplete"] });
  });

  it("is refused where models do not sum up, or parts exceed the whole", () => {
    const line = turn("p1");
    line.params.update.usage.modelUsage = { "grok-5-build": { ...USAGE, outputTokens: 1199 } };
    expect(codesOf(importGrokBuild([log("u.jsonl", [line])]))).toEqual(["code-usage-sum"]);
    expect(importGrokBuild([log("u.jsonl", [turn("p", { ...USAGE, totalTokens: 93_200 })])]).ok).toBe(false);
    expect(importGrokBuild([log("u.jsonl", [turn("p", { ...USAGE, cacheCreationTokens: 9000 })])]).ok).toBe(
      false,
    );
  });
});

describe("Methodology: Cost (tokens of Copilot CLI)", () => {
  const event = (type: string, second: number, data: object = {}) => ({
    id: `${type}${second}`,
    type,
    timestamp: `2026-11-05T09:00:${String(second).padStart(2, "0")}.000Z`,
    data,
  });
  const shutdown = (second: number, usage: object) =>
    event("session.shutdown", second, {
      modelMetrics: { "gpt-6.1-sol": { requests: { count: 12, cost: 1 }, usage } },
    });
  const USAGE = {
    inputTokens: 1000,
    outputTokens: 90,
    cacheReadTokens: 700,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };

  it("adds up the shutdowns of a resumed session", () => {
    const outcome = importCopilotCli([
      log("events.jsonl", [
        event("session.start", 0, { copilotVersion: "1.0.70" }),
        event("user.message", 1),
        shutdown(20, USAGE),
        event("assistant.message", 30),
        shutdown(40, USAGE),
        shutdown(40, USAGE),
      ]),
    ]);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 600, cache_read: 1400, output: 180 });
    expect(usageOf(outcome)).toMatchObject({
      harness: "copilot-cli",
      harness_version: "1.0.70",
      per: "session",
      assumptions: [],
    });
    expect(wallSeconds(usageOf(outcome))).toBe(40);
  });

  it("knows that a killed process logged none: unknown is not 0", () => {
    const killed = importCopilotCli([
      log("events.jsonl", [event("session.start", 0), event("user.message", 1)]),
    ]);
    expect(codesOf(killed)).toEqual(["code-usage-incomplete"]);
    const later = importCopilotCli([
      log("events.jsonl", [event("user.message", 1), shutdown(2, USAGE), event("user.message", 3)]),
    ]);
    expect(later.ok).toBe(false);
  });

  it("says what its figures leave open, and refuses more cache reads than input", () => {
    const read = (change: object) =>
      importCopilotCli([log("events.jsonl", [shutdown(1, { ...USAGE, ...change })])]);
    const open = read({ cacheWriteTokens: 100, reasoningTokens: 30 });
    expect(sumsOf(open)).toEqual({
      uncached_input: 200,
      cache_read: 700,
      cache_write: 100,
      output: 90,
      reasoning: 30,
    });
    expect(usageOf(open).assumptions).toEqual(["cache-writes-in-input", "reasoning-in-output"]);
    const shown = read({ cacheWriteTokens: 400, reasoningTokens: 91 });
    expect(sumsOf(shown)).toEqual({
      uncached_input: 300,
      cache_read: 700,
      cache_write: 400,
      output: 181,
      reasoning: 91,
    });
    expect(usageOf(shown).assumptions).toEqual([]);
    expect(codesOf(read({ cacheReadTokens: 1001 }))).toEqual(["code-usage-sum"]);
  });
});

describe("sessions that are named", () => {
  const AT = "2026-11-05T09:00:00.000Z";
  const copilot = (id: string) =>
    log(`${id}/events.jsonl`, [
      { type: "session.start", timestamp: AT, data: { sessionId: id } },
      {
        type: "session.shutdown",
        timestamp: AT,
        data: { modelMetrics: { m: { usage: { inputTokens: 1, outputTokens: 1 } } } },
      },
    ]);
  const gemini = (id: string) =>
    log(`${id}.jsonl`, [
      { sessionId: id, projectHash: "h" },
      { ...GEMINI_MESSAGE, id: `g-${id}` },
    ]);
  const qwen = (id: string) => log(`${id}.jsonl`, [{ ...QWEN_LINE, uuid: `q-${id}`, sessionId: id }]);
  it.each([
    ["Copilot CLI", importCopilotCli, copilot],
    ["Gemini CLI", importGeminiCli, gemini],
    ["Qwen Code", importQwenCode, qwen],
  ] as const)(
    "are the only ones read of %s; without names a warning says that several are added up",
    (_, read, make) => {
      const files = [make("s1"), make("s2")];
      expect(codesOf(read(files))).toEqual(["code-usage-several-sessions"]);
      expect(usageOf(read(files)).requests).toHaveLength(2);
      const named = read(files, ["s2"]);
      expect(usageOf(named).requests).toHaveLength(1);
      expect(named.findings).toEqual([]);
      expect(codesOf(read(files, ["s3"]))).toContain("code-usage-session");
    },
  );
});
