import type { Finding } from "../../findings.ts";
import type { CommittedResult, Submission } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** F22: a correction names what it replaces, and a maintainer agrees. */
export const supersedes: Rule = {
  id: "supersedes",
  title: "A correction names a committed result of the same model and suite.",
  check: ({ submissions, committed }) =>
    submissions.flatMap((submission) => supersedesFindings(submission, committed)),
};

function supersedesFindings(
  { path, document }: Submission,
  committed: readonly CommittedResult[],
): Finding[] {
  const named = document?.supersedes?.digest;
  if (document === null || named === undefined) return [];
  const original = committed.find(({ digest }) => digest === named);
  const at = { path, pointer: "/supersedes/digest", actual: named };
  if (original === undefined)
    return [
      {
        ...at,
        code: "pr-supersedes-unknown",
        severity: "error",
        message: "No committed result of this suite has the digest that this document says it replaces.",
        expected: "the digest of a committed result of the same model and suite",
        hint: "The digest of a result is the SHA-256 of its committed bytes, written sha256:<hex>.",
      },
    ];
  if (original.model !== document.model.id || original.suite.id !== document.suite.id)
    return [
      {
        ...at,
        code: "pr-supersedes-other",
        severity: "error",
        message: `The result that this document says it replaces belongs to ${original.model} in ${original.suite.id}.`,
        expected: `a result of ${document.model.id} in ${document.suite.id}`,
        hint: "A document replaces only results of its own model and suite.",
      },
    ];
  const later = committed.find((other) => other.supersedes === named);
  if (later !== undefined)
    return [
      {
        ...at,
        code: "pr-supersedes-replaced",
        severity: "error",
        message: `That result has already been replaced by ${later.path}.`,
        expected: later.digest,
        hint: "Name the newest document of the chain.",
      },
    ];
  return [
    {
      ...at,
      code: "pr-supersedes",
      severity: "warning",
      message: `This document replaces ${original.path}; a maintainer must agree.`,
      hint: "A maintainer approves with /assay accept for this head.",
    },
  ];
}
