import type { Finding } from "../findings.ts";

/** More of one severity help nobody, and saying of each what may have been meant costs time. */
const MOST = 50;

/**
 * The first 50 errors and the first 50 others, and a `recipe-more` finding where there were further ones. Asks for no
 * more once there are errors enough.
 */
export function capped(findings: Iterable<Finding>): Finding[] {
  const kept: Finding[] = [];
  const more = new Set<Finding["severity"]>();
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const finding of findings) {
    counts[finding.severity] += 1;
    if (counts[finding.severity] <= MOST) kept.push(finding);
    else more.add(finding.severity);
    if (more.has("error")) break;
  }
  for (const severity of more) {
    kept.push({
      code: "recipe-more",
      severity,
      message: `There are more problems; the first ${MOST} are shown.`,
      pointer: "",
    });
  }
  return kept;
}
