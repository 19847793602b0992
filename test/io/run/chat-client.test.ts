import { describe, expect, it } from "vitest";
import { openChatClient } from "../../../src/io/run/chat-client.ts";
import { MAX_PAUSE_MS, pauseAfter } from "../../../src/lib/run/call.ts";

/** What the client makes of one response. */
function complete(status: number, headers: Record<string, string>, body = "{}") {
  const client = openChatClient({
    baseUrl: "https://provider.example/v1",
    apiKey: "key",
    timeoutMs: 5000,
    includeUsage: false,
    fetch: () =>
      Promise.resolve(
        new Response(body, { status, headers: { "content-type": "application/json", ...headers } }),
      ),
  });
  const request = { model: "m", messages: [], temperature: null, max_tokens: null, response_format: null };
  return client.complete(request, new AbortController().signal);
}

describe("retry-after", () => {
  it.each([
    ["0", 0],
    ["7", 7000],
    [" 7 ", 7000],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ])("%j asks for %i ms", async (text, ms) => {
    const answer = await complete(429, { "retry-after": text });
    expect(answer).toMatchObject({ kind: "transport", status: 429, retry_after_ms: ms });
    expect(pauseAfter(answer)).toBe(ms);
  });

  it("takes an HTTP date for the time until then", async () => {
    const answer = await complete(503, { "retry-after": new Date(Date.now() + 60_000).toUTCString() });
    expect(pauseAfter(answer)).toBeGreaterThan(55_000);
    expect(pauseAfter(answer)).toBeLessThanOrEqual(60_000);
  });

  it.each(["", "soon", "-5", "1.5", "1e9", "99999999999999999999"])("%j asks for nothing", async (text) => {
    const answer = await complete(429, { "retry-after": text });
    expect(answer).not.toHaveProperty("retry_after_ms");
    expect(pauseAfter(answer)).toBe(0);
  });

  it("keeps nobody waiting for longer than two minutes", async () => {
    expect(pauseAfter(await complete(429, { "retry-after": "86400" }))).toBe(MAX_PAUSE_MS);
  });

  it("means nothing beside an answer or a refused account", async () => {
    const body = JSON.stringify({ id: "x", choices: [{ message: { content: "{}" } }] });
    expect(pauseAfter(await complete(200, { "retry-after": "9" }, body))).toBe(0);
    expect(pauseAfter(await complete(401, { "retry-after": "9" }))).toBe(0);
  });
});
