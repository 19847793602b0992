import type { Finding } from "../findings.ts";
import type { Report, Verdict } from "./report-schema.ts";
import { codeTitle } from "./words-code.ts";
import { type Block, folded, moreItem } from "./words-fit.ts";
import { findingLink, NOWHERE, type Web } from "./words-links.ts";
import { claimsDiffer, score } from "./words-score.ts";
import { code, plural, prose } from "./words-text.ts";

/** The verdict in one glance: what is wrong, and whose move it is. Pure. */

export interface Headline {
  /** A sign that reads without colour. */
  readonly mark: string;
  /** Plain text without strings from the pull request: also the check run's title. */
  readonly title: string;
  /** Who has to act, and how; Markdown. */
  readonly move: string;
}

/** False for a report about a pull request that has nothing to do with results, of either benchmark. */
export const touchesResults = (report: Report): boolean =>
  report.results.length > 0 || report.findings_total > 0 || report.code !== undefined;

const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "notice"];

/** Findings, most severe first, in their order otherwise. */
export const bySeverity = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

const countOf = (report: Report, severity: Finding["severity"]): number =>
  report.findings.filter((finding) => finding.severity === severity).length;

function unverified(report: Report): { missing: number; all: number } {
  const members = report.results.flatMap((result) => result.members);
  return {
    missing: members.filter((member) => member.recomputed_status === "unverified").length,
    all: members.length,
  };
}

function validTitle(report: Report): string {
  if (report.code !== undefined) return codeTitle(report.code);
  const [only, ...more] = report.results;
  if (only?.recomputed == null || more.length > 0) return "Valid: every recomputed number holds";
  const { after, of } = only.rank;
  const rank = after === null ? "" : `, rank ${after} of ${of}`;
  return `Valid: composite ${score(only.recomputed.composite)} recomputed${rank}`;
}

function invalidTitle(report: Report): string {
  const off = report.results.filter(claimsDiffer);
  const first = off[0];
  if (first?.recomputed) {
    const { claimed, recomputed } = first;
    return claimed.composite === recomputed.composite
      ? "Invalid: claimed scores are not what the evidence gives"
      : `Invalid: claims ${score(claimed.composite)}, evidence gives ${score(recomputed.composite)}`;
  }
  const errors = countOf(report, "error");
  // Codes are kebab-case words by their schema.
  const code = bySeverity(report.findings)[0]?.code;
  return `Invalid: ${plural(Math.max(errors, 1), "problem")} to fix${code === undefined ? "" : `, first ${code}`}`;
}

/**
 * What the verdict means and whose move it is.
 * `accepted`: a maintainer accepted what needs review, for exactly this head.
 */
export function headline(report: Report, accepted = false): Headline {
  const words: Record<Verdict, () => Headline> = {
    valid: () => ({
      mark: "✅",
      title: validTitle(report),
      move: "The automatic screen found nothing. **Next: a maintainer** decides; the comment `/assay merge` has exactly the merged tree recomputed and then merges it.",
    }),
    invalid: () => ({
      mark: "❌",
      title: invalidTitle(report),
      move: "**Next: the submitter** mends what was found and pushes; the new verdict comes by itself. No command can merge this.",
    }),
    incomplete: () => {
      const { missing, all } = unverified(report);
      return {
        mark: "⏸️",
        title:
          missing === 0
            ? "Incomplete: not everything could be recomputed"
            : `Incomplete: ${missing} of ${plural(all, "member")} could not be recomputed here`,
        move: "**Next: a maintainer** provides what the grader lacks (see the findings) and asks again with the comment `/assay validate`. Nothing to do for the submitter.",
      };
    },
    "needs-review": () =>
      accepted
        ? {
            mark: "✅",
            title: "Accepted: a maintainer reviewed this head",
            move: "**Next: a maintainer** may merge with the comment `/assay merge`. A new push needs a new look.",
          }
        : {
            mark: "🔎",
            title: `Needs review: ${plural(Math.max(countOf(report, "warning"), 1), "point")} to look at`,
            move: "**Next: a maintainer** looks at the findings; the comment `/assay accept` accepts exactly this head.",
          },
    error: () => ({
      mark: "⚠️",
      title: "Assay failed: this is not a verdict about the result",
      move: "**Next: a maintainer** of this repository looks into the run; `/assay validate` tries again. Nothing to do for the submitter.",
    }),
  };
  return words[report.verdict]();
}

/** `file:line:column`, as far as known. */
export function placeOf(finding: Finding): string | null {
  if (finding.path === undefined) return null;
  const line = finding.line === undefined ? "" : `:${finding.line}`;
  const column = finding.line === undefined || finding.column === undefined ? "" : `:${finding.column}`;
  return `${finding.path}${line}${column}`;
}

const MARKS: Readonly<Record<Finding["severity"], string>> = { error: "❌", warning: "⚠️", notice: "ℹ️" };

function findingItem(finding: Finding, commonPath: string | null, web: Web): string {
  const position =
    finding.line === undefined
      ? null
      : `line ${finding.line}${finding.column === undefined ? "" : `:${finding.column}`}`;
  const place = placeOf(finding);
  const where = [
    ...(commonPath !== null
      ? position === null
        ? []
        : [position]
      : place === null
        ? []
        : [code(place, { max: 160 })]),
    ...(finding.pointer === undefined || finding.pointer === "" ? [] : [code(finding.pointer, { max: 120 })]),
  ].join(" ");
  const lines = [
    `- ${MARKS[finding.severity]} ${findingLink(finding.code, web)}${where === "" ? "" : ` at ${where}`}`,
    `  ${prose(finding.message, 400)}`,
  ];
  const sides = [
    ...(finding.expected === undefined ? [] : [`expected ${code(finding.expected, { max: 160 })}`]),
    ...(finding.actual === undefined ? [] : [`found ${code(finding.actual, { max: 160 })}`]),
  ];
  if (sides.length > 0) lines.push(`  ${sides.join(", ")}`);
  if (finding.hint !== undefined) lines.push(`  Fix: ${prose(finding.hint, 300)}`);
  // Two spaces at the end keep the parts on lines of their own wherever this is rendered.
  return lines.join("  \n");
}

/** So many findings are open to see; the others are folded away. */
const OPEN_FINDINGS = 5;

/** Findings as a list, most severe first; each code leads to what it means and how it is mended. */
export function findingBlocks(report: Report, web: Web = NOWHERE): Block[] {
  if (report.findings_total === 0) return [];
  const counts = SEVERITIES.map((severity) => ({ severity, count: countOf(report, severity) }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => plural(count, severity));
  const listed = report.findings.length;
  const all =
    report.findings_total > listed ? ` (the ${listed} most severe of ${report.findings_total})` : "";
  const path = report.findings[0]?.path ?? null;
  const common =
    report.findings.length > 1 && report.findings.every((finding) => finding.path === path) ? path : null;
  const where = common === null ? "" : `, all in ${code(common, { max: 200 })}`;
  const rows = bySeverity(report.findings).map((finding) => findingItem(finding, common, web));
  const hidden = report.findings_total - listed;
  const folds = rows.length > OPEN_FINDINGS + 1;
  const blocks: Block[] = [
    {
      kind: "rows",
      open: `#### Findings: ${counts.join(", ")}${all}${where}\n`,
      rows: folds ? rows.slice(0, OPEN_FINDINGS) : rows,
      close: "",
      priority: 1,
      more: moreItem("finding"),
      alreadyHidden: folds ? 0 : hidden,
    },
  ];
  if (folds) {
    const rest = rows.slice(OPEN_FINDINGS);
    blocks.push(
      folded(`${plural(rest.length, "further finding")}`, "", rest, {
        priority: 6,
        more: moreItem("finding"),
        alreadyHidden: hidden,
      }),
    );
  }
  return blocks;
}
