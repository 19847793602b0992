import type { Language } from "../schema/task-schema.ts";
import { directiveWord } from "./lex.ts";
import type { Token } from "./token.ts";

/** Where a function stands in its file's text, in UTF-16 code units. Functions may lie in one another. */
export interface FunctionRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const C_LIKE = ["if", "for", "while", "&&", "||", "?", "case", "catch"];

/** The tokens that lizard counts, by language; null where it reads none of it. */
const CONDITIONS: Readonly<Record<Language, ReadonlySet<string> | null>> = {
  rust: new Set(["if", "for", "while", "match", "catch", "where", "&&", "||", "?"]),
  c: new Set(C_LIKE),
  typescript: new Set(C_LIKE),
  go: new Set(C_LIKE),
  python: new Set(["if", "elif", "for", "while", "except", "finally", "and", "or"]),
  elixir: null,
  "aarch64-assembly": null,
};

/** Languages whose functions are found; of the others the complexity is unknown, not 0. */
export const canMeasureComplexity = (language: Language): boolean => CONDITIONS[language] !== null;

/** C's directives that count like an `if`; `#ifndef`, `#else` and `#define` do not. */
const CONDITIONAL_DIRECTIVES = new Set(["if", "ifdef", "elif"]);

/**
 * Cyclomatic complexity by lizard's rules: 1 + the condition tokens inside a function, where those inside a function that
 * lies in it are that one's. Comments and strings have none; macros are not expanded. A closure of Rust and a lambda of
 * Python belong to the function around them, a function expression of TypeScript or Go is a function.
 *
 * What is lizard's rule and what an accident of its tokenizer: `docs/decisions/code-metrics.md`.
 * @returns one number for each function, in the order given
 */
export function countComplexity(
  text: string,
  tokens: readonly Token[],
  functions: readonly FunctionRange[],
  language: Language,
): number[] {
  const numbers = functions.map(() => 1);
  const order = functions.map((_, index) => index).sort((a, b) => byStart(functions, a, b));
  const open: number[] = [];
  let next = 0;
  for (const at of conditionPlaces(text, tokens, language)) {
    while (next < order.length && (functions[order[next] as number] as FunctionRange).start <= at) {
      open.push(order[next] as number);
      next++;
    }
    while (open.length > 0 && (functions[open.at(-1) as number] as FunctionRange).end <= at) open.pop();
    const inner = open.at(-1);
    if (inner !== undefined) numbers[inner] = (numbers[inner] as number) + 1;
  }
  return numbers;
}

/** Earlier first; of two that start together the longer one. */
function byStart(functions: readonly FunctionRange[], a: number, b: number): number {
  const [first, second] = [functions[a] as FunctionRange, functions[b] as FunctionRange];
  return first.start - second.start || second.end - first.end;
}

function* conditionPlaces(text: string, tokens: readonly Token[], language: Language): Generator<number> {
  const conditions = CONDITIONS[language];
  if (conditions === null) return;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "directive") {
      if (CONDITIONAL_DIRECTIVES.has(text[token.start] === "#" ? directiveWord(text, token.start) : "")) {
        yield token.start;
      }
      continue;
    }
    if (token.kind !== "word" && token.kind !== "mark") continue;
    const word = text.slice(token.start, token.end);
    if (conditions.has(word)) {
      if (!isPartOfName(text, token, tokens[index - 1], language)) yield token.start;
    } else if (language === "python" && word === "case" && isCasePattern(text, tokens, index)) {
      yield token.start;
    }
  }
}

/** TypeScript: a `?` right after a name belongs to it (`a?: string`, `b?.c`), as lizard reads it. */
function isPartOfName(text: string, token: Token, before: Token | undefined, language: Language): boolean {
  return (
    language === "typescript" &&
    text[token.start] === "?" &&
    before?.kind === "word" &&
    before.end === token.start
  );
}

/** So far a pattern is looked through for its colon. */
const PATTERN_TOKENS = 2000;

/** Python: `case` is a keyword where it begins a line that goes on like a pattern and has a colon; else it is a name. */
function isCasePattern(text: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index] as Token;
  const before = tokens[index - 1];
  if (before !== undefined && !text.slice(before.end, token.start).includes("\n")) return false;
  const next = tokens[index + 1];
  if (next === undefined || ".=:,+-*/%&|^<>".includes(text[next.start] as string)) {
    // A pattern may begin with a sign or a star: `case -1:`, `case *rest:`.
    if (next === undefined || !"-*".includes(text[next.start] as string)) return false;
    if (text[next.end] === "=" || text[next.end] === text[next.start]) return false;
  }
  let depth = 0;
  const last = Math.min(tokens.length, index + PATTERN_TOKENS);
  for (let at = index + 1; at < last; at++) {
    const { start, kind } = tokens[at] as Token;
    if (depth === 0 && text.slice((tokens[at - 1] as Token).end, start).includes("\n")) return false;
    if (kind !== "mark") continue;
    const char = text[start] as string;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === ":" && depth === 0) return true;
  }
  return false;
}
