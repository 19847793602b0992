/** One job from its first step to its last, in folders of its own. */
import {
  asNumber,
  asText,
  evaluateCondition,
  evaluateTexts,
  evaluateToken,
  type Scope,
} from "./expressions.ts";
import { type JobRequest, JobState, type StepScope } from "./job-state.ts";
import { killTracked, timerMs } from "./process.ts";
import { type RunDefaults, runSteps } from "./steps.ts";
import type { StepConclusion } from "./types.ts";
import type { Job, Workflow } from "./workflow.ts";

export interface JobOutcome {
  readonly conclusion: "success" | "failure" | "cancelled";
  readonly outputs: Readonly<Record<string, string>>;
  readonly log: string;
}

/** GitHub's default of `timeout-minutes`. */
const DEFAULT_MINUTES = 360;

/**
 * Runs a job. Never throws: what goes wrong is in its log, and it has failed.
 * @param cancellation ends the job early; its `always()` steps still run.
 * @param end ends everything at once.
 */
export async function runJob(
  request: JobRequest,
  workflow: Workflow,
  job: Job,
  signals: { readonly cancellation: AbortSignal; readonly end: AbortSignal },
): Promise<JobOutcome> {
  const overtime = new AbortController();
  const cancellation = AbortSignal.any([signals.cancellation, overtime.signal]);
  const state = new JobState(request, cancellation, signals.end);
  const scope: StepScope = {
    records: new Map(),
    status: "success",
    inputs: request.run.inputs,
    env: new Map(),
    depth: 0,
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    await state.prepare();
    describe(state);
    const bare = state.scope(scope);
    const minutes =
      job.timeoutMinutes === undefined
        ? DEFAULT_MINUTES
        : asNumber(evaluateToken(job.timeoutMinutes, bare), "timeout-minutes");
    timer = setTimeout(() => {
      state.log.error(`The job has exceeded the maximum execution time of ${minutes}m`);
      overtime.abort();
    }, timerMs(minutes));
    setEnv(state, evaluateTexts(workflow.env, bare, "env"));
    setEnv(state, evaluateTexts(job.env, bare, "env"));
    await runSteps(state, job.steps, scope, readDefaults(workflow, job, state.scope(scope)));
  } catch (error) {
    fail(state, scope, error);
  }
  clearTimeout(timer);
  const conclusion = () => state.jobStatus(scope);
  await runPosts(state, scope);
  const outputs = readOutputs(state, scope, job);
  try {
    await killTracked(state.trackingId);
    await state.remove();
  } catch (error) {
    fail(state, scope, error);
  }
  state.log.write(`Job ${request.jobKey} completed: ${conclusion()}`);
  return { conclusion: conclusion(), outputs, log: state.log.text() };
}

function describe(state: JobState): void {
  const { host, selfHosted, run, jobKey } = state.request;
  state.log.write(`Rehearsal runner on this machine: ${host.os} ${host.arch}, bash and git of the host`);
  state.log.write(`Runs as: ${selfHosted ? "self-hosted" : "GitHub-hosted"}`);
  state.log.write(`Workflow ${run.workflow.path} at ${run.trigger.sha}, job ${jobKey}`);
}

function fail(state: JobState, scope: StepScope, error: unknown): void {
  state.log.error(error instanceof Error ? error.message : String(error));
  scope.status = "failure";
}

function setEnv(state: JobState, env: ReadonlyMap<string, string>): void {
  for (const [name, value] of env) state.env.set(name, value);
}

function readDefaults(workflow: Workflow, job: Job, scope: Scope): RunDefaults {
  const values = new Map<string, string>();
  for (const token of [workflow.defaults, job.defaults]) {
    const run = token?.find("run");
    for (const [name, value] of evaluateTexts(run, scope, "defaults.run")) values.set(name, value);
  }
  const shell = values.get("shell");
  const workingDirectory = values.get("working-directory");
  return {
    ...(shell !== undefined && { shell }),
    ...(workingDirectory !== undefined && { workingDirectory }),
  };
}

/** Post steps, the last registered first. */
async function runPosts(state: JobState, scope: StepScope): Promise<void> {
  const { report } = state.request;
  for (const post of state.posts.reverse()) {
    if (state.end.aborted) return;
    const started = performance.now();
    let conclusion: StepConclusion = "failure";
    try {
      if (!evaluateCondition(post.condition, state.scope(scope))) continue;
      report.stepStarted(post.name);
      conclusion = await post.run();
    } catch (error) {
      state.log.error(error instanceof Error ? error.message : String(error));
    }
    if (conclusion === "failure") scope.status = "failure";
    report.stepCompleted(post.name, conclusion, (performance.now() - started) / 1000);
  }
}

function readOutputs(state: JobState, scope: StepScope, job: Job): Record<string, string> {
  const outputs: Record<string, string> = {};
  try {
    const evaluated = job.outputs === undefined ? null : evaluateToken(job.outputs, state.scope(scope));
    for (const [name, value] of Object.entries(evaluated ?? {})) {
      const text = asText(value, `output ${name}`);
      if (state.masks.found(text)) {
        state.log.warning(`Skip output '${name}' since it may contain secret.`);
      } else outputs[name] = text;
    }
  } catch (error) {
    fail(state, scope, error);
  }
  return outputs;
}
