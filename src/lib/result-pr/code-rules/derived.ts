import { isPublishedPath } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

/** F19: derived documents are computed from main, by main's own code; nobody sends them. */
export const derived: CodeRule = {
  id: "facts-derived",
  title: "Derived documents never come by pull request.",
  check: ({ changes }) =>
    changes
      .filter(({ path, after }) => after !== null && isPublishedPath(path))
      .slice(0, 20)
      .map(({ path }) => ({
        code: "code-pr-derived",
        severity: "error",
        message: "This document is derived: it is computed from the facts after the merge, and never sent.",
        path,
        expected: "raw facts under data/ only",
        hint: "Remove it. `bench data build` writes it to the folder published/, which git ignores.",
      })),
};
