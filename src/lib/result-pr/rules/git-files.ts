import { foldPath, isResultPath } from "../change-set.ts";
import type { Rule } from "./rule.ts";

/** F47: files that change how git or its hosts treat other files. */
const SPECIAL = /^(?:\.git.*|git~\d+|\.lfsconfig|\.mailmap)$/;

/** True when a name of the path steers git or its hosts. */
export const steersGit = (path: string): boolean =>
  foldPath(path)
    .split("/")
    .some((name) => SPECIAL.test(name));

export const gitFiles: Rule = {
  id: "git-files",
  title: "No file that steers git itself.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => after !== null && isResultPath(path) && steersGit(path))
      .map(({ path }) => ({
        code: "pr-git-file",
        severity: "error",
        message:
          "This name steers git (attributes, submodules, ignored files) and has no place among results.",
        path,
        hint: "Remove the file from the pull request.",
      })),
};
