import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { layOutPrompt } from "../lib/run/member-prompt.ts";
import {
  type AnswerFormat,
  type MemberPrompt,
  PROMPT_MODES,
  type PromptForm,
  type PromptMode,
  promptMessages,
  responseFormat,
} from "../lib/run/prompt.ts";
import { loadSuite } from "./score.ts";

/** Tokens of first prompts, as a result document keeps them. */
export async function measurePrompts(
  prompts: readonly MemberPrompt[],
  format: AnswerFormat,
): Promise<NonNullable<ResultDocument["prompt"]["measured"]>> {
  const { tokenizer, measure } = await loadMeasure();
  const tokens = prompts.map((prompt) => measure(prompt, format));
  return {
    tokenizer,
    prompts: tokens.length,
    total_tokens: tokens.reduce((sum, each) => sum + each, 0),
    largest_tokens: Math.max(0, ...tokens),
  };
}

/** The vocabulary is large: it is read when something is measured, and not before. */
async function loadMeasure() {
  const { measureTokens, TOKENIZER } = await import("../lib/run/tokens.ts");
  return {
    tokenizer: TOKENIZER,
    /** Messages and response format, as they are sent; what a provider wraps around them is its own. */
    measure: (prompt: MemberPrompt, format: AnswerFormat): number => {
      const sent = responseFormat(format);
      const texts = promptMessages(prompt, format, null).map(({ content }) => content);
      return [...texts, ...(sent === null ? [] : [JSON.stringify(sent)])].reduce(
        (sum, text) => sum + measureTokens(text),
        0,
      );
    },
  };
}

/** A member's first prompt in one mode; null sizes when it would not be sent. */
export interface PromptSize {
  readonly member: string;
  readonly mode: PromptMode;
  readonly form: PromptForm | null;
  readonly characters: number | null;
  readonly tokens: number | null;
  /** Why it would not be sent. */
  readonly message: string | null;
}

export interface PromptSizes {
  readonly tokenizer: string;
  readonly sizes: readonly PromptSize[];
}

/** Lays out every member's prompt in every mode, and measures it. Nothing is asked. */
export async function measureSuite(
  root: string,
  suiteId: string,
  format: AnswerFormat,
): Promise<Outcome<PromptSizes>> {
  const loaded = await loadSuite(root, suiteId);
  if (!loaded.ok) return loaded;
  const { tokenizer, measure } = await loadMeasure();
  const findings: Finding[] = [];
  const sizes: PromptSize[] = [];
  for (const { id, task } of loaded.value.suite.members) {
    const member = await loaded.value.member(id);
    const absent = { member: id, form: null, characters: null, tokens: null };
    if (!member.available) findings.push(...member.findings);
    for (const mode of PROMPT_MODES) {
      if (!member.available) {
        sizes.push({ ...absent, mode, message: member.reason });
        continue;
      }
      const laid = layOutPrompt(member.workbook, task, mode);
      if (!laid.ok) sizes.push({ ...absent, mode, message: laid.message });
      else
        sizes.push({
          member: id,
          mode,
          form: laid.prompt.form,
          characters: laid.prompt.listing.length,
          tokens: measure(laid.prompt, format),
          message: null,
        });
    }
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: { tokenizer, sizes }, findings };
}
