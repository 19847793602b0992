import { canonicalJson } from "../canonical-json.ts";
import { parsePrompt } from "./listing-parser.ts";
import { writeRecipe } from "./write-recipe.ts";

/** The model id of the baseline: the floor of every board. */
export const BASELINE_MODEL = "baseline/heuristic";

export interface BaselineMessage {
  readonly role: string;
  readonly content: string;
}

/**
 * Answers a conversation as a model would: the recipe as JSON text, from the words of the prompt alone. A conversation
 * that asks for a revision (an assistant's turn, or a further user's turn) gets a simpler recipe. Where no table is
 * found it says so in words, which is no recipe. Deterministic.
 */
export function answerConversation(messages: readonly BaselineMessage[]): string {
  const asked = messages.filter((message) => message.role === "user");
  const prompt = parsePrompt(asked[0]?.content ?? "");
  const earlier = messages.findLast((message) => message.role === "assistant")?.content ?? null;
  const first = writeRecipe(prompt, 0);
  if (first === null) return "No block of numbers was found on the listed sheets.";
  if (asked.length < 2) return canonicalJson(first);
  // The second revision is recognised by the answer that it is to mend.
  const simpler = canonicalJson(writeRecipe(prompt, 1));
  return earlier === simpler ? canonicalJson(writeRecipe(prompt, 2)) : simpler;
}

/** Tokens of a text by the server's stated rule: UTF-8 bytes divided by four, rounded up. */
export const countTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
