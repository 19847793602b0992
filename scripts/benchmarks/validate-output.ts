import { printable } from "../../src/io/terminal.ts";
import type { CommittedCheck } from "../../src/jobs/validate.ts";
import { METRIC_LIST } from "../../src/lib/benchmarks/metrics.ts";
import type { Components } from "../../src/lib/benchmarks/result-schema.ts";
import type { Report, ReportResult } from "../../src/lib/result-pr/report-schema.ts";

/** What `bench:validate` prints besides findings. */

interface Scores {
  readonly components: Components;
  readonly composite: number;
}

const score = (value: number | undefined): string => (value === undefined ? "unknown" : value.toFixed(6));

/** Claimed and recomputed numbers side by side; a star marks what differs. */
export function scoreTable(claimed: Scores, recomputed: Scores | null): string[] {
  const row = (title: string, claim: number, right: number | undefined): string =>
    `  ${title.padEnd(26)}${score(claim).padStart(10)}${score(right).padStart(12)}${right === undefined || right === claim ? "" : "  *"}`;
  return [
    `  ${"".padEnd(26)}${"claimed".padStart(10)}${"recomputed".padStart(12)}`,
    ...METRIC_LIST.map(({ id, title }) => row(title, claimed.components[id], recomputed?.components[id])),
    row("Composite", claimed.composite, recomputed?.composite),
  ];
}

/** One judged result: scores, members that did not come out as claimed, and where it would stand. */
export function describeResult(result: ReportResult): string[] {
  const count = (status: string): number =>
    result.members.filter(({ recomputed_status }) => recomputed_status === status).length;
  const statuses = ["passed", "partial", "failed", "skipped", "unverified"].filter(
    (status) => count(status) > 0,
  );
  const changed = result.members.filter(
    ({ claimed_status, recomputed_status }) =>
      recomputed_status !== "unverified" && claimed_status !== recomputed_status,
  );
  const { rank } = result;
  return [
    `${printable(result.model)} on ${printable(result.suite.id)}`,
    ...scoreTable(result.claimed, result.recomputed),
    `  ${result.members.length} members: ${statuses.map((status) => `${count(status)} ${status}`).join(", ")}`,
    ...changed.map(
      (member) => `  ${member.id}: claimed ${member.claimed_status}, recomputed ${member.recomputed_status}`,
    ),
    rank.after === null
      ? `  Rank: none${rank.reason === null ? "" : ` (${printable(rank.reason)})`}`
      : `  Rank: ${rank.after} of ${rank.of}${rank.before === null ? "" : ` (now ${rank.before})`}`,
  ];
}

const MEANING: Readonly<Record<Report["verdict"], string>> = {
  valid: "every number holds",
  invalid: "it cannot be merged",
  incomplete: "some members could not be recomputed here",
  "needs-review": "nothing is wrong, but a maintainer has to look",
  error: "the grader or the suite failed, not this result",
};

export const verdictLine = (report: Report): string =>
  `Verdict: ${report.verdict} (${MEANING[report.verdict]})`;

/** One line for each committed result, and a summary. */
export function describeCommitted(checks: readonly CommittedCheck[]): string[] {
  const count = (state: CommittedCheck["state"]): number =>
    checks.filter((check) => check.state === state).length;
  return [
    ...checks.flatMap(({ path, state, document, recomputed }) => [
      `${state.padEnd(10)} ${path}`,
      ...(document === null || state === "valid" ? [] : scoreTable(document, recomputed)),
    ]),
    `${checks.length} committed results: ${count("valid")} valid, ${count("incomplete")} incomplete, ${count("invalid")} invalid.`,
    ...(count("incomplete") > 0
      ? ["Incomplete ones need bank workbooks that are not staged here (npm run bench:bank -- status)."]
      : []),
  ];
}
