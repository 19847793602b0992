import type { CheckRecord } from "./check-book.ts";
import { isObject, type Json } from "./http.ts";
import { appObject, notify, repositoryUrl } from "./payloads.ts";
import { pullMark } from "./pulls.ts";
import { ACTIONS_SLUG, type HubState, type RepositoryState } from "./state.ts";
import type { Account } from "./tokens.ts";

/** A check run as the API and webhooks give it. Pull requests of forks are not named, as on GitHub. */
export function checkRunObject(state: HubState, repository: RepositoryState, record: CheckRecord): Json {
  const { run, slug, annotations } = record;
  const pulls = [...repository.pulls.values()].filter(
    (pull) => pull.state === "open" && pull.head.repository === repository && pull.head.sha === run.head_sha,
  );
  return {
    ...run,
    app: appObject(state, slug),
    output: { ...(isObject(run.output) ? run.output : {}), annotations_count: annotations.length },
    pull_requests: pulls.map((pull) => ({
      ...pullMark(state, repository, pull),
      number: pull.number,
      id: pull.id,
    })),
  };
}

export interface JobCheck {
  /** Id of the job, and of its check run. */
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly sha: string;
  readonly status: string;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly conclusion: string | null;
}

/** Writes down the check run that a workflow's job is on GitHub, and tells the app. */
export function recordJobCheck(
  state: HubState,
  repository: RepositoryState,
  by: Account,
  job: JobCheck,
): void {
  const known = state.checks.get(job.id);
  const run: Json = {
    id: job.id,
    node_id: `CR_${job.id}`,
    name: job.name,
    head_sha: job.sha,
    status: job.status,
    conclusion: job.conclusion,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    external_id: String(job.id),
    url: `${repositoryUrl(state, repository)}/check-runs/${job.id}`,
    html_url: `${state.url}/${repository.fullName}/actions/runs/${job.runId}/job/${job.id}`,
    details_url: `${state.url}/${repository.fullName}/actions/runs/${job.runId}/job/${job.id}`,
    check_suite: { id: job.runId },
    output: { title: null, summary: null, text: null },
  };
  const record = known ?? {
    id: job.id,
    repositoryId: repository.id,
    sha: job.sha,
    slug: ACTIONS_SLUG,
    annotations: [],
    run,
  };
  record.run = run;
  if (known === undefined) state.checks.add(record);
  // That a runner took it is told by `workflow_job` alone.
  if (known !== undefined && job.completedAt === null) return;
  const action = known === undefined ? "created" : "completed";
  notify(state, repository, by, "check_run", action, {
    check_run: checkRunObject(state, repository, record),
  });
}
