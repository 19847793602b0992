import type { RunFacts } from "../../lib/bot/trust.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Workflow runs. */

interface RunData {
  readonly id: number;
  readonly run_attempt?: number | undefined;
  readonly path: string;
  readonly event: string;
  readonly status: string | null;
  readonly conclusion: string | null;
  readonly repository: { readonly id: number };
  readonly head_repository: {
    readonly id: number;
    readonly owner?: { readonly login: string } | null;
  } | null;
  readonly head_branch: string | null;
  readonly head_sha: string;
  readonly display_title: string;
  readonly html_url: string;
  readonly created_at: string;
  readonly run_started_at?: string | undefined;
  readonly updated_at: string;
  readonly actor?: { readonly id: number } | null | undefined;
}

const runFacts = (data: RunData): RunFacts => ({
  id: data.id,
  attempt: data.run_attempt ?? 1,
  path: data.path,
  event: data.event,
  status: data.status ?? "unknown",
  conclusion: data.conclusion,
  repositoryId: data.repository.id,
  headRepositoryId: data.head_repository?.id ?? null,
  headBranch: data.head_branch,
  headSha: data.head_sha,
  headOwner: data.head_repository?.owner?.login ?? null,
  title: data.display_title,
  url: data.html_url,
  createdAt: data.created_at,
  actorId: data.actor?.id ?? null,
  startedAt: data.run_started_at ?? data.created_at,
  updatedAt: data.updated_at,
});

export async function readRun(repository: Repository, id: number): Promise<RunFacts | null> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}", {
      ...at(repository),
      run_id: id,
    }),
  );
  return answer === null ? null : runFacts(answer.data as RunData);
}

/** So many runs are listed at most. */
export const RUNS_LISTED = 50;

/** Runs of one workflow file, newest first: at most `RUNS_LISTED`. */
export async function readRuns(
  repository: Repository,
  workflow: string,
  filter: { readonly event?: string; readonly branch?: string; readonly head_sha?: string },
): Promise<RunFacts[]> {
  const answer = await orNull(
    repository.client.request("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", {
      ...at(repository),
      workflow_id: workflow.slice(workflow.lastIndexOf("/") + 1),
      per_page: RUNS_LISTED,
      ...filter,
    }),
  );
  return (answer?.data.workflow_runs ?? [])
    .map((run) => runFacts(run as RunData))
    .sort((a, b) => b.id - a.id);
}

/** Starts a workflow of the default branch. */
export async function dispatchWorkflow(
  repository: Repository,
  workflow: string,
  inputs: Readonly<Record<string, string>>,
): Promise<void> {
  await repository.client.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    ...at(repository),
    workflow_id: workflow.slice(workflow.lastIndexOf("/") + 1),
    ref: repository.defaultBranch,
    inputs: { ...inputs },
  });
}
