import type { Finding } from "../findings.ts";
import { isPrivateMember } from "./privacy.ts";
import { ResultFindings } from "./result-findings.ts";
import type { ResultDocument, ResultMember } from "./result-schema.ts";
import type { Suite, SuiteMember } from "./suite-schema.ts";

/**
 * Rules that need the suite but no workbook: the document is about exactly this suite and lists each of its members
 * once, in its order; and what the manifest says about a reference already decides some claims. The findings have
 * pointers; `placeFindings` adds positions. `path` is what they name as their file.
 */
export function resultAgainstSuite(document: ResultDocument, suite: Suite, path: string): Finding[] {
  const report = new ResultFindings(path);
  report.differs(
    "result-suite-id",
    "/suite/id",
    "The document is about another suite.",
    suite.id,
    document.suite.id,
  );
  report.differs(
    "result-suite-digest",
    "/suite/digest",
    "The run used another version of the suite than the frozen one.",
    suite.digest,
    document.suite.digest,
    "Results count only for the suite's exact digest; run again from a commit that contains it.",
  );
  checkMembership(document, suite, report);
  const byId = new Map(suite.members.map((member) => [member.id, member]));
  for (const [index, claimed] of document.members.entries()) {
    const member = byId.get(claimed.id);
    if (member !== undefined) checkMember(claimed, member, `/members/${index}`, report);
  }
  return report.findings;
}

function checkMembership(document: ResultDocument, suite: Suite, report: ResultFindings): void {
  const known = new Set(suite.members.map(({ id }) => id));
  const listed = new Set(document.members.map(({ id }) => id));
  for (const [index, { id }] of document.members.entries())
    if (!known.has(id))
      report.error("result-unknown-member", `/members/${index}/id`, `The suite has no member ${id}.`);
  for (const { id } of suite.members)
    if (!listed.has(id))
      report.error("result-missing-member", "/members", `The suite's member ${id} is missing.`, {
        hint: "Failed and skipped members stay in the document, and count zero.",
      });
  const expected = suite.members.map(({ id }) => id).filter((id) => listed.has(id));
  const actual = document.members.map(({ id }) => id).filter((id) => known.has(id));
  const first = actual.findIndex((id, index) => id !== expected[index]);
  if (first >= 0 && listed.size === document.members.length)
    report.error("result-member-order", "/members", "Members stand in the suite's order.", {
      expected: expected[first] ?? "",
      actual: actual[first] ?? "",
    });
}

function checkMember(claimed: ResultMember, member: SuiteMember, at: string, report: ResultFindings): void {
  // Whoever may see an open bank, a document outlives that decision: every grader asks the same of it.
  if (isPrivateMember(member))
    for (const [index, row] of claimed.mismatches.entries())
      if (row.row !== null || row.column !== null || row.expected !== null || row.actual !== null)
        report.error(
          "result-private-mismatch",
          `${at}/mismatches/${index}`,
          "Mismatch rows of a bank member hold addresses only.",
        );
  const { output, metrics, status } = claimed;
  if (output === null) return;
  const same = output.sha256 === member.reference.sha256;
  if (same !== (status === "passed"))
    report.error(
      "result-output-status",
      `${at}/status`,
      "A member is passed exactly when its output has the reference's digest.",
      { expected: same ? "passed" : "partial", actual: status },
    );
  // What the counts can be at all, from the sizes of both tables alone.
  const cells = metrics.cell_match_rate;
  const [wanted, got] = [member.reference.rows * member.reference.columns, output.rows * output.columns];
  const { true_positives: hits, false_positives: extra, false_negatives: missed } = metrics.value_address_f1;
  const impossible =
    cells.union < Math.max(wanted, got) ||
    cells.union > wanted + got ||
    cells.matched > Math.min(wanted, got) ||
    metrics.header_accuracy.total !== member.reference.rows ||
    hits + missed > member.reference.rows ||
    hits + extra > output.rows;
  if (impossible)
    report.error(
      "result-impossible-count",
      `${at}/metrics`,
      "Tables of these sizes cannot give these counts.",
    );
}
