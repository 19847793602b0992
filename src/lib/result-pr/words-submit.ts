import type { Report, ReportResult } from "./report-schema.ts";
import { clean, code } from "./words-text.ts";

/** Words of a pull request that brings a result, for its submitter to send. Pure. */

/** One line for the pull request and its commit. */
export const submissionTitle = ({ model, suite }: Pick<ReportResult, "model" | "suite">): string =>
  clean(`Add a result of ${model} on ${suite.id}`, 120);

/** What the pull request says before anybody else has: what it brings, and what only its submitter knows. */
export function submissionBody(report: Report): string {
  const lines = report.results.flatMap((result) => [
    `One result of ${code(result.model)} on ${code(result.suite.id)}, finished ${code(result.finished_at)}.`,
    "",
    `- Document: ${code(result.document)}`,
    `- Composite, as the document claims and as recomputed here: ${score(result.claimed.composite)}, ${score(result.recomputed?.composite)}`,
    ...(result.supersedes === null ? [] : [`- Replaces: ${code(result.supersedes)}`]),
    "",
    "Model, provenance, cost and times are declared by me; scores are recomputed from the recipes in the document.",
  ]);
  return `${lines.join("\n")}\n`;
}

const score = (value: number | undefined): string =>
  value === undefined ? "not recomputed" : value.toFixed(6);

/** A name for the branch, from the document's place: `result/<suite>/<model folder>-<digest8>`. */
export function submissionBranch(path: string): string {
  const [, , suite = "", folder = "", file = ""] = path.split("/");
  const digest = /-([0-9a-f]{8})\.json$/.exec(file)?.[1] ?? "document";
  return `result/${suite}/${folder}-${digest}`;
}

/** The repository's address on the web; null for a remote that has none. */
export function webAddress(remote: string): string | null {
  const found =
    /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)([A-Za-z0-9.-]+)[:/]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      remote,
    );
  if (found === null) return null;
  const [, host, owner, name] = found;
  return `https://${host}/${owner}/${name}`;
}

/** The page on which GitHub opens a pull request from a branch; null for a remote that is not a web address. */
export function comparePage(remote: string, base: string, branch: string): string | null {
  const address = webAddress(remote);
  return address === null ? null : `${address}/compare/${base}...${branch}?expand=1`;
}
