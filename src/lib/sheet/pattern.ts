import { RE2JS } from "re2js";
import { type Meter, Stop } from "./budget.ts";

/** Patterns run on RE2's algorithm: time is bounded by text length times pattern size, never exponential. */

/** Instructions of a compiled pattern; a counted repeat of a class counts each copy. */
export const MAX_PATTERN_SIZE = 1_000;
/** Instructions of all distinct patterns of a recipe together: bounds what compiling costs. */
export const MAX_PATTERN_TOTAL = 5_000;
/** Pattern length times its largest counted repeat: bounds what compiling costs before it is known to be too large. */
const MAX_EXPANSION = 50_000;
/** What one match costs however short the text, in the unit of `Budget.patterns`. */
const MATCH_OVERHEAD = 200;
/** Distinct texts whose answer one matcher remembers. */
const MAX_REMEMBERED = 10_000;

export interface PatternProblem {
  readonly problem: string;
  /** Instructions, when it was compiled only to find it too large; else its length, for it has been parsed. */
  readonly size: number;
}

/** Compiles RE2 syntax, `.` matching line breaks too; words instead when it is no such pattern or too large. */
export function compilePattern(source: string): RE2JS | PatternProblem {
  const repeats = [...source.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g)].flatMap(([, low, high]) => [
    Number(low),
    Number(high ?? 0),
  ]);
  if (source.length * Math.max(1, ...repeats) > MAX_EXPANSION) {
    return { problem: "repeats too much too often", size: source.length };
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source, RE2JS.DOTALL);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    return { problem: reason.replace(/^error parsing regexp: /, "").slice(0, 200), size: source.length };
  }
  const size = compiled.programSize();
  return size > MAX_PATTERN_SIZE
    ? { problem: `compiles to ${size} steps, more than ${MAX_PATTERN_SIZE}`, size }
    : compiled;
}

/** For patterns that passed the static checks; each is compiled once in an execution. @throws Stop otherwise */
export function compiledPattern(source: string, meter: Meter): RE2JS {
  const known = meter.patterns.get(source);
  if (known !== undefined) return known;
  const compiled = compilePattern(source);
  if (compiled instanceof RE2JS) {
    meter.patterns.set(source, compiled);
    return compiled;
  }
  throw new Stop([
    {
      code: "recipe-pattern",
      severity: "error",
      message: "A pattern cannot be used.",
      expected: "RE2 syntax",
      actual: compiled.problem,
    },
  ]);
}

/** A glob as a pattern: `*` any run of characters, `?` any one. */
export const patternOfGlob = (glob: string): string =>
  glob.replace(/[*?]|[^*?]+/g, (part) => (part === "*" ? ".*" : part === "?" ? "." : RE2JS.quote(part)));

/** Whole-text test that remembers its answers and charges for its work. */
export function wholeTextTest(pattern: RE2JS, meter: Meter): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    charge(pattern, text, meter);
    const answer = pattern.testExact(text);
    if (known.size < MAX_REMEMBERED) known.set(text, answer);
    return answer;
  };
}

/** What the one group matched at the first place where the pattern matches; null when nowhere. Remembers its answers. */
export function extractor(pattern: RE2JS, meter: Meter): (text: string) => string | null {
  const known = new Map<string, string | null>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    charge(pattern, text, meter);
    const matcher = pattern.matcher(text);
    const answer = matcher.find() ? (matcher.group(1) ?? null) : null;
    if (known.size < MAX_REMEMBERED) known.set(text, answer);
    return answer;
  };
}

/** Where the pattern matches, one match after the other: pairs of start and end. Empty matches do not count. */
export function matchFinder(pattern: RE2JS, meter: Meter): (text: string) => [number, number][] {
  return (text) => {
    charge(pattern, text, meter);
    const matcher = pattern.matcher(text);
    const found: [number, number][] = [];
    while (matcher.find()) {
      // The next match is searched from where this one ended, at worst to the end of the text.
      meter.spend("patterns", (text.length - matcher.end() + 1) * pattern.programSize());
      if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
    }
    return found;
  };
}

const charge = (pattern: RE2JS, text: string, meter: Meter): void =>
  meter.spend("patterns", MATCH_OVERHEAD + (text.length + 1) * pattern.programSize());
