import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatClient } from "../../../src/io/run/chat-client.ts";
import { type RunEnd, type RunOptions, runBenchmark } from "../../../src/jobs/run-benchmark.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { requestBody } from "../../../src/lib/run/call.ts";
import { recoverJournal } from "../../../src/lib/run/journal.ts";
import { makeSuiteRoot, referenceRecipe, type SuiteRoot } from "./suite-root.ts";

let root: SuiteRoot;
const recipes = new Map<string, string>();

beforeAll(async () => {
  root = await makeSuiteRoot([
    { id: "one", like: "r1-region-by-year" },
    { id: "two", like: "r7-glued-footnotes" },
    { id: "three", like: "r3-merged-bands" },
  ]);
  for (const { id, task } of root.suite.members) recipes.set(task, await referenceRecipe(root.folder, id));
});
afterAll(() => root.remove());

/** Answers member two with prose first and mends it when asked; knows the others. Counts what it is asked. */
function countingClient(): ChatClient & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    body: requestBody,
    complete(request) {
      const question = request.messages.find(({ role }) => role === "user")?.content ?? "";
      const task = /^Task: (.*)$/m.exec(question)?.[1] ?? "";
      const member = root.suite.members.find((each) => each.task === task)?.id ?? "?";
      const isRevision = request.messages.length > 2;
      asked.push(`${member}/${isRevision ? 2 : 1}`);
      const text = member === "two" && !isRevision ? "Sure! Here it is." : (recipes.get(task) ?? "");
      return Promise.resolve({
        kind: "answer",
        text,
        refusal: null,
        response_sha256: `sha256:${"1".repeat(64)}`,
        usage: { prompt_tokens: 10, completion_tokens: 5 },
        cost_usd: 0.01,
        generation_id: `gen-${member}`,
        finish_reason: "stop",
      });
    },
  };
}

function start(client: ChatClient, more: Partial<RunOptions> = {}): Promise<RunEnd> {
  let clock = 0;
  const never = new AbortController().signal;
  return runBenchmark(
    {
      root: root.folder,
      suiteId: "tiny",
      model: "test/model",
      promptMode: "listing-1",
      format: "json_schema",
      temperature: 0,
      maxTokens: null,
      maxCalls: null,
      attemptsPerMember: 3,
      minIntervalMs: 0,
      transport: "in process",
      client,
      invocation: "test",
      runner: { name: "test", version: "1", environment: "test" },
      fresh: false,
      ...more,
    },
    {
      now: () => new Date(Date.UTC(2026, 10, 30) + clock++).toISOString(),
      elapsed: () => clock,
      sleep: () => Promise.resolve(),
      stop: never,
      abandon: never,
      onEvent: () => undefined,
    },
  );
}

const documentOf = (end: RunEnd): ResultDocument => {
  if (end.kind !== "finished") throw new Error(JSON.stringify(end));
  return end.result.document;
};

/** The document without what a restart may change: times, and calls whose outcome was lost. */
function comparable(document: ResultDocument): unknown {
  return {
    ...document,
    started_at: "",
    finished_at: "",
    members: document.members.map((member) => ({
      ...member,
      attempts: member.attempts.map((attempt) => ({ ...attempt, started_at: "", duration_ms: 0 })),
    })),
    totals: { ...document.totals, calls: 0 },
    cost: { ...document.cost, complete: true },
  };
}

const runs = (): string => join(root.folder, "benchmarks/.runs");

describe("a run that dies anywhere in its journal and is started again", () => {
  it("repeats no completed call, loses none, and ends with the same document", async () => {
    await rm(runs(), { recursive: true, force: true });
    const whole = countingClient();
    const expected = documentOf(await start(whole));
    expect(whole.asked).toEqual(["one/1", "two/1", "two/2", "three/1"]);
    expect(expected.totals).toMatchObject({ passed: 3, calls: 4 });
    const [folder = ""] = (await readdir(runs())).filter((name) => !name.includes(".lock-"));
    const bytes = new Uint8Array(await readFile(join(runs(), folder, "journal.jsonl")));
    const boundaries = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
    // Before the first line, after each line, and in the middle of each line; not after the whole journal.
    const cuts = [
      0,
      ...boundaries.flatMap((end, line) => [Math.floor(((boundaries[line - 1] ?? 0) + end) / 2), end]),
    ];
    for (const cut of cuts.filter((each) => each < bytes.length)) {
      await rm(runs(), { recursive: true });
      await mkdir(join(runs(), folder), { recursive: true });
      const journal = join(runs(), folder, "journal.jsonl");
      await writeFile(journal, bytes.slice(0, cut));
      const before = recoverJournal(bytes.slice(0, cut), "journal");
      if (!before.ok) throw new Error("a cut journal is sound");
      const intents = before.value.records.filter(({ type }) => type === "call-intended").length;
      const done = before.value.records.filter(({ type }) => type === "call-completed").length;
      const client = countingClient();
      const document = documentOf(await start(client));
      expect(client.asked, `cut at ${cut}`).toEqual(whole.asked.slice(done));
      expect(comparable(document), `cut at ${cut}`).toEqual(comparable(expected));
      // A call whose outcome was lost counts, and makes the cost incomplete.
      expect(document.totals.calls).toBe(4 + intents - done);
      expect(document.cost).toEqual({ total_usd: 0.04, complete: intents === done });
      const after = recoverJournal(new Uint8Array(await readFile(journal)), "journal");
      expect(after.ok && !after.value.torn).toBe(true);
    }
  });
});

describe("starting again", () => {
  it("starts anew after a reported run, and with --fresh beside an unfinished one", async () => {
    await rm(runs(), { recursive: true, force: true });
    await start(countingClient());
    const again = countingClient();
    await start(again);
    expect(again.asked).toHaveLength(4);
    await cutLastRecords(2);
    const fresh = countingClient();
    await start(fresh, { fresh: true });
    expect(fresh.asked).toHaveLength(4);
    expect((await readdir(runs())).map((name) => name.slice(-4)).sort()).toEqual(["-001", "-002", "-003"]);
  });

  it("goes on only under the caps it was started with", async () => {
    await rm(runs(), { recursive: true, force: true });
    await start(countingClient());
    await cutLastRecords(4);
    const client = countingClient();
    expect(await start(client, { maxCalls: 5 })).toMatchObject({
      kind: "refused",
      findings: [{ code: "run-resume-differs", expected: "9", actual: "5" }],
    });
    expect(client.asked).toEqual([]);
  });

  it("is another run for another model, prompt form or temperature", async () => {
    await rm(runs(), { recursive: true, force: true });
    await start(countingClient());
    await cutLastRecords(4);
    for (const more of [
      { model: "test/other" },
      { format: "none" },
      { temperature: 1 },
      { promptMode: "auto-1" },
    ] as const) {
      const client = countingClient();
      await start(client, more);
      expect(client.asked).toHaveLength(4);
    }
  });

  it("refuses a journal that was changed", async () => {
    await rm(runs(), { recursive: true, force: true });
    await start(countingClient());
    const journal = await newestJournal();
    await writeFile(journal, (await readFile(journal, "utf8")).replace('"call":2', '"call":3'));
    const client = countingClient();
    expect(await start(client)).toMatchObject({
      kind: "refused",
      findings: [{ code: "run-journal-damaged", line: 4 }],
    });
    expect(client.asked).toEqual([]);
  });
});

async function newestJournal(): Promise<string> {
  const folders = (await readdir(runs())).filter((name) => /-\d{3}$/.test(name)).sort();
  return join(runs(), folders.at(-1) ?? "", "journal.jsonl");
}

/** Takes the newest run back by so many records. */
async function cutLastRecords(count: number): Promise<void> {
  const journal = await newestJournal();
  const lines = (await readFile(journal, "utf8")).split("\n").slice(0, -1);
  await writeFile(
    journal,
    lines
      .slice(0, -count)
      .map((line) => `${line}\n`)
      .join(""),
  );
}
