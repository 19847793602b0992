import { describe, expect, it } from "vitest";
import { requestsOf, wallSeconds } from "../../../../src/lib/code/schema/usage-schema.ts";
import { importCodex } from "../../../../src/lib/code/usage/codex.ts";
import {
  CODEX,
  CODEX_LINES,
  type CodexUsage,
  codesOf,
  codexMeta,
  codexModel,
  codexTier,
  codexUsage,
  log,
  sumsOf,
  tokenCount,
  usageOf,
} from "./logs.ts";

const at = (second: number, ms = 0): string =>
  `2026-11-05T09:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.${String(ms).padStart(3, "0")}Z`;
const start = (id: string, more: Record<string, unknown> = {}, second = 0) => [
  codexMeta(at(second), id, more),
  codexModel(at(second, 1)),
];
/** Totals of a thread that has used so many hundreds of tokens. */
const total = (hundreds: number): CodexUsage =>
  codexUsage(hundreds * 100, hundreds * 50, 0, hundreds * 10, hundreds);

describe("Methodology: Cost (tokens of Codex)", () => {
  it("takes differences of the cumulative total, cached parts out of the input", () => {
    const outcome = importCodex(CODEX);
    expect(sumsOf(outcome)).toEqual({
      uncached_input: 13_000,
      cache_read: 11_500,
      cache_write: 12_000,
      output: 900,
      reasoning: 300,
    });
    const usage = usageOf(outcome);
    expect(usage.requests).toHaveLength(2);
    expect(wallSeconds(usage)).toBe(32);
    expect(usage).toMatchObject({
      harness: "codex",
      harness_version: "0.150.0",
      models: ["gpt-6.1-sol"],
      tiers: ["priority"],
      per: "request",
    });
    expect(outcome.findings).toEqual([]);
  });
});

describe("Methodology: Time and fast mode (service tiers of Codex)", () => {
  it("gives each request the tier in force; `fast` is another word for priority, `default` for standard", () => {
    const outcome = importCodex([
      log("a.jsonl", [
        ...start("t"),
        tokenCount(at(10), total(1)),
        codexTier(at(11), "t", "fast"),
        tokenCount(at(20), total(2), total(1)),
        codexTier(at(21), "another", "flex"),
        tokenCount(at(30), total(3), total(1)),
        codexTier(at(31), "t", "flex"),
        tokenCount(at(40), total(4), total(1)),
        codexTier(at(41), "t", "default"),
        tokenCount(at(50), total(5), total(1)),
      ]),
    ]);
    expect(requestsOf(usageOf(outcome)).map(({ tier }) => tier)).toEqual([
      "standard",
      "priority",
      "priority",
      "flex",
      "standard",
    ]);
  });
});

describe("the rollouts of Codex", () => {
  it("take the latest response where a total goes down, and go on from there", () => {
    const outcome = importCodex([
      log("a.jsonl", [
        ...start("t"),
        tokenCount(at(10), total(5)),
        tokenCount(at(20), total(2), total(2)),
        tokenCount(at(30), total(3), total(1)),
      ]),
    ]);
    expect(sumsOf(outcome)).toMatchObject({ uncached_input: 400, cache_read: 400, output: 80 });
    expect(outcome.findings).toEqual([]);
  });

  it("survive an overflowing window, after which Codex counts on from a total without parts", () => {
    const full = { ...codexUsage(0, 0, 0, 0, 0), total_tokens: 258_400 };
    const next = { ...total(1), total_tokens: 258_400 + total(1).total_tokens };
    const outcome = importCodex([
      log("a.jsonl", [
        ...start("t"),
        tokenCount(at(10), total(5)),
        tokenCount(at(20), full, { ...full, total_tokens: 1000 }),
        tokenCount(at(30), next, total(1)),
      ]),
    ]);
    expect(sumsOf(outcome)).toMatchObject({ uncached_input: 300, output: 60 });
    expect(usageOf(outcome).requests).toHaveLength(2);
  });

  it("prefer records of single responses, by their id, of the own thread only", () => {
    const record = (second: number, response: string, usage: CodexUsage, thread = "t") => ({
      timestamp: at(second),
      type: "token_usage_record",
      payload: {
        thread_id: thread,
        response_id: response,
        usage,
        turn_token_usage: total(90),
        thread_token_usage: total(99),
      },
    });
    const lines = [
      ...start("t"),
      record(5, "parent's", total(40), "p"),
      record(10, "r1", total(1)),
      tokenCount(at(10, 1), total(1)),
      record(20, "r2", total(2)),
      tokenCount(at(20, 1), total(3), total(2)),
      record(30, "r2", total(2)),
    ];
    const outcome = importCodex([log("a.jsonl", lines)]);
    expect(usageOf(outcome).requests).toHaveLength(2);
    expect(sumsOf(outcome)).toMatchObject({ uncached_input: 150, output: 30 });
    expect(outcome.findings).toEqual([]);
    const torn = importCodex([log("a.jsonl", [...lines, record(40, "r1", total(7))])]);
    expect(codesOf(torn)).toContain("code-usage-sum");
    const half = importCodex([log("a.jsonl", [...lines, tokenCount(at(40), total(9), total(6))])]);
    expect(codesOf(half)).toEqual(["code-usage-two-counts"]);
    expect(half.ok).toBe(true);
  });

  const PARENT = [...start("p"), tokenCount(at(10), total(2)), tokenCount(at(20), total(5), total(3))];
  const FORK = [
    codexMeta(at(100), "f", { forked_from_id: "p" }),
    codexMeta(at(100), "p"),
    codexModel(at(100)),
    tokenCount(at(100), total(2)),
    codexTier(at(100), "p", "priority"),
    tokenCount(at(100), total(5), total(3)),
    codexModel(at(130)),
    tokenCount(at(140), total(6), total(1)),
  ];

  it("start a fork from the last total of its parent, whose events it holds as copies", () => {
    const both = importCodex([log("p.jsonl", PARENT), log("f.jsonl", FORK)]);
    expect(sumsOf(both)).toMatchObject({ uncached_input: 300, output: 60 });
    expect(usageOf(both).tiers).toEqual(["standard"]);
    expect(both.findings).toEqual([]);
    const alone = importCodex([log("f.jsonl", FORK)]);
    expect(sumsOf(alone)).toMatchObject({ uncached_input: 50, output: 10 });
    expect(codesOf(alone)).toEqual(["code-usage-fork"]);
  });

  it("know the copies of a fork by its parent's totals, even when they keep or spread their times", () => {
    const spread = FORK.map((event, index) => ({ ...event, timestamp: at(100 + Math.floor(index / 2)) }));
    const kept = [FORK[0]!, ...PARENT, ...FORK.slice(6)];
    for (const lines of [spread, kept]) {
      const both = importCodex([log("p.jsonl", PARENT), log("f.jsonl", lines)]);
      expect(sumsOf(both)).toMatchObject({ uncached_input: 300, output: 60 });
    }
    const alone = importCodex([log("f.jsonl", kept)]);
    expect(sumsOf(alone)).toMatchObject({ uncached_input: 50, output: 10 });
    expect(wallSeconds(usageOf(alone)), "the parent's time is not the fork's").toBe(40);
  });

  it("count nothing for a fork that did nothing, and the latest response for one without copies", () => {
    const idle = importCodex([log("p.jsonl", PARENT), log("f.jsonl", FORK.slice(0, 6))]);
    expect(sumsOf(idle)).toMatchObject({ uncached_input: 250, output: 50 });
    const bare = [FORK[0]!, ...FORK.slice(6)];
    const both = importCodex([log("p.jsonl", PARENT), log("f.jsonl", bare)]);
    expect(sumsOf(both)).toMatchObject({ uncached_input: 300, output: 60 });
  });

  it("let sub-agents, which start at zero, add up", () => {
    const child = [...start("c", { parent_thread_id: "p" }, 30), tokenCount(at(40), total(2))];
    expect(sumsOf(importCodex([log("p.jsonl", PARENT), log("c.jsonl", child)]))).toMatchObject({
      uncached_input: 350,
      output: 70,
    });
  });

  it("know a sub-agent that holds its parent's events after all, as some versions write it", () => {
    const child = [
      codexMeta(at(100), "c", { parent_thread_id: "p" }),
      ...FORK.slice(2, 4),
      FORK[5]!,
      codexModel(at(130)),
      tokenCount(at(140), total(1)),
      tokenCount(at(150), total(3), total(2)),
    ];
    const outcome = importCodex([log("p.jsonl", PARENT), log("c.jsonl", child)]);
    expect(sumsOf(outcome)).toMatchObject({ uncached_input: 400, output: 80 });
  });

  it("leave out an archived copy of an active rollout, and read one that is alone", () => {
    const archived = log("archived_sessions/2026/11/05/rollout-th1.jsonl", CODEX_LINES);
    expect(importCodex([...CODEX, archived])).toEqual(importCodex(CODEX));
    expect(sumsOf(importCodex([archived]))).toEqual(sumsOf(importCodex(CODEX)));
  });

  it("read only the threads that are named, with their sub-agents", () => {
    const files = [
      log("p.jsonl", PARENT),
      log("c.jsonl", [...start("c", { parent_thread_id: "p" }, 30), tokenCount(at(40), total(2))]),
      log("f.jsonl", FORK),
      log("o.jsonl", [...start("o", {}, 3000), tokenCount(at(3010), total(2))]),
    ];
    const fork = importCodex(files, ["f"]);
    expect(sumsOf(fork), "the parent is known, and not counted").toMatchObject({ uncached_input: 50 });
    expect(fork.findings).toEqual([]);
    expect(usageOf(fork).logs.map(({ name }) => name)).toEqual(["f.jsonl"]);
    const parent = importCodex(files, ["p"]);
    expect(sumsOf(parent)).toMatchObject({ uncached_input: 350 });
    expect(wallSeconds(usageOf(parent))).toBe(40);
    expect(codesOf(importCodex(files))).toContain("code-usage-several-sessions");
    expect(codesOf(importCodex(files, ["x"]))).toContain("code-usage-session");
  });

  it("join a thread that was split over files; a part that names no thread needs one", () => {
    const [first, second] = [log("1.jsonl", CODEX_LINES.slice(0, 5)), log("2.jsonl", CODEX_LINES.slice(5))];
    expect(sumsOf(importCodex([second, first]))).toEqual(sumsOf(importCodex(CODEX)));
    expect(codesOf(importCodex([second]))).toEqual(["code-usage-thread"]);
  });

  it("refuse parts larger than what they are parts of, and totals of another meaning", () => {
    const bad = (usage: CodexUsage) =>
      importCodex([log("a.jsonl", [...start("t"), tokenCount(at(10), usage)])]);
    expect(codesOf(bad(codexUsage(100, 80, 30, 5, 0)))).toEqual(["code-usage-sum"]);
    expect(codesOf(bad(codexUsage(100, 80, 0, 5, 6)))).toEqual(["code-usage-sum"]);
    const additive = bad({ ...codexUsage(100, 80, 0, 5, 0), total_tokens: 185 });
    expect(additive.ok).toBe(false);
    expect(additive.findings[0]).toMatchObject({
      code: "code-usage-sum",
      path: "a.jsonl",
      line: 3,
      expected: "total_tokens 105",
      actual: "total_tokens 185",
    });
    const { total_tokens: _, ...old } = codexUsage(100, 80, 0, 5, 0);
    expect(sumsOf(bad(old as CodexUsage))).toEqual({ uncached_input: 20, cache_read: 80, output: 5 });
  });

  it("warn where events are missing, so that a row is more than one response", () => {
    const outcome = importCodex([
      log("a.jsonl", [...start("t"), tokenCount(at(10), total(1)), tokenCount(at(20), total(5), total(1))]),
    ]);
    expect(codesOf(outcome)).toEqual(["code-usage-merged"]);
    expect(usageOf(outcome).assumptions).toEqual(["several-responses-in-one-row"]);
    expect(sumsOf(outcome)).toMatchObject({ uncached_input: 250 });
  });

  it("need a model before the first response", () => {
    const outcome = importCodex([log("a.jsonl", [codexMeta(at(0), "t"), tokenCount(at(10), total(1))])]);
    expect(codesOf(outcome)).toEqual(["code-usage-model"]);
  });
});
