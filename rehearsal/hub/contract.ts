/** What the hub and the workflow runner promise each other. The bot knows none of this: it speaks GitHub's API. */

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  /** The bare repository on disk. */
  readonly gitDir: string;
}

/** Something that happened on the hub and that workflows may listen to. */
export interface Trigger {
  /** `pull_request_target`, `push`, `workflow_dispatch`, `schedule`, … */
  readonly event: string;
  /** The webhook payload, which becomes `github.event`. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly repository: Repository;
  /** Commit whose workflow files count, and `GITHUB_SHA`. */
  readonly sha: string;
  /** `GITHUB_REF`, fully qualified. */
  readonly ref: string;
  /** What the run belongs to in the API: for `pull_request_target` the pull request's head, else `sha`. */
  readonly headSha: string;
  readonly headBranch: string;
  readonly headRepository: { readonly id: number; readonly fullName: string };
  readonly actor: { readonly id: number; readonly login: string };
  /** For `workflow_dispatch`: the one workflow file asked for (`.github/workflows/x.yml`), and its inputs. */
  readonly workflowPath?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

export type Conclusion = "success" | "failure" | "cancelled" | "skipped" | "timed_out" | "action_required";

export interface NewRun {
  readonly trigger: Trigger;
  readonly workflowPath: string;
  readonly workflowName: string;
  /** What `run-name` gives; the workflow's name when absent. */
  readonly title?: string;
}

/** How a job begins that a runner does not have yet. */
export interface NewJob {
  /** No runner has it yet; otherwise one does. */
  readonly queued?: boolean;
  /** It waits for the reviewers of this environment, if that has any. */
  readonly environment?: string;
  /** Labels of `runs-on`. */
  readonly labels?: readonly string[];
}

export interface JobStep {
  readonly name: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion: string | null;
}

/** The store behind `GET /repos/{o}/{r}/actions/*`; every change sends the webhooks GitHub would send. */
export interface ActionsStore {
  /** Makes a run in state `queued`; sends `workflow_run` `requested`. Returns its id. */
  createRun(run: NewRun): number;
  startRun(runId: number): void;
  /** What `run-name` gives, where that is known only once there is a run. */
  nameRun(runId: number, title: string): void;
  /** Calls back once when somebody cancels the run; whoever listens ends it. Without a listener a cancelled run ends at once. */
  onCancel(runId: number, listener: () => void): void;
  hasEnded(runId: number): boolean;
  /** Sends `workflow_run` `completed`. */
  completeRun(runId: number, conclusion: Conclusion): void;
  /** Jobs appear under `/actions/runs/{id}/jobs`; sends `workflow_job`. Returns the job id. */
  createJob(runId: number, name: string, job?: NewJob): number;
  /** A runner takes a job that was queued, or waited. */
  startJob(runId: number, jobId: number): void;
  /** The steps of a job so far. */
  setSteps(runId: number, jobId: number, steps: readonly JobStep[]): void;
  /** Resolves when a reviewer let the run into the environment, at once when it has no reviewers; false when the run is cancelled before. */
  enterEnvironment(runId: number, environment: string): Promise<boolean>;
  completeJob(runId: number, jobId: number, conclusion: Conclusion, log: string): void;
  /** A zip, as GitHub stores it. @throws when the name is taken in this run. */
  putArtifact(runId: number, name: string, zip: Uint8Array): number;
  getArtifact(runId: number, name: string): Uint8Array | null;
  listArtifacts(
    runId: number,
  ): readonly { readonly id: number; readonly name: string; readonly bytes: number }[];
  /** A `GITHUB_TOKEN` limited to this repository and these permissions (`{ contents: "read" }`); ends with the run. */
  issueToken(runId: number, permissions: Readonly<Record<string, "read" | "write" | "none">>): string;
}

export interface HubEvents {
  /** Called for every trigger, after the hub's own state has changed. Returns a function that unsubscribes. */
  onTrigger(listener: (trigger: Trigger) => void): () => void;
}

export interface Hub extends HubEvents {
  /** REST base, `http://127.0.0.1:<port>`; smart HTTP lives at `<url>/<owner>/<repo>.git`. */
  readonly url: string;
  readonly actions: ActionsStore;
  repository(owner: string, name: string): Repository;
  close(): Promise<void>;
}
