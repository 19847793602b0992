/** Evaluation of `${{ … }}` and of template values, over GitHub's own expression package. */
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import type { FunctionDefinition } from "@actions/expressions/funcs/info";
import {
  isBasicExpression,
  isBoolean,
  isMapping,
  isNumber,
  isSequence,
  isString,
} from "@actions/workflow-parser";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";

/** What an expression can yield, as plain data. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Every context GitHub knows; one that is not available where an expression stands is an empty object. */
const CONTEXT_NAMES = [
  "github",
  "env",
  "vars",
  "job",
  "jobs",
  "steps",
  "runner",
  "secrets",
  "strategy",
  "matrix",
  "needs",
  "inputs",
] as const;

export type ContextName = (typeof CONTEXT_NAMES)[number];

/** Values and status functions an expression sees. */
export interface Scope {
  readonly contexts: Readonly<Partial<Record<ContextName, data.ExpressionData>>>;
  readonly status?: StatusFunctions;
}

/** `success(names…)` and `failure(names…)` take job names only in the `if` of a job. */
export interface StatusFunctions {
  success(names: readonly string[]): boolean;
  failure(names: readonly string[]): boolean;
  cancelled(): boolean;
}

/** An expression that cannot be evaluated; the message names the expression. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

/**
 * The package's own dictionary keeps its index in a plain object, so that keys such as `constructor` vanish;
 * contexts hold names chosen by people, hence this one over a `Map`. Names are case-insensitive, the first wins.
 */
class SafeDictionary extends data.Dictionary {
  readonly #entries = new Map<string, data.ExpressionData>();
  readonly #names = new Map<string, string>();

  override add(key: string, value: data.ExpressionData): void {
    const folded = key.toLowerCase();
    if (this.#names.has(folded)) return;
    this.#names.set(folded, key);
    this.#entries.set(folded, value);
  }

  override get(key: string): data.ExpressionData | undefined {
    return this.#entries.get(key.toLowerCase());
  }

  override values(): data.ExpressionData[] {
    return [...this.#entries.values()];
  }

  override pairs() {
    return [...this.#entries].map(([folded, value]) => ({ key: this.#names.get(folded) ?? folded, value }));
  }
}

/** Plain data as expression data. `undefined` members of an object are left out. */
export function toData(value: unknown): data.ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  const dictionary = new SafeDictionary();
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) if (member !== undefined) dictionary.add(String(key), toData(member));
  return dictionary;
}

/** Expression data as plain data. */
export function fromData(value: data.ExpressionData): Value {
  if (value instanceof data.Array) return value.values().map(fromData);
  if (value instanceof data.Dictionary) {
    return Object.fromEntries(value.pairs().map((pair) => [pair.key, fromData(pair.value)]));
  }
  if (value instanceof data.StringData) return value.value;
  if (value instanceof data.BooleanData) return value.value;
  if (value instanceof data.NumberData) return value.value;
  return null;
}

const named = (name: string, maxArgs: number, call: FunctionDefinition["call"]): FunctionDefinition => ({
  name,
  minArgs: 0,
  maxArgs,
  call,
});

const words = (args: readonly data.ExpressionData[]): string[] => args.map((arg) => arg.coerceString());

function functionsOf(scope: Scope): Map<string, FunctionDefinition> {
  const functions = new Map<string, FunctionDefinition>();
  const status = scope.status;
  functions.set("fromjson", {
    ...named("fromJSON", 1, (arg) => parseJson(arg)),
    minArgs: 1,
  });
  functions.set("hashfiles", {
    ...named("hashFiles", 255, () => {
      throw new ExpressionError("hashFiles() is not supported by the rehearsal runner");
    }),
    minArgs: 1,
  });
  if (status) {
    const bool = (value: boolean) => new data.BooleanData(value);
    functions.set(
      "always",
      named("always", 0, () => bool(true)),
    );
    functions.set(
      "success",
      named("success", 255, (...args) => bool(status.success(words(args)))),
    );
    functions.set(
      "failure",
      named("failure", 255, (...args) => bool(status.failure(words(args)))),
    );
    functions.set(
      "cancelled",
      named("cancelled", 0, () => bool(status.cancelled())),
    );
  }
  return functions;
}

function parseJson(arg: data.ExpressionData | undefined): data.ExpressionData {
  const text = arg?.coerceString() ?? "";
  try {
    return toData(JSON.parse(text));
  } catch (error) {
    throw new ExpressionError(`fromJSON: not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Evaluates the text between `${{` and `}}`.
 * @throws {ExpressionError} naming the expression and what is wrong with it.
 */
export function evaluateExpression(text: string, scope: Scope): data.ExpressionData {
  try {
    const { tokens } = new Lexer(text).lex();
    // The lexer undoes only the first doubled quote of a string; scripts with several quotes would be mangled.
    for (const token of tokens) {
      if (token.lexeme.startsWith("'")) token.value = token.lexeme.slice(1, -1).replaceAll("''", "'");
    }
    const functions = functionsOf(scope);
    const tree = new Parser(tokens, [...CONTEXT_NAMES], [...functions.values()]).parse();
    const contexts = new SafeDictionary();
    for (const name of CONTEXT_NAMES) contexts.add(name, scope.contexts[name] ?? new SafeDictionary());
    return new Evaluator(tree, contexts, functions).evaluate();
  } catch (error) {
    throw new ExpressionError(
      `cannot evaluate \${{ ${text} }}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Whether an `if` holds, by GitHub's rules of truth: false, 0, NaN, null and the empty string do not. */
export function evaluateCondition(text: string, scope: Scope): boolean {
  const value = fromData(evaluateExpression(text, scope));
  return !(value === null || value === false || value === 0 || value === "" || Number.isNaN(value));
}

/**
 * Evaluates a value of the workflow file, expressions inside included.
 * @throws {ExpressionError} for a failing expression and for the undocumented insert directive.
 */
export function evaluateToken(token: TemplateToken, scope: Scope): Value {
  if (isString(token) || isNumber(token) || isBoolean(token)) return token.value;
  if (isBasicExpression(token)) return fromData(evaluateExpression(token.expression, scope));
  if (isSequence(token)) return [...token].map((item) => evaluateToken(item, scope));
  if (isMapping(token)) {
    const entries: [string, Value][] = [];
    for (const pair of token) {
      entries.push([asText(evaluateToken(pair.key, scope), "a key"), evaluateToken(pair.value, scope)]);
    }
    return Object.fromEntries(entries);
  }
  if (token.isExpression) throw new ExpressionError("the insert directive is not supported");
  return null;
}

/**
 * A value where the workflow file wants text. Numbers print as GitHub prints them (at most 15 decimals), null is empty.
 * @throws {ExpressionError} for an array or an object.
 */
export function asText(value: Value, what: string): string {
  if (value === null) return "";
  if (typeof value === "object") throw new ExpressionError(`${what} must be text, not an object or array`);
  return toData(value).coerceString();
}

/** Evaluates a mapping of texts (`env`, `with`, `outputs`), in order. */
export function evaluateTexts(
  token: TemplateToken | undefined,
  scope: Scope,
  what: string,
): Map<string, string> {
  if (token === undefined) return new Map();
  const value = evaluateToken(token, scope);
  if (value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value))
    throw new ExpressionError(`${what} must be a mapping`);
  return new Map(
    Object.entries(value).map(([key, member]) => [key, asText(member, `${what}.${key}`)] as const),
  );
}

/** A number, given as one or as text. @throws {ExpressionError} when it is neither. */
export function asNumber(value: Value, what: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new ExpressionError(`${what} must be a number, not ${JSON.stringify(value)}`);
  }
  return number;
}

/** A boolean, given as one or as `true` or `false`. @throws {ExpressionError} when it is neither. */
export function asBoolean(value: Value, what: string): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw new ExpressionError(`${what} must be true or false, not ${JSON.stringify(value)}`);
}

/** Refuses keys that an expression brought in, past the parser's eyes. @throws {ExpressionError} naming the first. */
export function onlyKeys(value: object, known: readonly string[], what: string): void {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger !== undefined) throw new ExpressionError(`'${stranger}' of ${what} is not supported`);
}
