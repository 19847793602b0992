import { z } from "zod";
import type { usageSchema } from "../benchmarks/result-schema.ts";
import type { CallAnswer, TransportCode } from "./call.ts";
import { clip } from "./clip.ts";

/** A reading without the digest of the text, which the transport adds. */
export type CompletionReading =
  | Exclude<CallAnswer, { kind: "answer" }>
  | Omit<Extract<CallAnswer, { kind: "answer" }>, "response_sha256">;

type Usage = z.infer<typeof usageSchema>;

// Providers add fields and leave fields out: read what is wanted, and let nothing else matter.
// A number that no call can have is no report: added up, it would be one that no document can hold.
const count = z.int().nonnegative().max(1_000_000_000);
const cost = z.number().nonnegative().max(1_000_000);
const usageShape = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(null),
});
const costShape = z.object({ usage: z.object({ cost }) });
const errorShape = z.object({
  error: z.union([
    z.string(),
    z.object({ message: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() }),
  ]),
});
const choiceShape = z.object({
  finish_reason: z.string().nullish().catch(null),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish().catch(null) }),
});
const completionShape = z.object({
  id: z.string().nullish().catch(null),
  choices: z.array(z.unknown()).min(1),
});

/**
 * Reads an OpenAI-compatible chat completion, or says why the response is none. Total: any status, content type and
 * body give a reading. A 401 or 402, as status or as the error inside a 200, means that the account was refused.
 */
export function readCompletion(status: number, contentType: string, body: string): CompletionReading {
  const value = parse(body);
  const reported = errorShape.safeParse(value);
  const providerError = reported.success ? reported.data.error : null;
  const words =
    providerError === null
      ? ""
      : typeof providerError === "string"
        ? providerError
        : (providerError.message ?? "");
  const code = typeof providerError === "object" && providerError !== null ? providerError.code : null;
  for (const refused of [401, 402] as const)
    if (status === refused || (status === 200 && Number(code) === refused))
      return { kind: "account", status: refused, message: clip(oneLine(words) || `HTTP ${refused}`, 500) };
  const measured = measure(value);
  const fail = (failure: TransportCode, message: string): CompletionReading => ({
    kind: "transport",
    code: failure,
    status,
    message: clip(oneLine(message), 500),
    ...measured,
  });
  if (status < 200 || status > 299)
    return fail("http-status", `HTTP ${status}${words === "" ? "" : `: ${words}`}`);
  if (!/^application\/(?:[a-z0-9.-]+\+)?json\b/i.test(contentType.trim()))
    return fail("content-type", `HTTP ${status} with content type ${contentType || "(none)"}, not JSON.`);
  if (providerError !== null) return fail("provider-error", words || "The provider reports an error.");
  const completion = completionShape.safeParse(value);
  if (!completion.success) return fail("malformed-response", "The response is no chat completion.");
  const [first] = completion.data.choices;
  const choiceError = errorShape.safeParse(first);
  if (choiceError.success) {
    const { error } = choiceError.data;
    return fail(
      "provider-error",
      (typeof error === "string" ? error : error.message) || "The provider reports an error.",
    );
  }
  const choice = choiceShape.safeParse(first);
  if (!choice.success) return fail("malformed-response", "The first choice has no message.");
  const { content, refusal } = choice.data.message;
  return {
    kind: "answer",
    text: content ?? null,
    refusal: refusal ? clip(refusal, 500) : null,
    ...measured,
    generation_id: completion.data.id ? clip(completion.data.id, 200) : null,
    finish_reason: choice.data.finish_reason ? clip(choice.data.finish_reason, 100) : null,
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Tokens and cost wherever the response has them: a failed call may have been charged too. */
function measure(value: unknown): {
  usage: Usage | null;
  cost_usd: number | null;
  generation_id: string | null;
  finish_reason: string | null;
} {
  const usage = z.object({ usage: usageShape }).safeParse(value);
  const cost = costShape.safeParse(value);
  const id = z.object({ id: z.string() }).safeParse(value);
  return {
    usage: usage.success ? flatten(usage.data.usage) : null,
    cost_usd: cost.success ? cost.data.usage.cost : null,
    generation_id: id.success ? clip(id.data.id, 200) : null,
    finish_reason: null,
  };
}

function flatten(usage: z.infer<typeof usageShape>): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? null;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? null;
  return {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    ...(cached === null ? {} : { cached_prompt_tokens: cached }),
    ...(reasoning === null ? {} : { reasoning_tokens: reasoning }),
  };
}
