import type { Finding } from "../findings.ts";
import { compilePattern, MAX_PATTERN_TOTAL, type PatternProblem, patternOfGlob } from "./pattern.ts";
import type { Condition, Recipe, Where } from "./recipe-schema.ts";

interface Located {
  readonly source: string;
  readonly pointer: string;
  /** Groups the pattern must have, or null when that does not matter. */
  readonly groups: number | null;
}

/** Compiles every distinct pattern of a recipe once: syntax, size, groups, and what all of them cost together. */
export function checkPatterns(recipe: Recipe): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, ReturnType<typeof compilePattern>>();
  let total = 0;
  for (const { source, pointer, groups } of patternsOf(recipe)) {
    let compiled = known.get(source);
    if (compiled === undefined) {
      compiled = compilePattern(source);
      known.set(source, compiled);
      total += isProblem(compiled) ? compiled.size : compiled.programSize();
    }
    if (isProblem(compiled)) {
      findings.push({
        code: "recipe-pattern",
        severity: "error",
        message: "The pattern cannot be used.",
        pointer,
        expected: "RE2 syntax (no look-around, no back-references), of moderate size",
        actual: compiled.problem,
      });
    } else if (groups !== null && compiled.groupCount() !== groups) {
      findings.push({
        code: "recipe-pattern-groups",
        severity: "error",
        message: "The pattern must have exactly one group: what it matches is taken.",
        pointer,
        expected: `${groups} group`,
        actual: `${compiled.groupCount()} groups`,
        hint: "Write (?:…) for groups that are not taken.",
      });
    }
    if (total > MAX_PATTERN_TOTAL) {
      findings.push({
        code: "recipe-budget-patterns",
        severity: "error",
        message: "The recipe's patterns are too large together.",
        pointer,
        expected: `at most ${MAX_PATTERN_TOTAL} steps`,
        hint: "Use smaller patterns: no large counted repeats.",
      });
      return findings;
    }
  }
  return findings;
}

const isProblem = (compiled: ReturnType<typeof compilePattern>): compiled is PatternProblem =>
  "problem" in compiled;

function* patternsOf(recipe: Recipe): Generator<Located> {
  for (const [index, table] of recipe.tables.entries()) {
    const at = `/tables/${index}`;
    yield* ofReading(table.values, `${at}/values`);
    for (const [number, header] of table.headers.entries()) {
      const pointer = `${at}/headers/${number}`;
      yield* ofReading(header, pointer);
      if (header.split?.by_pattern !== undefined) {
        yield { source: header.split.by_pattern, pointer: `${pointer}/split/by_pattern`, groups: null };
      }
      if (typeof header.fill === "object") yield* ofWhere(header.fill.until, `${pointer}/fill/until`);
    }
  }
}

function* ofReading(
  rule: { readonly where?: Where | undefined; readonly extract?: string | undefined },
  pointer: string,
): Generator<Located> {
  yield* ofWhere(rule.where, `${pointer}/where`);
  if (rule.extract !== undefined) yield { source: rule.extract, pointer: `${pointer}/extract`, groups: 1 };
}

function* ofWhere(where: Where | undefined, pointer: string): Generator<Located> {
  if (where === undefined) return;
  yield* ofCondition(where, pointer);
  for (const key of ["all", "any"] as const) {
    for (const [index, condition] of (where[key] ?? []).entries()) {
      yield* ofCondition(condition, `${pointer}/${key}/${index}`);
    }
  }
  if (where.not !== undefined) yield* ofCondition(where.not, `${pointer}/not`);
}

function* ofCondition(condition: Condition, pointer: string): Generator<Located> {
  for (const key of ["pattern", "number_format_pattern", "comment_pattern"] as const) {
    const source = condition[key];
    if (source !== undefined) yield { source, pointer: `${pointer}/${key}`, groups: null };
  }
  if (condition.glob !== undefined) {
    yield { source: patternOfGlob(condition.glob), pointer: `${pointer}/glob`, groups: null };
  }
}
