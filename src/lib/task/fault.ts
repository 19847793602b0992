import { type Finding, hasErrors } from "../findings.ts";

/** Whose fault it is that there is not more: nobody's, the deliverable's, or that of the office, its host or its task. */
export type Fault = null | "candidate" | "ours";

const CANDIDATES = /^(?:task-deliverable-(?:missing|file|size)|task-not-built|perf-candidate-[a-z-]+)$/;

/** What findings of a grading come to. */
export function faultOf(findings: readonly Finding[]): Fault {
  if (!hasErrors(findings)) return null;
  return findings.every(({ code, severity }) => severity !== "error" || CANDIDATES.test(code))
    ? "candidate"
    : "ours";
}

/** Exit codes of `bin/check`, `bin/hidden` and `bin/perf`. */
export const faultExit = (findings: readonly Finding[]): 0 | 2 | 3 => {
  const fault = faultOf(findings);
  return fault === null ? 0 : fault === "candidate" ? 2 : 3;
};
