import { METRIC_LIST } from "./metrics.ts";
import type { ResultFindings } from "./result-findings.ts";
import type { MemberMetrics, ResultDocument, ResultMember } from "./result-schema.ts";

/** Rules for each member by itself: status, attempts and metrics agree. */
export function checkMembers(document: ResultDocument, report: ResultFindings): void {
  const ids = new Set<string>();
  for (const [index, member] of document.members.entries()) {
    const at = `/members/${index}`;
    if (ids.has(member.id))
      report.error("result-duplicate-member", `${at}/id`, `The member ${member.id} is listed twice.`);
    ids.add(member.id);
    checkStatus(member, at, report);
    checkAttempts(member, at, document.caps.attempts_per_member, report);
    checkMetrics(member, at, report);
  }
}

const executed = (member: ResultMember): boolean => member.status === "passed" || member.status === "partial";

/** What a status demands of the rest of its member. */
function checkStatus(member: ResultMember, at: string, report: ResultFindings): void {
  const rule = (holds: boolean, pointer: string, message: string): void => {
    if (!holds) report.error("result-status", `${at}${pointer}`, `${member.status} member: ${message}`);
  };
  if (executed(member)) {
    rule(member.recipe !== null, "/recipe", "its final recipe is missing.");
    rule(member.output !== null, "/output", "digest, rows and columns of its output are missing.");
    rule(member.reason === null, "/reason", "an executed member has no reason for not being so.");
    rule(member.attempts.at(-1)?.outcome === "accepted", "/attempts", "its last attempt must be accepted.");
    if (member.status === "passed")
      rule(member.mismatches.length === 0, "/mismatches", "an exact result has no mismatch rows.");
    return;
  }
  rule(member.recipe === null, "/recipe", "a recipe that did not execute is no final recipe.");
  rule(member.output === null, "/output", "nothing was produced.");
  rule(member.reason !== null, "/reason", "say why, and whose fault it was.");
  rule(member.mismatches.length === 0, "/mismatches", "nothing was compared.");
  rule(
    member.attempts.every(({ outcome }) => outcome !== "accepted"),
    "/attempts",
    "an accepted attempt makes it passed or partial.",
  );
  const fault = member.reason?.fault;
  if (member.status === "skipped") {
    rule(member.attempts.length === 0, "/attempts", "skipped means not attempted.");
    rule(fault !== "model", "/reason/fault", "a model that was not asked is not at fault.");
  } else {
    rule(
      member.attempts.length > 0,
      "/attempts",
      "failed means attempted; without an attempt it is skipped.",
    );
    // Whose fault it was decides whether a person has to look: the last attempt tells.
    rule(
      (fault === "transport") === (member.attempts.at(-1)?.outcome === "transport_error"),
      "/reason/fault",
      "the fault is the transport's when the last attempt is a transport failure, and only then.",
    );
  }
}

/** One initial attempt, then revisions; nothing follows an accepted attempt or a transport failure. */
function checkAttempts(member: ResultMember, at: string, cap: number, report: ResultFindings): void {
  if (member.attempts.length > cap)
    report.error("result-attempt-cap", `${at}/attempts`, `More attempts than the run's cap per member.`, {
      expected: `at most ${cap}`,
      actual: String(member.attempts.length),
    });
  for (const [index, attempt] of member.attempts.entries()) {
    const place = `${at}/attempts/${index}`;
    report.differs(
      "result-attempt-order",
      `${place}/kind`,
      "The first attempt is the initial one, every later one a revision.",
      index === 0 ? "initial" : "revision",
      attempt.kind,
    );
    const last = index === member.attempts.length - 1;
    if (!last && (attempt.outcome === "accepted" || attempt.outcome === "transport_error"))
      report.error(
        "result-attempt-order",
        `${place}/outcome`,
        attempt.outcome === "accepted"
          ? "An accepted attempt is the last one: choosing among several accepted ones is not allowed."
          : "A transport failure ends a member; it is recorded, not retried.",
      );
    if (attempt.outcome === "accepted" && attempt.response_sha256 === null)
      report.error("result-attempt-response", `${place}/response_sha256`, "An accepted answer has a digest.");
  }
}

/** Fractions follow from their counts, and metrics from the status. */
function checkMetrics(member: ResultMember, at: string, report: ResultFindings): void {
  const { metrics } = member;
  for (const metric of METRIC_LIST) {
    const pointer = `${at}/metrics/${metric.id}`;
    const value = metrics[metric.id];
    if (executed(member)) {
      if (!metric.consistent(value))
        report.error(
          "result-fraction",
          pointer,
          `${metric.title}: the fraction is not what its counts give.`,
          {
            actual: JSON.stringify(value),
            hint: metric.definition,
          },
        );
    } else if (!sameCounts(value, metric.zero))
      report.error("result-zero", pointer, `A ${member.status} member has zero for every component.`, {
        expected: JSON.stringify(metric.zero),
        actual: JSON.stringify(value),
      });
  }
  if (!executed(member)) return;
  report.differs(
    "result-status-metric",
    `${at}/metrics/deterministic_pass_rate`,
    "A member that executed passes deterministically.",
    1,
    metrics.deterministic_pass_rate.numerator,
  );
  report.differs(
    "result-status-metric",
    `${at}/metrics/exact_output_match`,
    "Exact output match is 1 for passed members only.",
    member.status === "passed" ? 1 : 0,
    metrics.exact_output_match.numerator,
  );
  const cells = metrics.cell_match_rate;
  if (member.status === "passed" && cells.numerator !== cells.denominator)
    report.error(
      "result-status-metric",
      `${at}/metrics/cell_match_rate`,
      "Identical tables match in every cell.",
      {
        expected: "1",
        actual: `${cells.numerator}/${cells.denominator}`,
      },
    );
}

const sameCounts = (
  a: MemberMetrics[keyof MemberMetrics],
  b: MemberMetrics[keyof MemberMetrics],
): boolean => {
  const [left, right] = [Object.entries(a).sort(), Object.entries(b).sort()];
  return JSON.stringify(left) === JSON.stringify(right);
};
