import type { Attempt, ResultDocument } from "../../benchmarks/result-schema.ts";
import type { Finding } from "../../findings.ts";
import { OWN_CONTESTANTS } from "../contestants.ts";
import type { Rule } from "./rule.ts";

/** Fewer calls than that say nothing by what they have in common. */
const ENOUGH = 4;
/** Characters of compact JSON that one token holds at the very most; common tokenizers hold three to five. */
const CHARACTERS_PER_TOKEN = 25;
/** Tokenizers differ by a factor of two or three; by ten they do not. */
const TOKENIZERS_DIFFER = 10;
/** US dollars for one token; the dearest models take less than a thousandth. */
const DEAREST_TOKEN_USD = 0.005;

/**
 * F60: tokens and costs are what the submitter declares, and no score rests on them. What cannot be, a person looks at;
 * what is not known is never shown as nothing.
 */
export const usage: Rule = {
  id: "usage",
  title: "Reported tokens and costs can be what the calls took.",
  check: ({ submissions }) =>
    submissions.flatMap(({ path, document }) =>
      document === null
        ? []
        : [
            ...tooFewTokens(path, document),
            ...promptTokens(path, document),
            ...costGap(path, document),
            ...costZero(path, document),
          ],
    ),
};

/** An accepted answer holds its recipe, so it has at least the recipe's tokens. */
function tooFewTokens(path: string, { members }: ResultDocument): Finding[] {
  const short = members.filter(({ recipe, attempts }) => {
    const completion = attempts.at(-1)?.usage?.completion_tokens;
    if (recipe === null || completion === undefined) return false;
    return completion * CHARACTERS_PER_TOKEN < JSON.stringify(recipe).length;
  });
  const [first] = short;
  if (first === undefined) return [];
  const tokens = first.attempts.at(-1)?.usage?.completion_tokens ?? 0;
  return [
    {
      code: "pr-token-gap",
      severity: "warning",
      message: `${short.length} answers are said to have fewer tokens than their own recipes.`,
      path,
      pointer: `/members/${members.indexOf(first)}/attempts/${first.attempts.length - 1}/usage/completion_tokens`,
      expected: `more than ${Math.floor(JSON.stringify(first.recipe).length / CHARACTERS_PER_TOKEN)}`,
      actual: `${tokens}`,
      hint: "Send what the provider reported, as npm run bench:run wrote it; where it reported nothing, the usage is null.",
    },
  ];
}

/** The first prompts were measured by one tokenizer; the provider's count of the same texts cannot be another order. */
function promptTokens(path: string, { prompt, members }: ResultDocument): Finding[] {
  const measured = prompt.measured?.total_tokens ?? 0;
  const reported = members.flatMap(({ attempts }) => attempts[0]?.usage?.prompt_tokens ?? []);
  if (measured === 0 || reported.length < ENOUGH || reported.length !== prompt.measured?.prompts) return [];
  const total = reported.reduce((sum, tokens) => sum + tokens, 0);
  if (total * TOKENIZERS_DIFFER >= measured && total <= measured * TOKENIZERS_DIFFER) return [];
  return [
    {
      code: "pr-token-gap",
      severity: "warning",
      message: "The reported prompt tokens are of another order than the prompts that were measured.",
      path,
      pointer: "/totals/prompt_tokens",
      expected: `about ${measured} (${prompt.measured?.tokenizer ?? ""})`,
      actual: `${total}`,
      hint: "Send what the provider reported, as npm run bench:run wrote it.",
    },
  ];
}

const attemptsOf = ({ members }: ResultDocument): Attempt[] => members.flatMap(({ attempts }) => attempts);

function costGap(path: string, document: ResultDocument): Finding[] {
  const dear = attemptsOf(document).filter(
    ({ cost_usd, usage: used }) =>
      cost_usd !== null &&
      used !== null &&
      cost_usd > (used.prompt_tokens + used.completion_tokens) * DEAREST_TOKEN_USD,
  );
  const [first] = dear;
  if (first === undefined) return [];
  return [
    {
      code: "pr-cost-gap",
      severity: "warning",
      message: `${dear.length} calls are said to have cost more than any model's tokens do.`,
      path,
      pointer: "/cost/total_usd",
      expected: `at most $${DEAREST_TOKEN_USD} for a token`,
      actual: `$${first.cost_usd} for ${(first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0)} tokens`,
      hint: "Costs are US dollars as the provider reported them, null where it reported none.",
    },
  ];
}

/** A provider that reports $0 for tokens says nothing about the price; free models exist, so nobody has to act. */
function costZero(path: string, document: ResultDocument): Finding[] {
  const { cost, model } = document;
  if (cost.total_usd !== 0 || OWN_CONTESTANTS.includes(model.id)) return [];
  if (!attemptsOf(document).some(({ usage: used }) => (used?.completion_tokens ?? 0) > 0)) return [];
  return [
    {
      code: "pr-cost-zero",
      severity: "notice",
      message: "Every call was reported as $0, which is shown as unknown.",
      path,
      pointer: "/cost/total_usd",
      hint: "Nothing to mend. A cost that the provider did not report is null in the document.",
    },
  ];
}
