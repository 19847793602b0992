import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
  type ServerResponse,
} from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { screenForKey } from "../../lib/egress/key-screen.ts";
import type { EgressFault, EgressRecord } from "../../lib/egress/log-schema.ts";
import {
  decideEgress,
  type EgressApi,
  type EgressDecision,
  type EgressLimits,
  isPlainAnswer,
  returnedHeaders,
} from "../../lib/egress/policy.ts";

export interface EgressOrder {
  readonly api: EgressApi;
  readonly limits: EgressLimits;
  /** The API's key. It stays in this process: it is in no log, no file and no answer. */
  readonly key: string;
  /** Called with each record when its request is over. */
  readonly record: (record: EgressRecord) => void;
}

export interface EgressProxy {
  /** The unix socket that the contestant calls. Everybody may write to it; its folder is closed to others. */
  readonly socket: string;
  /** Ends what is under way, and the socket. */
  close(): Promise<void>;
}

/** Headers of one answer beyond this many bytes are an attack or a mistake. */
const MAX_HEADER = 16 * 1024;
const CONNECTIONS = 64;

/**
 * Listens on a unix socket and passes allowed requests on to one API, with the key added. The contestant is hostile, and so is what it sends; what
 * it asks for is decided in `src/lib/egress/policy.ts`.
 */
export async function startEgressProxy(order: EgressOrder): Promise<EgressProxy> {
  const folder = mkdtempSync(join(tmpdir(), "assay-egress-"));
  const socket = join(folder, "api.sock");
  const gate = new Gate(order);
  const server = createServer({ maxHeaderSize: MAX_HEADER }, (request, response) =>
    gate.pass(request, response),
  );
  server.maxConnections = CONNECTIONS;
  // A tunnel would be a way to anywhere: it is refused, and seen in the log.
  server.on("connect", (request: IncomingMessage, line) => {
    gate.refuseTunnel(request);
    line.end("HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n");
  });
  server.on("clientError", (_error, line) => line.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
    chmodSync(socket, 0o666);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    socket,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      gate.close();
      server.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SENTENCES: Readonly<Record<string, string>> = {
  refused: "The benchmark's proxy passes on requests of one API only.",
  failed: "The API gave no answer that can be passed on.",
};

type Allowed = Extract<EgressDecision, { allowed: true }>;

class Gate {
  readonly #order: EgressOrder;
  readonly #key: Uint8Array;
  readonly #agent: PlainAgent;
  readonly #tls: boolean;
  readonly #open = new Set<Exchange>();
  #seen = 0;

  constructor(order: EgressOrder) {
    this.#order = order;
    this.#key = new TextEncoder().encode(order.key);
    this.#tls = order.api.origin.startsWith("https:");
    const pool = { keepAlive: true, maxSockets: order.limits.concurrent };
    this.#agent = this.#tls ? new TlsAgent(pool) : new PlainAgent(pool);
  }

  pass(request: IncomingMessage, response: ServerResponse): void {
    const { limits, api } = this.#order;
    this.#seen += 1;
    // The log is bounded as well: the first request too many is told and written down, the rest are not heard.
    if (this.#seen > limits.requests + 1) {
      request.socket.destroy();
      return;
    }
    const decision = decideEgress(
      { method: request.method ?? "", target: request.url ?? "", rawHeaders: request.rawHeaders },
      api,
      { requests: this.#seen - 1, underWay: this.#open.size },
      limits,
    );
    if (!decision.allowed) {
      this.#write(request, { status: decision.status, refused: decision.refusal });
      request.resume();
      answer(response, decision.status, "refused");
      return;
    }
    const exchange = new Exchange(this.#order, this.#key, decision, request, response);
    this.#open.add(exchange);
    exchange.run(this.#tls ? tlsRequest : plainRequest, this.#agent, (record) => {
      this.#open.delete(exchange);
      this.#order.record(record);
    });
  }

  refuseTunnel(request: IncomingMessage): void {
    this.#seen += 1;
    if (this.#seen <= this.#order.limits.requests + 1)
      this.#write(request, { status: 405, refused: "method" });
  }

  close(): void {
    for (const exchange of this.#open) exchange.end("broken-off");
    this.#agent.destroy();
  }

  #write(request: IncomingMessage, how: Pick<EgressRecord, "status" | "refused">): void {
    const method = /^[A-Z]{1,10}$/.test(request.method ?? "") ? (request.method ?? "") : "?";
    const nothing = { ms: 0, path: null, request_bytes: 0, response_bytes: 0 };
    this.#order.record({ at: new Date().toISOString(), method, ...nothing, ...how });
  }
}

/** One allowed request, from its head to the end of the answer. */
class Exchange {
  readonly #order: EgressOrder;
  readonly #key: Uint8Array;
  readonly #decision: Allowed;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #since = performance.now();
  readonly #at = new Date().toISOString();
  #outgoing: ReturnType<typeof plainRequest> | null = null;
  #done: ((record: EgressRecord) => void) | null = null;
  #held: Uint8Array = new Uint8Array();
  #sent = 0;
  #returned = 0;

  constructor(
    order: EgressOrder,
    key: Uint8Array,
    decision: Allowed,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#order = order;
    this.#key = key;
    this.#decision = decision;
    this.#request = request;
    this.#response = response;
  }

  run(send: typeof plainRequest, agent: PlainAgent, done: (record: EgressRecord) => void): void {
    const { api, limits, key } = this.#order;
    const { method, path, query, headers } = this.#decision;
    this.#done = done;
    const length = this.#request.headers["content-length"];
    const outgoing = send(`${api.origin}${path}${query === "" ? "" : `?${query}`}`, {
      method,
      agent,
      maxHeaderSize: MAX_HEADER,
      headers: {
        ...headers,
        ...(length === undefined ? {} : { "content-length": length }),
        [api.key.header]: `${api.key.prefix}${key}`,
      },
    });
    this.#outgoing = outgoing;
    outgoing.setTimeout(limits.silentSeconds * 1000, () => this.end("silent"));
    outgoing.on("error", () => this.end("unreachable"));
    outgoing.on("response", (incoming) => this.#receive(incoming));
    this.#request.on("data", (chunk: Buffer) => {
      this.#sent += chunk.length;
      if (this.#sent > limits.requestBytes) return this.end("request-too-large");
      if (!outgoing.write(chunk)) this.#request.pause();
    });
    outgoing.on("drain", () => this.#request.resume());
    this.#request.on("end", () => outgoing.end());
    this.#request.on("error", () => this.end("broken-off"));
    this.#response.on("close", () => this.end("broken-off"));
  }

  #receive(incoming: IncomingMessage): void {
    const status = incoming.statusCode ?? 502;
    const returned = returnedHeaders(incoming.headers);
    const fault: EgressFault | null = !isPlainAnswer(status)
      ? "redirect"
      : Object.values(returned).some((value) => value.includes(this.#order.key))
        ? "key-in-response"
        : null;
    if (fault !== null) {
      this.end(fault);
      return;
    }
    this.#response.writeHead(status, returned);
    this.#response.flushHeaders();
    incoming.on("data", (chunk: Buffer) => {
      this.#returned += chunk.length;
      if (this.#returned > this.#order.limits.responseBytes) return this.end("response-too-large");
      const { out, held, found } = screenForKey(this.#held, chunk, this.#key);
      this.#held = held;
      if (out.length > 0 && !this.#response.write(out)) {
        incoming.pause();
        this.#response.once("drain", () => incoming.resume());
      }
      if (found) this.end("key-in-response");
    });
    incoming.on("error", () => this.end("broken-off"));
    incoming.on("aborted", () => this.end("broken-off"));
    incoming.on("end", () => {
      if (this.#done === null) return;
      this.#response.end(this.#held);
      this.#finish(status);
    });
  }

  /** Ends it before its time. What the contestant already got it keeps; otherwise it is told that there is no answer. */
  end(fault: EgressFault): void {
    if (this.#done === null) return;
    const told = this.#response.headersSent;
    const status = fault === "request-too-large" ? 413 : 502;
    const { statusCode } = this.#response;
    this.#finish(told ? statusCode : status, fault);
    this.#outgoing?.destroy();
    if (told) this.#response.destroy();
    else answer(this.#response, status, "failed");
    this.#request.resume();
  }

  #finish(status: number, fault?: EgressFault): void {
    const done = this.#done;
    this.#done = null;
    done?.({
      at: this.#at,
      ms: Math.round(performance.now() - this.#since),
      method: this.#decision.method,
      path: this.#decision.path,
      status,
      request_bytes: this.#sent,
      response_bytes: this.#returned,
      ...(fault === undefined ? {} : { fault }),
    });
  }
}

function answer(response: ServerResponse, status: number, why: "refused" | "failed"): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(`${JSON.stringify({ error: { type: `proxy_${why}`, message: SENTENCES[why] } })}\n`);
}
