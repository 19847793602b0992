import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import {
  answerConversation,
  BASELINE_MODEL,
  type BaselineMessage,
  countTokens,
} from "../../lib/baseline/contestant.ts";
import { sha256Hex } from "../../lib/digest.ts";

/** A request may have this many bytes: several times the largest prompt. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

export interface BaselineServer {
  /** Base URL for an OpenAI client: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  max_tokens: z.int().positive().nullish(),
  stream: z.literal(false).nullish(),
});

/**
 * Serves the contestant `baseline/heuristic` on loopback over OpenAI's chat/completions contract. Same request, same
 * response bytes: no clock and no chance. Usage counts tokens by one rule, UTF-8 bytes over four, rounded up; the cost
 * is 0, which is what it costs.
 */
export async function startBaselineServer(options: { readonly port?: number } = {}): Promise<BaselineServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      sendError(response, 500, error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
  if (request.method === "GET" && path.endsWith("/models"))
    return send(response, 200, { object: "list", data: [{ id: BASELINE_MODEL, object: "model" }] });
  if (request.method !== "POST" || !path.endsWith("/chat/completions"))
    return sendError(response, 404, "This server answers POST /v1/chat/completions.");
  const body = await readAll(request);
  if (body === null) return sendError(response, 413, `A request may have ${MAX_REQUEST_BYTES} bytes.`);
  const parsed = requestSchema.safeParse(parseJson(body));
  if (!parsed.success) return sendError(response, 400, "The request is no chat completion request.");
  const { model, messages, max_tokens } = parsed.data;
  if (model !== BASELINE_MODEL) return sendError(response, 404, `The only model here is ${BASELINE_MODEL}.`);
  send(response, 200, completion(body, messages, max_tokens ?? null));
}

function completion(body: string, messages: readonly BaselineMessage[], maxTokens: number | null): unknown {
  const whole = answerConversation(messages);
  const cut = maxTokens !== null && countTokens(whole) > maxTokens;
  const text = cut ? whole.slice(0, maxTokens * 4) : whole;
  const prompt = messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  const answered = countTokens(text);
  return {
    id: `gen-baseline-${sha256Hex(body).slice(0, 24)}`,
    object: "chat.completion",
    created: 0,
    model: BASELINE_MODEL,
    choices: [
      {
        index: 0,
        finish_reason: cut ? "length" : "stop",
        message: { role: "assistant", content: text, refusal: null },
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: answered,
      total_tokens: prompt + answered,
      cost: 0,
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

const sendError = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { error: { message, code: status } });
