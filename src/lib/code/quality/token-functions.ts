import type { Language } from "../schema/task-schema.ts";
import { matchBrackets } from "./brackets.ts";
import { withoutUnbalancedBranches } from "./branches.ts";
import type { FunctionRange } from "./complexity.ts";
import { ANONYMOUS } from "./syntax.ts";
import type { Token } from "./token.ts";

/** The words that begin a function; C has none. */
const KEYWORDS: Partial<Readonly<Record<Language, string>>> = {
  rust: "fn",
  go: "func",
  python: "def",
  typescript: "function",
};

/** Words of C that have brackets and a block after them and are no functions. */
const C_STATEMENTS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "sizeof",
  "return",
  "typeof",
  "_Generic",
  "defined",
]);

/**
 * Functions by their tokens alone, for text that no grammar takes apart: code that does not parse, and the inside of Rust's
 * macros. Finds what a keyword (in C: a name and its brackets) announces and a block follows; TypeScript's arrows and methods
 * are not found this way. One pass over the tokens, and one over the lines.
 */
export function findFunctionsByTokens(
  text: string,
  tokens: readonly Token[],
  language: Language,
): FunctionRange[] {
  const code =
    language === "c"
      ? withoutUnbalancedBranches(text, tokens)
      : tokens.filter(({ kind }) => kind !== "comment");
  const matches = matchBrackets(text, code);
  const word = (index: number): string => {
    const token = code[index];
    return token === undefined || token.kind === "text" ? "" : text.slice(token.start, token.end);
  };
  const functions: FunctionRange[] = [];
  const add = (first: number, name: string, last: number): void => {
    functions.push({ name, start: (code[first] as Token).start, end: (code[last] as Token).end });
  };
  if (language === "c") {
    for (let index = 0; index + 1 < code.length; index++) {
      // Blocks are passed over: a macro with brackets and a block inside a function is a loop of some kind.
      if (word(index) === "{" && word(index - 1) !== "" && (matches[index] ?? -1) > index) {
        index = matches[index] as number;
        continue;
      }
      const close = matches[index + 1] ?? -1;
      const opens = code[index]?.kind === "word" && word(index + 1) === "(" && close > index;
      if (!opens || word(close + 1) !== "{" || C_STATEMENTS.has(word(index))) continue;
      const end = matches[close + 1] ?? -1;
      if (end > 0) add(index, word(index), end);
    }
    return functions;
  }
  const keyword = KEYWORDS[language];
  if (keyword === undefined) return functions;
  const indents = language === "python" ? indentsOf(text) : null;
  for (let index = 0; index < code.length; index++) {
    if (word(index) !== keyword) continue;
    const head = headOf(word, matches, index + 1);
    if (head === null) continue;
    if (indents !== null) {
      const { start } = code[index] as Token;
      functions.push({ name: head.name, start, end: indents.blockEnd(start) });
      continue;
    }
    const body = bodyAfter(word, matches, head.after);
    if (body >= 0) add(index, head.name, body);
  }
  return functions;
}

/** The name after a keyword and the index after its parameters; null when no parameters follow. */
function headOf(
  word: (index: number) => string,
  matches: Int32Array,
  from: number,
): { name: string; after: number } | null {
  let at = from;
  let name = ANONYMOUS;
  if (word(at) === "*") at++;
  // A macro's parameter may be the name.
  const sign = word(at) === "$" ? 1 : 0;
  if (word(at) !== "(" && word(at) !== "") {
    name = (sign === 1 ? "$" : "") + word(at + sign);
    at += sign + 1;
  } else if (word(at) === "(" && /^\w+$/.test(word((matches[at] ?? -1) + 1))) {
    // Go: a receiver comes before the name.
    at = (matches[at] ?? -1) + 1;
    name = word(at);
    at++;
  }
  if (word(at) === "[" && (matches[at] ?? -1) > at) at = (matches[at] as number) + 1;
  if (word(at) === "<") at = afterGenerics(word, at);
  const close = word(at) === "(" ? (matches[at] ?? -1) : -1;
  return close < 0 ? null : { name, after: close + 1 };
}

/** A head is looked through for so many tokens. */
const HEAD_TOKENS = 500;

function afterGenerics(word: (index: number) => string, from: number): number {
  let depth = 0;
  for (let at = from; at < from + HEAD_TOKENS; at++) {
    if (word(at) === "<") depth++;
    // `->` inside bounds does not close.
    else if (word(at) === ">" && word(at - 1) !== "-") depth--;
    if (depth === 0) return at + 1;
  }
  return from;
}

/** The index at which the block ends that begins next; -1 when the declaration ends first. */
function bodyAfter(word: (index: number) => string, matches: Int32Array, from: number): number {
  for (let at = from; at < from + HEAD_TOKENS; at++) {
    const here = word(at);
    if (here === ";" || here === ")" || here === "}" || here === ",") return -1;
    const close = matches[at] ?? -1;
    // The braces of a type, as in `func f() struct{ … } {`, are not the body.
    if (here === "{" && word(at - 1) !== "struct" && word(at - 1) !== "interface") return close;
    if (close > at) at = close;
  }
  return -1;
}

/** Python: finds where a block ends by the indentation of the lines after it. */
function indentsOf(text: string): { blockEnd(start: number): number } {
  const starts: number[] = [];
  const indents: number[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const first = line.search(/\S/);
    if (first >= 0 && line[first] !== "#" && line[first] !== ")") {
      starts.push(at);
      indents.push(first);
    }
    at += line.length + 1;
  }
  // For each line the next one that is indented no deeper: a stack of lines still waiting, from the end.
  const ends: number[] = new Array(starts.length);
  const waiting: number[] = [];
  for (let line = starts.length - 1; line >= 0; line--) {
    while (waiting.length > 0 && (indents[waiting.at(-1) as number] as number) > (indents[line] as number)) {
      waiting.pop();
    }
    const next = waiting.at(-1);
    ends[line] = next === undefined ? text.length : (starts[next] as number);
    waiting.push(line);
  }
  const lineAt = new Map(starts.map((start, index) => [start, index]));
  return {
    blockEnd(start) {
      const line = lineAt.get(text.lastIndexOf("\n", start - 1) + 1);
      return line === undefined ? text.length : (ends[line] as number);
    },
  };
}
