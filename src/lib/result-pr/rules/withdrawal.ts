import type { Withdrawal } from "../../feed/withdrawal.ts";
import type { Finding } from "../../findings.ts";
import type { ResultPrFacts } from "../facts.ts";
import type { Rule } from "./rule.ts";

/** F22: a result is taken off the board by a document that says why, once, and a maintainer agrees. */
export const withdrawal: Rule = {
  id: "withdrawal",
  title: "A withdrawal names a committed result of its own model and suite.",
  check: (facts) =>
    facts.submissions.flatMap((submission) =>
      submission.withdrawal == null ? [] : withdrawalFindings(submission.withdrawal, facts),
    ),
};

function withdrawalFindings(
  sent: Withdrawal,
  { committed, withdrawals = [], arrivedAt }: ResultPrFacts,
): Finding[] {
  const { path } = sent;
  const findings: Finding[] = [];
  if (arrivedAt !== null && sent.withdrawn_at > arrivedAt)
    findings.push({
      code: "pr-withdrawn-later",
      severity: "error",
      message: "This withdrawal is dated after its pull request arrived.",
      path,
      pointer: "/withdrawn_at",
      expected: `at most ${arrivedAt}`,
      actual: sent.withdrawn_at,
      hint: "Check the clock of the machine that wrote it, and write it anew.",
    });
  const at = { path, pointer: "/withdraws/digest", actual: sent.withdraws };
  const original = committed.find(({ digest }) => digest === sent.withdraws);
  const earlier = withdrawals.find(({ withdraws }) => withdraws === sent.withdraws);
  if (original === undefined)
    return [
      ...findings,
      {
        ...at,
        code: "pr-withdraws-unknown",
        severity: "error",
        message: "No committed result of this suite has the digest that is withdrawn.",
        expected: "the digest of a committed result of the same model and suite",
        hint: "The digest of a result is the SHA-256 of its committed bytes, written sha256:<hex>.",
      },
    ];
  if (
    original.model !== sent.model ||
    original.suite.id !== sent.suite.id ||
    original.suite.digest !== sent.suite.digest
  )
    return [
      ...findings,
      {
        ...at,
        code: "pr-withdraws-other",
        severity: "error",
        message: `The result that is withdrawn belongs to ${original.model} in ${original.suite.id}.`,
        expected: `a result of ${sent.model} in ${sent.suite.id}`,
        hint: "A withdrawal names the model and the suite, with its digest, of the result that it withdraws.",
      },
    ];
  if (earlier !== undefined)
    return [
      ...findings,
      {
        ...at,
        code: "pr-withdraws-again",
        severity: "error",
        message: `That result is already withdrawn by ${earlier.path}.`,
        hint: "Close this pull request: nothing is left to do.",
      },
    ];
  return [
    ...findings,
    {
      ...at,
      code: "pr-withdraws",
      severity: "warning",
      message: `This takes ${original.path} off the board; a maintainer must agree.`,
      expected: "a result that stands",
      actual: sent.reason,
      hint: "A maintainer approves with /assay accept for this head. A withdrawal is final.",
    },
  ];
}
