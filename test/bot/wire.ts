import { createServer, type IncomingMessage, type Server } from "node:http";

export interface Call {
  readonly method: string;
  readonly path: string;
  status: number;
}

/** Sees every request of the bot; may answer in the hub's place. */
export interface Wire {
  readonly url: string;
  readonly calls: Call[];
  /** Called after the hub has answered: a status to give the bot instead, or null. */
  fault: ((call: Call) => { status: number; headers?: Record<string, string>; body?: string } | null) | null;
  /** Called first: what the request has to wait for. */
  delay: ((call: Call) => Promise<void> | null) | null;
  /** Called before the hub is asked: a status instead of asking at all. */
  block: ((call: Call) => { status: number; headers?: Record<string, string>; body?: string } | null) | null;
  /** Changes what the hub answered. */
  rewrite: ((call: Call, body: string) => string) | null;
  close(): Promise<void>;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A proxy in front of the hub. */
export async function startWire(target: string): Promise<Wire> {
  const calls: Call[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await readAll(request);
      const call: Call = { method: request.method ?? "", path: request.url ?? "", status: 0 };
      calls.push(call);
      await wire.delay?.(call);
      const instead = wire.block?.(call) ?? null;
      if (instead !== null) {
        call.status = instead.status;
        response.writeHead(instead.status, { "content-type": "application/json", ...instead.headers });
        response.end(instead.body ?? "{}");
        return;
      }
      const headers: Record<string, string> = {};
      for (const name of ["authorization", "accept", "content-type", "user-agent"]) {
        const value = request.headers[name];
        if (typeof value === "string") headers[name] = value;
      }
      const answer = await fetch(`${target}${call.path}`, {
        method: call.method,
        headers,
        redirect: "manual",
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const data = Buffer.from(await answer.arrayBuffer());
      call.status = answer.status;
      const lost = wire.fault?.(call) ?? null;
      if (lost !== null) {
        response.writeHead(lost.status, { "content-type": "application/json", ...lost.headers });
        response.end(lost.body ?? "{}");
        return;
      }
      const out: Record<string, string> = {};
      for (const name of ["content-type", "location", "link", "retry-after"]) {
        const value = answer.headers.get(name);
        if (value !== null) out[name] = value;
      }
      response.writeHead(answer.status, out);
      const json = answer.headers.get("content-type")?.includes("json") === true;
      response.end(json && wire.rewrite !== null ? wire.rewrite(call, data.toString("utf8")) : data);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const wire: Wire = {
    url: `http://127.0.0.1:${port}`,
    calls,
    fault: null,
    delay: null,
    block: null,
    rewrite: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return wire;
}
