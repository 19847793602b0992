/**
 * One piece of source text that is not white space. `text` is a string, character or regular expression; `directive` a line
 * of the C preprocessor. Positions are UTF-16 code units, `end` exclusive.
 */
export interface Token {
  readonly kind: "word" | "mark" | "text" | "comment" | "directive";
  readonly start: number;
  readonly end: number;
}

/** True for what names are made of: letters, digits, `_`, `$` and everything beyond ASCII. */
export const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36 ||
  (code >= 0x80 && !isSpace(code));

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** White space, with the no-break space and the byte order mark that editors leave. */
export const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;

/** The end of the word that starts at `at`. */
export function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
  return end;
}

/** The end of a mark: `&&` and `||` are one, all others are single characters. */
export function markEnd(text: string, at: number): number {
  const first = text[at];
  return (first === "&" || first === "|") && text[at + 1] === first ? at + 2 : at + 1;
}

/** The end of the line that `at` lies on, before its newline. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The end of the line that `at` lies on, where a backslash at its end takes in the next one. */
export function continuedLineEnd(text: string, at: number): number {
  let end = lineEnd(text, at);
  while (end < text.length && text[end - 1] === "\\" && end > at) end = lineEnd(text, end + 1);
  return end;
}

/**
 * The end of the string whose text begins at `at` and that `close` ends; a backslash takes the next character with it. One
 * that is not closed ends with its line, or, where strings may hold newlines, with the text.
 */
export function stringEnd(text: string, at: number, close: string, multiline: boolean): number {
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === 92) end += 2;
    else if (code === 10 && !multiline) return end;
    else if (text.startsWith(close, end)) return end + close.length;
    else end++;
  }
  return text.length;
}

/** The end of a block comment that starts at `at` with two characters (Rust's nest). Unclosed, it takes the rest. */
export function blockCommentEnd(text: string, at: number, nested: boolean): number {
  if (!nested) {
    const close = text.indexOf("*/", at + 2);
    return close < 0 ? text.length : close + 2;
  }
  let depth = 1;
  let end = at + 2;
  while (end < text.length) {
    if (text.startsWith("*/", end)) {
      end += 2;
      depth--;
      if (depth === 0) return end;
    } else if (text.startsWith("/*", end)) {
      end += 2;
      depth++;
    } else end++;
  }
  return text.length;
}
