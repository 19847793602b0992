import type { Finding } from "../../findings.ts";
import type { CommittedResult, ResultPrFacts, Submission } from "../facts.ts";
import { MAX_DUPLICATES } from "../relevant.ts";
import type { Rule } from "./rule.ts";

/** Committed results with the same recipes for the same suite; the first of them by path. */
export const duplicatesOf = (
  submission: Submission,
  committed: readonly CommittedResult[],
): CommittedResult[] =>
  submission.evidence === null
    ? []
    : committed.filter(({ evidence }) => evidence === submission.evidence).slice(0, MAX_DUPLICATES);

/**
 * F24: the same evidence again. Under another model's name, or once it was withdrawn, it needs an explanation that only
 * a person can judge.
 */
export const duplicateEvidence: Rule = {
  id: "duplicate-evidence",
  title: "Evidence is new.",
  check: ({ submissions, committed, withdrawals = [] }: ResultPrFacts): Finding[] =>
    submissions.flatMap((submission) =>
      duplicatesOf(submission, committed).map((original): Finding => {
        const withdrawal = withdrawals.find(({ withdraws }) => withdraws === original.digest);
        if (withdrawal !== undefined)
          return {
            code: "pr-withdrawn-evidence",
            severity: "warning",
            message: `The same recipes were withdrawn before, as ${original.path}.`,
            path: submission.path,
            pointer: "/members",
            expected: "recipes that were not withdrawn",
            actual: withdrawal.reason,
            hint: "Explain in the pull request why they count now; a maintainer decides.",
          };
        const same = original.model === submission.document?.model.id;
        return {
          code: same ? "pr-same-evidence" : "pr-duplicate-evidence",
          severity: same ? "notice" : "warning",
          message: same
            ? `The same recipes of this model are already committed as ${original.path}.`
            : `The same recipes are already committed for another model as ${original.path}.`,
          path: submission.path,
          pointer: same ? "/members" : "/model/id",
          expected: same ? "recipes of a new run" : original.model,
          actual: submission.document?.model.id ?? "",
          hint: same
            ? "Nothing to mend: a deterministic contestant gives the same recipes each time."
            : "Explain in the pull request how two models came to the very same recipes; a maintainer decides.",
        };
      }),
    ),
};
