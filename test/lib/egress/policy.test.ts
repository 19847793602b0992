import { describe, expect, it } from "vitest";
import { screenForKey } from "../../../src/lib/egress/key-screen.ts";
import { type EgressRecord, neverAnswered, summariseEgress } from "../../../src/lib/egress/log-schema.ts";
import {
  decideEgress,
  EGRESS_LIMITS,
  type EgressApi,
  isPlainAnswer,
  returnedHeaders,
  whyNoOrigin,
} from "../../../src/lib/egress/policy.ts";

const API: EgressApi = {
  origin: "https://api.example.com",
  routes: [{ method: "POST", path: "/v1/messages" }],
  key: { header: "x-api-key", prefix: "" },
};
const HOST = ["Host", "127.0.0.1:8787"];
const decide = (target: string, more: { method?: string; headers?: string[]; requests?: number } = {}) =>
  decideEgress(
    { method: more.method ?? "POST", target, rawHeaders: more.headers ?? HOST },
    API,
    { requests: more.requests ?? 0, underWay: 0 },
    EGRESS_LIMITS,
  );

describe("the proxy's policy", () => {
  it("passes on a route of the API, with the headers that it lists and no credentials", () => {
    const headers = [
      ...HOST,
      ...["Content-Type", "application/json", "Authorization", "Bearer mine", "X-Api-Key", "mine"],
      ...["Cookie", "a=b", "Accept-Encoding", "gzip", "Anthropic-Version", "2023-06-01"],
    ];
    expect(decide("/v1/messages?beta=true", { headers })).toEqual({
      allowed: true,
      method: "POST",
      path: "/v1/messages",
      query: "beta=true",
      headers: {
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "accept-encoding": "identity",
      },
    });
  });

  it.each([
    ["another path", "/v1/files", "path"],
    ["a longer path", "/v1/messages/batches", "path"],
    ["an absolute address", "http://evil.example/v1/messages", "target"],
    ["an address without a scheme", "//evil.example/v1/messages", "target"],
    ["a step upwards", "/v1/../v1/messages", "target"],
    ["an escaped step", "/v1/%2e%2e/messages", "target"],
    ["a backslash", "/v1\\messages", "target"],
    ["a fragment", "/v1/messages#x", "target"],
    ["a name and password", "http://a:b@api.example.com/v1/messages", "target"],
    ["a line break", "/v1/messages?a=\r\nHost: evil", "target"],
    ["no path", "*", "target"],
    ["a tunnel's target", "evil.example:443", "target"],
    ["too long", `/v1/messages?${"a".repeat(3000)}`, "target"],
  ])("refuses %s", (_, target, refusal) => {
    expect(decide(target)).toMatchObject({ allowed: false, refusal });
  });

  it.each([
    ["another method", { method: "DELETE" }, "method"],
    ["CONNECT", { method: "CONNECT" }, "method"],
    ["another host", { headers: ["Host", "evil.example"] }, "host"],
    ["a host that begins like ours", { headers: ["Host", "127.0.0.1.evil.example"] }, "host"],
    ["two hosts", { headers: [...HOST, "host", "evil.example"] }, "host"],
    ["no host", { headers: [] }, "host"],
    ["a change of protocol", { headers: [...HOST, "Upgrade", "websocket"] }, "header"],
    ["a method in disguise", { headers: [...HOST, "X-HTTP-Method-Override", "GET"] }, "header"],
    ["a header that is no text", { headers: [...HOST, "Accept", "a\u0000b"] }, "header"],
    ["two lengths", { headers: [...HOST, "Content-Length", "1", "content-length", "2"] }, "header"],
    ["a body beyond the bound", { headers: [...HOST, "Content-Length", "999999999"] }, "request-too-large"],
    ["a request too many", { requests: EGRESS_LIMITS.requests }, "too-many"],
  ])("refuses %s", (_, more, refusal) => {
    expect(decide("/v1/messages", more)).toMatchObject({ allowed: false, refusal });
  });

  it("gives back what clients need of an answer's head, and never where to go next", () => {
    const headers = { "content-type": "text/event-stream", location: "http://evil", "set-cookie": ["a=b"] };
    expect(returnedHeaders(headers)).toEqual({ "content-type": "text/event-stream" });
    expect([200, 204, 400, 429, 529].every(isPlainAnswer)).toBe(true);
    expect([101, 103, 301, 302, 304, 307, 308].some(isPlainAnswer)).toBe(false);
  });

  it("asks only servers of this machine without TLS", () => {
    expect(whyNoOrigin("https://api.example.com")).toBeNull();
    expect(whyNoOrigin("http://127.0.0.1:4000")).toBeNull();
    for (const origin of [
      "http://api.example.com",
      "https://a.b/v1",
      "https://u:p@a.b",
      "file:///etc",
      "a.b",
    ])
      expect(whyNoOrigin(origin), origin).not.toBeNull();
  });
});

describe("the look for the key", () => {
  const key = new TextEncoder().encode("sk-abab-1");
  const through = (chunks: readonly string[]): { text: string; found: boolean } => {
    let held: Uint8Array = new Uint8Array();
    let text = "";
    for (const chunk of chunks) {
      const step = screenForKey(held, new TextEncoder().encode(chunk), key);
      text += new TextDecoder().decode(step.out);
      if (step.found) return { text, found: true };
      held = step.held;
    }
    return { text: text + new TextDecoder().decode(held), found: false };
  };

  it("finds it however the stream is cut, and passes on everything before", () => {
    const whole = "data: sk-ab sk-abab-2 sk-abab-1 rest";
    for (let cut = 0; cut <= whole.length; cut++)
      expect(through([whole.slice(0, cut), whole.slice(cut)])).toEqual({
        text: "data: sk-ab sk-abab-2 ",
        found: true,
      });
    expect(through([...whole])).toEqual({ text: "data: sk-ab sk-abab-2 ", found: true });
  });

  it("changes nothing of what does not hold it, and delays only what could begin it", () => {
    expect(through(["sk-a", "sk-abab-", "2 s"])).toEqual({ text: "sk-ask-abab-2 s", found: false });
    expect(screenForKey(new Uint8Array(), new TextEncoder().encode("event\n\n"), key).held).toHaveLength(0);
  });
});

describe("what a run's requests come to", () => {
  const record = (more: Partial<EgressRecord>): EgressRecord => ({
    ...{ at: "2026-11-30T10:15:00.000Z", ms: 1, method: "POST", path: "/v1/messages", status: 200 },
    ...{ request_bytes: 1, response_bytes: 1 },
    ...more,
  });

  it("F57: an API that never answered is the host's fault, not the contestant's", () => {
    const dead = summariseEgress([record({ status: 502, fault: "unreachable" }), record({ status: 401 })]);
    expect(dead).toEqual({ requests: 2, refused: 0, answered: 0, failed: 2, endedFailed: true });
    expect(neverAnswered(dead)).toBe(true);
    expect(neverAnswered(summariseEgress([record({}), record({ status: 500 })]))).toBe(false);
    expect(neverAnswered(summariseEgress([record({ status: 403, path: null, refused: "path" })]))).toBe(
      false,
    );
    expect(neverAnswered(summariseEgress([record({ status: 429 })]))).toBe(true);
    expect(summariseEgress([record({ status: 529 }), record({})])).toMatchObject({
      failed: 1,
      endedFailed: false,
    });
    expect(summariseEgress([record({ status: 502, fault: "redirect" })])).toMatchObject({ failed: 0 });
    expect(neverAnswered(summariseEgress([]))).toBe(false);
  });
});
