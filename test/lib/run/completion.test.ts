import { describe, expect, it } from "vitest";
import { readCompletion } from "../../../src/lib/run/completion.ts";

const json = "application/json; charset=utf-8";
const completion = (message: unknown, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ id: "gen-1", choices: [{ finish_reason: "stop", message }], ...more });

describe("readCompletion", () => {
  it("reads text, usage with its details, cost and generation id", () => {
    const body = completion(
      { content: "{}" },
      {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          prompt_tokens_details: { cached_tokens: 64 },
          completion_tokens_details: { reasoning_tokens: 7 },
          cost: 0.00123,
        },
      },
    );
    expect(readCompletion(200, json, body)).toEqual({
      kind: "answer",
      text: "{}",
      refusal: null,
      usage: { prompt_tokens: 100, completion_tokens: 20, cached_prompt_tokens: 64, reasoning_tokens: 7 },
      cost_usd: 0.00123,
      generation_id: "gen-1",
      finish_reason: "stop",
    });
  });

  it("says null, never 0, for usage and cost that were not reported", () => {
    expect(readCompletion(200, json, completion({ content: "{}" }))).toMatchObject({
      usage: null,
      cost_usd: null,
    });
    const odd = completion(
      { content: "{}" },
      { usage: { prompt_tokens: -1, completion_tokens: "x", cost: "free" } },
    );
    expect(readCompletion(200, json, odd)).toMatchObject({ kind: "answer", usage: null, cost_usd: null });
    // Added up, these would leave the range of numbers, and a paid run without a document.
    const vast = completion(
      { content: "{}" },
      { usage: { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 1, cost: 1.7e308 } },
    );
    expect(readCompletion(200, json, vast)).toMatchObject({ kind: "answer", usage: null, cost_usd: null });
  });

  it.each([
    [
      "404",
      404,
      json,
      '{"error":{"message":"no such model","code":404}}',
      "http-status",
      "HTTP 404: no such model",
    ],
    ["500 in HTML", 500, "text/html", "<h1>oops</h1>", "http-status", "HTTP 500"],
    ["429", 429, json, '{"error":"slow down"}', "http-status", "HTTP 429: slow down"],
    [
      "200 in HTML",
      200,
      "text/html",
      "<h1>login</h1>",
      "content-type",
      "HTTP 200 with content type text/html, not JSON.",
    ],
    [
      "no content type",
      200,
      "",
      completion({ content: "{}" }),
      "content-type",
      "HTTP 200 with content type (none), not JSON.",
    ],
    [
      "error inside 200",
      200,
      json,
      '{"error":{"message":"upstream\\n died","code":502}}',
      "provider-error",
      "upstream died",
    ],
    [
      "error inside a choice",
      200,
      json,
      '{"choices":[{"error":{"message":"cut off"}}]}',
      "provider-error",
      "cut off",
    ],
    [
      "half a body",
      200,
      json,
      '{"id":"gen-1","choices":[{"mess',
      "malformed-response",
      "The response is no chat completion.",
    ],
    [
      "no choices",
      200,
      json,
      '{"id":"x","choices":[]}',
      "malformed-response",
      "The response is no chat completion.",
    ],
    [
      "no message",
      200,
      json,
      '{"choices":[{"text":"{}"}]}',
      "malformed-response",
      "The first choice has no message.",
    ],
    [
      "content in parts",
      200,
      json,
      completion({ content: [{ text: "{}" }] }),
      "malformed-response",
      "The first choice has no message.",
    ],
    ["an array", 200, json, "[]", "malformed-response", "The response is no chat completion."],
  ])("%s is a transport failure", (_, status, type, body, code, message) => {
    expect(readCompletion(status, type, body)).toMatchObject({ kind: "transport", code, status, message });
  });

  it("keeps the cost of a call that failed", () => {
    const body =
      '{"id":"gen-2","error":{"message":"died"},"usage":{"prompt_tokens":5,"completion_tokens":0,"cost":0.5}}';
    expect(readCompletion(502, json, body)).toMatchObject({ cost_usd: 0.5, generation_id: "gen-2" });
  });

  it.each([
    [401, json, '{"error":{"message":"bad key"}}', "bad key"],
    [402, "text/plain", "pay", "HTTP 402"],
    [200, json, '{"error":{"message":"no credit","code":402}}', "no credit"],
  ])("%s may mean that the account was refused", (_, type, body, message) => {
    expect(readCompletion(_, type, body)).toMatchObject({ kind: "account", message });
  });
});
