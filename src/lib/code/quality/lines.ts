import type { Token } from "./token.ts";

/** A line with code on it. */
export interface CodeLine {
  /** 1-based. */
  readonly line: number;
  /** The line with its white space normalised: none at the ends, one blank for each run. */
  readonly text: string;
  /** More than a lone bracket: something besides brackets, commas, semicolons and comment. */
  readonly significant: boolean;
}

export interface ClassifiedLines {
  /** Lines with code on them, in order. */
  readonly code: readonly CodeLine[];
  /** How many lines have comment and no code. Blank lines count nowhere, also inside a comment. */
  readonly comment: number;
}

const CODE = 1;
const COMMENT = 2;
const SIGNIFICANT = 4;
const LONE = new Set("()[]{},;");

/**
 * Sorts the lines of a text by what stands on them.
 * @param text with `\n` as its only line end
 * @param tokens its tokens in order, without those of excluded code: a line that has no token left counts nowhere
 */
export function classifyLines(text: string, tokens: readonly Token[]): ClassifiedLines {
  const lines = text.split("\n");
  const flags = new Uint8Array(lines.length);
  let line = 0;
  let start = 0;
  const startOfNext = () => start + (lines[line] as string).length + 1;
  for (const token of tokens) {
    while (token.start >= startOfNext()) {
      start = startOfNext();
      line++;
    }
    const flag = flagOf(text, token);
    let at = line;
    let next = startOfNext();
    flags[at] = (flags[at] as number) | flag;
    // A token of several lines: those after the first.
    while (next < token.end) {
      at++;
      flags[at] = (flags[at] as number) | flag;
      next += (lines[at] as string).length + 1;
    }
  }
  const code: CodeLine[] = [];
  let comment = 0;
  for (const [index, raw] of lines.entries()) {
    const flag = flags[index] as number;
    if (flag === 0) continue;
    const normalised = raw.trim().replace(/\s+/g, " ");
    if (normalised === "") continue;
    if ((flag & CODE) !== 0) {
      code.push({ line: index + 1, text: normalised, significant: (flag & SIGNIFICANT) !== 0 });
    } else comment++;
  }
  return { code, comment };
}

function flagOf(text: string, token: Token): number {
  if (token.kind === "comment") return COMMENT;
  const lone =
    token.kind === "mark" && token.end === token.start + 1 && LONE.has(text[token.start] as string);
  return lone ? CODE : CODE | SIGNIFICANT;
}
