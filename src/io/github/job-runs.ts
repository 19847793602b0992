import type { RunFacts } from "../../lib/bot/trust.ts";
import { JOB_KINDS, JOB_WORKFLOWS } from "../../lib/job/order-schema.ts";
import type { HostJob } from "../../lib/job/progress.ts";
import { statusOf } from "./policy.ts";
import { at, type Repository } from "./repository.ts";
import { readRuns } from "./runs.ts";

/** Workflow runs of jobs on guarded hosts. */

/** The newest dispatched runs of every workflow of jobs, newest first: at most 50 of each. */
export async function readJobRuns(repository: Repository): Promise<RunFacts[]> {
  const filter = { event: "workflow_dispatch", branch: repository.defaultBranch };
  const runs: RunFacts[] = [];
  for (const kind of JOB_KINDS) runs.push(...(await readRuns(repository, JOB_WORKFLOWS[kind], filter)));
  return runs.sort((a, b) => b.id - a.id);
}

/** The jobs of a run's newest attempt, in GitHub's order. */
export async function readRunJobs(repository: Repository, runId: number): Promise<HostJob[]> {
  const { data } = await repository.client.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs", {
    ...at(repository),
    run_id: runId,
    filter: "latest",
    per_page: 100,
  });
  return data.jobs.map((job) => ({
    status: job.status,
    selfHosted: job.labels.includes("self-hosted"),
    taken: (job.runner_name ?? "") !== "",
    createdAt: job.created_at ?? null,
    startedAt: job.started_at ?? null,
    steps: (job.steps ?? []).map(({ name, status }) => ({ name, status })),
  }));
}

/** Asks for a run to end; one that has ended already is fine. */
export async function cancelRun(repository: Repository, runId: number): Promise<void> {
  try {
    await repository.client.request("POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel", {
      ...at(repository),
      run_id: runId,
    });
  } catch (error) {
    if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error;
  }
}
