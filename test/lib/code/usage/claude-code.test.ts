import { describe, expect, it } from "vitest";
import { priceUsage } from "../../../../src/lib/code/cost/price.ts";
import { CURRENT_RULE } from "../../../../src/lib/code/cost/rules.ts";
import { requestsOf, wallSeconds } from "../../../../src/lib/code/schema/usage-schema.ts";
import { importClaudeCode } from "../../../../src/lib/code/usage/claude-code.ts";
import {
  assistant,
  CLAUDE,
  CLAUDE_LINES,
  claudeUsage,
  codesOf,
  log,
  OPUS,
  sumsOf,
  usageOf,
  user,
} from "./logs.ts";

const AT = "2026-11-05T09:00:04.000Z";
const one = (usage: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  importClaudeCode([
    log("s1.jsonl", [{ ...assistant({ id: "msg_A", request: "req_1", at: AT, usage }), ...more }]),
  ]);

describe("Methodology: Cost (tokens of Claude Code)", () => {
  it("counts each response once, with its last output, over all files of a run", () => {
    const outcome = importClaudeCode(CLAUDE);
    expect(sumsOf(outcome)).toEqual({
      uncached_input: 12,
      cache_read: 20_000,
      cache_write_5m: 3000,
      cache_write_1h: 21_500,
      output: 565,
    });
    const usage = usageOf(outcome);
    expect(usage.requests).toHaveLength(3);
    expect(wallSeconds(usage)).toBe(40.25);
    expect(usage).toMatchObject({
      harness: "claude-code",
      harness_version: "2.4.1",
      models: [OPUS],
      tiers: ["standard"],
      per: "request",
      assumptions: [],
      skipped_lines: 0,
    });
    expect(outcome.findings).toEqual([]);
  });

  it("costs 0.202348 USD at 4 / 0.2 / 5 / 8 / 20", () => {
    const cost = priceUsage({
      usage: usageOf(importClaudeCode(CLAUDE)),
      cardOf: () => ({
        id: "anthropic/opus",
        name: "Opus",
        history: [
          {
            valid_from: "2026-01-01T00:00:00.000Z",
            recorded_at: "2026-01-01T00:00:00.000Z",
            source: { kind: "synthetic" },
            input: 4,
            output: 20,
            cache_read: 0.2,
            cache_write: 5,
            cache_write_1h: 8,
            bands: [],
            tiers: {},
          },
        ],
      }),
      at: "2026-11-05T09:00:00.000Z",
      knownAt: null,
      rule: CURRENT_RULE,
    });
    expect(cost.usd).toBeCloseTo(0.202348, 12);
  });
});

describe("the transcripts of Claude Code", () => {
  it("keep the line with the highest output, wherever it stands", () => {
    const lines = [2, 410, 95].map((output, index) =>
      assistant({
        id: "m",
        request: "r",
        at: `2026-11-05T09:00:0${index}.000Z`,
        usage: claudeUsage(3, {}, 0, output),
      }),
    );
    expect(sumsOf(importClaudeCode([log("a.jsonl", lines)]))).toMatchObject({ output: 410 });
    expect(sumsOf(importClaudeCode([log("a.jsonl", lines.toReversed())]))).toMatchObject({ output: 410 });
    const equal = importClaudeCode([
      log(
        "a.jsonl",
        ["2026-11-05T09:00:01.000Z", "2026-11-05T09:00:03.000Z", "2026-11-05T09:00:02.000Z"].map((at) =>
          assistant({ id: "m", request: "r", at, usage: claudeUsage(3, {}, 0, 7) }),
        ),
      ),
    ]);
    expect(usageOf(equal).requests[0]?.[0], "the last of equals").toBe(2000);
  });

  it("count what a resumed session copied once", () => {
    const [parent = []] = CLAUDE_LINES;
    const resumed = importClaudeCode([...CLAUDE, log("s2.jsonl", parent.slice(1))]);
    expect(sumsOf(resumed)).toEqual(sumsOf(importClaudeCode(CLAUDE)));
  });

  it("drop replays of sub-agents: for the parent's line, or for the earliest one when it is not there", () => {
    const usage = claudeUsage(5, {}, 100, 9);
    const replay = (request: string, at: string) =>
      assistant({ id: "msg_B", request, at, usage, sidechain: true });
    const children = [
      log("agent-1.jsonl", [replay("req_8", "2026-11-05T09:00:02.000Z")]),
      log("agent-2.jsonl", [replay("req_9", "2026-11-05T09:00:01.000Z")]),
    ];
    expect(usageOf(importClaudeCode(children)).requests).toEqual([[0, 0, 0, 5, 100, 0, 0, 0, 9, 0]]);
    const parent = assistant({ id: "msg_B", request: "req_2", at: "2026-11-05T09:00:03.000Z", usage });
    expect(usageOf(importClaudeCode([...children, log("s.jsonl", [parent])])).requests).toEqual([
      [2000, 0, 0, 5, 100, 0, 0, 0, 9, 0],
    ]);
    const retry = { ...parent, requestId: "req_3" };
    expect(
      usageOf(importClaudeCode([log("s.jsonl", [parent, retry])])).requests,
      "two requests of the parent are two requests",
    ).toHaveLength(2);
  });

  it("leave out what the client wrote itself, and sub-agents' totals, which are in their own files", () => {
    const [parent = []] = CLAUDE_LINES;
    const plain = importClaudeCode([log("s1.jsonl", parent)]);
    const more = importClaudeCode([
      log("s1.jsonl", [
        ...parent,
        assistant({ id: "x1", request: "y", at: AT, usage: claudeUsage(9, {}, 9, 9), model: "<synthetic>" }),
        {
          ...assistant({ id: "x2", request: "y", at: AT, usage: claudeUsage(9, {}, 9, 9) }),
          isApiErrorMessage: true,
        },
        { ...user(AT), toolUseResult: { totalTokens: 99_999, usage: claudeUsage(9, {}, 9, 9) } },
        { type: "summary", summary: "…", leafUuid: "u1" },
      ]),
    ]);
    expect(usageOf(more).requests).toEqual(usageOf(plain).requests);
    expect(usageOf(more).models).toEqual([OPUS]);
  });

  it("say where a cache lifetime had to be assumed", () => {
    const { cache_creation: _, ...old } = claudeUsage(3, { long: 500 }, 0, 7);
    const outcome = one(old);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 3, cache_write: 500, output: 7 });
    expect(usageOf(outcome).assumptions).toEqual(["cache-write-lifetime-5m"]);
    const empty = { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 } };
    expect(usageOf(one({ ...old, ...empty })).assumptions).toEqual(["cache-write-lifetime-5m"]);
  });

  it("refuse a split of cache writes that is not one, and more thinking than output", () => {
    const split = one({ ...claudeUsage(3, { short: 10, long: 20 }, 0, 7), cache_creation_input_tokens: 31 });
    expect(split.ok).toBe(false);
    expect(split.findings[0]).toMatchObject({
      code: "code-usage-sum",
      path: "s1.jsonl",
      line: 1,
      expected: "cache writes by lifetime that sum up to 31",
      actual: "30",
    });
    const thinking = one({ ...claudeUsage(3, {}, 0, 7), output_tokens_details: { thinking_tokens: 8 } });
    expect(codesOf(thinking)).toEqual(["code-usage-sum"]);
    const fine = one({ ...claudeUsage(3, {}, 0, 7), output_tokens_details: { thinking_tokens: 5 } });
    expect(sumsOf(fine)).toMatchObject({ output: 7, reasoning: 5 });
  });

  it("take fast mode and service tiers per request", () => {
    const usage = (more: Record<string, unknown>) => claudeUsage(1, {}, 0, 1, more);
    const outcome = importClaudeCode([
      log("a.jsonl", [
        assistant({
          id: "1",
          request: "1",
          at: AT,
          usage: usage({ speed: "fast", service_tier: "standard" }),
        }),
        assistant({ id: "2", request: "2", at: AT, usage: usage({ service_tier: "priority" }) }),
        assistant({ id: "3", request: "3", at: AT, usage: usage({ service_tier: null }) }),
      ]),
    ]);
    expect(requestsOf(usageOf(outcome)).map(({ tier }) => tier)).toEqual(["fast", "priority", "standard"]);
  });

  it("bill an advisor under its own model, beside the top level", () => {
    const outcome = one({
      ...claudeUsage(4, { short: 30 }, 1000, 20),
      iterations: [
        { type: "message", ...claudeUsage(2, { short: 20 }, 400, 12, {}) },
        { type: "advisor_message", model: "claude-opus-6", ...claudeUsage(500, {}, 0, 70, {}) },
        { type: "message", ...claudeUsage(2, { short: 10 }, 600, 8, {}) },
      ],
    });
    expect(
      requestsOf(usageOf(outcome)).map(({ model, uncached_input, cache_read, output }) => [
        model,
        uncached_input,
        cache_read,
        output,
      ]),
    ).toEqual([
      ["claude-opus-5-5", 2, 400, 12],
      ["claude-opus-5-5", 2, 600, 8],
      ["claude-opus-6", 500, 0, 70],
    ]);
    const unsplit = one({
      ...claudeUsage(4, {}, 1000, 20),
      iterations: [{ type: "advisor_message", model: "claude-opus-6", ...claudeUsage(500, {}, 0, 70, {}) }],
    });
    expect(sumsOf(unsplit)).toEqual({ uncached_input: 504, cache_read: 1000, output: 90 });
    const nameless = one({
      ...claudeUsage(4, {}, 1000, 20),
      iterations: [{ type: "advisor_message", ...claudeUsage(500, {}, 0, 70, {}) }],
    });
    expect(codesOf(nameless)).toEqual(["code-usage-model"]);
  });

  it("tell by the sums whether a compaction is inside the top level, and refuse to guess", () => {
    const message = { type: "message", ...claudeUsage(4, {}, 100, 20, {}) };
    const compaction = { type: "compaction", ...claudeUsage(900, {}, 0, 50, {}) };
    const outside = one({ ...claudeUsage(4, {}, 100, 20), iterations: [message, compaction] });
    const inside = one({ ...claudeUsage(904, {}, 100, 70), iterations: [message, compaction] });
    expect(sumsOf(outside)).toEqual({ uncached_input: 904, cache_read: 100, output: 70 });
    expect(sumsOf(inside)).toEqual(sumsOf(outside));
    const neither = one({ ...claudeUsage(5, {}, 100, 20), iterations: [message, compaction] });
    expect(codesOf(neither)).toEqual(["code-usage-sum"]);
  });

  it("say that calls of server tools are billed apart from tokens", () => {
    const usage = {
      ...claudeUsage(1, {}, 0, 1),
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
    };
    expect(usageOf(one(usage)).assumptions).toEqual(["server-tool-calls-not-priced"]);
  });

  it("name no model after a file", () => {
    const line = assistant({ id: "m", request: "r", at: AT, usage: claudeUsage(3, {}, 0, 7) });
    const { model: _, ...message } = line.message;
    const outcome = importClaudeCode([log("claude-opus-5-5.jsonl", [{ ...line, message }])]);
    expect(outcome.ok).toBe(false);
    expect(codesOf(outcome)).toEqual(["code-usage-model"]);
  });

  it("take the newest version of the client", () => {
    const at = (hour: number, version: string) => ({
      ...assistant({
        id: version,
        request: "r",
        at: `2026-11-05T0${hour}:00:00.000Z`,
        usage: claudeUsage(1, {}, 0, 1),
      }),
      version,
    });
    const files = [log("b.jsonl", [at(2, "2.10.0")]), log("a.jsonl", [at(3, "2.9.0")])];
    expect(usageOf(importClaudeCode(files)).harness_version).toBe("2.9.0");
  });

  it("warn where a response never ended: its output may be a placeholder", () => {
    const line = (id: string, stop: string | null, output: number) =>
      assistant({ id, request: "r", at: AT, usage: claudeUsage(3, {}, 0, output), stop });
    const outcome = importClaudeCode([
      log("s.jsonl", [line("a", null, 1), line("a", "end_turn", 90), line("b", null, 1)]),
    ]);
    expect(outcome.findings).toMatchObject([
      { code: "code-usage-placeholder", severity: "warning", line: 3, actual: "none for 1 of 2" },
    ]);
    expect(usageOf(outcome).assumptions).toEqual(["output-as-logged"]);
  });

  it("warn where sessions are added up, and read only those that are named, with their sub-agents", () => {
    const of = (sessionId: string, id: string, sidechain = false) => ({
      ...assistant({ id, request: id, at: AT, usage: claudeUsage(1, {}, 0, 10), sidechain }),
      sessionId,
    });
    const files = [
      log("s1.jsonl", [of("s1", "a")]),
      log("s1/subagents/agent-1.jsonl", [of("s1", "b", true)]),
      log("s2.jsonl", [{ ...user("2026-11-05T08:00:00.000Z"), sessionId: "s2" }, of("s2", "c")]),
    ];
    const all = importClaudeCode(files);
    expect(all.findings).toMatchObject([
      { code: "code-usage-gap" },
      { code: "code-usage-several-sessions", severity: "warning", actual: "s1, s2" },
    ]);
    const one = importClaudeCode(files, ["s1"]);
    expect(sumsOf(one)).toEqual({ uncached_input: 2, output: 20 });
    expect(wallSeconds(usageOf(one))).toBe(0);
    expect(one.findings).toEqual([]);
    expect(codesOf(importClaudeCode(files, ["s1", "s9"]))).toEqual(["code-usage-session"]);
  });
});
