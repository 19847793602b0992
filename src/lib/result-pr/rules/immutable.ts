import type { Finding } from "../../findings.ts";
import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

const HINT =
  "Restore the file (git checkout origin/main -- <file>). To correct a result, add a new document whose `supersedes` names the digest of the old one.";

/** F22, F46: committed results never change. A rename is a deletion and an addition. */
export const immutable: Rule = {
  id: "immutable",
  title: "Committed results are neither edited nor deleted.",
  check: ({ changes }) =>
    changes.flatMap(({ path, status, before, after }): Finding[] => {
      if (status === "added" || !isResultPath(path)) return [];
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
    }),
};
