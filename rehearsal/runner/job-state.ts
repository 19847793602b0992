/** What the steps of one job share. */
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Hub } from "../hub/contract.ts";
import type { Annotation } from "./commands.ts";
import { githubContext, githubVariables, type RunInfo } from "./contexts.ts";
import { type ContextName, type Scope, toData } from "./expressions.ts";
import type { Host } from "./host.ts";
import { JobLog } from "./job-log.ts";
import { Masks } from "./masks.ts";
import type { StepConclusion } from "./types.ts";

export interface StepRecord {
  readonly outputs: Record<string, string>;
  readonly outcome: StepConclusion;
  readonly conclusion: StepConclusion;
}

/** The steps of the job, or of one composite action inside it. */
export interface StepScope {
  /** By id; steps without one of their own are not listed. */
  readonly records: Map<string, StepRecord>;
  /** `failure` once a step failed for good. */
  status: "success" | "failure";
  /** `inputs` of a composite action; of the run otherwise. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Variables a composite action's caller set on its step. */
  readonly env: ReadonlyMap<string, string>;
  readonly actionPath?: string;
  readonly depth: number;
  /** Ends the steps of a composite action together with the step that uses it. */
  readonly signal?: AbortSignal;
}

/** A step to run after all others: `post` of an action, or the cleaning up of a built-in one. */
export interface PostStep {
  readonly name: string;
  readonly condition: string;
  run(): Promise<StepConclusion>;
}

export interface JobRequest {
  readonly hub: Hub;
  readonly host: Host;
  readonly run: RunInfo;
  readonly jobKey: string;
  readonly jobId: number;
  readonly token: string;
  /** Folder of this job alone. */
  readonly folder: string;
  readonly selfHosted: boolean;
  readonly hostEnv: Readonly<Record<string, string>>;
  /** `needs`, `matrix`, `strategy` contexts. */
  readonly contexts: Readonly<Partial<Record<ContextName, unknown>>>;
  readonly report: JobReport;
}

export interface JobReport {
  line(text: string): void;
  annotation(annotation: Annotation): void;
  summary(step: string, markdown: string): void;
  stepStarted(step: string): void;
  stepCompleted(step: string, conclusion: StepConclusion, seconds: number): void;
}

export class JobState {
  readonly request: JobRequest;
  readonly masks = new Masks();
  readonly log: JobLog;
  readonly workspace: string;
  readonly temp: string;
  readonly home: string;
  readonly commandFiles: string;
  readonly eventPath: string;
  readonly trackingId: string;
  /** Workflow and job `env`, and what steps wrote to `GITHUB_ENV`. */
  readonly env = new Map<string, string>();
  /** What steps put on the path, the latest first. */
  readonly path: string[] = [];
  readonly posts: PostStep[] = [];
  /** Aborted when the job is cancelled or out of time; steps with `always()` still run after. */
  readonly cancellation: AbortSignal;
  /** Aborted when the runner closes: nothing runs after. */
  readonly end: AbortSignal;
  readonly #runnerWorkspace: string;
  readonly #github: Readonly<Record<string, unknown>>;

  constructor(request: JobRequest, cancellation: AbortSignal, end: AbortSignal) {
    this.request = request;
    this.cancellation = cancellation;
    this.end = end;
    const name = request.run.trigger.repository.name;
    this.#runnerWorkspace = join(request.folder, "work", name);
    this.workspace = join(this.#runnerWorkspace, name);
    this.temp = join(request.folder, "work", "_temp");
    this.home = join(request.folder, "home");
    this.commandFiles = join(this.temp, "_runner_file_commands");
    this.eventPath = join(this.temp, "_github_workflow", "event.json");
    this.trackingId = `github_${randomUUID()}`;
    this.masks.add(request.token);
    this.masks.add(Buffer.from(`x-access-token:${request.token}`).toString("base64"));
    this.log = new JobLog(this.masks, (line) => request.report.line(line));
    this.#github = githubContext(request.run, {
      jobKey: request.jobKey,
      token: request.token,
      workspace: this.workspace,
      eventPath: this.eventPath,
    });
  }

  /** Makes the folders and writes the event. */
  async prepare(): Promise<void> {
    for (const folder of [
      this.workspace,
      this.commandFiles,
      this.home,
      join(this.temp, "_github_workflow"),
    ]) {
      await mkdir(folder, { recursive: true });
    }
    await writeFile(this.eventPath, JSON.stringify(this.request.run.event, null, 2));
  }

  async remove(): Promise<void> {
    await rm(this.request.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get cancelled(): boolean {
    return this.cancellation.aborted;
  }

  /** The `github` context as a step sees it. */
  github(step?: { readonly id: string; readonly actionPath?: string }): Record<string, unknown> {
    return {
      ...this.#github,
      ...(step && { action: step.id }),
      ...(step?.actionPath !== undefined && { action_path: step.actionPath }),
    };
  }

  /** Contexts and status functions for an expression of a step, or of the job itself. */
  scope(steps: StepScope, step?: { readonly id: string }, env?: ReadonlyMap<string, string>): Scope {
    const { request } = this;
    const github = this.github(
      step && { id: step.id, ...(steps.actionPath !== undefined && { actionPath: steps.actionPath }) },
    );
    return {
      contexts: {
        ...Object.fromEntries(Object.entries(request.contexts).map(([name, value]) => [name, toData(value)])),
        github: toData(github),
        env: toData(new Map([...this.env, ...steps.env, ...(env ?? [])])),
        vars: toData(request.run.vars),
        secrets: toData({ GITHUB_TOKEN: request.token }),
        inputs: toData(steps.inputs),
        job: toData({ status: this.jobStatus(steps), check_run_id: request.jobId }),
        runner: toData(this.#runnerContext()),
        steps: toData(steps.records),
      },
      status: {
        success: () => !this.cancelled && steps.status === "success",
        failure: () => !this.cancelled && steps.status === "failure",
        cancelled: () => this.cancelled,
      },
    };
  }

  jobStatus(steps: StepScope): "success" | "failure" | "cancelled" {
    return this.cancelled ? "cancelled" : steps.status;
  }

  #runnerContext(): Record<string, string> {
    const { host, selfHosted } = this.request;
    return {
      name: host.name,
      os: host.os,
      arch: host.arch,
      temp: this.temp,
      tool_cache: host.toolCache,
      environment: selfHosted ? "self-hosted" : "github-hosted",
      workspace: this.#runnerWorkspace,
    };
  }

  /**
   * The whole environment of a process of this job. Nothing comes from the environment of this program; what GitHub
   * sets itself cannot be overridden by `env`.
   */
  processEnv(
    own: ReadonlyMap<string, string>,
    github: Readonly<Record<string, unknown>>,
    files: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const env: Record<string, string> = {
      ...this.request.hostEnv,
      HOME: this.home,
      LANG: "C.UTF-8",
      CI: "true",
      PATH: this.request.hostEnv.PATH ?? this.request.host.path,
      ...Object.fromEntries(own),
      ...githubVariables(github),
      ...files,
      RUNNER_TRACKING_ID: this.trackingId,
      AGENT_TOOLSDIRECTORY: this.request.host.toolCache,
    };
    for (const [name, value] of Object.entries(this.#runnerContext())) {
      env[`RUNNER_${name.toUpperCase()}`] = value;
    }
    env.PATH = [...this.path, env.PATH ?? ""].join(delimiter);
    return env;
  }
}
