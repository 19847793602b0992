import type { Finding } from "../lib/findings.ts";
import type { CallAnswer, ChatRequest } from "../lib/run/call.ts";
import type { JudgedAttempt } from "../lib/run/loop.ts";
import { type AnswerFormat, type MemberPrompt, promptMessages, responseFormat } from "../lib/run/prompt.ts";

/** What a request says besides its messages. */
export interface RequestOptions {
  readonly model: string;
  readonly format: AnswerFormat;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
}

/** What an attempt sends: the prompt, and for a revision the answer before it with what is wrong. */
export function requestOf(
  options: RequestOptions,
  prompt: MemberPrompt,
  after: JudgedAttempt | null,
): ChatRequest {
  const text = after?.answer.kind === "answer" ? after.answer.text : null;
  const earlier = after === null ? null : { text, findings: after.judged.findings };
  return {
    model: options.model,
    messages: promptMessages(prompt, options.format, earlier),
    temperature: options.temperature,
    max_tokens: options.maxTokens,
    response_format: responseFormat(options.format),
  };
}

/** The account was refused: which key or credit to mend. `hidden` leaves out the provider's words, which can quote the question. */
export function accountFinding(answer: Extract<CallAnswer, { kind: "account" }>, hidden = false): Finding {
  const key = answer.status === 401;
  const words = hidden ? "" : `: ${answer.message}`;
  return {
    code: key ? "run-key-refused" : "run-credit-exhausted",
    severity: "error",
    message: key
      ? `The provider refused the key (401)${words}`
      : `The provider wants payment first (402)${words}`,
    hint: `${key ? "Set a valid key" : "Add credit to the account"}, then give the same command again: it goes on where it stopped.`,
  };
}
