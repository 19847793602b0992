import type { Finding } from "../../findings.ts";
import type { Language } from "../schema/task-schema.ts";
import { canMeasureComplexity, countComplexity, type FunctionRange } from "./complexity.ts";
import { lex } from "./lex.ts";
import { type ClassifiedLines, classifyLines } from "./lines.ts";
import { findRustTestCode, type RustTestCode } from "./rust-tests.ts";
import type { SyntaxFacts } from "./syntax.ts";
import type { Token } from "./token.ts";
import { findFunctionsByTokens } from "./token-functions.ts";

/** Larger files are not given to a grammar: their functions are found by tokens. Code units. */
export const MAX_PARSED = 2 * 1024 * 1024;

export interface MeasuredFunction {
  readonly name: string;
  /** 1-based line of its head. */
  readonly line: number;
  readonly ccn: number;
}

export interface FileMeasure {
  readonly lines: ClassifiedLines;
  /** In the order of their heads; empty where the language has no grammar. */
  readonly functions: readonly MeasuredFunction[];
  readonly syntaxErrors: number;
  readonly tests: RustTestCode;
  readonly findings: readonly Finding[];
}

const NO_TESTS: RustTestCode = { ranges: [], files: [] };

/** A source text as it is measured: without byte order mark, `\n` as its only line end. */
export const normaliseText = (raw: string): string => raw.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

/**
 * Measures one implementation file. Total: text that is no code of its language gives counts and a warning.
 * @param text normalised
 * @param syntax what its grammar says; null when the parser came to no end
 */
export function measureFile(
  path: string,
  text: string,
  language: Language,
  syntax: SyntaxFacts | null,
): FileMeasure {
  const all = lex(text, language);
  const tests = language === "rust" ? findRustTestCode(text, all) : NO_TESTS;
  const tokens = outside(all, tests.ranges);
  const lines = classifyLines(text, tokens);
  if (!canMeasureComplexity(language)) {
    return { lines, functions: [], syntaxErrors: 0, tests, findings: [] };
  }
  const findings: Finding[] = [];
  const facts = syntax ?? unparsed(path, text, findings);
  const lineOf = lineFinder(text);
  const found = outside(withTokenFunctions(text, all, facts, language), tests.ranges);
  const numbers = countComplexity(text, tokens, found, language);
  const functions = found.map(({ name, start }, index) => ({
    name: printable(name),
    line: lineOf(start),
    ccn: numbers[index] as number,
  }));
  const errors = outside(
    facts.errors.map((start) => ({ start, end: start })),
    tests.ranges,
  );
  const [first] = errors;
  if (first !== undefined && syntax !== null) {
    findings.push({
      code: "code-quality-syntax",
      severity: "warning",
      path,
      line: lineOf(first.start),
      message: `The grammar cannot read ${errors.length === 1 ? "a place" : `${errors.length} places`} of this file.`,
      hint: "Functions there were found by their tokens alone. C whose braces depend on #if gives this, and so does code that does not compile.",
    });
  }
  return { lines, functions, syntaxErrors: errors.length, tests, findings };
}

/** Nothing is known of the text: its tokens have to do. */
function unparsed(path: string, text: string, findings: Finding[]): SyntaxFacts {
  findings.push({
    code: "code-quality-not-parsed",
    severity: "warning",
    path,
    message: "This file is too large or too tangled for its grammar.",
    expected: `at most ${MAX_PARSED} characters, and a text that the parser comes to an end with`,
    actual: `${text.length} characters`,
    hint: "Its functions were found by their tokens alone.",
  });
  return { functions: [], opaque: [{ start: 0, end: text.length }], errors: [0] };
}

/**
 * The functions of the syntax tree, and those that tokens show where the tree is opaque. By start, the outer one first.
 * In C a macro without a semicolon may mislead the parser about all that follows: of a file with errors, tokens come first.
 */
function withTokenFunctions(
  text: string,
  tokens: readonly Token[],
  facts: SyntaxFacts,
  language: Language,
): FunctionRange[] {
  const functions = [...facts.functions];
  if (language === "c" && facts.errors.length > 0) {
    const found = findFunctionsByTokens(text, tokens, language);
    const [, others] = partition(functions, found);
    // A function of the tree that another one found begins in is that one's, misread.
    const misread = new Set(holders(others, found));
    functions.splice(0, Infinity, ...found, ...others.filter((other) => !misread.has(other)));
  } else if (facts.opaque.length > 0) {
    // A function that both found: Python's `def` and everything else's last brace are where each of them sees it.
    const python = language === "python";
    const known = new Set(functions.map(({ start, end }) => (python ? text.indexOf("def", start) : end)));
    const [inside] = partition(findFunctionsByTokens(text, tokens, language), facts.opaque);
    functions.push(...inside.filter(({ start, end }) => !known.has(python ? start : end)));
  }
  return functions.sort((a, b) => a.start - b.start || b.end - a.end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const byStart = (a: Span, b: Span): number => a.start - b.start;

/** The items that start in none of the ranges, by start. */
const outside = <T extends Span>(items: readonly T[], ranges: readonly Span[]): T[] =>
  partition(items, ranges)[1];

/** The items that start in one of the ranges, and those that start in none. By start. */
function partition<T extends Span>(
  items: readonly T[],
  ranges: readonly Span[],
): [inside: T[], outside: T[]] {
  const sorted = [...ranges].sort(byStart);
  const inside: T[] = [];
  const others: T[] = [];
  let next = 0;
  let reach = -1;
  for (const item of [...items].sort(byStart)) {
    while (next < sorted.length && (sorted[next] as Span).start <= item.start) {
      reach = Math.max(reach, (sorted[next] as Span).end);
      next++;
    }
    (item.start < reach ? inside : others).push(item);
  }
  return [inside, others];
}

/** Those of the spans in which one of the items starts. Both by start; the spans do not lie in one another. */
function holders<T extends Span>(spans: readonly T[], items: readonly Span[]): T[] {
  let next = 0;
  return spans.filter(({ start, end }) => {
    while (next < items.length && (items[next] as Span).start < start) next++;
    return next < items.length && (items[next] as Span).start < end;
  });
}

function lineFinder(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** A name as a document may hold it: one line, at most 200 characters, no half characters. */
const printable = (name: string): string =>
  name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it takes out.
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .slice(0, 200)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
