import { canonicalJson } from "../canonical-json.ts";
import type { Finding } from "../findings.ts";
import type { Verdict } from "./report-schema.ts";

/** Findings that say that the grader or the frozen suite failed, not the submitter. */
const OURS = /^(?:grader|suite|vocabulary|registry|bank)-/;

/** True when a finding is nobody's mistake but this office's. */
export const isOurs = (finding: Finding): boolean => OURS.test(finding.code);

const ORDER: Readonly<Record<Finding["severity"], number>> = { error: 0, warning: 1, notice: 2 };

const compareText = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

/** Characters of one text of a finding: whoever chose a longer one cannot make the report unreadable with it. */
const MAX_TEXT = 1000;
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** A text that every reader takes the same way: bounded, without half surrogate pairs. */
const plainText = (text: string): string =>
  (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text).replace(HALF_PAIR, "\uFFFD");

const plainFinding = (finding: Finding): Finding =>
  Object.fromEntries(
    Object.entries(finding).map(([key, value]) => [
      key,
      typeof value === "string" ? plainText(value) : value,
    ]),
  ) as Finding;

/** Most severe first, then by file and place; the same findings always in the same order, each once, every text bounded. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const once = new Map(findings.map(plainFinding).map((finding) => [canonicalJson(finding), finding]));
  return [...once]
    .sort(
      ([textA, a], [textB, b]) =>
        ORDER[a.severity] - ORDER[b.severity] ||
        compareText(a.path, b.path) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0) ||
        compareText(textA, textB),
    )
    .map(([, finding]) => finding);
}

/**
 * The verdict that findings give. The submitter's errors decide first: they hold whatever else failed. Then our own
 * failures, then what could not be recomputed here, then what a person must look at.
 */
export function decideVerdict(findings: readonly Finding[], unverified: boolean): Verdict {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.some((finding) => !isOurs(finding))) return "invalid";
  if (errors.length > 0) return "error";
  if (unverified) return "incomplete";
  return findings.some(({ severity }) => severity === "warning") ? "needs-review" : "valid";
}
