import type { Meter } from "./budget.ts";
import { compiledPattern, matchFinder } from "./pattern.ts";

export interface SplitRule {
  readonly by?: string | undefined;
  readonly by_pattern?: string | undefined;
  /** One entry per piece; null skips it. */
  readonly into: readonly (string | null)[];
}

/**
 * Cuts a text into at most as many pieces as the rule names. Blank pieces at the end do not count (`a ; b ;` has two);
 * surplus pieces stay together, as they stand in the text, in the last one.
 */
export function cutter(rule: SplitRule, meter: Meter): (text: string) => string[] {
  const { by, by_pattern, into } = rule;
  const separators =
    by_pattern === undefined
      ? (text: string) => occurrences(text, by ?? "")
      : matchFinder(compiledPattern(by_pattern, meter), meter);
  return (text) => {
    const pieces: [number, number][] = [];
    let start = 0;
    for (const [from, to] of separators(text)) {
      pieces.push([start, from]);
      start = to;
    }
    pieces.push([start, text.length]);
    while (pieces.length > 0 && text.slice(...(pieces.at(-1) ?? [0, 0])).trim() === "") pieces.pop();
    const kept = pieces.slice(0, into.length);
    const last = kept.at(-1);
    const end = pieces.at(-1);
    if (last !== undefined && end !== undefined) last[1] = end[1];
    return kept.map(([from, to]) => text.slice(from, to));
  };
}

function occurrences(text: string, by: string): [number, number][] {
  const found: [number, number][] = [];
  if (by === "") return found;
  for (let at = text.indexOf(by); at >= 0; at = text.indexOf(by, at + by.length)) {
    found.push([at, at + by.length]);
  }
  return found;
}
