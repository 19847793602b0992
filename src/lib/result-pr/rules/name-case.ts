import type { Finding } from "../../findings.ts";
import { foldPath, isResultPath } from "../change-set.ts";
import { LIMITS, type ResultPrFacts } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** A path and each of its folders: `a/b/c` gives `a`, `a/b`, `a/b/c`. */
const prefixes = (path: string): string[] => {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
};

/** F48: two names that differ only in case become one file on the Mac runner. */
export const nameCase: Rule = {
  id: "name-case",
  title: "No two names differ only in case, width or composition.",
  check: ({ changes, basePaths }) => caseFindings(changes, basePaths, isResultPath),
};

/** Added paths of ours that clash with each other, or with those of the base (`basePaths`). */
export function caseFindings(
  changes: ResultPrFacts["changes"],
  basePaths: readonly string[],
  isOurs: (path: string) => boolean,
): Finding[] {
  // Overlong paths are refused already (rule `names`), and their folders would cost their length squared.
  const added = changes.filter(
    ({ path, status }) => status === "added" && isOurs(path) && path.length <= LIMITS.path,
  );
  const deleted = new Set(changes.filter(({ status }) => status === "deleted").map(({ path }) => path));
  const spelling = new Map<string, string>();
  // A name in folded spelling can only clash with one that is not: most trees hold none, and cost nothing.
  const anyOdd = added.some(({ path }) => foldPath(path) !== path);
  for (const path of basePaths)
    if ((anyOdd || foldPath(path) !== path) && !deleted.has(path))
      for (const prefix of prefixes(path)) spelling.set(foldPath(prefix), prefix);
  return added.flatMap(({ path }) => {
    const clash = prefixes(path).find((prefix) => {
      const known = spelling.get(foldPath(prefix));
      return known !== undefined && known !== prefix;
    });
    for (const prefix of prefixes(path))
      if (!spelling.has(foldPath(prefix))) spelling.set(foldPath(prefix), prefix);
    if (clash === undefined) return [];
    return [
      {
        code: "pr-name-case",
        severity: "error",
        message: "This name differs from another one only in case, width or composition.",
        path,
        expected: spelling.get(foldPath(clash)) ?? "",
        actual: clash,
        hint: "Use the spelling that is already there.",
      },
    ];
  });
}
