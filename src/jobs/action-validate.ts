import { z } from "zod";
import { announce, printUntrusted, scratchFolder } from "../io/action.ts";
import { writeFilesWhole } from "../io/files.ts";
import { countStartedRuns } from "../io/github/started-runs.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import type { Finding } from "../lib/findings.ts";
import { decideAttempt } from "../lib/result-pr/attempts.ts";
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
  preview: z.string(),
  "vault-runner": z.enum(["true", "false", ""]),
  "author-association": z.string(),
});

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Plan and validation: reads the pull request as git objects, judges it by every rule that needs no workbook, and
 * leaves normalised evidence for the jobs that recompute.
 * @param client the folder of the site's scripts and styles, for the preview
 * @throws when the grader fails (a commit is not to be had, git is missing); a bad pull request is an answer.
 */
export async function validateResults(
  inputs: z.output<typeof validateInputs>,
  client: string,
  env: Environment = process.env,
  send: typeof fetch = fetch,
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
    const evidence = await planPullRequest(source, arrival(inputs["arrived-at"], env, new Date()), {
      vaultRunner: inputs["vault-runner"] === "true",
      refused: await refusal(inputs["author-association"], env, send),
    });
    const { plan } = evidence;
    const folder = inputs.evidence === "" ? scratchFolder("assay-evidence") : inputs.evidence;
    await writeEvidence(folder, evidence);
    announce(plan.findings);
    if (evidence.note != null)
      printUntrusted([`Every committed result was read; the published index was not used: ${evidence.note}`]);
    const parts = Array.from({ length: plan.shards }, (_, index) => index + 1);
    const verdict = decideVerdict(plan.findings, false);
    const preview =
      SHOWN.has(verdict) && evidence.codeData != null
        ? await writeCodePreview(inputs, evidence.codeData, client, env)
        : "";
    return {
      verdict: verdict === "valid" && plan.shards > 0 ? "pending" : verdict,
      "has-results": String(plan.submissions.length > 0),
      evidence: folder,
      preview,
      shards: String(plan.shards),
      matrix: JSON.stringify(parts.slice(0, parts.length - plan.vault_shards)),
      "vault-matrix": JSON.stringify(parts.slice(parts.length - plan.vault_shards)),
    };
  } finally {
    await source.close();
  }
}

/** Verdicts whose facts could come on the board as they are. */
const SHOWN: ReadonlySet<string> = new Set(["valid", "needs-review"]);

/**
 * The code board as it would be with the pull request merged; gives its folder, empty when there is none. A look at a page
 * decides nothing, so whatever goes wrong with it is said in the log and changes no verdict.
 */
async function writeCodePreview(
  inputs: z.output<typeof validateInputs>,
  data: Data,
  client: string,
  env: Environment,
): Promise<string> {
  const pull = inputs["pull-request"];
  const head = inputs["head-sha"];
  if (pull === null || head === null) return "";
  const out = inputs.preview === "" ? scratchFolder("assay-preview") : inputs.preview;
  try {
    const { makeCodePreview } = await import("./site-preview.ts");
    await writeFilesWhole(
      out,
      await makeCodePreview({ data, env, base: inputs["base-sha"], pull, head, client }),
    );
    return out;
  } catch (error) {
    printUntrusted([`No preview of pages: ${error instanceof Error ? error.message : "it cannot be made"}`]);
    return "";
  }
}

/** When the pull request arrived. Who dispatches a run chooses what it is told, but nothing arrived later than now. */
function arrival(told: string | null, env: Environment, now: Date): string {
  const text = now.toISOString();
  if (told === null) return text;
  return env.GITHUB_EVENT_NAME === "workflow_dispatch" && told > text ? text : told;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Why this person's pull request is not recomputed now; null when it is. Outside a pull request's own run nobody is
 * counted, and where GitHub does not say how often somebody asked, nobody is refused.
 */
async function refusal(association: string, env: Environment, send: typeof fetch): Promise<Finding | null> {
  const { GITHUB_EVENT_NAME: event = "", GITHUB_ACTOR: login = "", GITHUB_REPOSITORY: repository } = env;
  const { ASSAY_READ_TOKEN: token = "", GITHUB_API_URL: api = "" } = env;
  const [id, runAttempt] = [Number(env.GITHUB_ACTOR_ID), Number(env.GITHUB_RUN_ATTEMPT ?? "1")];
  const workflow = /\/([^/@]+)@/.exec(env.GITHUB_WORKFLOW_REF ?? "")?.[1];
  const known = token !== "" && api !== "" && login !== "" && Number.isSafeInteger(id);
  if (event !== "pull_request_target" || !known || workflow === undefined || repository === undefined)
    return null;
  try {
    const since = `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 19)}Z`;
    const runs = await countStartedRuns(
      { api, repository, workflow, token, actor: { id, login }, since },
      send,
    );
    return decideAttempt({ event, runAttempt, association, runs });
  } catch (error) {
    printUntrusted([`Nobody knows how often this person asked today: ${String(error)}`]);
    return null;
  }
}

function remoteOf(remote: string, env: Environment) {
  const token = env.ASSAY_READ_TOKEN;
  const url = remote === "" ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}.git` : remote;
  return token === undefined ? { url } : { url, token };
}
