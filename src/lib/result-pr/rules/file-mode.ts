import { isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

const KINDS: Readonly<Record<string, string>> = {
  "100755": "an executable file",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

/** F47: only plain files. Judged by git's mode, before anything is read. */
export const fileMode: Rule = {
  id: "file-mode",
  title: "Everything a pull request adds to the results is a plain file.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => isResultPath(path) && after !== null && after.mode !== "100644")
      .map(({ path, after }) => ({
        code: "pr-file-mode",
        severity: "error",
        message: `This is ${KINDS[after?.mode ?? ""] ?? "no plain file"}; results are plain files.`,
        path,
        expected: "mode 100644",
        actual: `mode ${after?.mode}`,
        hint: "Commit the file's content itself: git update-index --chmod=-x <file>, or replace the link by the file.",
      })),
};
