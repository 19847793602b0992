/** One job of a run, or one combination of its matrix: placed, admitted, given a token, run. */
import { join } from "node:path";
import type { JobStep } from "../hub/contract.ts";
import { readConcurrency } from "./concurrency.ts";
import { asBoolean, asText, evaluateToken, onlyKeys, type Scope } from "./expressions.ts";
import { runJob } from "./job.ts";
import type { JobReport } from "./job-state.ts";
import { type Placement, placeJob } from "./labels.ts";
import { tokenPermissions } from "./permissions.ts";
import type { RunHandle } from "./services.ts";
import type { Job } from "./workflow.ts";

export interface JobInstance {
  readonly job: Job;
  readonly name: string;
  /** `needs`, `matrix`, `strategy`. */
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly scope: Scope;
}

export interface InstanceOutcome {
  readonly conclusion: "success" | "failure" | "cancelled";
  /** Whether `continue-on-error` keeps a failure from counting. */
  readonly forgiven: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

type Placed = Extract<Placement, { ok: true }>;

const FAILED: InstanceOutcome = { conclusion: "failure", forgiven: false, outputs: {} };

export async function runInstance(
  run: RunHandle,
  instance: JobInstance,
  outer: AbortSignal,
): Promise<InstanceOutcome> {
  const { job, name, scope } = instance;
  const { services } = run;
  const own = new AbortController();
  const cancellation = AbortSignal.any([outer, own.signal]);
  try {
    const placement = placeJob(job, scope, services.host.labels);
    if (!placement.ok) {
      run.failJob(name, [placement.reason]);
      return FAILED;
    }
    const forgiven =
      job.continueOnError !== undefined &&
      asBoolean(evaluateToken(job.continueOnError, scope), "continue-on-error");
    const request = readConcurrency(job.concurrency, scope, () => own.abort());
    const environment = environmentOf(job, scope);
    const jobId = waitingJob(run, name, placement, environment);
    if (environment !== null && !(await services.hub.actions.enterEnvironment(run.info.runId, environment)))
      return neverStarted(run, name, jobId);
    const leave = request && (await services.groups.enter(request, cancellation));
    if (request !== null && leave === null) return neverStarted(run, name, jobId);
    try {
      return await services.slots.run(async () =>
        cancellation.aborted
          ? neverStarted(run, name, jobId)
          : { ...(await start(run, instance, placement, cancellation, jobId)), forgiven },
      );
    } finally {
      leave?.();
    }
  } catch (error) {
    run.failJob(name, [error instanceof Error ? error.message : String(error)]);
    return FAILED;
  }
}

/** The environment that a job names; null when it names none. */
function environmentOf(job: Job, scope: Scope): string | null {
  if (job.environment === undefined) return null;
  const value = evaluateToken(job.environment, scope);
  if (typeof value !== "object" || value === null) return asText(value, "environment") || null;
  onlyKeys(value, ["name", "url", "deployment"], "environment");
  const name = new Map(Object.entries(value)).get("name") ?? null;
  return asText(name, "environment") || null;
}

/** A job that may have to wait for somebody or something is shown while it does; null for others. */
function waitingJob(
  run: RunHandle,
  name: string,
  placement: Placed,
  environment: string | null,
): number | null {
  if (environment === null && !placement.selfHosted) return null;
  const { labels } = placement;
  const waits = environment === null ? {} : { environment };
  return run.services.hub.actions.createJob(run.info.runId, name, { queued: true, labels, ...waits });
}

function neverStarted(run: RunHandle, job: string, known: number | null): InstanceOutcome {
  const { actions } = run.services.hub;
  const jobId = known ?? actions.createJob(run.info.runId, job);
  actions.completeJob(run.info.runId, jobId, "cancelled", "");
  run.services.emit({ type: "job-completed", jobId, job, conclusion: "cancelled", ...run.tag });
  return { conclusion: "cancelled", forgiven: false, outputs: {} };
}

async function start(
  run: RunHandle,
  { job, name, contexts }: JobInstance,
  { selfHosted, labels }: Placed,
  cancellation: AbortSignal,
  known: number | null,
): Promise<Omit<InstanceOutcome, "forgiven">> {
  const { services, info } = run;
  const { actions } = services.hub;
  const permissions = tokenPermissions(info.workflow.permissions, job.permissions, info.trigger);
  const token = actions.issueToken(info.runId, permissions);
  const jobId = known ?? actions.createJob(info.runId, name, { labels });
  if (known !== null) actions.startJob(info.runId, jobId);
  const steps: JobStep[] = [];
  const show = (step: JobStep): void => {
    // A step that is skipped never began.
    if (steps.at(-1)?.status === "in_progress") steps.pop();
    steps.push(step);
    actions.setSteps(info.runId, jobId, [...steps]);
  };
  const tag = { ...run.tag, jobId, job: name };
  services.emit({ type: "job-started", ...tag });
  const report: JobReport = {
    line: (text) => services.emit({ type: "line", text, ...tag }),
    annotation: (annotation) => services.emit({ type: "annotation", annotation, ...tag }),
    summary: (step, markdown) => services.emit({ type: "summary", step, markdown, ...tag }),
    stepStarted: (step) => {
      show({ name: step, status: "in_progress", conclusion: null });
      services.emit({ type: "step-started", step, ...tag });
    },
    stepCompleted: (step, conclusion, seconds) => {
      show({ name: step, status: "completed", conclusion });
      services.emit({ type: "step-completed", step, conclusion, seconds, ...tag });
    },
  };
  const request = {
    hub: services.hub,
    host: services.host,
    run: info,
    jobKey: job.id,
    jobId,
    token,
    folder: join(services.options.workDir, `run-${info.runId}`, `job-${jobId}`),
    selfHosted,
    hostEnv: selfHosted ? (services.options.selfHostedEnv ?? {}) : {},
    contexts,
    report,
  };
  const outcome = await runJob(request, info.workflow, job, { cancellation, end: services.end });
  actions.completeJob(info.runId, jobId, outcome.conclusion, outcome.log);
  services.emit({ type: "job-completed", conclusion: outcome.conclusion, ...tag });
  return { conclusion: outcome.conclusion, outputs: outcome.outputs };
}
