import OpenAI from "openai";
import { digestOf } from "../../lib/digest.ts";
import { type CallAnswer, type ChatRequest, requestBody, type TransportCode } from "../../lib/run/call.ts";
import { clip } from "../../lib/run/clip.ts";
import { type CompletionReading, readCompletion } from "../../lib/run/completion.ts";

/** A whole response may have this many bytes after decompression. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface ChatClientOptions {
  readonly baseUrl: string;
  /** Null when the address needs none. It goes into the Authorization header and nowhere else. */
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  /** Ask OpenRouter to report cost in the response; other providers may refuse the unknown field. */
  readonly includeUsage: boolean;
  readonly fetch: typeof fetch;
  /** Digest and text are taken from what arrived; tests lower the cap. */
  readonly maxResponseBytes?: number;
}

export interface ChatClient {
  /** The body as it will be sent; its digest goes into the journal first. */
  body(request: ChatRequest): Record<string, unknown>;
  /** One HTTP request, never repeated. Every ending but an abort by `signal` is an answer. @throws the abort. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<CallAnswer>;
}

/** What one response turned out to be, kept apart from the client library's own reading of it. */
interface Received {
  readonly status: number;
  readonly contentType: string;
  /** The pause asked for, in milliseconds; null without one. */
  readonly retryAfterMs: number | null;
  readonly body: Uint8Array;
}

class BodyTooLarge extends Error {}

/** The `openai` client, held to one request per call with a bounded body and without settings from the environment. */
export function openChatClient(options: ChatClientOptions): ChatClient {
  const scrub = (text: string): string =>
    options.apiKey === null || options.apiKey === "" ? text : text.replaceAll(options.apiKey, "[key]");
  const body = (request: ChatRequest): Record<string, unknown> => ({
    ...requestBody(request),
    ...(options.includeUsage ? { usage: { include: true } } : {}),
  });
  return {
    body,
    async complete(request, signal) {
      let received: Received | null = null;
      let tooLarge = false;
      const timer = AbortSignal.timeout(options.timeoutMs);
      const client = new OpenAI({
        apiKey: options.apiKey ?? "none",
        baseURL: options.baseUrl,
        // The library would take these from the environment, and send them to whatever address was given.
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        maxRetries: 0,
        // Ours covers the body as well.
        timeout: options.timeoutMs + 60_000,
        logLevel: "off",
        fetchOptions: { redirect: "error" },
        fetch: async (input, init) => {
          // Nor the headers that OPENAI_CUSTOM_HEADERS adds: what leaves is written out here.
          const headers = {
            accept: "application/json",
            "content-type": "application/json",
            "user-agent": "assay bench:run",
            ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
          };
          const response = await options.fetch(input, { ...init, headers });
          const max = options.maxResponseBytes ?? MAX_RESPONSE_BYTES;
          const bytes = await readBody(response, max).catch((error: unknown) => {
            tooLarge = error instanceof BodyTooLarge;
            throw error;
          });
          received = {
            status: response.status,
            contentType: response.headers.get("content-type") ?? "",
            retryAfterMs: parseRetryAfter(response.headers.get("retry-after")),
            body: bytes,
          };
          return new Response(hasNoBody(response.status) ? null : bytes.slice(), {
            status: response.status,
            headers: { "content-type": received.contentType },
          });
        },
      });
      let failure: unknown = null;
      try {
        await client
          .post("/chat/completions", { body: body(request), signal: AbortSignal.any([signal, timer]) })
          .asResponse();
      } catch (error) {
        failure = error;
      }
      // What arrived decides; the library's exception only when nothing did.
      if (received !== null) return fromResponse(received, scrub);
      if (signal.aborted) throw failure;
      if (tooLarge) return transport("body-too-large", null, "The response is larger than the cap.");
      if (timer.aborted) return transport("timeout", null, `No answer within ${options.timeoutMs / 1000} s.`);
      return transport("connection", null, scrub(causes(failure)));
    },
  };
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3) as milliseconds from now; null for anything else. */
function parseRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const at = /[a-z]{3}, /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

const hasNoBody = (status: number): boolean => [101, 204, 205, 304].includes(status);

async function readBody(response: Response, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null) {
    // Leaving the loop by an exception cancels the stream.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > max) throw new BodyTooLarge("body too large");
      chunks.push(chunk);
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** `fetch failed: connect ECONNREFUSED 127.0.0.1:9`, the whole chain of causes in one line. */
function causes(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at instanceof Error && parts.length < 5; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    const part = at.message === "" ? code || at.name : at.message;
    if (!parts.includes(part)) parts.push(part);
  }
  return parts.join(": ").replaceAll(/\s+/g, " ");
}

const transport = (code: TransportCode, status: number | null, message: string): CallAnswer => ({
  kind: "transport",
  code,
  status,
  message: clip(message, 500),
  usage: null,
  cost_usd: null,
  generation_id: null,
  finish_reason: null,
});

function fromResponse(received: Received, scrub: (text: string) => string): CallAnswer {
  const reading: CompletionReading = readCompletion(
    received.status,
    received.contentType,
    scrub(new TextDecoder("utf-8").decode(received.body)),
  );
  // Once more: escapes of the response may have hidden the key from the first pass.
  const clean = scrubbed(reading, scrub);
  if (clean.kind === "transport" && received.retryAfterMs !== null)
    return { ...clean, retry_after_ms: received.retryAfterMs };
  if (clean.kind !== "answer") return clean;
  return { ...clean, response_sha256: clean.text === null ? null : digestOf(clean.text) };
}

/** The reading with `scrub` applied to every text in it. */
const scrubbed = <T extends object>(reading: T, scrub: (text: string) => string): T =>
  Object.fromEntries(
    Object.entries(reading).map(([key, value]) => [key, typeof value === "string" ? scrub(value) : value]),
  ) as T;
