import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { type JournalRecord, recoverJournal } from "../../../src/lib/run/journal.ts";
import { filesBelow, onlyResult, type Running, run, startRun } from "./command.ts";
import {
  complete,
  completionBody,
  type Provider,
  type ProviderRequest,
  startProvider,
  taskOf,
} from "./provider.ts";
import { makeSuiteRoot, referenceRecipe, type SuiteRoot } from "./suite-root.ts";

let root: SuiteRoot;
let recipes: Map<string, string>;
let expected: ResultDocument;

beforeAll(async () => {
  root = await makeSuiteRoot([
    { id: "one", like: "r1-region-by-year" },
    { id: "two", like: "r7-glued-footnotes" },
    { id: "three", like: "r3-merged-bands" },
    { id: "four", like: "r10-dates-across" },
  ]);
  recipes = new Map();
  for (const { id, task } of root.suite.members) recipes.set(task, await referenceRecipe(root.folder, id));
  const provider = await startProvider((request) => complete(request, answerTo(request)));
  const ended = await run(args(provider));
  await provider.close();
  expect(ended.code, ended.stderr).toBe(0);
  expected = JSON.parse((await onlyResult(root.folder)).text);
});
beforeEach(() => rm(join(root.folder, "benchmarks/.runs"), { recursive: true, force: true }));
afterAll(() => root.remove());

const args = (provider: Provider, ...more: string[]): string[] => [
  ...["--suite", "tiny", "--model", "test/model", "--root", root.folder],
  ...["--base-url", provider.url, ...more],
];

/** Member two needs one revision; everything else is right at once. */
function answerTo(request: ProviderRequest): { content: string; cost: number } {
  const task = taskOf(request);
  const mends = task === root.suite.members[1]?.task && request.body.messages.length === 2;
  return { content: mends ? "Let me think." : (recipes.get(task) ?? ""), cost: 0.01 };
}

/** Which attempt at which member a request asks for. */
const nameOf = (request: ProviderRequest): string => {
  const member = root.suite.members.find(({ task }) => task === taskOf(request))?.id ?? "?";
  return `${member}/${request.body.messages.length === 2 ? 1 : 2}`;
};
const ALL = ["one/1", "two/1", "two/2", "three/1", "four/1"];

async function journal(): Promise<readonly JournalRecord[]> {
  const files = await filesBelow(join(root.folder, "benchmarks/.runs"));
  const [text] = [...files].filter(([path]) => path.endsWith("journal.jsonl")).map(([, each]) => each);
  const recovered = recoverJournal(new TextEncoder().encode(text ?? ""), "journal");
  if (!recovered.ok) throw new Error(JSON.stringify(recovered.findings));
  return recovered.value.records;
}

/** `member/attempt` of every call whose outcome is recorded. */
async function completedCalls(): Promise<string[]> {
  const records = await journal();
  return records.flatMap((record) => {
    if (record.type !== "call-completed") return [];
    const intent = records.find((each) => each.type === "call-intended" && each.call === record.call);
    return intent?.type === "call-intended" ? [`${intent.member}/${intent.attempt}`] : [];
  });
}

/** Without times, and without what a lost call adds. */
const comparable = (document: ResultDocument): unknown => ({
  ...document,
  started_at: "",
  finished_at: "",
  caps: { ...document.caps, calls: 0 },
  runner: { ...document.runner, transport: "", invocation: "" },
  members: document.members.map((member) => ({
    ...member,
    attempts: member.attempts.map((attempt) => ({ ...attempt, started_at: "", duration_ms: 0 })),
  })),
  totals: { ...document.totals, calls: 0 },
  cost: { ...document.cost, complete: true },
});

async function expectSameEnd(provider: Provider, ...more: string[]): Promise<void> {
  const ended = await run(args(provider, ...more));
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain("Going on with run");
  const document: ResultDocument = JSON.parse((await onlyResult(root.folder)).text);
  expect(comparable(document)).toEqual(comparable(expected));
  const records = await journal();
  const intents = records.filter(({ type }) => type === "call-intended").length;
  expect(document.totals.calls).toBe(intents);
  expect(document.cost).toEqual({ total_usd: 0.05, complete: intents === ALL.length });
  expect(await completedCalls()).toEqual(ALL);
}

type Moment = "before the answer" | "in the middle of the answer" | "right after the answer";

describe("SIGKILL", () => {
  const moments: Moment[] = ["before the answer", "in the middle of the answer", "right after the answer"];
  const cases = moments.flatMap((moment) => ALL.map((call) => ({ moment, call })));

  it.each(cases)("$moment of $call", async ({ moment, call }) => {
    let running: Running | null = null;
    let killed = false;
    const provider = await startProvider(async (request) => {
      if (killed || nameOf(request) !== call) return complete(request, answerTo(request));
      killed = true;
      const body = completionBody(request, answerTo(request));
      const { response } = request;
      if (moment === "before the answer") {
        running?.child.kill("SIGKILL");
        return;
      }
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      const part = moment === "right after the answer" ? body : body.slice(0, body.length / 2);
      await new Promise<void>((resolve) => response.write(part, () => resolve()));
      // Half of these deaths come before the outcome is on the disk, half after: either must be right.
      if (moment === "right after the answer")
        await new Promise((resolve) => setTimeout(resolve, ALL.indexOf(call) * 2));
      running?.child.kill("SIGKILL");
    });
    running = startRun(args(provider));
    const { signal, stderr } = await running.ended;
    // The last answer may have been followed by the end of the run before the signal came.
    if (signal === null) {
      await provider.close();
      expect([moment, call], stderr).toEqual(["right after the answer", "four/1"]);
      expect(await completedCalls()).toEqual(ALL);
      return;
    }
    const done = await completedCalls();
    const before = provider.requests.length;
    await expectSameEnd(provider);
    const asked = provider.requests.slice(before).map(nameOf);
    await provider.close();
    expect(asked).toEqual(ALL.slice(done.length));
  });

  it("at random moments, again and again, until it is through", async () => {
    const provider = await startProvider(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      complete(request, answerTo(request));
    });
    // A fixed sequence that looks random: deaths between start-up and the last call.
    let seed = 20261130;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    // Lost calls count against the cap: it has to be out of the way.
    const cap = ["--max-calls", "100"];
    for (let round = 0; round < 12; round++) {
      const before = provider.requests.length;
      const done = await completedCalls();
      const running = startRun(args(provider, ...cap));
      // The clock starts when the run does: before that there is nothing to lose.
      await Promise.race([
        running.ended,
        new Promise((resolve) => running.child.stderr?.once("data", resolve)),
      ]);
      await new Promise((resolve) => setTimeout(resolve, random() * 80));
      running.child.kill("SIGKILL");
      const ended = await running.ended;
      const asked = provider.requests.slice(before).map(nameOf);
      for (const call of asked) expect(done).not.toContain(call);
      if (ended.signal === null) break;
      const reported = (await journal()).some(({ type }) => type === "run-reported");
      if (reported) break;
    }
    const reported = (await journal()).some(({ type }) => type === "run-reported");
    if (!reported) await expectSameEnd(provider, ...cap);
    await provider.close();
    expect(await completedCalls()).toEqual(ALL);
  });
});

describe("Ctrl-C", () => {
  /** Interrupts while the given call is in flight; `answer` lets it be answered. */
  async function interrupt(call: string, options: { twice: boolean; npm?: boolean }) {
    let running: Running | null = null;
    let interrupted = false;
    const signal = (): void => {
      const pid = running?.child.pid ?? 0;
      // A terminal signals the whole group.
      if (options.npm) process.kill(-pid, "SIGINT");
      else running?.child.kill("SIGINT");
    };
    const provider = await startProvider(async (request) => {
      if (interrupted || nameOf(request) !== call) return complete(request, answerTo(request));
      interrupted = true;
      signal();
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (options.twice) signal();
      else complete(request, answerTo(request));
    });
    running = startRun(args(provider), { npm: options.npm === true });
    return { ended: await running.ended, provider };
  }

  it("once waits for the call in flight, keeps it, says how to go on, and exits with 130", async () => {
    const { ended, provider } = await interrupt("two/1", { twice: false });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain("Stopping after the call in flight");
    expect(ended.stderr).toContain("To go on, give the same command again");
    expect(await completedCalls()).toEqual(["one/1", "two/1"]);
    expect((await filesBelow(join(root.folder, "benchmarks/.runs"))).size).toBe(1);
    await expectSameEnd(provider);
    await provider.close();
    expect(provider.requests.map(nameOf)).toEqual(ALL);
  });

  it("twice abandons the call in flight, which counts and is asked again", async () => {
    const { ended, provider } = await interrupt("two/2", { twice: true });
    expect(ended.code).toBe(130);
    expect(await completedCalls()).toEqual(["one/1", "two/1"]);
    await expectSameEnd(provider);
    await provider.close();
    expect(provider.requests.map(nameOf)).toEqual(["one/1", "two/1", "two/2", "two/2", "three/1", "four/1"]);
  });

  it("works at a terminal, where npm and every wrapper get the signal too", async () => {
    const { ended, provider } = await interrupt("three/1", { twice: false, npm: true });
    // npm ends by the signal itself, which every shell shows as 130.
    expect(ended.signal ?? ended.code).toBe("SIGINT");
    expect(ended.stderr).toContain("To go on, give the same command again");
    expect(await completedCalls()).toEqual(["one/1", "two/1", "two/2", "three/1"]);
    await expectSameEnd(provider);
    await provider.close();
    expect(provider.requests.map(nameOf)).toEqual(ALL);
  });
});

describe("two at once", () => {
  it("the second one is refused while the first holds the run; a dead one's lock is no hindrance", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const provider = await startProvider(async (request) => {
      arrived();
      await held;
      complete(request, answerTo(request));
    });
    const first = startRun(args(provider));
    await arrival;
    const second = await run(args(provider));
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("run-locked");
    expect(second.stderr).toContain(`number ${first.child.pid}`);
    expect(provider.requests).toHaveLength(1);
    first.child.kill("SIGKILL");
    await first.ended;
    const left = (await readdir(join(root.folder, "benchmarks/.runs"))).filter((name) =>
      name.includes(".lock-"),
    );
    expect(left).toHaveLength(1);
    release();
    await expectSameEnd(provider);
    await provider.close();
    const after = (await readdir(join(root.folder, "benchmarks/.runs"))).filter((name) =>
      name.includes(".lock-"),
    );
    expect(after).toEqual([]);
  });

  it("a lock of another process under a reused number does not count", async () => {
    const provider = await startProvider((request) => complete(request, answerTo(request)));
    await run(args(provider));
    const folder = join(root.folder, "benchmarks/.runs");
    const [name = ""] = await readdir(folder);
    const lock = join(folder, `${name.replace(/-\d{3}$/, "")}.lock-${process.pid}-abc`);
    const { hostname } = await import("node:os");
    await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname(), started: "1" }));
    // What a process leaves that is killed between writing its lock and taking it.
    const draft = `${lock}.draft`;
    await writeFile(draft, JSON.stringify({ pid: process.pid, host: hostname(), started: "1" }));
    const stale = await run(args(provider));
    expect(stale.code, stale.stderr).toBe(0);
    await writeFile(lock, JSON.stringify({ pid: process.pid, host: "elsewhere", started: "1" }));
    const foreign = await run(args(provider));
    await provider.close();
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain("If that machine is no longer at it, remove the file named here.");
    expect(await readFile(lock, "utf8")).toContain("elsewhere");
    await expect(readFile(draft)).rejects.toThrow("ENOENT");
  });
});
