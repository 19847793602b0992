import type { Language } from "../schema/task-schema.ts";
import { lexPython } from "./lex-python.ts";
import { literalsOf } from "./literals.ts";
import {
  blockCommentEnd,
  continuedLineEnd,
  isDigit,
  isSpace,
  isWordCode,
  lineEnd,
  markEnd,
  type Token,
  wordEnd,
} from "./token.ts";

/**
 * What is before a token: what decides whether a slash begins a regular expression, a `#` a directive.
 */
export interface Before {
  /** The last token that is no comment; null at the start. */
  readonly token: Token | null;
  /** Only white space (and block comments) stand before it on its line. */
  readonly lineStart: boolean;
}

/** Where a literal that begins at `at` ends; `at` itself when none begins there. */
export type LiteralEnd = (text: string, at: number, before: Before) => number;

/**
 * Splits a source text into tokens; total, and linear in its length. Text that the language would not accept still gives
 * tokens: a string that is not closed ends with its line where the language has it so.
 * @param text with `\n` as its only line end
 */
export function lex(text: string, language: Language): Token[] {
  switch (language) {
    case "python":
      return lexPython(text);
    case "elixir":
      return withElixirDocs(text, lexWith(text, language, hashComment));
    case "aarch64-assembly":
      return lexWith(text, language, assemblyComment);
    case "c":
      return lexWith(text, language, cComment);
    case "rust":
      return lexWith(text, language, slashComment(true));
    default:
      return lexWith(text, language, slashComment(false));
  }
}

/** Where a comment that begins at `at` ends; `at` itself when none begins there. */
type CommentEnd = (text: string, at: number, lineStart: boolean) => number;

const slashComment =
  (nested: boolean): CommentEnd =>
  (text, at) => {
    if (text[at] === "#" && at === 0 && text[1] === "!" && text[2] !== "[") return lineEnd(text, at);
    if (text[at] !== "/") return at;
    if (text[at + 1] === "/") return lineEnd(text, at);
    return text[at + 1] === "*" ? blockCommentEnd(text, at, nested) : at;
  };

/** C: a backslash takes the next line into a line comment. */
const cComment: CommentEnd = (text, at) => {
  if (text[at] !== "/") return at;
  if (text[at + 1] === "/") return continuedLineEnd(text, at);
  return text[at + 1] === "*" ? blockCommentEnd(text, at, false) : at;
};

const hashComment: CommentEnd = (text, at) => (text[at] === "#" ? lineEnd(text, at) : at);

/**
 * Both assemblers of AArch64: `//` and C's blocks everywhere; at the start of a line also `#` (unless it is a directive of
 * the C preprocessor) and `;`. Further on `;` parts statements for one assembler and begins a comment for the other: the
 * line has code either way.
 */
const assemblyComment: CommentEnd = (text, at, lineStart) => {
  const first = text[at];
  if (first === "/") return cComment(text, at, lineStart);
  if (!lineStart) return at;
  if (first === ";") return lineEnd(text, at);
  return first === "#" && !isDirective(text, at) ? lineEnd(text, at) : at;
};

const DIRECTIVES = new Set(
  "if ifdef ifndef elif elifdef elifndef else endif define undef include line error warning pragma embed".split(
    " ",
  ),
);

/** The word of the directive that a `#` at `at` begins, without looking whether there is such a directive. */
export function directiveWord(text: string, at: number): string {
  let start = at + 1;
  while (text[start] === " " || text[start] === "\t") start++;
  return text.slice(start, wordEnd(text, start));
}

const isDirective = (text: string, at: number): boolean => DIRECTIVES.has(directiveWord(text, at));

function lexWith(text: string, language: Language, commentEnd: CommentEnd): Token[] {
  const tokens: Token[] = [];
  const literalEnd = literalsOf(language);
  const directives = language === "c" || language === "aarch64-assembly";
  let before: Token | null = null;
  let lineStart = true;
  // Where a directive goes on after a comment inside it.
  let directiveUntil = 0;
  let at = 0;
  const push = (kind: Token["kind"], end: number): void => {
    const token: Token = { kind, start: at, end };
    tokens.push(token);
    if (kind === "comment") {
      // A line comment ends its line; a block comment leaves what is before it as it was.
      at = end;
      return;
    }
    before = token;
    lineStart = false;
    at = end;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      if (code === 10) lineStart = true;
      at++;
      continue;
    }
    const comment = commentEnd(text, at, lineStart);
    if (comment > at) {
      push("comment", comment);
      continue;
    }
    if (at < directiveUntil) {
      push("directive", directiveStop(text, at, directiveUntil));
      continue;
    }
    if (directives && code === 35 && lineStart) {
      directiveUntil = continuedLineEnd(text, at);
      push("directive", directiveStop(text, at, directiveUntil));
      continue;
    }
    const literal = literalEnd(text, at, { token: before, lineStart });
    if (literal > at) push("text", literal);
    else if (isWordCode(code)) push("word", language === "c" ? cWordEnd(text, at) : wordEnd(text, at));
    else push("mark", markEnd(text, at));
  }
  return tokens;
}

/** The end of a piece of a directive: before a comment, else where the directive ends. Strings in it hide comment marks. */
function directiveStop(text: string, from: number, until: number): number {
  let quote = "";
  for (let at = from; at < until; at++) {
    const char = text[at] as string;
    if (char === "\\") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "/" && (text[at + 1] === "/" || text[at + 1] === "*") && at > from) return at;
  }
  return until;
}

/** C's numbers may hold `'` between digits. */
function cWordEnd(text: string, at: number): number {
  let end = wordEnd(text, at);
  if (!isDigit(text.charCodeAt(at))) return end;
  while (text[end] === "'" && isWordCode(text.charCodeAt(end + 1))) end = wordEnd(text, end + 1);
  return end;
}

const ELIXIR_DOCS = new Set(["doc", "moduledoc", "typedoc", "shortdoc"]);

/** Elixir writes its documentation as strings: `@doc """…"""` is comment, `@doc false` is code. */
function withElixirDocs(text: string, tokens: readonly Token[]): Token[] {
  const result = [...tokens];
  for (let index = 0; index + 2 < result.length; index++) {
    const [at, word, value] = [
      result[index] as Token,
      result[index + 1] as Token,
      result[index + 2] as Token,
    ];
    if (text[at.start] !== "@" || value.kind !== "text") continue;
    if (!ELIXIR_DOCS.has(text.slice(word.start, word.end))) continue;
    for (const [offset, token] of [at, word, value].entries()) {
      result[index + offset] = { ...token, kind: "comment" };
    }
  }
  return result;
}
