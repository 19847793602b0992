import type { Finding } from "../../findings.ts";
import { dataFileOf, isDataPath } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

/** Files that are named one by one. */
const NAMED = 100;

/** F22, F46: committed files stay: facts grow inside their documents, deliverables not at all. */
export const kept: CodeRule = {
  id: "facts-kept",
  title: "Committed files are neither deleted nor replaced.",
  check: ({ changes, taken }) => {
    const deleted = changes.filter(({ path, status }) => status === "deleted" && isDataPath(path));
    const edited = changes.filter(
      ({ path, status }) => status === "modified" && dataFileOf(path)?.kind === "deliverable",
    );
    return [
      ...deleted.slice(0, NAMED).map(
        ({ path }): Finding => ({
          code: "code-pr-deleted",
          severity: "error",
          message: "This file is on the record and may not be deleted, renamed or moved.",
          path,
          hint: "Restore it: git checkout origin/main -- <file>. A value in it is corrected by a revision, a defect withdrawn by one.",
        }),
      ),
      ...edited.slice(0, NAMED).map(
        ({ path, before, after }): Finding => ({
          code: "code-pr-deliverable-edited",
          severity: "error",
          message: "This is what a contestant delivered and judges saw; it may not be edited.",
          path,
          expected: before?.oid === after?.oid ? `mode ${before?.mode}` : `blob ${before?.oid}`,
          actual: before?.oid === after?.oid ? `mode ${after?.mode}` : `blob ${after?.oid}`,
          hint: "Restore it: git checkout origin/main -- <file>. Another deliverable is another run's entry.",
        }),
      ),
      ...taken.slice(0, NAMED).map(
        (path): Finding => ({
          code: "code-pr-path-taken",
          severity: "error",
          message: "The base branch already has another file of this name.",
          path,
          hint: "Merge main into your branch. If both are the same run, close this pull request; otherwise give yours an id of its own.",
        }),
      ),
    ];
  },
};
