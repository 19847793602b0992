import type { Rule } from "./rule.ts";

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/;

/** True of a pointer that stands in place of a file. */
export const isLfsPointer = (text: string | null): boolean => text !== null && POINTER.test(text);

/** F47: a pointer instead of the document. */
export const lfsPointer: Rule = {
  id: "lfs-pointer",
  title: "Documents are committed themselves, not as Git LFS pointers.",
  check: ({ submissions }) =>
    submissions
      .filter(({ text }) => isLfsPointer(text))
      .map(({ path }) => ({
        code: "pr-lfs-pointer",
        severity: "error",
        message: "This is a Git LFS pointer, not a result document.",
        path,
        line: 1,
        column: 1,
        hint: "Commit the document itself: git lfs uninstall --local, then add the file again.",
      })),
};
