import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EgressProxy, startEgressProxy } from "../../../src/io/egress/proxy.ts";
import { type EgressRecord, egressRecordSchema } from "../../../src/lib/egress/log-schema.ts";
import { EGRESS_LIMITS, type EgressLimits } from "../../../src/lib/egress/policy.ts";

const KEY = "sk-secret-0123456789";

/** An API on loopback: says what it got, and can be told to misbehave. */
let api: Server;
let origin: string;
const seen: { headers: IncomingMessage["headers"]; url: string; body: string }[] = [];
const released: (() => void)[] = [];

beforeAll(async () => {
  api = createServer(async (incoming, response) => {
    const body = await text(incoming);
    seen.push({ headers: incoming.headers, url: incoming.url ?? "", body });
    if (body === "redirect") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    else if (body === "echo") response.end(`your key is ${KEY}, is it not`);
    else if (body === "flood") response.end("x".repeat(5000));
    else if (body === "stream") {
      response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "a=b" });
      response.write("data: 1\n\n");
      released.push(() => response.end("data: 2\n\n"));
    } else response.end("fine");
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(api.address() as { port: number }).port}`;
});
afterAll(() => {
  api.closeAllConnections();
  api.close();
});

let proxy: EgressProxy;
const records: EgressRecord[] = [];
const start = async (limits: Partial<EgressLimits> = {}, to = origin): Promise<void> => {
  records.length = 0;
  seen.length = 0;
  proxy = await startEgressProxy({
    api: {
      origin: to,
      routes: [{ method: "POST", path: "/v1/chat/completions" }],
      key: { header: "authorization", prefix: "Bearer " },
    },
    limits: { ...EGRESS_LIMITS, ...limits },
    key: KEY,
    record: (record) => records.push(egressRecordSchema.parse(record)),
  });
};
afterEach(() => proxy.close());

const ask = (
  body: string,
  { path = "/v1/chat/completions", headers = {}, method = "POST" } = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: proxy.socket,
      path,
      method,
      headers: { host: "127.0.0.1:8787", ...headers },
    });
    outgoing.on("response", resolve).on("error", reject);
    outgoing.end(body);
  });
const asked = async (...request: Parameters<typeof ask>) => {
  const answer = await ask(...request);
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
};

/** A raw line of bytes, and all that comes back. */
const say = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const line = connect(proxy.socket, () => line.end(bytes));
    text(line).then(resolve, () => resolve(""));
  });

describe("the egress proxy", () => {
  it("passes a request on with the key, and the caller's own credentials are gone", async () => {
    await start();
    const answer = await asked("hello", { headers: { authorization: "Bearer mine", cookie: "a=b" } });
    expect(answer).toMatchObject({ status: 200, body: "fine" });
    expect(seen[0]).toMatchObject({ body: "hello", url: "/v1/chat/completions" });
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, host: origin.slice(7) });
    expect(seen[0]?.headers).not.toHaveProperty("cookie");
    expect(records).toMatchObject([
      { status: 200, path: "/v1/chat/completions", request_bytes: 5, response_bytes: 4 },
    ]);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it("lets nothing through but the API's routes, and writes down what it refused", async () => {
    await start();
    expect((await asked("x", { path: "/v1/models" })).status).toBe(403);
    expect((await asked("x", { path: "http://127.0.0.1:9/v1/chat/completions" })).status).toBe(400);
    expect((await asked("x", { headers: { host: "169.254.169.254" } })).status).toBe(421);
    expect((await asked("x", { method: "PUT" })).status).toBe(405);
    expect(await say("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n")).toMatch(
      /^HTTP\/1.1 405/,
    );
    expect(
      await say(
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      ),
    ).not.toContain("fine");
    expect(seen).toEqual([]);
    expect(records.map(({ refused, path }) => [refused, path])).toEqual([
      ["path", null],
      ["target", null],
      ["host", null],
      ["method", null],
      ["method", null],
    ]);
  });

  it("follows no redirect, and does not say where it led", async () => {
    await start();
    const answer = await asked("redirect");
    expect(answer.status).toBe(502);
    expect(answer.headers).not.toHaveProperty("location");
    expect(records).toMatchObject([{ status: 502, fault: "redirect" }]);
  });

  it("F52: an answer that holds the key is cut before it", async () => {
    await start();
    const answer = await ask("echo");
    let got = "";
    answer.setEncoding("utf8").on("data", (chunk: string) => {
      got += chunk;
    });
    await new Promise<void>((resolve) => answer.on("close", resolve).on("error", () => resolve()));
    expect("your key is ").toContain(got);
    expect(records).toMatchObject([{ fault: "key-in-response" }]);
  });

  it("streams: the first event is there before the last one is made", async () => {
    await start();
    const answer = await ask("stream");
    const first = await new Promise<string>((resolve) =>
      answer.once("data", (chunk) => resolve(String(chunk))),
    );
    expect(first).toBe("data: 1\n\n");
    expect(answer.headers).not.toHaveProperty("set-cookie");
    released.pop()?.();
    expect(await text(answer)).toBe("data: 2\n\n");
  });

  it("sizes and numbers are bounded", async () => {
    await start({ requests: 2, responseBytes: 1000, requestBytes: 100 });
    await expect(asked("flood")).rejects.toThrow();
    expect((await asked("y".repeat(200))).status).toBe(413);
    expect((await asked("hello")).status).toBe(429);
    await expect(asked("hello"), "the rest is not heard").rejects.toThrow();
    expect(records.map(({ fault, refused }) => fault ?? refused)).toEqual([
      "response-too-large",
      "request-too-large",
      "too-many",
    ]);
  });

  it("an API that is not there is told apart from one that refuses", async () => {
    await start({}, "http://127.0.0.1:1");
    expect((await asked("hello")).status).toBe(502);
    expect(records).toMatchObject([{ status: 502, fault: "unreachable" }]);
  });

  it("closing ends what is under way", async () => {
    await start();
    const answer = await ask("stream");
    answer.on("error", () => undefined).resume();
    await proxy.close();
    expect(records).toMatchObject([{ fault: "broken-off" }]);
  });
});
