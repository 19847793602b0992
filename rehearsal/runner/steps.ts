/** Runs the steps of a job or of a composite action, one after the other. */
import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runLocalAction } from "./actions.ts";
import { runBuiltin } from "./builtin/index.ts";
import {
  asBoolean,
  asNumber,
  asText,
  evaluateCondition,
  evaluateTexts,
  evaluateToken,
  type Scope,
} from "./expressions.ts";
import type { JobState, StepScope } from "./job-state.ts";
import { LiveStep } from "./live-step.ts";
import { timerMs } from "./process.ts";
import type { StepConclusion } from "./types.ts";
import type { Step } from "./workflow.ts";

/** `defaults.run`, evaluated. */
export interface RunDefaults {
  readonly shell?: string;
  readonly workingDirectory?: string;
}

/** Steps that run after a cancellation may take this long in all, as on GitHub. */
const AFTER_CANCEL_MS = 5 * 60_000;

export async function runSteps(
  job: JobState,
  steps: readonly Step[],
  scope: StepScope,
  defaults: RunDefaults,
): Promise<void> {
  for (const step of steps) await runStep(job, step, scope, defaults);
}

async function runStep(job: JobState, step: Step, scope: StepScope, defaults: RunDefaults): Promise<void> {
  const started = performance.now();
  const report = job.request.report;
  const name = displayName(job, step, scope);
  const finish = (outcome: StepConclusion, conclusion: StepConclusion, outputs: Record<string, string>) => {
    if (!step.id.startsWith("__")) scope.records.set(step.id, { outputs, outcome, conclusion });
    if (conclusion === "failure") scope.status = "failure";
    if (scope.depth === 0) report.stepCompleted(name, conclusion, (performance.now() - started) / 1000);
  };
  if (job.end.aborted || scope.signal?.aborted) return finish("cancelled", "cancelled", {});
  let env: ReadonlyMap<string, string> = new Map();
  let limit: StepLimit;
  try {
    env = evaluateTexts(step.env, job.scope(scope, step), "env");
    if (!evaluateCondition(step.if, job.scope(scope, step, env))) return finish("skipped", "skipped", {});
    limit = limitStep(job, step, scope, env);
  } catch (error) {
    job.log.error(text(error));
    return finish("failure", "failure", {});
  }
  if (scope.depth === 0) report.stepStarted(name);
  const live = new LiveStep(job, scope, { id: step.id, name }, env, limit.signal);
  let outcome: StepConclusion;
  try {
    outcome = (await execute(live, step, defaults)) ? "success" : "failure";
  } catch (error) {
    live.annotate({ level: "error", message: text(error) });
    outcome = "failure";
  }
  limit.stop();
  if (limit.expired()) {
    live.annotate({ level: "error", message: "The action has timed out." });
    outcome = "failure";
  } else if (limit.signal.aborted) {
    job.log.error("The operation was canceled.");
    outcome = "cancelled";
  }
  finish(outcome, outcome === "failure" ? forgiven(job, step, scope, live) : outcome, live.outputs);
}

function forgiven(job: JobState, step: Step, scope: StepScope, live: LiveStep): StepConclusion {
  if (step.continueOnError === undefined) return "failure";
  try {
    const value = evaluateToken(step.continueOnError, job.scope(scope, step, live.env));
    return asBoolean(value, "continue-on-error") ? "success" : "failure";
  } catch (error) {
    job.log.error(text(error));
    return "failure";
  }
}

interface StepLimit {
  readonly signal: AbortSignal;
  expired(): boolean;
  stop(): void;
}

/** When the step has to stop: its own time, the job's cancellation unless that came before, the runner's end. */
function limitStep(job: JobState, step: Step, scope: StepScope, env: ReadonlyMap<string, string>): StepLimit {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  if (step.timeoutMinutes !== undefined) {
    const value = evaluateToken(step.timeoutMinutes, job.scope(scope, step, env));
    timer = setTimeout(() => own.abort(), timerMs(asNumber(value, "timeout-minutes")));
  }
  const outer = job.cancelled ? AbortSignal.timeout(AFTER_CANCEL_MS) : job.cancellation;
  return {
    signal: AbortSignal.any([own.signal, outer, job.end, ...(scope.signal ? [scope.signal] : [])]),
    expired: () => own.signal.aborted,
    stop: () => clearTimeout(timer),
  };
}

function displayName(job: JobState, step: Step, scope: StepScope): string {
  try {
    if (step.name !== undefined) return asText(evaluateToken(step.name, job.scope(scope, step)), "name");
  } catch {
    // A name that cannot be evaluated is shown as it stands, as on GitHub.
    return String(step.name);
  }
  if (step.uses !== undefined) return `Run ${step.uses}`;
  return `Run ${(step.run?.toString() ?? "").trim().split("\n")[0]}`;
}

async function execute(live: LiveStep, step: Step, defaults: RunDefaults): Promise<boolean> {
  const scope = live.scope();
  if (step.run !== undefined) return runScript(live, step, defaults, scope);
  const uses = step.uses ?? "";
  const inputs = evaluateTexts(step.with, scope, "with");
  live.job.log.group(`Run ${uses}`, inputs.size > 0 ? ["with:", ...list(inputs)] : []);
  if (uses.startsWith("./")) return runLocalAction(live, uses, inputs, runSteps);
  if (uses.startsWith("docker://")) throw new Error(`cannot run here: ${uses} (no containers)`);
  return runBuiltin(live, uses, inputs);
}

async function runScript(live: LiveStep, step: Step, defaults: RunDefaults, scope: Scope): Promise<boolean> {
  const { job } = live;
  const script = asText(step.run === undefined ? null : evaluateToken(step.run, scope), "run");
  const shell = step.shell === undefined ? defaults.shell : asText(evaluateToken(step.shell, scope), "shell");
  const folder =
    step.workingDirectory === undefined
      ? (defaults.workingDirectory ?? "")
      : asText(evaluateToken(step.workingDirectory, scope), "working-directory");
  const cwd = resolve(job.workspace, folder);
  if (!(await isFolder(cwd))) throw new Error(`working-directory '${folder}' does not exist`);
  const { command, args, extension } = shellCommand(shell);
  const file = join(job.temp, `${randomUUID()}${extension}`);
  await writeFile(file, script.endsWith("\n") ? script : `${script}\n`, { mode: 0o700 });
  const shown = [command, ...args].join(" ");
  job.log.group(`Run ${script.trim().split("\n")[0]}`, [
    ...script.trimEnd().split("\n"),
    `shell: ${shown}`,
    ...(live.env.size > 0 ? ["env:", ...list(live.env)] : []),
  ]);
  return live.exec(
    command,
    args.map((arg) => arg.replaceAll("{0}", file)),
    { cwd },
  );
}

/**
 * The command line behind `shell`, from GitHub's workflow syntax: without `shell` it is `bash -e {0}`,
 * with `shell: bash` also `pipefail`. @throws for shells that this host does not have.
 */
export function shellCommand(shell: string | undefined): {
  readonly command: string;
  readonly args: readonly string[];
  readonly extension: string;
} {
  switch (shell) {
    case undefined:
      return { command: "bash", args: ["-e", "{0}"], extension: ".sh" };
    case "bash":
      return {
        command: "bash",
        args: ["--noprofile", "--norc", "-eo", "pipefail", "{0}"],
        extension: ".sh",
      };
    case "sh":
      return { command: "sh", args: ["-e", "{0}"], extension: ".sh" };
    case "python":
      return { command: "python3", args: ["{0}"], extension: ".py" };
    default: {
      const [command, ...args] = shell.trim().split(/\s+/);
      if (command === undefined || !args.some((arg) => arg.includes("{0}"))) {
        throw new Error(`shell '${shell}' is not supported by the rehearsal runner`);
      }
      return { command, args, extension: command === "bash" || command === "sh" ? ".sh" : "" };
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function list(entries: ReadonlyMap<string, string>): string[] {
  return [...entries].map(([name, value]) => `  ${name}: ${value}`);
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
