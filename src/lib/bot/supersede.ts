import type { Report } from "../result-pr/report-schema.ts";

/** Which committed results a head replaces or withdraws, as its report says it. Pure. */

export interface Replaced {
  /** Where the committed result lies. */
  readonly path: string;
  /** Its digest; null for a withdrawal, whose report names the path only. */
  readonly digest: string | null;
  readonly withdrawn: boolean;
}

/** The rules' findings that a maintainer's approval of the replacement settles. */
const CODES = { "pr-supersedes": false, "pr-withdraws": true } as const;
const isCode = (code: string): code is keyof typeof CODES => Object.hasOwn(CODES, code);

/** The path that such a finding names: committed paths have no other characters. */
const PATH = /\bbenchmarks\/results\/[a-z0-9._/-]+\.json\b/;

/** What is replaced, and the codes of all other findings that ask for a review. */
export function replacedBy(report: Report): { replaced: Replaced[]; others: string[] } {
  const replaced = report.findings.flatMap(({ code, message, actual }): Replaced[] => {
    const path = PATH.exec(message)?.[0];
    if (!isCode(code) || path === undefined) return [];
    const withdrawn = CODES[code];
    return [{ path, digest: withdrawn ? null : (actual ?? null), withdrawn }];
  });
  const others = report.findings
    .filter(({ code, severity }) => severity === "warning" && !isCode(code))
    .map(({ code }) => code);
  // Findings beyond those that a report lists were seen by nobody.
  const unseen = report.findings_total > report.findings.length ? ["further findings"] : [];
  return { replaced, others: [...new Set([...others, ...unseen])] };
}

/** Whether a command's target names this result: by path, by digest, or (the path ends with it) by a digest's first digits. */
export const isNamed = ({ path, digest }: Replaced, target: string): boolean =>
  target === path ||
  (digest === null
    ? target.startsWith("sha256:") && path.endsWith(`-${target.slice("sha256:".length).slice(0, 8)}.json`)
    : target === digest);
