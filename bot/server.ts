import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Timing } from "../src/io/github/policy.ts";
import { registerEvents } from "./app.ts";
import { type OfficeSettings, startOffice } from "./start-office.ts";

/** The bot as an HTTP server: verifies a webhook's signature, answers 202, and works afterwards. */

export interface BotOptions extends OfficeSettings {
  readonly webhookSecret: string;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Minutes between two looks at everything; 0: only when asked. Default 10. */
  readonly reconcileMinutes?: number;
  /** Whether to look at everything once at start; default true. */
  readonly reconcileAtStart?: boolean;
}

export interface RunningBot {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Where the host sends webhooks. */
  readonly webhookUrl: string;
  /** Resolves when every webhook that was answered has been worked off. */
  idle(): Promise<void>;
  /** Looks at everything that the app is installed on, now. */
  reconcile(): Promise<void>;
  /** Stops listening, finishes the work at hand, drops what waits: reconciling finds it again. */
  close(): Promise<void>;
}

/** Without the pauses that GitHub asks for between writes. */
export const LOCAL_TIMING: Partial<Timing> = { writeSpacingMs: 0, backoffMs: 50, timeoutMs: 20_000 };

const WEBHOOK_PATH = "/api/github/webhooks";
/** GitHub sends no more. */
const PAYLOAD_BYTES = 25 * 2 ** 20;
/** A look at everything that is overdue by so many turns makes the bot not ready. */
const MISSED_PASSES = 3;

/** Starts the bot. @throws when the port is taken or the host does not know the app. */
export async function startBot(options: BotOptions): Promise<RunningBot> {
  const { probot, office, log } = await startOffice(options, options.webhookSecret);
  registerEvents(probot, office);
  const minutes = options.reconcileMinutes ?? 10;

  const received = new Set<Promise<void>>();
  const receive = (id: string, name: string, body: string): void => {
    const work = (async () => {
      try {
        await probot.receive({ id, name, payload: JSON.parse(body) } as Parameters<typeof probot.receive>[0]);
      } catch (error) {
        log.error({ err: error, delivery: id }, "a webhook could not be handled");
      }
    })();
    received.add(work);
    void work.finally(() => received.delete(work));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (request.method === "GET") {
      if (path === "/healthz") return answer(response, 200, "alive");
      if (path === "/readyz") {
        const state = office.readiness(minutes > 0 ? minutes * 60 * MISSED_PASSES : null);
        return answer(response, state.ready ? 200 : 503, JSON.stringify(state), "application/json");
      }
      return answer(response, 404, "not found");
    }
    if (request.method !== "POST" || path !== WEBHOOK_PATH) return answer(response, 404, "not found");
    const body = await readBody(request);
    if (body === null) return answer(response, 413, "too large");
    const header = (name: string): string => String(request.headers[name] ?? "");
    const signature = header("x-hub-signature-256");
    const genuine = signature !== "" && (await probot.webhooks.verify(body, signature).catch(() => false));
    if (!genuine) return answer(response, 401, "signature does not match");
    if (header("x-github-event") === "" || header("x-github-delivery") === "" || !isJsonObject(body)) {
      return answer(response, 400, "not a webhook");
    }
    answer(response, 202, "accepted");
    receive(header("x-github-delivery"), header("x-github-event"), body);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, "a request failed");
      if (!response.headersSent) answer(response, 500, "error");
    });
  });
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : (options.port ?? 0);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

  const reconcile = async (): Promise<void> => void (await office.reconcile());
  const quietly = (): void => {
    void reconcile().catch((error: unknown) => log.error({ err: error }, "reconciling failed"));
  };
  if (options.reconcileAtStart !== false) quietly();
  const timer = minutes > 0 ? setInterval(quietly, minutes * 60_000) : null;
  timer?.unref();

  return {
    url,
    webhookUrl: `${url}${WEBHOOK_PATH}`,
    idle: async () => {
      do {
        await Promise.all(received);
        await office.idle();
      } while (received.size > 0 || office.busy);
    },
    reconcile,
    close: async () => {
      if (timer !== null) clearInterval(timer);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await Promise.all(received);
      office.stop();
      await office.idle();
    },
  };
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain"): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(`${text}\n`);
}

/** Null when it is longer than GitHub sends. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > PAYLOAD_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isJsonObject(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
