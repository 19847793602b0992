import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

/** F53: whoever sends results cannot change what judges them. */
export const otherFiles: Rule = {
  id: "other-files",
  title: "A pull request with results touches nothing else.",
  check: ({ changes }) =>
    changes
      .filter(({ path }) => !isResultPath(path))
      .map(({ path, status }) => ({
        code: "pr-other-files",
        severity: "error",
        message: `This file is ${status} together with results; a pull request with results touches nothing else.`,
        path,
        expected: "changes under benchmarks/results/<suite>/ only",
        hint: "Move this change to a pull request of its own.",
      })),
};
