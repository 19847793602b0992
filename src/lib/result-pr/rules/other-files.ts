import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

/** Files that are named one by one; more are counted. */
const NAMED = 20;

/** F53: whoever sends results cannot change what judges them. */
export const otherFiles: Rule = {
  id: "other-files",
  title: "A pull request with results touches nothing else.",
  check: ({ changes, truncated }) => {
    const others = changes.filter(({ path }) => !isResultPath(path));
    const findings: Finding[] = others.slice(0, NAMED).map(({ path, status }) => ({
      code: "pr-other-files",
      severity: "error",
      message: `This file is ${status} together with results; a pull request with results touches nothing else.`,
      path,
      expected: "changes under benchmarks/results/<suite>/ only",
      hint: "Move this change to a pull request of its own.",
    }));
    if (others.length > NAMED)
      findings.push({
        code: "pr-mixed",
        severity: "error",
        message: `This pull request changes ${truncated ? "more than " : ""}${others.length} other files together with results.`,
        expected: "one result document and nothing else",
        actual: `${changes.length - others.length} files in the folder of results, ${others.length} elsewhere`,
        hint: "Start a branch from the current main, add only the result document there, and send the other changes by themselves.",
      });
    return findings;
  },
};
