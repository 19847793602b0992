import type { Finding } from "../../findings.ts";
import type { Quality } from "../schema/quality-schema.ts";

/**
 * Says where a committed measurement is not what measuring again gives. The time and the linter's count are not compared, and
 * of numbers that lizard gave only files and lines: this program is not lizard.
 * @param pointer of the committed value in its run
 */
export function compareQuality(committed: Quality, measured: Quality, pointer: string): Finding[] {
  const sameRules =
    committed.tool.version === measured.tool.version && committed.tool.grammar === measured.tool.grammar;
  const lizard = committed.tool.name === "lizard";
  const found = [
    ...difference("/files", committed.files, measured.files),
    ...(["implementation", "comment", "significant", "duplicated"] as const).flatMap((name) =>
      difference(`/lines/${name}`, committed.lines[name], measured.lines[name]),
    ),
    ...(lizard ? [] : complexityDifference(committed, measured)),
  ];
  return found.map(({ at, expected, actual }) => ({
    code: "code-quality-changed",
    // Other rules, or another grammar, may count otherwise; the same ones may not.
    severity: sameRules || lizard ? "error" : "warning",
    message: "Measuring again gives something else than is committed.",
    pointer: `${pointer}${at}`,
    expected,
    actual,
    hint:
      sameRules || lizard
        ? "The counts were changed, or measured of other files: add a revision with what is measured now."
        : `It was measured by ${describe(committed)}, this is ${describe(measured)}.`,
  }));
}

interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

function complexityDifference(committed: Quality, measured: Quality): Difference[] {
  const [before, now] = [committed.complexity, measured.complexity];
  if ("unsupported" in before || "unsupported" in now) return difference("/complexity", before, now);
  const errors = difference("/complexity/syntax_errors", before.syntax_errors, now.syntax_errors);
  const length = Math.max(before.functions.length, now.functions.length);
  for (let index = 0; index < length; index++) {
    const [first] = difference(
      `/complexity/functions/${Math.min(index, before.functions.length - 1)}`,
      before.functions[index] ?? "no further function",
      now.functions[index] ?? "no further function",
    );
    // The first one is enough: what follows is often the same, moved.
    if (first !== undefined)
      return [...errors, before.functions.length === 0 ? { ...first, at: "/complexity" } : first];
  }
  return errors;
}

function difference(at: string, before: unknown, now: unknown): Difference[] {
  const [actual, expected] = [JSON.stringify(before), JSON.stringify(now)];
  return actual === expected ? [] : [{ at, expected: shorten(expected), actual: shorten(actual) }];
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const describe = ({ tool }: Quality): string =>
  `${tool.name} ${tool.version}${tool.grammar === undefined ? "" : ` with ${tool.grammar}`}`;
