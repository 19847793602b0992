import { createHash } from "node:crypto";
import { recordJobCheck } from "./check-runs.ts";
import type { ActionsStore, Conclusion, JobStep, NewJob, NewRun } from "./contract.ts";
import type { Json } from "./http.ts";
import { headCommitObject, notify, repositoryUrl, userObject } from "./payloads.ts";
import type { Level } from "./permissions.ts";
import { ACTIONS_SLUG, type HubState, type RepositoryState } from "./state.ts";
import { Tokens } from "./tokens.ts";

export interface Workflow {
  readonly id: number;
  readonly path: string;
  readonly name: string;
}

export interface Job {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly labels: readonly string[];
  status: "queued" | "waiting" | "in_progress" | "completed";
  startedAt: string;
  /** A runner has it, or had it. */
  taken: boolean;
  completedAt: string | null;
  conclusion: Conclusion | null;
  steps: readonly JobStep[];
  log: string;
}

export interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly zip: Uint8Array;
  readonly createdAt: string;
}

export interface Run extends NewRun {
  readonly id: number;
  readonly number: number;
  readonly workflow: Workflow;
  readonly repository: RepositoryState;
  readonly createdAt: string;
  readonly jobs: Job[];
  readonly artifacts: Artifact[];
  updatedAt: string;
  startedAt: string;
  status: "queued" | "waiting" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  title: string;
  /** Who listens for its being cancelled. */
  cancel: (() => void) | null;
  /** Environments that it waits to be let into. */
  readonly gates: Map<string, (entered: boolean) => void>;
}

/** Runs, jobs, logs and artifacts; everything in memory, for as long as the hub lives. */
export class LocalActions implements ActionsStore {
  readonly #state: HubState;
  readonly #runs = new Map<number, Run>();
  readonly #workflows = new Map<string, Workflow>();
  readonly #numbers = new Map<number, number>();
  /** Webhooks of one run leave in order, though their payloads need git. */
  #announcing: Promise<void> = Promise.resolve();

  constructor(state: HubState) {
    this.#state = state;
  }

  createRun(run: NewRun): number {
    const { repository: where } = run.trigger;
    const repository = this.#state.repository(where.owner, where.name);
    const workflow = this.workflow(repository, run.workflowPath, run.workflowName);
    const number = (this.#numbers.get(workflow.id) ?? 0) + 1;
    this.#numbers.set(workflow.id, number);
    const now = this.#state.timestamp();
    const made: Run = {
      ...run,
      id: this.#state.id(),
      number,
      workflow,
      repository,
      createdAt: now,
      updatedAt: now,
      startedAt: now,
      jobs: [],
      artifacts: [],
      status: "queued",
      conclusion: null,
      title: run.title ?? run.workflowName,
      cancel: null,
      gates: new Map(),
    };
    this.#runs.set(made.id, made);
    this.#announce(made, "requested");
    return made.id;
  }

  startRun(runId: number): void {
    const run = this.run(runId);
    if (run.status !== "queued") return;
    run.status = "in_progress";
    run.startedAt = this.#state.timestamp();
    run.updatedAt = run.startedAt;
    this.#announce(run, "in_progress");
  }

  hasEnded(runId: number): boolean {
    return this.run(runId).status === "completed";
  }

  nameRun(runId: number, title: string): void {
    this.run(runId).title = title;
  }

  onCancel(runId: number, listener: () => void): void {
    this.run(runId).cancel = listener;
  }

  /** As the button does. False when the run has ended already. */
  cancelRun(runId: number): boolean {
    const run = this.run(runId);
    if (run.status === "completed") return false;
    const { cancel } = run;
    run.cancel = null;
    for (const enter of run.gates.values()) enter(false);
    run.gates.clear();
    if (cancel !== null) {
      cancel();
      return true;
    }
    for (const job of run.jobs)
      if (job.status !== "completed") this.completeJob(runId, job.id, "cancelled", "");
    this.completeRun(runId, "cancelled");
    return true;
  }

  enterEnvironment(runId: number, environment: string): Promise<boolean> {
    const run = this.run(runId);
    if ((run.repository.reviewers.get(environment) ?? []).length === 0) return Promise.resolve(true);
    run.status = "waiting";
    return new Promise((resolve) => run.gates.set(environment, resolve));
  }

  /** A reviewer lets a run into every environment that it waits for. @throws Error for who is none */
  approve(runId: number, login: string): void {
    const run = this.run(runId);
    for (const [environment, enter] of run.gates) {
      const reviewers = run.repository.reviewers.get(environment) ?? [];
      if (!reviewers.includes(login)) throw new Error(`${login} reviews nothing for ${environment}.`);
      run.gates.delete(environment);
      enter(true);
    }
    if (run.status === "waiting") run.status = "in_progress";
  }

  completeRun(runId: number, conclusion: Conclusion): void {
    const run = this.run(runId);
    if (run.status === "completed") throw new Error(`Run ${runId} has already ended (${run.conclusion}).`);
    run.status = "completed";
    run.conclusion = conclusion;
    run.updatedAt = this.#state.timestamp();
    this.#state.tokens.revokeRun(runId);
    this.#announce(run, "completed");
  }

  createJob(runId: number, name: string, { queued = false, environment, labels = [] }: NewJob = {}): number {
    const now = this.#state.timestamp();
    const run = this.run(runId);
    const reviewed =
      environment !== undefined && (run.repository.reviewers.get(environment) ?? []).length > 0;
    const status = reviewed ? "waiting" : queued ? "queued" : "in_progress";
    const job: Job = {
      id: this.#state.id(),
      name,
      labels,
      createdAt: now,
      status,
      startedAt: now,
      taken: status === "in_progress",
      completedAt: null,
      conclusion: null,
      steps: [],
      log: "",
    };
    run.jobs.push(job);
    this.#check(run, job);
    this.#tell(run, job, status);
    return job.id;
  }

  startJob(runId: number, jobId: number): void {
    const run = this.run(runId);
    const job = jobOf(run, jobId);
    job.status = "in_progress";
    job.taken = true;
    job.startedAt = this.#state.timestamp();
    this.#check(run, job);
    this.#tell(run, job, "in_progress");
  }

  setSteps(runId: number, jobId: number, steps: readonly JobStep[]): void {
    jobOf(this.run(runId), jobId).steps = steps;
  }

  completeJob(runId: number, jobId: number, conclusion: Conclusion, log: string): void {
    const run = this.run(runId);
    const job = jobOf(run, jobId);
    job.status = "completed";
    job.conclusion = conclusion;
    job.completedAt = this.#state.timestamp();
    job.log = log;
    this.#check(run, job);
    this.#tell(run, job, "completed");
    // A merge queue may have waited for this job.
    const { headSha } = run.trigger;
    void this.#state
      .serial(() => this.#state.queues.checked(run.repository, headSha))
      .catch((error: unknown) => {
        this.#state.log(`The merge queue failed after job ${jobId}: ${String(error)}`);
      });
  }

  putArtifact(runId: number, name: string, zip: Uint8Array): number {
    const run = this.run(runId);
    if (run.artifacts.some((artifact) => artifact.name === name)) {
      throw new Error(`An artifact with the name ${name} already exists on run ${runId}.`);
    }
    const artifact = { id: this.#state.id(), name, zip, createdAt: this.#state.timestamp() };
    run.artifacts.push(artifact);
    return artifact.id;
  }

  getArtifact(runId: number, name: string): Uint8Array | null {
    return this.run(runId).artifacts.find((artifact) => artifact.name === name)?.zip ?? null;
  }

  listArtifacts(
    runId: number,
  ): readonly { readonly id: number; readonly name: string; readonly bytes: number }[] {
    return this.run(runId).artifacts.map(({ id, name, zip }) => ({ id, name, bytes: zip.length }));
  }

  issueToken(runId: number, permissions: Readonly<Record<string, Level>>): string {
    const run = this.run(runId);
    if (run.status === "completed") throw new Error(`Run ${runId} has ended: it gets no token.`);
    const account = this.#state.account(`${ACTIONS_SLUG}[bot]`);
    if (account === undefined) throw new Error("The hub has no account for workflows.");
    // A run of a fork's own code never writes, whatever its workflow file asks for.
    const foreign =
      run.trigger.event === "pull_request" && run.trigger.headRepository.id !== run.repository.id;
    const granted = Object.entries(permissions).map(([name, level]): [string, Level] => [
      name,
      foreign && level === "write" ? "read" : level,
    ]);
    const token = Tokens.make("ghs");
    this.#state.tokens.add({
      kind: "workflow",
      account,
      token,
      runId,
      repositoryId: run.repository.id,
      permissions: { metadata: "read", ...Object.fromEntries(granted) },
    });
    return token;
  }

  #check(run: Run, job: Job): void {
    const { id, name, startedAt, completedAt, conclusion, status } = job;
    const by = this.#state.account(`${ACTIONS_SLUG}[bot]`);
    if (by === undefined) throw new Error("The hub has no account for workflows.");
    const check = {
      id,
      runId: run.id,
      name,
      sha: run.trigger.headSha,
      status,
      startedAt,
      completedAt,
      conclusion,
    };
    recordJobCheck(this.#state, run.repository, by, check);
  }

  /** @throws Error for a run that does not exist. */
  run(runId: number): Run {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new Error(`There is no run ${runId}.`);
    return run;
  }

  /** Runs of a repository, newest first. */
  runs(repository: RepositoryState): Run[] {
    return [...this.#runs.values()].filter((run) => run.repository === repository).reverse();
  }

  /** The workflow of a path; its id stays the same for good. */
  workflow(repository: RepositoryState, path: string, name: string): Workflow {
    const key = `${repository.id} ${path}`;
    const known = this.#workflows.get(key);
    const workflow = { id: known?.id ?? this.#state.id(), path, name };
    this.#workflows.set(key, workflow);
    return workflow;
  }

  workflowById(repository: RepositoryState, id: number): Workflow | undefined {
    for (const [key, workflow] of this.#workflows) {
      if (workflow.id === id && key.startsWith(`${repository.id} `)) return workflow;
    }
    return undefined;
  }

  /** Resolves when every webhook about runs has been handed to delivery. */
  async idle(): Promise<void> {
    await this.#announcing;
  }

  /** Sends `workflow_job`. */
  #tell(run: Run, job: Job, action: Job["status"]): void {
    const sender =
      this.#state.account(run.trigger.actor.login) ?? this.#state.account(`${ACTIONS_SLUG}[bot]`);
    const workflow_job = jobObject(this.#state, run, { ...job });
    this.#announcing = this.#announcing.then(() => {
      if (sender !== undefined)
        notify(this.#state, run.repository, sender, "workflow_job", action, { workflow_job });
    });
  }

  #announce(run: Run, action: "requested" | "in_progress" | "completed"): void {
    const { trigger } = run;
    this.#state.show({
      kind: action === "requested" ? "run-queued" : action === "completed" ? "run-completed" : "run-started",
      repository: run.repository.fullName,
      by: trigger.actor.login,
      runId: run.id,
      workflow: run.workflowName,
      event: trigger.event,
      sha: trigger.headSha,
      conclusion: run.conclusion,
    });
    const frozen: Run = { ...run };
    const sender = this.#state.account(trigger.actor.login) ?? this.#state.account(`${ACTIONS_SLUG}[bot]`);
    this.#announcing = this.#announcing.then(async () => {
      if (sender === undefined) return;
      const workflow_run = await runObject(this.#state, frozen);
      const workflow = workflowObject(this.#state, run.repository, run.workflow);
      notify(this.#state, run.repository, sender, "workflow_run", action, { workflow_run, workflow });
    });
    this.#announcing = this.#announcing.catch((error: unknown) =>
      this.#state.log(`workflow_run ${action}: ${String(error)}`),
    );
  }
}

function jobOf(run: Run, jobId: number): Job {
  const job = run.jobs.find((candidate) => candidate.id === jobId);
  if (job === undefined) throw new Error(`Run ${run.id} has no job ${jobId}.`);
  return job;
}

export function workflowObject(state: HubState, repository: RepositoryState, workflow: Workflow): Json {
  return {
    id: workflow.id,
    node_id: `W_${workflow.id}`,
    name: workflow.name,
    path: workflow.path,
    state: "active",
    url: `${repositoryUrl(state, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${state.url}/${repository.fullName}/blob/${repository.defaultBranch}/${workflow.path}`,
  };
}

/** A run as the API and `workflow_run` webhooks give it. */
export async function runObject(state: HubState, run: Run): Promise<Json> {
  const { trigger, repository } = run;
  const url = `${repositoryUrl(state, repository)}/actions/runs/${run.id}`;
  const headRepository = [...state.repositories.values()].find(
    (other) => other.id === trigger.headRepository.id,
  );
  const actor = state.account(trigger.actor.login);
  const user = actor === undefined ? null : userObject(state, actor);
  // As on GitHub, a run of a fork's pull request does not name the pull request.
  const pulls =
    headRepository !== repository
      ? []
      : [...repository.pulls.values()].filter(
          (pull) =>
            pull.state === "open" && pull.head.repository === repository && pull.head.sha === trigger.headSha,
        );
  return {
    id: run.id,
    name: run.workflowName,
    node_id: `WFR_${run.id}`,
    head_branch: trigger.headBranch,
    head_sha: trigger.headSha,
    path: run.workflowPath,
    display_title: run.title,
    run_number: run.number,
    run_attempt: 1,
    event: trigger.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflow.id,
    check_suite_id: run.id,
    url,
    html_url: `${state.url}/${repository.fullName}/actions/runs/${run.id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    artifacts_url: `${url}/artifacts`,
    workflow_url: `${repositoryUrl(state, repository)}/actions/workflows/${run.workflow.id}`,
    pull_requests: pulls.map((pull) => ({
      id: pull.id,
      number: pull.number,
      url: `${repositoryUrl(state, repository)}/pulls/${pull.number}`,
      head: { ref: pull.head.ref, sha: pull.head.sha, repo: { id: repository.id, name: repository.name } },
      base: { ref: pull.base.ref, sha: pull.base.sha, repo: { id: repository.id, name: repository.name } },
    })),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.startedAt,
    actor: user,
    triggering_actor: user,
    referenced_workflows: [],
    head_commit: await headCommitObject(repository.git, trigger.headSha),
    repository: repository.payload,
    head_repository: headRepository?.payload ?? null,
  };
}

export const jobObject = (state: HubState, run: Run, job: Job): Json => {
  const url = `${repositoryUrl(state, run.repository)}/actions/jobs/${job.id}`;
  return {
    id: job.id,
    run_id: run.id,
    run_attempt: 1,
    node_id: `J_${job.id}`,
    head_sha: run.trigger.headSha,
    head_branch: run.trigger.headBranch,
    workflow_name: run.workflowName,
    name: job.name,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    url,
    html_url: `${state.url}/${run.repository.fullName}/actions/runs/${run.id}/job/${job.id}`,
    steps: job.steps.map((step, index) => ({ ...step, number: index + 1 })),
    labels: [...job.labels],
    runner_id: job.taken ? 1 : null,
    runner_name: job.taken ? "rehearsal" : null,
  };
};

export const artifactObject = (state: HubState, run: Run, artifact: Artifact): Json => {
  const url = `${repositoryUrl(state, run.repository)}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: `ART_${artifact.id}`,
    name: artifact.name,
    size_in_bytes: artifact.zip.length,
    digest: `sha256:${createHash("sha256").update(artifact.zip).digest("hex")}`,
    url,
    archive_download_url: `${url}/zip`,
    expired: false,
    created_at: artifact.createdAt,
    updated_at: artifact.createdAt,
    expires_at: new Date(Date.parse(artifact.createdAt) + 90 * 24 * 3_600_000).toISOString(),
    workflow_run: {
      id: run.id,
      repository_id: run.repository.id,
      head_repository_id: run.trigger.headRepository.id,
      head_branch: run.trigger.headBranch,
      head_sha: run.trigger.headSha,
    },
  };
};
