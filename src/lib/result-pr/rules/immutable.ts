import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

const HINT =
  "Restore the file (git checkout origin/main -- <file>). To correct a result, add a new document whose `supersedes` names the digest of the old one; to take it back, `bench result withdraw`.";

/** F22, F46: committed results never change. A rename is a deletion and an addition. */
export const immutable: Rule = {
  id: "immutable",
  title: "Committed results are neither edited nor deleted.",
  check: ({ changes, basePaths }) => {
    const taken = new Set(basePaths);
    return changes.flatMap(({ path, status, before, after }): Finding[] => {
      if (!isResultPath(path)) return [];
      if (status === "added")
        return taken.has(path)
          ? [
              {
                code: "pr-path-taken",
                severity: "error",
                message: "The base branch already has a file of this name.",
                path,
                hint: "If it is the same result, close this pull request; otherwise send a new run.",
              },
            ]
          : [];
      if (status === "deleted")
        return [
          {
            code: "pr-result-deleted",
            severity: "error",
            message: "This file is on the board's record and may not be deleted or renamed.",
            path,
            hint: HINT,
          },
        ];
      return [
        {
          code: "pr-result-edited",
          severity: "error",
          message: "This file is on the board's record and may not be edited.",
          path,
          expected: before?.oid === after?.oid ? `mode ${before?.mode}` : `blob ${before?.oid}`,
          actual: before?.oid === after?.oid ? `mode ${after?.mode}` : `blob ${after?.oid}`,
          hint: HINT,
        },
      ];
    });
  },
};
