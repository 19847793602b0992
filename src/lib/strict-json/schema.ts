import type { z } from "zod";
import type { Finding, Outcome } from "../findings.ts";
import { closestTo } from "./closest.ts";
import { locateFindings, parseStrictJson, type StrictJson } from "./parse.ts";
import { pointerOf } from "./pointer.ts";
import { findLongList, keysAt, type LongList } from "./shape.ts";

export interface SchemaOptions {
  /** File named in findings. */
  readonly path?: string;
  /** First word of the finding codes (`recipe` gives `recipe-unknown-key`). */
  readonly code: string;
  readonly maxBytes?: number;
  readonly maxDepth?: number;
}

type Issue = z.core.$ZodIssue;

/** More than this many findings help nobody; one more says how many there were. */
const MAX_FINDINGS = 50;
const MAX_SHOWN = 80;

/** Strict JSON, then the schema. Each issue becomes a finding with pointer, line and column. Never throws. */
export function parseWithSchema<T>(
  bytes: Uint8Array | string,
  schema: z.ZodType<T>,
  options: SchemaOptions,
): Outcome<T> {
  const parsed = parseLocated(bytes, schema, options);
  return parsed.ok ? { ...parsed, value: parsed.value.value } : parsed;
}

/** As `parseWithSchema`, keeping the positions for checks that follow. */
export function parseLocated<T>(
  bytes: Uint8Array | string,
  schema: z.ZodType<T>,
  options: SchemaOptions,
): Outcome<{ value: T; json: StrictJson }> {
  const json = parseStrictJson(bytes, options);
  if (!json.ok) return json;
  const checked = checkAgainst(json.value.value, schema, options.code);
  if (!checked.ok) {
    return { ok: false, findings: locateFindings(checked.findings, json.value.position, options.path) };
  }
  return { ok: true, value: { value: checked.value, json: json.value }, findings: [] };
}

/** The schema alone, over a value that already is plain JSON of bounded depth; findings have pointers only. */
export function checkAgainst<T>(value: unknown, schema: z.ZodType<T>, code: string): Outcome<T> {
  const long = findLongList(value, schema);
  if (long !== null) return { ok: false, findings: [tooLong(long, code)] };
  let result: z.ZodSafeParseResult<T>;
  try {
    result = schema.safeParse(value);
  } catch (error) {
    // zod recurses; a value nested beyond its stack throws instead of failing.
    return {
      ok: false,
      findings: [
        {
          code: `${code}-invalid`,
          severity: "error",
          message: "The document could not be checked against its schema.",
          actual: error instanceof Error ? error.name : "unknown error",
        },
      ],
    };
  }
  if (result.success) return { ok: true, value: result.data, findings: [] };
  const findings: Finding[] = [];
  const { issues } = result.error;
  // One issue names all unknown keys of an object: each of them is a problem.
  const count = issues.reduce(
    (sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
  for (const issue of issues) {
    if (findings.length >= MAX_FINDINGS) break;
    findings.push(...findingsOf(issue, value, schema, code, MAX_FINDINGS - findings.length));
  }
  if (count > MAX_FINDINGS) {
    findings.push({
      code: `${code}-more`,
      severity: "error",
      message: `There are ${count} problems; the first ${MAX_FINDINGS} are shown.`,
      pointer: "",
    });
  }
  return { ok: false, findings };
}

const tooLong = ({ path, length, maximum }: LongList, code: string): Finding => ({
  severity: "error",
  pointer: pointerOf(path),
  code: `${code}-too-big`,
  message: "The array is too long.",
  expected: `at most ${maximum}`,
  actual: `an array of ${length}`,
});

function findingsOf(given: Issue, root: unknown, schema: z.ZodType, code: string, most: number): Finding[] {
  const issue = insideUnion(given);
  const { path } = issue;
  const actual = show(valueAt(root, path));
  const base = { severity: "error" as const, pointer: pointerOf(path) };
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = keysAt(schema, path);
      return issue.keys.slice(0, most).map((key) => {
        const meant = closestTo(key, known);
        return {
          ...base,
          code: `${code}-unknown-key`,
          message: "This key is not part of the format.",
          pointer: pointerOf([...path, key]),
          actual: key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key,
          ...(known.length > 0 ? { expected: `one of: ${known.join(", ")}` } : {}),
          hint: meant === null ? "Remove it." : `Did you mean "${meant}"?`,
        };
      });
    }
    case "invalid_type": {
      if (valueAt(root, path) === undefined) {
        return [
          {
            ...base,
            code: `${code}-missing-key`,
            message: `The key "${String(path.at(-1) ?? "")}" is missing.`,
            expected: issue.expected,
            hint: "Add it.",
          },
        ];
      }
      return [
        {
          ...base,
          code: `${code}-wrong-type`,
          message: "The type is wrong.",
          expected: issue.expected,
          actual,
        },
      ];
    }
    case "invalid_value": {
      const allowed = issue.values.map(String);
      const missing = valueAt(root, path) === undefined;
      const meant = missing ? null : closestTo(String(valueAt(root, path)), allowed);
      return [
        {
          ...base,
          code: missing ? `${code}-missing-key` : `${code}-invalid-value`,
          message: missing
            ? `The key "${String(path.at(-1) ?? "")}" is missing.`
            : "The value is not one of those allowed.",
          expected: `one of: ${allowed.join(", ")}`,
          ...(missing ? {} : { actual }),
          ...(meant === null ? {} : { hint: `Did you mean "${meant}"?` }),
        },
      ];
    }
    case "too_big":
      return [
        {
          ...base,
          code: `${code}-too-big`,
          message: `The ${issue.origin} is too ${issue.origin === "number" ? "large" : "long"}.`,
          expected: `at most ${String(issue.maximum)}`,
          actual,
        },
      ];
    case "too_small":
      return [
        {
          ...base,
          code: `${code}-too-small`,
          message: `The ${issue.origin} is too ${issue.origin === "number" ? "small" : "short"}.`,
          expected: `at least ${String(issue.minimum)}`,
          actual,
        },
      ];
    case "invalid_format":
      return [
        {
          ...base,
          code: `${code}-invalid-format`,
          message: "The text does not have the form that is needed.",
          // A schema may say in words what its pattern means; zod's own words only repeat the pattern.
          expected: issue.message.startsWith("Invalid ") ? (issue.pattern ?? issue.format) : issue.message,
          actual,
        },
      ];
    case "invalid_union":
      return [
        {
          ...base,
          code: `${code}-invalid-value`,
          message: "The value has none of the forms allowed here.",
          expected: formsOf(issue) || issue.message,
          actual,
        },
      ];
    default:
      return [{ ...base, code: `${code}-invalid-value`, message: issue.message, actual }];
  }
}

/** A union's own issue says nothing; the branch that accepts the value's type says what is wrong inside it. */
function insideUnion(issue: Issue): Issue {
  let current = issue;
  while (current.code === "invalid_union") {
    const inner: Issue[] = current.errors
      .filter((branch) => !branch.some((each) => each.path.length === 0 && isTypeMismatch(each)))
      .map((branch) => branch[0])
      .filter((each) => each !== undefined);
    const [only] = inner;
    if (only === undefined || inner.length > 1) return current;
    current = { ...only, path: [...current.path, ...only.path] };
  }
  return current;
}

const isTypeMismatch = (issue: Issue): boolean =>
  issue.code === "invalid_type" || (issue.code === "invalid_value" && issue.values.length === 1);

function formsOf(issue: Issue): string {
  if (issue.code !== "invalid_union") return "";
  const forms = issue.errors.map((branch) => {
    const [first] = branch;
    if (first?.code === "invalid_type") return first.expected;
    if (first?.code === "invalid_value") return `one of: ${first.values.map(String).join(", ")}`;
    return first?.message ?? "";
  });
  return [...new Set(forms.filter((form) => form !== ""))].join(", or ");
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** A short picture of a value; containers by kind and size, so that depth cannot matter. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return `an object with ${Object.keys(value).length} keys`;
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
