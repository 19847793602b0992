import { isSpace, isWordCode, lineEnd, markEnd, stringEnd, type Token, wordEnd } from "./token.ts";

/** An f-string that is open, or code inside one with the depth of its brackets. */
type Mode =
  | { readonly kind: "string"; readonly close: string; readonly spec: boolean }
  | { readonly kind: "code"; depth: number; readonly close: string };

const PREFIXES = new Set(["r", "u", "b", "f", "br", "rb", "fr", "rf", "t", "tr", "rt"]);

/**
 * Python's tokens. What stands in the braces of an f-string is code and gives tokens of its own, to any depth. A string that
 * is a statement by itself (every docstring is one) is comment: it documents and does nothing.
 */
export function lexPython(text: string): Token[] {
  const tokens: Token[] = [];
  const modes: Mode[] = [];
  let at = 0;
  const push = (kind: Token["kind"], end: number): void => {
    tokens.push({ kind, start: at, end });
    at = end;
  };
  while (at < text.length) {
    const mode = modes.at(-1);
    if (mode?.kind === "string") {
      const piece = pieceEnd(text, at, mode);
      if (piece.end > at) push("text", piece.end);
      if (piece.next === "code") {
        modes.push({ kind: "code", depth: 0, close: mode.close });
        at++;
      } else {
        // A string's end inside a format ends the code around the format, too.
        modes.length -= piece.next === "closed" && mode.spec ? 3 : 1;
      }
      continue;
    }
    const code = text.charCodeAt(at);
    const char = text[at] as string;
    if (isSpace(code)) at++;
    else if (mode?.kind === "code" && mode.depth === 0 && char === "}") {
      modes.pop();
      at++;
    } else if (mode?.kind === "code" && mode.depth === 0 && char === ":") {
      // What follows is a format, up to the brace that ends the code.
      modes.push({ kind: "string", close: mode.close, spec: true });
      at++;
    } else if (char === "#") push("comment", lineEnd(text, at));
    else {
      const string = stringStart(text, at);
      if (string?.formatted) {
        push("text", string.body);
        modes.push({ kind: "string", close: string.close, spec: false });
      } else if (string !== null) {
        push("text", stringEnd(text, string.body, string.close, string.close.length === 3));
      } else if (isWordCode(code)) push("word", wordEnd(text, at));
      else {
        if (mode?.kind === "code") mode.depth += "([{".includes(char) ? 1 : ")]}".includes(char) ? -1 : 0;
        push("mark", markEnd(text, at));
      }
    }
  }
  return withDocstrings(text, tokens);
}

function stringStart(text: string, at: number): { formatted: boolean; body: number; close: string } | null {
  let quote = at;
  while (quote < at + 3 && isWordCode(text.charCodeAt(quote))) quote++;
  const char = text[quote];
  if (char !== '"' && char !== "'") return null;
  const prefix = text.slice(at, quote).toLowerCase();
  if (prefix !== "" && !PREFIXES.has(prefix)) return null;
  const close = text.startsWith(char.repeat(3), quote) ? char.repeat(3) : char;
  return { formatted: /[ft]/.test(prefix), body: quote + close.length, close };
}

/** The end of a piece of an f-string and what comes there: code, its close, or (a format) the brace that ends the code. */
function pieceEnd(
  text: string,
  from: number,
  mode: { close: string; spec: boolean },
): { end: number; next: "code" | "closed" | "over" } {
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (text.startsWith(mode.close, at)) return { end: at + mode.close.length, next: "closed" };
    // Not closed on its line: it ends there.
    if (char === "\n" && mode.close.length === 1) return { end: at, next: "closed" };
    if (mode.spec && char === "}") return { end: at, next: "over" };
    if (!mode.spec && (text.startsWith("{{", at) || text.startsWith("}}", at))) at += 2;
    else if (char === "{") return { end: at, next: "code" };
    else at += char === "\\" && text[at + 1] !== "{" ? 2 : 1;
  }
  return { end: text.length, next: "closed" };
}

/** Marks strings that are whole statements as comment. */
function withDocstrings(text: string, tokens: readonly Token[]): Token[] {
  const result = [...tokens];
  let depth = 0;
  let previous: Token | null = null;
  let continued = false;
  for (const [index, token] of tokens.entries()) {
    const startsStatement =
      depth === 0 && !continued && (previous === null || hasNewline(text, previous.end, token.start));
    const next = tokens[index + 1];
    const endsStatement =
      next === undefined || next.kind === "comment" || hasNewline(text, token.end, next.start);
    if (token.kind === "text" && startsStatement && endsStatement) {
      result[index] = { ...token, kind: "comment" };
    }
    if (token.kind === "mark") {
      const char = text[token.start] as string;
      if ("([{".includes(char)) depth++;
      else if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    }
    if (token.kind !== "comment") continued = text[token.start] === "\\" && token.kind === "mark";
    previous = token;
  }
  return result;
}

const hasNewline = (text: string, from: number, to: number): boolean => text.slice(from, to).includes("\n");
