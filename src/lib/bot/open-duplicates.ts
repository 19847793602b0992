import { OWN_CONTESTANTS } from "../result-pr/contestants.ts";
import type { Report } from "../result-pr/report-schema.ts";

/** The same evidence in other open pull requests (field lesson F24). Pure. */

/** Hex digits of an evidence digest that are kept: enough to tell, short enough for a check run's external id. */
const DIGITS = 12;
const MAX_DIGESTS = 10;

/** What is remembered of an open pull request's newest verdict. */
export interface OpenEvidence {
  readonly pull: number;
  readonly head: string;
  /** Since when it has this evidence (ISO 8601); until that was looked up, when a verdict was first shown on that head. */
  readonly since: string;
  /** It was looked up. */
  readonly dated?: boolean;
  /** Shortened. */
  readonly digests: readonly string[];
  /** Null where only the check run is known. */
  readonly model: string | null;
}

/** Shortened digests of a report's evidence. */
export const shortEvidence = (report: Report): string[] =>
  [
    ...new Set(
      [...report.results.map(({ evidence }) => evidence), ...(report.code?.evidence ?? [])].flatMap(
        (evidence) => (evidence === null ? [] : [evidence.slice("sha256:".length).slice(0, DIGITS)]),
      ),
    ),
  ].slice(0, MAX_DIGESTS);

/** Whose evidence it is: the model of a result, or the first new configuration of a run; null when there is neither. */
export const contestantOf = ({ results, code }: Report): string | null =>
  results[0]?.model ??
  code?.movement?.entries.rows.find(({ state }) => state === "new")?.configuration ??
  null;

/** Other pull requests with some of the same evidence, and whether theirs was there first. `since` null: not shown yet. */
export function sameEvidence(
  own: Pick<OpenEvidence, "pull" | "digests"> & { readonly since: string | null },
  open: Iterable<OpenEvidence>,
): { other: OpenEvidence; earlier: boolean }[] {
  return [...open]
    .filter(
      ({ pull, digests }) => pull !== own.pull && digests.some((digest) => own.digests.includes(digest)),
    )
    .map((other) => ({
      other,
      earlier:
        own.since === null || other.since < own.since || (other.since === own.since && other.pull < own.pull),
    }))
    .sort((a, b) => a.other.pull - b.other.pull);
}

/**
 * A report whose evidence other open pull requests had first: a person decides what is the original. A contestant of
 * this project answers the same each time, so its results say nothing by being alike.
 */
export function withEarlier(report: Report, pulls: readonly number[]): Report {
  const own =
    report.results.length > 0 && report.results.every(({ model }) => OWN_CONTESTANTS.includes(model));
  const [first] = pulls;
  if (first === undefined || own) return report;
  return {
    ...report,
    verdict: report.verdict === "valid" ? "needs-review" : report.verdict,
    findings_total: report.findings_total + 1,
    findings: [
      ...report.findings,
      {
        code: "pr-open-duplicate",
        severity: "warning",
        message: `Evidence of this pull request was in pull request ${pulls.join(", ")} before.`,
        path: report.results[0]?.path ?? report.code?.documents[0]?.path ?? "",
        hint: "A maintainer looks at both and decides which is the original; /assay accept for this head accepts this one.",
      },
    ],
  };
}
