import { describe, expect, it } from "vitest";
import { wallSeconds } from "../../../../src/lib/code/schema/usage-schema.ts";
import { importOpenCode } from "../../../../src/lib/code/usage/opencode.ts";
import { codesOf, log, OPENCODE_MESSAGE, opencodeTokens, raw, sumsOf, usageOf } from "./logs.ts";

const { message: MESSAGE, parts: STEPS } = OPENCODE_MESSAGE;
const EXPECTED = { uncached_input: 2300, cache_read: 2000, output: 280, reasoning: 50 };

const exported = (session: string, messages: readonly { info: object; parts: readonly object[] }[]) =>
  raw(`${session}.json`, JSON.stringify({ info: { id: session, version: "1.18.2" }, messages }, null, 2));

const row = (table: string, values: Record<string, unknown>, data?: object) => ({
  table,
  row: { ...values, ...(data === undefined ? {} : { data: JSON.stringify(data) }) },
});
const older = (id: string, session: string, change: object = {}, parts: readonly object[] = STEPS) => [
  row(
    "message",
    { id, session_id: session, time_created: 1_793_869_200_000 },
    { ...MESSAGE, ...change, id: undefined },
  ),
  ...parts.map((part, index) =>
    row(
      "part",
      { id: `${id}_${index}`, message_id: id, session_id: session, time_created: 1_793_869_210_000 },
      part,
    ),
  ),
];
const newer = (id: string, session: string, tokens: object) =>
  row(
    "session_message",
    { id, session_id: session, type: "assistant", time_created: 1_793_869_200_000 },
    {
      time: MESSAGE.time,
      model: { id: MESSAGE.modelID, providerID: MESSAGE.providerID },
      tokens,
      cost: 0.0031,
    },
  );

describe("Methodology: Cost (tokens of OpenCode)", () => {
  it("sums the steps of a message, which keeps only its last; reasoning is added to the output", () => {
    const outcome = importOpenCode([log("dump.jsonl", [OPENCODE_MESSAGE])]);
    expect(sumsOf(outcome)).toEqual(EXPECTED);
    const usage = usageOf(outcome);
    expect(usage.requests).toHaveLength(2);
    expect(usage.cost_recorded_usd).toBe(0.0031);
    expect(wallSeconds(usage)).toBe(30.5);
    expect(usage).toMatchObject({ harness: "opencode", models: ["deepseek-v4-pro"], per: "request" });
    expect(outcome.findings).toEqual([]);
  });
});

describe("the stores of OpenCode", () => {
  it("give the same from an export, a database of either layout, and the JSON tree", () => {
    const fromExport = importOpenCode([
      exported("ses_1", [{ info: { ...MESSAGE, sessionID: "ses_1" }, parts: STEPS }]),
    ]);
    const database = [
      row("session", { id: "ses_1", parent_id: null, version: "1.18.2" }),
      ...older("msg_1", "ses_1"),
    ];
    const fromDatabase = importOpenCode([log("opencode.db", database)]);
    const tree = [
      log("session/ses_1.json", [{ id: "ses_1", projectID: "p", version: "1.18.2", time: { created: 1 } }]),
      log("message/ses_1/msg_1.json", [{ ...MESSAGE, sessionID: "ses_1" }]),
      ...STEPS.map((step, index) =>
        log(`part/msg_1/prt_${index}.json`, [
          { id: `prt_${index}`, messageID: "msg_1", sessionID: "ses_1", ...step },
        ]),
      ),
    ];
    for (const outcome of [fromExport, fromDatabase, importOpenCode(tree)]) {
      expect(sumsOf(outcome)).toEqual(EXPECTED);
      expect(usageOf(outcome)).toMatchObject({ harness_version: "1.18.2", cost_recorded_usd: 0.0031 });
      expect(wallSeconds(usageOf(outcome))).toBe(30.5);
    }
    const steps = [
      newer("msg_1", "ses_1", opencodeTokens(2000, 150, 50, 0)),
      newer("msg_2", "ses_1", opencodeTokens(300, 80, 0, 2000)),
    ];
    expect(sumsOf(importOpenCode([log("opencode.db", steps)]))).toEqual(EXPECTED);
  });

  it("are read one at a time: the tree that a migration left is a part of the database", () => {
    const database = log("opencode.db", older("msg_1", "ses_1"));
    const tree = log("message/ses_1/msg_0.json", [
      { ...MESSAGE, id: "msg_0", sessionID: "ses_1", tokens: opencodeTokens(9, 9, 9, 9) },
    ]);
    const outcome = importOpenCode([tree, database]);
    expect(sumsOf(outcome)).toEqual(EXPECTED);
    expect(codesOf(outcome)).toEqual(["code-usage-one-store"]);
  });

  it("are read in one layout: migrated rows keep their ids", () => {
    const both = [
      ...older("msg_1", "ses_1", {}, []),
      newer("msg_1", "ses_1", MESSAGE.tokens),
      newer("msg_2", "ses_1", opencodeTokens(7, 7, 0, 7)),
    ];
    expect(sumsOf(importOpenCode([log("opencode.db", both)]))).toEqual({
      uncached_input: 307,
      cache_read: 2007,
      output: 87,
    });
    const halfWay = [
      ...older("msg_1", "ses_1"),
      ...older("msg_3", "ses_1", { time: { created: 1_793_869_300_000 } }),
      newer("msg_1", "ses_1", MESSAGE.tokens),
    ];
    expect(
      sumsOf(importOpenCode([log("opencode.db", halfWay)])),
      "the older one still holds all",
    ).toMatchObject({ output: 560 });
    const torn = [...halfWay, newer("msg_9", "ses_1", MESSAGE.tokens)];
    expect(codesOf(importOpenCode([log("opencode.db", torn)]))).toEqual(["code-usage-layouts"]);
  });

  it("hold all sessions of a machine: those of the run are named, and their sub-agents come along", () => {
    const rows = [
      row("session", { id: "main", parent_id: null }),
      row("session", { id: "child", parent_id: "main" }),
      row("session", { id: "other", parent_id: null }),
      ...older("m1", "main"),
      ...older("m2", "child", { time: { created: 1_793_869_300_000, completed: 1_793_869_301_000 } }),
      ...older("m3", "other", { time: { created: 1_793_969_300_000, completed: 1_793_969_301_000 } }),
    ];
    const files = [log("opencode.db", rows)];
    const unnamed = importOpenCode(files);
    expect(unnamed.ok).toBe(false);
    expect(unnamed.findings[0]).toMatchObject({ code: "code-usage-session", actual: "main, other" });
    const named = importOpenCode(files, ["main"]);
    expect(sumsOf(named)).toMatchObject({ output: 560 });
    expect(wallSeconds(usageOf(named))).toBe(101);
    expect(sumsOf(importOpenCode(files, ["child"]))).toMatchObject({ output: 280 });
    expect(codesOf(importOpenCode(files, ["nobody"]))).toContain("code-usage-session");
  });

  it("count messages that a fork copied under new ids once", () => {
    const copy = { info: { ...MESSAGE, id: "msg_copy" }, parts: STEPS };
    const own = {
      info: { ...MESSAGE, id: "msg_own", time: { created: 1_793_869_240_000, completed: 1_793_869_250_000 } },
      parts: [],
    };
    const outcome = importOpenCode([
      exported("ses_1", [{ info: MESSAGE, parts: STEPS }]),
      exported("ses_2", [copy, own]),
    ]);
    expect(codesOf(outcome)).toEqual(["code-usage-several-sessions"]);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 2600, cache_read: 4000, output: 360, reasoning: 50 });
    const withoutSteps = importOpenCode([
      exported("ses_0", [{ info: { ...MESSAGE, id: "msg_0" }, parts: [] }]),
      exported("ses_1", [{ info: MESSAGE, parts: STEPS }]),
    ]);
    expect(sumsOf(withoutSteps), "of copies, the one with its steps").toEqual(EXPECTED);
    const twins = importOpenCode([
      exported("ses_1", [
        { info: MESSAGE, parts: [] },
        { info: { ...MESSAGE, id: "msg_2" }, parts: [] },
      ]),
    ]);
    expect(usageOf(twins).requests, "in one session they are two messages").toHaveLength(2);
  });

  it("warn where a named session shares messages with one that is not named", () => {
    const files = [log("opencode.db", [...older("m1", "main"), ...older("m2", "fork")])];
    const outcome = importOpenCode(files, ["main"]);
    expect(outcome.findings).toMatchObject([
      { code: "code-usage-fork", severity: "warning", actual: "1 messages, also in fork" },
    ]);
    expect(sumsOf(outcome)).toEqual(EXPECTED);
    expect(importOpenCode(files, ["main", "fork"]).findings).toEqual([]);
    expect(sumsOf(importOpenCode(files, ["main", "fork"]))).toEqual(EXPECTED);
  });

  it("show by a total whether reasoning is inside the output, and are refused when it fits neither", () => {
    const read = (tokens: object) =>
      importOpenCode([exported("s", [{ info: { ...MESSAGE, tokens }, parts: [] }])]);
    const tokens = opencodeTokens(100, 80, 30, 10, 5);
    expect(sumsOf(read({ ...tokens, total: 225 }))).toMatchObject({
      output: 110,
      reasoning: 30,
      cache_write: 5,
    });
    expect(sumsOf(read({ ...tokens, total: 195 }))).toMatchObject({ output: 80, reasoning: 30 });
    const neither = read({ ...tokens, total: 200 });
    expect(neither.ok).toBe(false);
    expect(neither.findings[0]).toMatchObject({
      code: "code-usage-sum",
      path: "s.json",
      actual: "total 200",
    });
  });

  it("keep usage of a message that failed, count none where there is none, and say what cache lifetime is assumed", () => {
    const failed = {
      ...MESSAGE,
      error: { name: "MessageAbortedError" },
      providerID: "anthropic",
      tokens: opencodeTokens(1, 2, 0, 3, 4),
    };
    const empty = { ...MESSAGE, id: "msg_2", tokens: opencodeTokens(0, 0, 0, 0) };
    const outcome = importOpenCode([
      exported("s", [
        { info: failed, parts: [] },
        { info: empty, parts: [] },
      ]),
    ]);
    expect(usageOf(outcome).requests).toHaveLength(1);
    expect(usageOf(outcome).assumptions).toEqual(["cache-write-lifetime-5m"]);
  });

  it("take times from parts, and skip rows that are no JSON", () => {
    const [created] = [MESSAGE.time.created];
    const outcome = importOpenCode([
      log("opencode.db", [
        ...older("msg_1", "ses_1"),
        row(
          "part",
          { id: "t", message_id: "msg_1", session_id: "ses_1" },
          { type: "tool", state: { time: { start: created, end: created + 90_000 } } },
        ),
        { table: "part", row: { id: "x", message_id: "msg_1", session_id: "ses_1", data: '{"type":' } },
      ]),
    ]);
    expect(wallSeconds(usageOf(outcome))).toBe(90);
    expect(usageOf(outcome).skipped_lines).toBe(1);
    expect(
      usageOf(outcome).requests.map(([at]) => at),
      "a step has the time of its row",
    ).toEqual([10_000, 10_000]);
  });

  it("leave out a recorded cost that is no amount", () => {
    const outcome = importOpenCode([exported("s", [{ info: { ...MESSAGE, cost: -1 }, parts: [] }])]);
    expect(usageOf(outcome).cost_recorded_usd).toBeNull();
    expect(codesOf(outcome)).toEqual(["code-usage-cost"]);
    const plan = importOpenCode([exported("s", [{ info: { ...MESSAGE, cost: 0 }, parts: [] }])]);
    expect(usageOf(plan).cost_recorded_usd, "on a subscription it is 0").toBe(0);
  });
});
