import { describe, expect, it } from "vitest";
import { runSchema } from "../../../../src/lib/code/schema/run-schema.ts";
import { importCodex } from "../../../../src/lib/code/usage/codex.ts";
import { insertUsage, type UsageTarget } from "../../../../src/lib/code/usage/insert-usage.ts";
import { committedRuns } from "../../../jobs/data-folder.ts";
import { CODEX, codesOf, usageOf } from "./logs.ts";

const USAGE = usageOf(importCodex(CODEX));
const RUN = structuredClone(committedRuns()[0]!);
for (const entry of RUN.entries) delete entry.usage;
for (const session of RUN.council.sessions) delete session.usage;
delete RUN.brief.usage;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const PRETTY = `${JSON.stringify(RUN, null, 2)}\n`;
const insert = (target: UsageTarget, text = PRETTY) =>
  insertUsage(bytesOf(text), target, USAGE, "data/runs/r.json");
const FIRST = RUN.entries[0]!.id;
const SESSION = RUN.council.sessions[0]!.id;

describe("usage put into a run's file", () => {
  it.each([
    ["an entry", { kind: "entry", id: FIRST }, PRETTY],
    ["an entry of a file on one line", { kind: "entry", id: FIRST }, JSON.stringify(RUN)],
    ["a session of a judge", { kind: "session", id: SESSION }, PRETTY],
    ["the lead's brief", { kind: "brief" }, PRETTY],
  ] as const)("adds to %s, and leaves every other character as it was", (_, target, text) => {
    const outcome = insert(target, text);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
    const added = `"usage": ${JSON.stringify(USAGE)}`;
    expect(outcome.value.split(added)).toHaveLength(2);
    expect(outcome.value.replace(new RegExp(`,\\s*${escaped(added)}`), "")).toBe(text);
    const run = runSchema.parse(JSON.parse(outcome.value));
    const places = { entry: run.entries[0], session: run.council.sessions[0], brief: run.brief };
    expect(places[target.kind]?.usage).toEqual(USAGE);
  });

  it("never replaces what is there", () => {
    const once = insert({ kind: "entry", id: FIRST });
    if (!once.ok) throw new Error("not inserted");
    const twice = insert({ kind: "entry", id: FIRST }, once.value);
    expect(twice.ok).toBe(false);
    expect(twice.findings).toMatchObject([
      {
        code: "code-usage-present",
        path: "data/runs/r.json",
        pointer: "/entries/0/usage",
        line: expect.any(Number),
      },
    ]);
  });

  it("names the entries and sessions that there are", () => {
    const outcome = insert({ kind: "entry", id: "nobody" });
    expect(outcome.findings).toMatchObject([
      { code: "code-usage-target", actual: "nobody", expected: RUN.entries.map(({ id }) => id).join(", ") },
    ]);
    expect(codesOf(insert({ kind: "session", id: "nobody" }))).toEqual(["code-usage-target"]);
  });

  it("says where the entry and its log disagree on fast mode", () => {
    const outcome = insert({ kind: "entry", id: FIRST });
    expect(RUN.entries[0]?.harness.fast_mode).toBe(false);
    expect(outcome.findings).toMatchObject([
      {
        code: "code-usage-fast-mode",
        severity: "warning",
        pointer: "/entries/0/harness/fast_mode",
        actual: "fast_mode false",
      },
    ]);
  });

  it("refuses a file that is no run", () => {
    expect(insert({ kind: "brief" }, "{}").ok).toBe(false);
    expect(insert({ kind: "brief" }, "{").ok).toBe(false);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
