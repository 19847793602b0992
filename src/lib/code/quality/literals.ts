import type { Language } from "../schema/task-schema.ts";
import { skipInterpolated } from "./interpolated.ts";
import type { Before, LiteralEnd } from "./lex.ts";
import { isWordCode, lineEnd, stringEnd, wordEnd } from "./token.ts";

/** How a language writes strings, characters and regular expressions. */
export function literalsOf(language: Language): LiteralEnd {
  switch (language) {
    case "rust":
      return rustLiteral;
    case "go":
      return goLiteral;
    case "typescript":
      return scriptLiteral;
    case "elixir":
      return elixirLiteral;
    default:
      return quoted;
  }
}

/** C and assembly: strings and characters that end with their line. */
const quoted: LiteralEnd = (text, at) => {
  const quote = text[at] as string;
  return quote === '"' || quote === "'" ? stringEnd(text, at + 1, quote, false) : at;
};

const RAW = /(?:br|cr|r)(#*)"/y;

const rustLiteral: LiteralEnd = (text, at) => {
  const first = text[at];
  if (first === '"') return stringEnd(text, at + 1, '"', true);
  if (first === "'") return rustQuote(text, at);
  if (first !== "r" && first !== "b" && first !== "c") return at;
  RAW.lastIndex = at;
  const raw = RAW.exec(text);
  if (raw !== null) {
    const close = `"${raw[1]}`;
    const end = text.indexOf(close, at + raw[0].length);
    return end < 0 ? text.length : end + close.length;
  }
  // `r#match` is a name: taken whole, so that it is no keyword.
  return text.startsWith("r#", at) && isWordCode(text.charCodeAt(at + 2)) ? wordEnd(text, at + 2) : at;
};

/** After a quote: a character (`'a'`, `'\n'`, `'\u{1F600}'`), or a lifetime or label (`'a`), which is a name. */
function rustQuote(text: string, at: number): number {
  if (text[at + 1] === "\\") return stringEnd(text, at + 1, "'", false);
  const character = text.codePointAt(at + 1) ?? 0;
  const close = at + 1 + (character > 0xffff ? 2 : 1);
  if (text[close] === "'" && text[at + 1] !== "\n") return close + 1;
  const end = wordEnd(text, at + 1);
  return end > at + 1 ? end : at;
}

const goLiteral: LiteralEnd = (text, at) => {
  if (text[at] !== "`") return quoted(text, at, { token: null, lineStart: false });
  const end = text.indexOf("`", at + 1);
  return end < 0 ? text.length : end + 1;
};

const scriptLiteral: LiteralEnd = (text, at, before) => {
  if (text[at] === "`") return skipInterpolated(text, at, "javascript");
  if (text[at] === "/" && mayBeginRegex(text, before)) return regexEnd(text, at);
  // Text between JSX tags may hold a single quote; a string cannot do without its second one.
  const end = quoted(text, at, before);
  return text[end - 1] === text[at] && end > at + 1 ? end : at;
};

const BEFORE_REGEX = new Set(
  "return typeof case in of do else void delete throw new instanceof yield await".split(" "),
);

/** After a value a slash divides; after an operator, an opening bracket or a keyword it begins a regular expression. */
function mayBeginRegex(text: string, { token }: Before): boolean {
  if (token === null) return true;
  if (token.kind === "word") return BEFORE_REGEX.has(text.slice(token.start, token.end));
  return token.kind === "mark" && !")]}".includes(text[token.start] as string);
}

/** The end of a regular expression with its flags; `at` itself when its line ends first: then it is no such thing. */
function regexEnd(text: string, at: number): number {
  const stop = lineEnd(text, at);
  let inClass = false;
  for (let end = at + 1; end < stop; end++) {
    const char = text[end];
    if (char === "\\") end++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return wordEnd(text, end + 1);
  }
  return at;
}

const elixirLiteral: LiteralEnd = (text, at) => {
  const first = text[at];
  // `?"` is a character; `a?` is part of a name and never comes here with a quote after it.
  if (first === "?") {
    const escaped = text[at + 1] === "\\";
    return text[at + 1] === '"' || text[at + 1] === "'" || text[at + 1] === "#" || escaped
      ? Math.min(text.length, at + (escaped ? 3 : 2))
      : at;
  }
  return first === '"' || first === "'" || first === "~" ? skipInterpolated(text, at, "elixir") : at;
};
