import type { Token } from "./token.ts";

const CLOSES: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * For each token that is a bracket the index of the one that matches it, else -1. A closing bracket of another kind ends the
 * brackets that are open inside: those stay without a match. One pass.
 */
export function matchBrackets(text: string, tokens: readonly Token[]): Int32Array {
  const matches = new Int32Array(tokens.length).fill(-1);
  const open: { readonly index: number; readonly char: string }[] = [];
  const counts: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "mark") continue;
    const char = text[token.start] as string;
    if (char in counts) {
      open.push({ index, char });
      counts[char] = (counts[char] as number) + 1;
      continue;
    }
    const wanted = CLOSES[char];
    // A closing bracket that nothing opened is skipped.
    if (wanted === undefined || counts[wanted] === 0) continue;
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      counts[top.char] = (counts[top.char] as number) - 1;
      if (top.char !== wanted) continue;
      matches[top.index] = index;
      matches[index] = top.index;
      break;
    }
  }
  return matches;
}
