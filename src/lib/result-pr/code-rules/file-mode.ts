import { isDataPath } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

const KINDS: Readonly<Record<string, string>> = {
  "100755": "an executable file",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

/** F47: only plain files, also in deliverables: what is judged is their content. */
export const fileMode: CodeRule = {
  id: "facts-file-mode",
  title: "Every file under data/ is a plain file.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => isDataPath(path) && after !== null && after.mode !== "100644")
      .map(({ path, after }) => ({
        code: "code-pr-file-mode",
        severity: "error",
        message: `This is ${KINDS[after?.mode ?? ""] ?? "no plain file"}; facts and deliverables are plain files.`,
        path,
        expected: "mode 100644",
        actual: `mode ${after?.mode}`,
        hint: "Commit the file's content itself: git update-index --chmod=-x <file>, or replace the link by the file.",
      })),
};
