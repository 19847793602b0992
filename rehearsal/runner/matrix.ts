/** `strategy` of a job: the combinations of its matrix and how they run. */

import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import {
  asBoolean,
  asNumber,
  evaluateToken,
  onlyKeys,
  type Scope,
  toData,
  type Value,
} from "./expressions.ts";

export type Combination = Readonly<Record<string, Value>>;

export interface Strategy {
  /** One empty combination when the job has no matrix. */
  readonly combinations: readonly Combination[];
  readonly hasMatrix: boolean;
  readonly failFast: boolean;
  readonly maxParallel: number;
}

const MAX_COMBINATIONS = 256;

/** @throws Error for a matrix that GitHub refuses too: empty vectors, wrong shapes, more than 256 combinations. */
export function readStrategy(token: TemplateToken | undefined, scope: Scope): Strategy {
  const value = token === undefined ? {} : (evaluateToken(token, scope) ?? {});
  const strategy = asObject(value, "strategy");
  onlyKeys(strategy, ["matrix", "fail-fast", "max-parallel"], "strategy");
  const failFast = strategy["fail-fast"] === undefined ? true : asBoolean(strategy["fail-fast"], "fail-fast");
  const limit = strategy["max-parallel"];
  const maxParallel = limit === undefined ? Number.POSITIVE_INFINITY : asNumber(limit, "max-parallel");
  if (maxParallel < 1) throw new Error(`max-parallel must be at least 1, not ${maxParallel}`);
  if (strategy.matrix === undefined) return { combinations: [{}], hasMatrix: false, failFast, maxParallel };
  const combinations = expandMatrix(asObject(strategy.matrix, "matrix"));
  return { combinations, hasMatrix: true, failFast, maxParallel };
}

/**
 * All combinations: the product of the vectors, minus `exclude`, then `include`, by the rules of GitHub's
 * workflow syntax: an `include` extends every combination whose original values it does not overwrite,
 * and becomes a combination of its own when there is none.
 */
export function expandMatrix(matrix: Readonly<Record<string, Value>>): Combination[] {
  const vectors = Object.entries(matrix).filter(([key]) => key !== "include" && key !== "exclude");
  let product: Combination[] = vectors.length > 0 ? [{}] : [];
  for (const [name, values] of vectors) {
    if (!isList(values)) throw new Error(`matrix vector '${name}' is not an array`);
    if (values.length === 0) throw new Error(`Matrix vector '${name}' does not contain any values`);
    product = product.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value })));
    if (product.length > MAX_COMBINATIONS) throw tooMany(product.length);
  }
  const names = new Set(vectors.map(([name]) => name));
  const excludes = rows(matrix.exclude, "exclude");
  for (const row of excludes) {
    const stranger = Object.keys(row).find((key) => !names.has(key));
    if (stranger !== undefined) throw new Error(`matrix exclude key '${stranger}' does not match any key`);
  }
  const originals = product.filter((combination) => !excludes.some((row) => agrees(combination, row, names)));
  const extended: Combination[] = [...originals];
  const added: Combination[] = [];
  for (const row of rows(matrix.include, "include")) {
    let used = false;
    originals.forEach((original, index) => {
      if (!agreesWhereShared(original, row)) return;
      extended[index] = { ...extended[index], ...row };
      used = true;
    });
    if (!used) added.push(row);
  }
  const combinations = [...extended, ...added];
  if (combinations.length === 0) throw new Error("the matrix does not contain any combination");
  if (combinations.length > MAX_COMBINATIONS) throw tooMany(combinations.length);
  return combinations;
}

/** The suffix GitHub gives a matrix job's name: its values in order, objects by their leaves. */
export function combinationLabel(combination: Combination): string {
  const leaves = (value: Value): string[] => {
    if (value === null) return [""];
    if (typeof value !== "object") return [toData(value).coerceString()];
    return (isList(value) ? [...value] : Object.values(value)).flatMap(leaves);
  };
  return Object.values(combination).flatMap(leaves).join(", ");
}

function tooMany(count: number): Error {
  return new Error(`a matrix may not exceed ${MAX_COMBINATIONS} jobs, this one has ${count}`);
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

function asObject(value: Value, what: string): Readonly<Record<string, Value>> {
  if (value === null || typeof value !== "object" || isList(value)) {
    throw new Error(`${what} must be a mapping, not ${JSON.stringify(value)}`);
  }
  return value;
}

function rows(value: Value | undefined, what: string): Readonly<Record<string, Value>>[] {
  if (value === undefined || value === null) return [];
  if (!isList(value)) throw new Error(`matrix ${what} must be an array`);
  return value.map((row) => asObject(row, `matrix ${what} item`));
}

function agrees(combination: Combination, row: Combination, names: ReadonlySet<string>): boolean {
  return [...names].every((name) => row[name] === undefined || covers(combination[name], row[name]));
}

function agreesWhereShared(original: Combination, row: Combination): boolean {
  return Object.entries(row).every(
    ([key, value]) => original[key] === undefined || same(original[key], value),
  );
}

/** An exclude row needs only part of an object value to match. */
function covers(value: Value | undefined, part: Value): boolean {
  if (typeof value === "object" && value !== null && typeof part === "object" && part !== null) {
    const whole = new Map(Object.entries(value));
    return Object.entries(part).every(([key, member]) => covers(whole.get(key), member));
  }
  return same(value, part);
}

function same(left: Value | undefined, right: Value | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
