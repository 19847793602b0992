import { z } from "zod";
import { usageSchema } from "../benchmarks/result-schema.ts";
import { digestSchema } from "../benchmarks/suite-schema.ts";

/** What one transport call came to. Every way in which a call can end is data; none is an exception. */

export const TRANSPORT_CODES = [
  "http-status",
  "connection",
  "timeout",
  "body-too-large",
  "content-type",
  "malformed-response",
  "provider-error",
] as const;

export type TransportCode = (typeof TRANSPORT_CODES)[number];

const measured = {
  usage: usageSchema.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  generation_id: z.string().max(200).nullable(),
  finish_reason: z.string().max(100).nullable(),
};

export const callAnswerSchema = z.discriminatedUnion("kind", [
  /** The provider answered in the agreed form. `text` is null when the message has no text. */
  z.strictObject({
    kind: z.literal("answer"),
    text: z.string().nullable(),
    /** The provider's own refusal field, cut to 500 characters. */
    refusal: z.string().max(500).nullable(),
    response_sha256: digestSchema.nullable(),
    ...measured,
  }),
  /** No usable answer arrived. Recorded, never retried. */
  z.strictObject({
    kind: z.literal("transport"),
    code: z.enum(TRANSPORT_CODES),
    status: z.int().nullable(),
    message: z.string().max(500),
    /** The pause that the provider asked for in `retry-after`, in milliseconds. */
    retry_after_ms: z.int().nonnegative().optional(),
    ...measured,
  }),
  /** The account was refused (401, 402): no model was asked, and no later call could do better. The run stops. */
  z.strictObject({
    kind: z.literal("account"),
    status: z.union([z.literal(401), z.literal(402)]),
    message: z.string().max(500),
  }),
]);

export type CallAnswer = z.infer<typeof callAnswerSchema>;

/** No provider's wish keeps a run waiting for longer. */
export const MAX_PAUSE_MS = 120_000;

/**
 * Milliseconds to leave before the next call, whichever it is: the failed one is not repeated, but its successors would
 * fail alike. 0 when the provider asked for nothing.
 */
export const pauseAfter = (answer: CallAnswer): number =>
  answer.kind === "transport" ? Math.min(answer.retry_after_ms ?? 0, MAX_PAUSE_MS) : 0;

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The request body fields that are ours to choose; `null` parameters are not sent. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly temperature: number | null;
  readonly max_tokens: number | null;
  readonly response_format: ResponseFormat | null;
  /** How hard a reasoning model is to think; left out when absent. */
  readonly reasoning_effort?: string;
}

export type ResponseFormat =
  | { readonly type: "json_object" }
  | {
      readonly type: "json_schema";
      readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: unknown };
    };

/** The JSON body that is sent, without what the transport adds for a certain provider. */
export function requestBody(request: ChatRequest): Record<string, unknown> {
  return {
    model: request.model,
    messages: request.messages,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.max_tokens === null ? {} : { max_tokens: request.max_tokens }),
    ...(request.response_format === null ? {} : { response_format: request.response_format }),
    ...(request.reasoning_effort === undefined ? {} : { reasoning_effort: request.reasoning_effort }),
  };
}
