import { isDataPath } from "../code-paths.ts";
import { steersGit } from "../rules/git-files.ts";
import { isLfsPointer } from "../rules/lfs-pointer.ts";
import { caseFindings } from "../rules/name-case.ts";
import { secretFindings } from "../rules/secrets.ts";
import type { CodeRule } from "./rule.ts";

/** What holds for facts as it does for results of the sheet benchmark, under the same codes. */

/** F48 */
export const nameCase: CodeRule = {
  id: "facts-name-case",
  title: "No two names differ only in case, width or composition.",
  check: ({ changes, basePaths }) => caseFindings(changes, basePaths, isDataPath),
};

/** F47 */
export const gitFiles: CodeRule = {
  id: "facts-git-files",
  title: "No file that steers git itself, also in a deliverable.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => after !== null && isDataPath(path) && steersGit(path))
      .map(({ path }) => ({
        code: "pr-git-file",
        severity: "error",
        message: "This name steers git (attributes, submodules, ignored files) and has no place among facts.",
        path,
        hint: "Remove the file from the pull request.",
      })),
};

/** F47 */
export const lfsPointer: CodeRule = {
  id: "facts-lfs-pointer",
  title: "Documents are committed themselves, not as Git LFS pointers.",
  check: ({ documents }) =>
    documents
      .filter(({ text }) => isLfsPointer(text))
      .map(({ path }) => ({
        code: "pr-lfs-pointer",
        severity: "error",
        message: "This is a Git LFS pointer, not a document.",
        path,
        line: 1,
        column: 1,
        hint: "Commit the document itself: git lfs uninstall --local, then add the file again.",
      })),
};

/** F52 */
export const secrets: CodeRule = {
  id: "facts-secrets",
  title: "No credentials in documents and deliverables.",
  check: ({ documents, deliverables }) => [
    ...documents.flatMap(secretFindings),
    ...deliverables.flatMap(({ secret }) => (secret === null ? [] : [secret])),
  ],
};
