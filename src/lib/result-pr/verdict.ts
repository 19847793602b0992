import type { Finding } from "../findings.ts";
import type { Verdict } from "./report-schema.ts";

/** Findings that say that the grader or the frozen suite failed, not the submitter. */
const OURS = /^(?:grader|suite|vocabulary|registry)-/;

/** True when a finding is nobody's mistake but this office's. */
export const isOurs = (finding: Finding): boolean => OURS.test(finding.code);

const ORDER: Readonly<Record<Finding["severity"], number>> = { error: 0, warning: 1, notice: 2 };

const compareText = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

/** Most severe first, then by file and place; the same findings always in the same order, each once. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings
    .filter((finding) => {
      const key = JSON.stringify([
        finding.code,
        finding.path,
        finding.pointer,
        finding.line,
        finding.message,
      ]);
      return !seen.has(key) && seen.add(key);
    })
    .sort(
      (a, b) =>
        ORDER[a.severity] - ORDER[b.severity] ||
        compareText(a.path, b.path) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0) ||
        compareText(a.code, b.code) ||
        compareText(a.pointer, b.pointer) ||
        compareText(a.message, b.message),
    );
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
