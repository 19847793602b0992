import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import { HOSTS_PATH, isDataPath, isPublishedPath } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

/** Files that are named one by one; more are counted. */
const NAMED = 20;

/** F53: whoever sends facts cannot change what judges them, nor the tasks and hosts that they rest on. */
export const otherFiles: CodeRule = {
  id: "facts-other-files",
  title: "A pull request with facts of the code benchmark touches nothing else.",
  check: ({ changes, truncated }) => {
    const rest = changes.filter(({ path }) => !isDataPath(path) && !isPublishedPath(path));
    const results = rest.filter(({ path }) => isResultPath(path));
    const others = rest.filter(({ path }) => !isResultPath(path));
    const findings: Finding[] = others.slice(0, NAMED).map(({ path, status }) => ({
      code: "code-pr-other-files",
      severity: "error",
      message: `This file is ${status} together with facts of the code benchmark, which touch nothing else.`,
      path,
      expected: "changes under data/ only",
      hint:
        path === HOSTS_PATH
          ? "Hosts decide which measurements are believed: send them in a pull request of their own."
          : "Move this change to a pull request of its own.",
    }));
    if (others.length > NAMED)
      findings.push({
        code: "code-pr-other-files",
        severity: "error",
        message: `This pull request changes ${truncated ? "more than " : ""}${others.length} other files together with facts of the code benchmark.`,
        expected: "changes under data/ only",
        hint: "Start a branch from the current main with the files under data/ only, and send the others by themselves.",
      });
    if (results.length > 0)
      findings.push({
        code: "code-pr-mixed",
        severity: "error",
        message: "This pull request brings a result of the sheet benchmark and facts of the code benchmark.",
        path: results[0]?.path ?? "",
        expected: "one of the two",
        actual: `${results.length} files of results, ${changes.length - rest.length} of facts`,
        hint: "Split it: one pull request with the file under benchmarks/results/, one with those under data/.",
      });
    return findings;
  },
};
