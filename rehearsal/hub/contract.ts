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
}

/** The store behind `GET /repos/{o}/{r}/actions/*`; every change sends the webhooks GitHub would send. */
export interface ActionsStore {
  /** Makes a run in state `queued`; sends `workflow_run` `requested`. Returns its id. */
  createRun(run: NewRun): number;
  startRun(runId: number): void;
  /** Sends `workflow_run` `completed`. */
  completeRun(runId: number, conclusion: Conclusion): void;
  /** Jobs appear under `/actions/runs/{id}/jobs`. Returns the job id. */
  createJob(runId: number, name: string): number;
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
