import type { Finding } from "../../findings.ts";
import { OWN_CONTESTANTS } from "../contestants.ts";
import { callsOf, recipeDigests } from "../evidence.ts";
import type { BoardResult, CommittedResult, ResultPrFacts, Submission } from "../facts.ts";
import { MAX_DUPLICATES } from "../relevant.ts";
import type { Rule } from "./rule.ts";

/** Committed results with the same recipes for the same suite; the first of them by path. */
export const duplicatesOf = <Entry extends BoardResult>(
  submission: Submission,
  committed: readonly Entry[],
): Entry[] =>
  submission.evidence === null
    ? []
    : committed.filter(({ evidence }) => evidence === submission.evidence).slice(0, MAX_DUPLICATES);

/** Plain tables leave little choice: two models write a few recipes alike. */
const ALIKE_BY_CHANCE = 3;
/** Results of other models that a submission is said to resemble. */
const MAX_SIMILAR = 3;

/**
 * F24: the same evidence again. Under another model's name, with calls that another result is made of, or once it was
 * withdrawn, it needs an explanation that only a person can judge: two names can stand for one model, and whoever copied
 * can have been merged first. So nothing here is an error, and nothing here is merged without a maintainer.
 */
export const duplicateEvidence: Rule = {
  id: "duplicate-evidence",
  title: "Evidence is new.",
  check: (facts: ResultPrFacts): Finding[] =>
    facts.submissions.flatMap((submission) => {
      const same = duplicatesOf(submission, facts.committed);
      return [
        ...same.map((original) => sameEvidence(submission, original, facts)),
        ...similar(submission, facts.committed, same),
        ...reusedCalls(submission, facts.committed),
      ];
    }),
};

function sameEvidence(
  submission: Submission,
  original: CommittedResult,
  { withdrawals = [] }: ResultPrFacts,
): Finding {
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
}

/** Most recipes are those of another model's result: a copy with a few changes has another digest as a whole. */
function similar(
  { path, document }: Submission,
  committed: readonly CommittedResult[],
  same: readonly CommittedResult[],
): Finding[] {
  if (document === null) return [];
  const own = Object.entries(recipeDigests(document));
  const alike = committed
    .filter(
      (other) =>
        other.suite.digest === document.suite.digest &&
        other.model !== document.model.id &&
        !same.includes(other),
    )
    .map((other) => ({
      other,
      count: own.filter(([member, digest]) => other.recipes[member] === digest).length,
    }))
    .filter(({ count }) => count > ALIKE_BY_CHANCE && count * 5 > own.length * 4)
    .sort((a, b) => b.count - a.count);
  return alike.slice(0, MAX_SIMILAR).map(({ other, count }) => ({
    code: "pr-similar-evidence",
    severity: "warning",
    message: `${count} of ${own.length} recipes are those of another model's result, ${other.path}.`,
    path,
    pointer: "/members",
    expected: "recipes of this model",
    actual: other.model,
    hint: "Explain in the pull request how two models came to the same recipes; a maintainer decides.",
  }));
}

/** A call to a provider belongs to one run. A correction is made of the calls of the document that it names. */
function reusedCalls({ path, document }: Submission, committed: readonly CommittedResult[]): Finding[] {
  if (document === null || OWN_CONTESTANTS.includes(document.model.id)) return [];
  const calls = new Set(callsOf(document));
  const found = committed
    .filter(({ digest }) => digest !== document.supersedes?.digest)
    .map((other) => ({ other, count: other.calls.filter((call) => calls.has(call)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return found.slice(0, MAX_SIMILAR).map(({ other, count }) => ({
    code: "pr-calls-reused",
    severity: "warning",
    message: `${count} calls of this run are calls of a committed result, ${other.path}.`,
    path,
    pointer: "/members",
    expected: "calls of this run only",
    actual: `${count} of ${calls.size}`,
    hint: "A document that corrects another one names it in `supersedes`; otherwise send the document of a new run.",
  }));
}
