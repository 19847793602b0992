import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseResult } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument, ResultMember } from "../../../src/lib/benchmarks/result-schema.ts";
import { onlyResult, run } from "./command.ts";
import {
  type Completion,
  complete,
  completionBody,
  type ProviderRequest,
  send,
  startProvider,
  taskOf,
} from "./provider.ts";
import { makeSuiteRoot, referenceRecipe, type SuiteRoot } from "./suite-root.ts";

/** What a provider may do with a question: send a completion, or anything else. */
type Reply = Completion | ((request: ProviderRequest) => void);

interface Case {
  /** Replies in order; the last one stays. `GOOD` is the reference recipe. */
  readonly replies: readonly Reply[];
  readonly outcomes: readonly string[];
  readonly status: string;
  /** Fault and code of the member's reason. */
  readonly why?: string;
  /** Text of the first finding of the first attempt. */
  readonly says?: string;
  /** A failed call may have been charged: what it reports is kept. */
  readonly usage?: "of a failed call";
}

const GOOD: Completion = { content: "GOOD" };
const text = (content: string | null, more: Completion = {}): Completion => ({ ...more, content });
const raw = (status: number, type: string, body: string) => (request: ProviderRequest) =>
  send(request, status, type, body);
const recipe = (values: Record<string, unknown>, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ version: 1, tables: [{ sheet: "Table 1", values, headers: [], ...more }] });

const CASES: Readonly<Record<string, Case>> = {
  good: { replies: [GOOD], outcomes: ["accepted"], status: "passed" },
  "another table": {
    replies: [text(recipe({ from: ["R1C1:R20C9"], where: { type: "number" } }))],
    outcomes: ["accepted"],
    status: "partial",
  },
  "a table of nothing": {
    replies: [text(recipe({ from: ["R1C1"], where: { type: "boolean" } }))],
    outcomes: ["accepted"],
    status: "partial",
  },
  prose: {
    replies: [text('Here you are: {"version": 1}'), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
    says: "There is text before the JSON object.",
  },
  "a code fence, for ever": {
    replies: [text("```json\n{}\n```")],
    outcomes: ["invalid_json", "invalid_json", "invalid_json"],
    status: "failed",
    why: "model invalid-json",
    says: "The answer stands in a code fence.",
  },
  "text after the recipe": {
    replies: [text(`${recipe({ from: ["R1C1"] })} Hope that helps!`), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
  },
  "a key twice": {
    replies: [text('{"version":1,"version":1,"tables":[]}'), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
  },
  "a forbidden key": {
    replies: [text('{"version":1,"__proto__":{}}'), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
  },
  "a lone surrogate": {
    replies: [text('{"version":1,"tables":"\\ud800 \ud800"}'), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
  },
  "a million brackets": {
    replies: [text("[".repeat(1_000_000)), GOOD],
    outcomes: ["invalid_json", "accepted"],
    status: "passed",
  },
  "an unknown key": {
    replies: [text(recipe({ from: ["R1C1"] }, { heders: [] })), GOOD],
    outcomes: ["invalid_recipe", "accepted"],
    status: "passed",
  },
  "a missing sheet": {
    replies: [text(recipe({ from: ["R1C1"] }, { sheet: "Nowhere" })), text("{}"), text("[]")],
    outcomes: ["invalid_recipe", "invalid_recipe", "invalid_recipe"],
    status: "failed",
    why: "model invalid-recipe",
  },
  "an execution error": {
    replies: [text(recipe({ from: ["R1C1:R20C9"], as: "number" })), GOOD],
    outcomes: ["execution_error", "accepted"],
    status: "passed",
  },
  "cut at the token limit": {
    replies: [text('{"version":1,"tab', { finish: "length" }), GOOD],
    outcomes: ["truncated", "accepted"],
    status: "passed",
    says: "The answer ended at the token limit before the recipe was complete.",
  },
  "only thought until the limit": {
    replies: [text("", { finish: "length" })],
    outcomes: ["truncated", "truncated", "truncated"],
    status: "failed",
    why: "model truncated",
  },
  nothing: { replies: [text(null), GOOD], outcomes: ["empty", "accepted"], status: "passed" },
  "white space": {
    replies: [text(" \n ")],
    outcomes: ["empty", "empty", "empty"],
    status: "failed",
    why: "model empty",
  },
  "a refusal": {
    replies: [text(null, { refusal: "I cannot." })],
    outcomes: ["refusal"],
    status: "failed",
    why: "model refusal",
  },
  "a content filter": {
    replies: [text("", { finish: "content_filter" })],
    outcomes: ["refusal"],
    status: "failed",
    why: "model refusal",
  },
  "a completion under another content type": {
    replies: [
      (request) => send(request, 200, "text/plain", completionBody(request, { content: '{"version":1}' })),
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport content-type",
    usage: "of a failed call",
  },
  "an event stream nobody asked for": {
    replies: [
      raw(200, "text/event-stream", 'data: {"choices":[{"delta":{"content":"x"}}]}\n\ndata: [DONE]\n\n'),
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport content-type",
  },
  "no content type": {
    replies: [
      (request) => {
        request.response.writeHead(200);
        request.response.end(completionBody(request, { content: '{"version":1}' }));
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport content-type",
    says: "HTTP 200 with content type (none), not JSON.",
    usage: "of a failed call",
  },
  "JSON that is no completion": {
    replies: [raw(200, "application/json", '{"choices":[]}')],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport malformed-response",
  },
  "a web page": {
    replies: [raw(200, "text/html", "<h1>Log in</h1>")],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport content-type",
  },
  "404": {
    replies: [raw(404, "application/json", '{"error":{"message":"no such model"}}')],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
  },
  "400": {
    replies: [raw(400, "application/json", '{"error":{"message":"response_format is not supported"}}')],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
    says: "HTTP 400: response_format is not supported",
  },
  "429 without retry-after": {
    replies: [raw(429, "application/json", '{"error":{"message":"slow down"}}')],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
    says: "HTTP 429: slow down",
  },
  "429 with retry-after": {
    replies: [
      (request) => {
        request.response.setHeader("retry-after", "1");
        send(request, 429, "application/json", '{"error":{"message":"slow down"}}');
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
    says: "HTTP 429: slow down",
  },
  "an error page with a recipe in it": {
    replies: [
      (request) =>
        send(request, 500, "application/json", completionBody(request, { content: '{"version":1}' })),
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
    usage: "of a failed call",
  },
  "408": {
    replies: [raw(408, "text/plain", "")],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
  },
  "500": {
    replies: [raw(500, "text/html", "oops")],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport http-status",
  },
  "204": {
    replies: [raw(204, "application/json", "")],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport malformed-response",
  },
  "a redirect": {
    replies: [
      (request) => {
        request.response.writeHead(307, { location: "/v1/elsewhere" });
        request.response.end();
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport connection",
  },
  "an error inside 200": {
    replies: [raw(200, "application/json", '{"error":{"code":502,"message":"upstream"}}')],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport provider-error",
  },
  "half a body": {
    replies: [
      (request) => {
        request.response.writeHead(200, { "content-type": "application/json", "content-length": 5000 });
        request.response.write('{"id":"x","cho', () => request.response.destroy());
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport connection",
  },
  "no answer at all": {
    replies: [(request) => request.response.destroy()],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport connection",
  },
  "a connection reset": {
    replies: [
      (request) => {
        request.response.writeHead(200, { "content-type": "application/json" });
        request.response.write('{"id":"x"', () => (request.response.socket as Socket).resetAndDestroy());
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport connection",
  },
  silence: {
    replies: [() => undefined],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport timeout",
  },
  "a trickle": {
    replies: [
      (request) => {
        request.response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => request.response.write(" "), 100);
        request.response.on("close", () => clearInterval(timer));
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport timeout",
  },
  "nine megabytes": {
    replies: [raw(200, "application/json", " ".repeat(9 * 1024 * 1024))],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport body-too-large",
  },
  "nine megabytes that travel small": {
    replies: [
      (request) => {
        const body = gzipSync(" ".repeat(9 * 1024 * 1024));
        request.response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        request.response.end(body);
      },
    ],
    outcomes: ["transport_error"],
    status: "failed",
    why: "transport body-too-large",
  },
  "a failed revision": {
    replies: [text("no"), raw(503, "text/plain", "")],
    outcomes: ["invalid_json", "transport_error"],
    status: "failed",
    why: "transport http-status",
  },
};

const names = Object.keys(CASES);
const taskFor = (at: number): string => `Sheet 'Table 1': case ${at}.`;

let root: SuiteRoot;
let document: ResultDocument;
let stderr = "";
const asked = new Map<string, ProviderRequest[]>();

beforeAll(async () => {
  root = await makeSuiteRoot(
    names.map((_, at) => ({ id: `case-${at}`, like: "r1-region-by-year", task: taskFor(at) })),
  );
  const good = await referenceRecipe(root.folder, "case-0");
  const provider = await startProvider((request) => {
    const name = names[names.findIndex((_, at) => taskFor(at) === taskOf(request))] ?? "";
    const earlier = asked.get(name) ?? [];
    asked.set(name, [...earlier, request]);
    const replies = CASES[name]?.replies ?? [];
    const reply = replies[Math.min(earlier.length, replies.length - 1)] ?? GOOD;
    if (typeof reply === "function") reply(request);
    else
      complete(
        request,
        reply.content === "GOOD" ? { ...reply, content: good, cost: 0.01 } : { ...reply, cost: 0.01 },
      );
  });
  const ended = await run([
    ...["--suite", "tiny", "--model", "test/odd", "--root", root.folder],
    ...["--base-url", provider.url, "--timeout-s", "1"],
  ]);
  await provider.close();
  expect(ended.code, ended.stderr).toBe(0);
  stderr = ended.stderr;
  const parsed = parseResult((await onlyResult(root.folder)).text, null);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  document = parsed.value;
}, 120_000);
afterAll(() => root.remove());

describe("every way an answer can be", () => {
  it.each(names.map((name, at) => ({ name, at })))("$name", ({ name, at }) => {
    const { outcomes, status, why, says, usage } = CASES[name] as Case;
    const member = document.members[at] as ResultMember;
    expect(member.attempts.map((attempt) => attempt.outcome)).toEqual(outcomes);
    expect(member.status).toBe(status);
    expect(member.reason === null ? undefined : `${member.reason.fault} ${member.reason.code}`).toBe(why);
    if (says !== undefined) expect(member.attempts[0]?.findings[0]?.message).toBe(says);
    // One request for each attempt: nothing is retried behind our back.
    expect(asked.get(name)).toHaveLength(outcomes.length);
    const silent = ["nothing", "a refusal"].includes(name);
    for (const [number, attempt] of member.attempts.entries()) {
      expect(attempt.findings.length > 0).toBe(attempt.outcome !== "accepted");
      expect(attempt.usage === null).toBe(attempt.outcome === "transport_error" && usage === undefined);
      const noText = attempt.outcome === "transport_error" || (silent && number === 0);
      expect(attempt.response_sha256 === null).toBe(noText);
    }
  });

  it("adds up", () => {
    const calls = Object.values(CASES).reduce((sum, { outcomes }) => sum + outcomes.length, 0);
    const failures = Object.values(CASES)
      .flatMap(({ outcomes }) => outcomes)
      .filter((each) => each === "transport_error");
    expect(document.totals).toMatchObject({ members: names.length, calls, skipped: 0 });
    expect(document.cost.complete).toBe(false);
    expect(document.cost.total_usd).toBeCloseTo((calls - failures.length) * 0.01, 10);
  });

  it("shows a revision the answer and what is wrong with it, nothing of the reference", () => {
    const [, revision] = asked.get("an unknown key") ?? [];
    const [first, second, third, fourth, ...rest] = revision?.body.messages ?? [];
    expect(rest).toEqual([]);
    expect(first?.role).toBe("system");
    expect(second?.content).toContain('Sheet "Table 1": used R1C1:');
    expect(third).toEqual({ role: "assistant", content: recipe({ from: ["R1C1"] }, { heders: [] }) });
    expect(fourth?.role).toBe("user");
    expect(fourth?.content).toContain("heders");
    expect(fourth?.content).toContain("at /tables/0");
  });

  it("asks again without an assistant's turn when there was no answer to show", () => {
    const [, revision] = asked.get("nothing") ?? [];
    expect(revision?.body.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });

  it("waits as long as the provider asks before it goes on, and repeats nothing", () => {
    const answered = asked.get("429 with retry-after")?.[0];
    const next = asked.get("an error page with a recipe in it")?.[0];
    expect((next?.at ?? 0) - (answered?.at ?? 0)).toBeGreaterThan(950);
    expect(stderr).toContain("Waiting 1 s, as the provider asks");
    expect(stderr.match(/Waiting/g)).toHaveLength(1);
  });

  it("never asks again because the table differs", () => {
    expect(asked.get("another table")).toHaveLength(1);
  });
});

// Keeps the helper honest: what a completion's body looks like is what the cases vary.
it("the provider speaks the contract", () => {
  const request = { body: { model: "m", messages: [] } } as unknown as ProviderRequest;
  expect(JSON.parse(completionBody(request, { content: "x" }))).toMatchObject({
    choices: [{ message: { content: "x" } }],
  });
});
