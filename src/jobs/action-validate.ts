import { z } from "zod";
import { announce, printUntrusted, scratchFolder } from "../io/action.ts";
import { decideVerdict } from "../lib/result-pr/verdict.ts";
import { commitInputs, instant, optional } from "./action-inputs.ts";
import { writeEvidence } from "./result-pr-evidence.ts";
import { planPullRequest } from "./result-pr-plan.ts";
import { openPullRequest } from "./result-pr-source.ts";

export const validateInputs = z.object({
  ...commitInputs,
  "arrived-at": optional(instant),
  repository: z.string(),
  remote: z.string(),
  evidence: z.string(),
  "vault-runner": z.enum(["true", "false", ""]),
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
    const evidence = await planPullRequest(source, inputs["arrived-at"] ?? new Date().toISOString(), {
      vaultRunner: inputs["vault-runner"] === "true",
    });
    const { plan } = evidence;
    const folder = inputs.evidence === "" ? scratchFolder("assay-evidence") : inputs.evidence;
    await writeEvidence(folder, evidence);
    announce(plan.findings);
    if (evidence.note != null)
      printUntrusted([`Every committed result was read; the published index was not used: ${evidence.note}`]);
    const parts = Array.from({ length: plan.shards }, (_, index) => index + 1);
    const verdict = decideVerdict(plan.findings, false);
    return {
      verdict: verdict === "valid" && plan.shards > 0 ? "pending" : verdict,
      "has-results": String(plan.submissions.length > 0),
      evidence: folder,
      shards: String(plan.shards),
      matrix: JSON.stringify(parts.slice(0, parts.length - plan.vault_shards)),
      "vault-matrix": JSON.stringify(parts.slice(parts.length - plan.vault_shards)),
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
