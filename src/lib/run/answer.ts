import type { Attempt } from "../benchmarks/result-schema.ts";
import type { Finding } from "../findings.ts";
import { checkRecipe, parseRecipe } from "../sheet/check.ts";
import { executeRecipe } from "../sheet/execute.ts";
import type { Workbook } from "../sheet/model.ts";
import type { Execution } from "../sheet/output.ts";
import { parseStrictJson } from "../strict-json/parse.ts";
import type { CallAnswer } from "./call.ts";

/** What an answer is worth: the outcome of its attempt, and the execution when there is one. */
export interface JudgedAnswer {
  readonly outcome: Attempt["outcome"];
  /** What is wrong with it; empty when accepted. */
  readonly findings: readonly Finding[];
  /** The recipe as parsed JSON; only when accepted. */
  readonly recipe: Record<string, unknown> | null;
  readonly execution: Execution | null;
}

/** The file name under which findings speak of an answer. */
export const ANSWER_PATH = "recipe.json";

/**
 * Judges a call's outcome on the member's workbook: strict JSON, recipe schema and checks, execution. The reference
 * is no argument: a recipe that executes is accepted whatever it gives. Pure, so a resumed run judges the same.
 */
export function judgeAnswer(answer: CallAnswer, workbook: Workbook): JudgedAnswer {
  if (answer.kind !== "answer") {
    const code = answer.kind === "account" ? "http-status" : answer.code;
    return bad("transport_error", [error(`run-transport-${code}`, answer.message)]);
  }
  const cut = answer.finish_reason === "length";
  const text = answer.text ?? "";
  if (answer.refusal !== null || answer.finish_reason === "content_filter") {
    return bad("refusal", [
      error("run-refusal", "The model or its provider declined to answer.", answer.refusal ?? undefined),
    ]);
  }
  if (text.trim() === "") return cut ? bad("truncated", [truncated()]) : bad("empty", [empty()]);
  const json = parseStrictJson(text, { path: ANSWER_PATH });
  if (!json.ok) {
    return cut ? bad("truncated", [truncated()]) : bad("invalid_json", [...wrapping(text), ...json.findings]);
  }
  const recipe = parseRecipe(text, ANSWER_PATH);
  if (!recipe.ok) return bad("invalid_recipe", recipe.findings);
  const checks = checkRecipe(recipe.value, workbook, json.value).filter(
    (finding) => finding.severity === "error",
  );
  if (checks.length > 0) {
    return bad(
      "invalid_recipe",
      checks.map((finding) => ({ path: ANSWER_PATH, ...finding })),
    );
  }
  const execution = executeRecipe(workbook, recipe.value);
  if (!execution.ok) return bad("execution_error", execution.findings);
  return {
    outcome: "accepted",
    findings: [],
    recipe: json.value.value as Record<string, unknown>,
    execution: execution.value,
  };
}

const bad = (outcome: Attempt["outcome"], findings: readonly Finding[]): JudgedAnswer => ({
  outcome,
  findings: findings.filter((finding) => finding.severity === "error"),
  recipe: null,
  execution: null,
});

const error = (code: string, message: string, actual?: string): Finding => ({
  code,
  severity: "error",
  message,
  ...(actual === undefined ? {} : { actual }),
});

const truncated = (): Finding => ({
  ...error("run-answer-truncated", "The answer ended at the token limit before the recipe was complete."),
  hint: "Write a shorter recipe: ranges instead of single cells, no white space.",
});

const empty = (): Finding => ({
  ...error("run-answer-empty", "The answer has no text."),
  hint: "Answer with one JSON object.",
});

/** Says what surrounds the JSON, when the answer looks like a recipe in wrapping. It is still not accepted. */
function wrapping(text: string): Finding[] {
  const trimmed = text.trim();
  const message = trimmed.startsWith("```")
    ? "The answer stands in a code fence."
    : /[[{]/.test(trimmed) && !trimmed.startsWith("{")
      ? "There is text before the JSON object."
      : null;
  if (message === null) return [];
  return [
    {
      ...error("run-answer-wrapped", message),
      hint: "Answer with the JSON object alone: no code fence, no other text.",
    },
  ];
}
