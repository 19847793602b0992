import { z } from "zod";
import { announce, scratchFolder } from "../io/action.ts";
import { decideVerdict } from "../lib/result-pr/verdict.ts";
import { writeEvidence } from "./result-pr-evidence.ts";
import { planPullRequest } from "./result-pr-plan.ts";
import { openPullRequest } from "./result-pr-source.ts";

/** Inputs shared by the two actions of a result pull request. */

const sha = z.string().regex(/^[0-9a-f]{40}$/, "expected 40 lower-case hex digits");
const optional = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal("").transform(() => null), schema], {
    error: () => "expected nothing, or what actions/*/action.yml describes",
  });
const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/, "expected ISO 8601 UTC")
  // GitHub cuts to the second; whatever happened within it had happened by its end.
  .transform((text) => (text.length === 20 ? text.replace("Z", ".999Z") : text));

export const commitInputs = {
  "pull-request": optional(
    z
      .string()
      .regex(/^[1-9]\d{0,9}$/, "expected a number")
      .transform(Number),
  ),
  "base-sha": sha,
  "head-sha": optional(sha),
  "merge-sha": optional(sha),
};

export const validateInputs = z.object({
  ...commitInputs,
  "arrived-at": optional(instant),
  repository: z.string(),
  remote: z.string(),
  evidence: z.string(),
});

/**
 * Plan and validation: reads the pull request as git objects, judges it by every rule that needs no workbook, and
 * leaves normalised evidence for the jobs that recompute.
 * @throws when the grader fails (a commit is not to be had, git is missing); a bad pull request is an answer.
 */
export async function validateResults(
  inputs: z.output<typeof validateInputs>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Readonly<Record<string, string>>> {
  const source = await openPullRequest(
    {
      pullRequest: inputs["pull-request"],
      base: inputs["base-sha"],
      head: inputs["head-sha"],
      merge: inputs["merge-sha"],
    },
    inputs.repository !== "" ? { repository: inputs.repository } : { remote: remoteOf(inputs.remote, env) },
  );
  try {
    const evidence = await planPullRequest(source, inputs["arrived-at"] ?? new Date().toISOString());
    const { plan } = evidence;
    const folder = inputs.evidence === "" ? scratchFolder("assay-evidence") : inputs.evidence;
    await writeEvidence(folder, evidence);
    announce(plan.findings);
    const verdict = decideVerdict(plan.findings, false);
    return {
      verdict: verdict === "valid" && plan.shards > 0 ? "pending" : verdict,
      "has-results": String(plan.submissions.length > 0),
      evidence: folder,
      shards: String(plan.shards),
      matrix: JSON.stringify(Array.from({ length: plan.shards }, (_, index) => index + 1)),
    };
  } finally {
    await source.close();
  }
}

function remoteOf(remote: string, env: Readonly<Record<string, string | undefined>>) {
  const token = env.ASSAY_READ_TOKEN;
  const url = remote === "" ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}.git` : remote;
  return token === undefined ? { url } : { url, token };
}
