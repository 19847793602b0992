import type { Finding } from "../../findings.ts";
import { CODE_LIMITS } from "../code-facts.ts";
import { dataFileOf } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

/** F45, F51: limits on what is read at all. */
export const size: CodeRule = {
  id: "facts-size",
  title: "Documents, deliverables and pull requests stay within their sizes.",
  check: ({ changes, documents, deliverables, truncated }) => {
    const large = [
      ...documents.map(({ path, bytes }) => ({ path, bytes, most: CODE_LIMITS.documentBytes })),
      ...deliverables.map(({ path, bytes }) => ({ path, bytes, most: CODE_LIMITS.fileBytes })),
    ].filter(({ bytes, most }) => bytes > most);
    const findings: Finding[] = large.slice(0, 100).map(({ path, bytes, most }) => ({
      code: "code-pr-too-large",
      severity: "error",
      message: "This file is too large, so it was not read.",
      path,
      expected: `at most ${most} bytes`,
      actual: `${bytes} bytes`,
      hint: "Deliverables are source code: leave out builds, corpora and logs.",
    }));
    const added = changes.filter(({ after }) => after !== null).map(({ path }) => dataFileOf(path)?.kind);
    const sumOf = (files: readonly { readonly bytes: number }[]): number =>
      files.reduce((sum, { bytes }) => sum + bytes, 0);
    const counts: [boolean, string, string][] = [
      [truncated, "files that can be listed", "more"],
      ...within(count(added, "document"), CODE_LIMITS.documents, "documents"),
      ...within(count(added, "deliverable"), CODE_LIMITS.files, "files of deliverables"),
      ...within(sumOf(documents), CODE_LIMITS.documentsBytes, "bytes of documents"),
      ...within(sumOf(deliverables), CODE_LIMITS.totalBytes, "bytes of deliverables"),
    ];
    for (const [over, expected, actual] of counts)
      if (over)
        findings.push({
          code: "code-pr-too-many",
          severity: "error",
          message: "This pull request brings more than can be judged at once.",
          expected: `at most ${expected}`,
          actual,
          hint: "Send runs one by one, each with its deliverables.",
        });
    return findings;
  },
};

const count = (kinds: readonly (string | undefined)[], kind: "document" | "deliverable"): number =>
  kinds.filter((each) => each === kind).length;

const within = (many: number, most: number, what: string): [boolean, string, string][] => [
  [many > most, `${most} ${what}`, `${many}`],
];
