import type {
  BranchFacts,
  InstallationFacts,
  OfficeFacts,
  RuleFacts,
  Unseen,
  WebhookFacts,
  WorkflowFacts,
} from "../../lib/bot/hosting/installation.ts";
import { OFFICE_ENVIRONMENT, OFFICE_WORKFLOW } from "../../lib/bot/hosting/installation.ts";
import { type Client, statusOf } from "./policy.ts";
import { at, orNull, type Repository } from "./repository.ts";
import { readRuns } from "./runs.ts";

/** How an installation stands, read only. What GitHub does not let the App see is said, not guessed. */

/** GitHub's refusals become facts; everything else is thrown on. */
export async function orUnseen<T extends object>(promise: Promise<T>): Promise<T | Unseen> {
  try {
    return await promise;
  } catch (error) {
    const status = statusOf(error);
    if (status !== 403 && status !== 404) throw error;
    return { unseen: `GitHub answered ${status}` };
  }
}

/** How many of the last deliveries are looked at. */
const DELIVERIES = 10;

/** As the App itself. */
export const readWebhook = (app: Client): Promise<WebhookFacts | Unseen> =>
  orUnseen(
    (async () => {
      const { data: config } = await app.request("GET /app/hook/config");
      const { data: deliveries } = await app.request("GET /app/hook/deliveries", { per_page: DELIVERIES });
      return {
        url: config.url === undefined || config.url === "" ? null : config.url,
        answers: deliveries.map(({ status_code: status }) => status),
      };
    })(),
  );

export async function readBranchRules(repository: Repository, branch: string): Promise<BranchFacts> {
  const rules = await orUnseen(
    (async () => {
      const rows = await repository.client.paginate("GET /repos/{owner}/{repo}/rules/branches/{branch}", {
        ...at(repository),
        branch,
        per_page: 100,
      });
      const above = new Map<number, Promise<boolean | null>>();
      const facts: RuleFacts[] = [];
      for (const row of rows) {
        const id = row.ruleset_id;
        if (id !== undefined && !above.has(id)) above.set(id, readBypass(repository, id));
        facts.push({
          type: row.type,
          parameters: "parameters" in row ? { ...row.parameters } : {},
          appMayBypass: (await above.get(id ?? -1)) ?? null,
        });
      }
      return facts;
    })(),
  );
  const found = await orUnseen(
    repository.client.request("GET /repos/{owner}/{repo}/branches/{branch}", { ...at(repository), branch }),
  );
  const old = !("unseen" in found) && found.data.protection?.enabled === true;
  return { name: branch, rules, oldProtection: old };
}

/** Whether the one who asks, the App, is above a ruleset; null when GitHub does not say. */
async function readBypass(repository: Repository, id: number): Promise<boolean | null> {
  const answer = await orUnseen(
    repository.client.request("GET /repos/{owner}/{repo}/rulesets/{ruleset_id}", {
      ...at(repository),
      ruleset_id: id,
    }),
  );
  if ("unseen" in answer) return null;
  const bypass = answer.data.current_user_can_bypass;
  return bypass === undefined ? null : bypass === "always" || bypass === "exempt";
}

/** The workflow files of the default branch, with what GitHub made of them. */
export async function readWorkflows(
  repository: Repository,
  paths: readonly string[],
): Promise<WorkflowFacts[]> {
  const listed = await repository.client.paginate("GET /repos/{owner}/{repo}/actions/workflows", {
    ...at(repository),
    per_page: 100,
  });
  const facts: WorkflowFacts[] = [];
  for (const path of paths) {
    const answer = await orNull(
      repository.client.request("GET /repos/{owner}/{repo}/contents/{path}", {
        ...at(repository),
        path,
        ref: repository.defaultBranch,
        mediaType: { format: "raw" },
      }),
    );
    facts.push({
      path,
      text: answer === null ? null : String(answer.data),
      state: listed.find((workflow) => workflow.path === path)?.state ?? null,
    });
  }
  return facts;
}

/** How the bot's runs in Actions ended, newest first. */
export async function readOfficeRuns(repository: Repository): Promise<OfficeFacts> {
  const ended = (await readRuns(repository, OFFICE_WORKFLOW, {})).filter(
    ({ status }) => status === "completed",
  );
  return { conclusions: ended.map(({ conclusion }) => conclusion ?? "nothing") };
}

/** Who may use the bot's environment. */
export async function readEnvironment(repository: Repository): Promise<InstallationFacts["environment"]> {
  const where = { ...at(repository), environment_name: OFFICE_ENVIRONMENT };
  const answer = await orNull(
    orUnseenUnlessMissing(
      repository.client.request("GET /repos/{owner}/{repo}/environments/{environment_name}", where),
    ),
  );
  if (answer === null) return "missing";
  if ("unseen" in answer) return answer;
  const policy = answer.data.deployment_branch_policy;
  if (policy === null || policy === undefined) return { branches: null };
  if (policy.protected_branches) return { branches: "protected" };
  const { data } = await repository.client.request(
    "GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies",
    { ...where, per_page: 100 },
  );
  return { branches: data.branch_policies.map(({ name }) => String(name)) };
}

async function orUnseenUnlessMissing<T extends object>(promise: Promise<T>): Promise<T | Unseen> {
  try {
    return await promise;
  } catch (error) {
    if (statusOf(error) !== 403) throw error;
    return { unseen: "GitHub answered 403" };
  }
}
