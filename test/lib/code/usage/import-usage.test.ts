import { describe, expect, it } from "vitest";
import { usageSchema } from "../../../../src/lib/code/schema/usage-schema.ts";
import { importUsage } from "../../../../src/lib/code/usage/import-usage.ts";
import type { LogFile } from "../../../../src/lib/code/usage/log-file.ts";
import { renderUsageTable } from "../../../../src/lib/code/usage/table.ts";
import { digestOf } from "../../../../src/lib/digest.ts";
import {
  assistant,
  CLAUDE,
  CODEX,
  claudeUsage,
  codesOf,
  codexMeta,
  GEMINI_MESSAGE,
  log,
  OPENCODE_MESSAGE,
  QWEN_LINE,
  raw,
  textOf,
  usageOf,
  user,
} from "./logs.ts";

const AT = "2026-11-05T09:00:00.000Z";
const ONE: Record<string, readonly LogFile[]> = {
  "claude-code": CLAUDE,
  codex: CODEX,
  opencode: [
    log("export.json", [
      { info: { id: "ses_1" }, messages: [{ info: OPENCODE_MESSAGE.message, parts: [] }] },
    ]),
  ],
  "gemini-cli": [log("session-1.jsonl", [GEMINI_MESSAGE])],
  "qwen-code": [
    log("q.jsonl", [
      { sessionId: "s", uuid: "x", type: "user", timestamp: AT, message: { role: "user", parts: [] } },
      QWEN_LINE,
    ]),
  ],
  "grok-build": [
    log("updates.jsonl", [
      {
        timestamp: 1_793_869_200,
        params: {
          sessionId: "s",
          update: {
            sessionUpdate: "turn_completed",
            prompt_id: "p",
            usage: {
              inputTokens: 5,
              outputTokens: 5,
              modelUsage: { grok: { inputTokens: 5, outputTokens: 5 } },
            },
          },
        },
      },
    ]),
  ],
  "copilot-cli": [
    log("events.jsonl", [
      { type: "session.start", timestamp: AT, data: {} },
      {
        type: "session.shutdown",
        timestamp: AT,
        data: { modelMetrics: { m: { usage: { inputTokens: 5, outputTokens: 5 } } } },
      },
    ]),
  ],
};

describe("bench run import-usage: which harness it was", () => {
  it.each(Object.entries(ONE))("tells %s from the content", (harness, files) => {
    const outcome = importUsage(files);
    expect(usageOf(outcome).harness).toBe(harness);
    expect(usageSchema.safeParse(usageOf(outcome)).success).toBe(true);
    expect(
      usageOf(outcome)
        .logs.map(({ sha256 }) => sha256)
        .sort(),
    ).toEqual(files.map(({ bytes }) => digestOf(bytes)).sort());
  });

  it("refuses logs of two harnesses, unless told how to read them", () => {
    const files = [...CODEX, ...CLAUDE];
    const mixed = importUsage(files);
    expect(mixed.ok).toBe(false);
    expect(mixed.findings[0]).toMatchObject({ code: "code-usage-harness", actual: "codex, claude-code" });
    expect(usageOf(importUsage(files, { harness: "codex" })).harness).toBe("codex");
  });

  it("reads no output of a harness as its log", () => {
    const stream = log("out.jsonl", [
      { type: "system", subtype: "init", session_id: "s1" },
      { type: "result", session_id: "s1", total_cost_usd: 0.3, modelUsage: {} },
    ]);
    const exec = log("exec.jsonl", [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 5 } },
    ]);
    const run = log("run.jsonl", [
      { type: "step_finish", sessionID: "s", part: { type: "step-finish", tokens: {} } },
    ]);
    for (const file of [stream, exec, run])
      expect(codesOf(importUsage([file])), file.name).toEqual(["code-usage-stream", "code-usage-harness"]);
    const beside = importUsage([...CLAUDE, stream]);
    expect(beside.findings).toMatchObject([{ code: "code-usage-stream", severity: "notice" }]);
    expect(usageOf(beside)).toEqual(usageOf(importUsage(CLAUDE)));
  });

  it("names files that are no logs", () => {
    const outcome = importUsage([
      ...CLAUDE,
      raw("settings.json", '{"theme": "dark"}'),
      raw("empty.jsonl", ""),
    ]);
    expect(outcome.ok).toBe(true);
    expect(codesOf(outcome)).toEqual(["code-usage-unknown-file", "code-usage-unknown-file"]);
    expect(codesOf(importUsage([raw("a.txt", "hello")]))).toEqual([
      "code-usage-unknown-file",
      "code-usage-harness",
    ]);
    expect(codesOf(importUsage([]))).toEqual(["code-usage-harness"]);
  });
});

describe("Methodology: Time and fast mode (wall clock)", () => {
  it("runs from the first to the last event of any kind, in UTC, and warns of long pauses", () => {
    const line = (at: string) => ({ type: "queue-operation", sessionId: "s1", timestamp: at });
    const outcome = importUsage([
      log("s.jsonl", [
        assistant({ id: "m", request: "r", at: "2026-11-05T09:00:00.000Z", usage: claudeUsage(1, {}, 0, 1) }),
        line("2026-11-05T10:10:01+01:00"),
        line("2026-11-05T08:59:59.1239Z"),
        line("2026-11-05T09:20:01.001Z"),
      ]),
    ]);
    expect(usageOf(outcome)).toMatchObject({
      first_event_at: "2026-11-05T08:59:59.123Z",
      last_event_at: "2026-11-05T09:20:01.001Z",
    });
    expect(outcome.findings).toMatchObject([
      {
        code: "code-usage-gap",
        severity: "warning",
        path: "s.jsonl",
        line: 2,
        actual: "10 minutes from 2026-11-05T09:00:00.000Z",
      },
      { code: "code-usage-gap", line: 4 },
    ]);
  });

  it("does not exist without times", () => {
    const { timestamp: _, ...line } = assistant({
      id: "m",
      request: "r",
      at: AT,
      usage: claudeUsage(1, {}, 0, 1),
    });
    expect(codesOf(importUsage([log("s.jsonl", [line])]))).toEqual(["code-usage-no-time"]);
    const outcome = importUsage([
      log("s.jsonl", [user(AT), { ...line, timestamp: "2026-02-30T09:00:00.000Z" }]),
    ]);
    expect(codesOf(outcome)).toEqual(["code-usage-time"]);
    expect(usageOf(outcome).requests[0]?.[0]).toBe(-1);
  });
});

describe("hostile logs", () => {
  const good = textOf([
    user(AT),
    assistant({ id: "m", request: "r", at: AT, usage: claudeUsage(1, {}, 0, 5) }),
  ]);
  const claude = (text: string) => importUsage([raw("s.jsonl", good + text)], { harness: "claude-code" });
  const counted = (value: unknown) =>
    claude(
      textOf([
        assistant({
          id: "x",
          request: "r",
          at: AT,
          usage: { ...claudeUsage(1, {}, 0, 1), input_tokens: value },
        }),
      ]),
    );

  it("a half-written last line is skipped, counted and told", () => {
    const outcome = claude('{"type":"assistant","message":{"usa');
    expect(usageOf(outcome)).toMatchObject({ skipped_lines: 1 });
    expect(outcome.findings).toMatchObject([{ code: "code-usage-line", severity: "notice", line: 3 }]);
    const inside = claude('{"type":"assistant","message":{"usa\n\n[1]\n"text"\n');
    expect(usageOf(inside)).toMatchObject({ skipped_lines: 3 });
    expect(inside.findings.map(({ severity, line }) => [severity, line])).toEqual([
      ["warning", 3],
      ["warning", 5],
      ["warning", 6],
    ]);
  });

  it.each([-1, 1.5, "7", 1e300, 2 ** 60, true, [1], {}])("a count of %j is no count", (value) => {
    const outcome = counted(value);
    expect(outcome.ok).toBe(false);
    expect(outcome.findings[0]).toMatchObject({ code: "code-usage-count", path: "s.jsonl", line: 3 });
  });

  it("an absent or null count is 0", () => {
    expect(usageOf(counted(null)).requests).toHaveLength(2);
  });

  it("deep nesting, forbidden keys and huge numbers in other places change nothing", () => {
    const deep = `{"type":"x","a":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n`;
    const keys =
      '{"type":"assistant","__proto__":{"message":{"model":"evil","usage":{"output_tokens":9}}},"constructor":1}\n';
    const numbers = '{"type":"y","n":1e999,"m":123456789012345678901234567890}\n';
    expect(usageOf(claude(deep + keys + numbers)).requests).toEqual(usageOf(claude("")).requests);
    expect(({} as Record<string, unknown>).message).toBeUndefined();
  });

  it("bytes that are no UTF-8 are a skipped line", () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode(good),
      0x7b,
      0x22,
      0xff,
      0xfe,
      0x22,
      0x3a,
      0x31,
      0x7d,
      10,
    ]);
    const outcome = importUsage([{ name: "s.jsonl", bytes }]);
    expect(usageOf(outcome).skipped_lines).toBe(1);
    expect(outcome.findings[0]?.message).toContain("not UTF-8");
    expect(importUsage([{ name: "s.jsonl", bytes: new Uint8Array([0xff, 0xfe, 0x7b, 0x00]) }]).ok).toBe(
      false,
    );
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(good)]);
    expect(usageOf(importUsage([{ name: "s.jsonl", bytes: marked }])).skipped_lines).toBe(0);
  });

  it("a line of 100 MB is read", () => {
    const text = new TextEncoder().encode(
      `{"type":"user","sessionId":"s1","pad":"${"x".repeat(100_000_000)}"}\n`,
    );
    const bytes = new Uint8Array(text.length + good.length);
    bytes.set(text);
    bytes.set(new TextEncoder().encode(good), text.length);
    expect(usageOf(importUsage([{ name: "s.jsonl", bytes }])).requests).toHaveLength(1);
  }, 60_000);

  it("thousands of broken lines give twenty findings and one that says how many more", () => {
    const outcome = claude("{\n".repeat(5000));
    expect(usageOf(outcome).skipped_lines).toBe(5000);
    expect(outcome.findings).toHaveLength(21);
    expect(outcome.findings.at(-1)).toMatchObject({
      code: "code-usage-more",
      message: expect.stringContaining("4980"),
    });
  });

  it("more models than a document holds are refused", () => {
    const lines = Array.from({ length: 101 }, (_, index) =>
      assistant({
        id: `m${index}`,
        request: "r",
        at: AT,
        usage: claudeUsage(1, {}, 0, 1),
        model: `model-${index}`,
      }),
    );
    expect(codesOf(claude(textOf(lines)))).toEqual(["code-usage-limit"]);
  });

  it("a log without any usage is unknown, not 0", () => {
    expect(codesOf(importUsage([log("r.jsonl", [codexMeta(AT, "t")])]))).toEqual(["code-usage-none"]);
  });

  it.each(Object.keys(ONE))("junk in the place of anything never crashes the reader of %s", (harness) => {
    const junk: unknown[] = [null, 0, "x", [], {}, [null], { a: null }];
    for (const file of ONE[harness] ?? []) {
      const values = new TextDecoder()
        .decode(file.bytes)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const lines = values.flatMap((value) => junk.flatMap((wrong) => [...replaced(value, wrong)]));
      for (const line of lines) {
        const outcome = importUsage([raw(file.name, JSON.stringify(line))], { harness: harness as "codex" });
        if (!outcome.ok) expect(outcome.findings.length).toBeGreaterThan(0);
      }
    }
  });
});

/** The value with each of its parts replaced, one at a time. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    const put = (part: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part };
    yield put(by);
    for (const deeper of replaced(inner, by)) yield put(deeper);
  }
}

describe("the table of a usage document", () => {
  it("shows tokens by model and tier, the wall clock and what was assumed", () => {
    expect(renderUsageTable(usageOf(importUsage(CODEX)))).toBe(
      [
        "model        tier      requests  uncached   reads  writes 5m  writes 1h  writes  output  reasoning",
        "gpt-6.1-sol  priority         2    13,000  11,500          0          0  12,000     900        300",
        "codex 0.150.0, 1 logs",
        "wall clock 32 s, from 2026-11-05T09:00:00.000Z to 2026-11-05T09:00:32.000Z",
        "recorded by the harness: nothing",
        "",
      ].join("\n"),
    );
  });
});
