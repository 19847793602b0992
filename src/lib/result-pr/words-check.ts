import type { Finding } from "../findings.ts";
import type { Report } from "./report-schema.ts";
import { codeBlocks } from "./words-code.ts";
import { type Block, fitBlocks } from "./words-fit.ts";
import { rankWords, resultLine, scoreTable } from "./words-score.ts";
import { code, plain, plural, short, tableHead } from "./words-text.ts";
import { bySeverity, findingBlocks, headline, touchesResults } from "./words-verdict.ts";

/** The check run `assay/result`: conclusion, title, summary and annotations. Pure. */

/** GitHub takes at most this many annotations in one request; further ones stand in the summary (F32). */
export const MAX_ANNOTATIONS = 50;

export type CheckConclusion = "success" | "failure" | "neutral" | "action_required" | "cancelled";

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
}

export interface CheckWords {
  readonly conclusion: CheckConclusion;
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

const LEVELS: Readonly<Record<Finding["severity"], Annotation["annotation_level"]>> = {
  error: "failure",
  warning: "warning",
  notice: "notice",
};

/** A finding with a file as an annotation; null when it has none. Without a line it stands at line 1. */
export function annotationOf(finding: Finding): Annotation | null {
  if (finding.path === undefined) return null;
  const line = finding.line ?? 1;
  const message = [
    plain(finding.message, 1000),
    ...(finding.pointer ? [`at ${plain(finding.pointer, 300)}`] : []),
    ...(finding.expected === undefined ? [] : [`expected: ${plain(finding.expected, 500)}`]),
    ...(finding.actual === undefined ? [] : [`found: ${plain(finding.actual, 500)}`]),
    ...(finding.hint === undefined ? [] : [`fix: ${plain(finding.hint, 1000)}`]),
  ].join("\n");
  return {
    path: finding.path,
    start_line: line,
    end_line: line,
    ...(finding.line === undefined || finding.column === undefined
      ? {}
      : { start_column: finding.column, end_column: finding.column }),
    annotation_level: LEVELS[finding.severity],
    title: plain(finding.code, 100),
    message,
  };
}

/** The check run that gates a merge. `accepted`: see `headline`. `repositoryUrl`: as in a comment's context. */
export function renderCheck(
  report: Report,
  accepted = false,
  repositoryUrl: string | null = null,
): CheckWords {
  if (!touchesResults(report) && report.verdict === "valid") return renderNothingToCheck();
  const { mark, title, move } = headline(report, accepted);
  const conclusion: Record<Report["verdict"], CheckConclusion> = {
    valid: "success",
    invalid: "failure",
    incomplete: "action_required",
    "needs-review": accepted ? "success" : "action_required",
    error: "failure",
  };
  const annotations = bySeverity(report.findings)
    .map(annotationOf)
    .filter((annotation) => annotation !== null);
  const shown = annotations.slice(0, MAX_ANNOTATIONS);
  const counted =
    report.findings_total === 0
      ? "No findings."
      : `${plural(report.findings_total, "finding")} in all; ${plural(shown.length, "annotation")} shown at ${shown.length === 1 ? "its" : "their"} file, the most severe first.`;
  const blocks: Block[] = [
    { kind: "text", text: `## ${mark} ${title}` },
    { kind: "text", text: move },
    { kind: "text", text: counted },
  ];
  for (const result of report.results.slice(0, 4)) {
    blocks.push({
      kind: "text",
      priority: 0,
      text: `Model ${code(result.model)} on suite ${code(result.suite.id)}: rank ${rankWords(result)}\n\n${scoreTable(result)}`,
    });
  }
  if (report.results.length > 4) {
    blocks.push({
      kind: "rows",
      open: tableHead(["Model", "Suite", "Claimed", "Recomputed", "Rank"], "llrrl"),
      rows: report.results.slice(4).map(resultLine),
      close: "",
      priority: 2,
      more: (hidden) => `| … ${hidden} more results | | | | |`,
    });
  }
  const facts = report.code === undefined ? null : codeBlocks(report.code, report);
  if (facts !== null) blocks.push(...facts.summary);
  blocks.push(...findingBlocks(report, { repositoryUrl, docs: report.base_sha }));
  if (facts !== null) blocks.push(...facts.details);
  if (report.commit_sha !== null) {
    blocks.push({ kind: "text", text: `Judged commit ${short(report.commit_sha, 40)}.` });
  }
  return {
    conclusion: conclusion[report.verdict],
    title: plain(title, 200),
    summary: fitBlocks(blocks),
    annotations: shown,
  };
}

/** For a pull request without results: the check must still conclude, or a required check would wait for ever (F15). */
export const renderNothingToCheck = (): CheckWords => ({
  conclusion: "neutral",
  title: "No results touched",
  summary: "This pull request touches no results: there is nothing to recompute.",
  annotations: [],
});

/** When our own run gave no usable report. `run`: number of the workflow run. */
export const renderFailedCheck = (what: string, run: number): CheckWords => ({
  conclusion: "failure",
  title: "Assay failed: this is not a verdict about the result",
  summary: `${plain(what)} Workflow run ${run}. The comment \`/assay validate\` tries again.`,
  annotations: [],
});
