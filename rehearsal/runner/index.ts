/**
 * The local workflow runner: executes `.github/workflows/*.yml` of a repository on the hub for real, on this machine.
 * What it cannot run is a failed run or job that says so, never a skipped one.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Trigger } from "../hub/contract.ts";
import { ConcurrencyGroups, Slots } from "./concurrency.ts";
import { matchTrigger } from "./events.ts";
import { readWorkflowFiles } from "./git.ts";
import { inspectHost } from "./host.ts";
import { WorkflowRun } from "./run.ts";
import type { Services } from "./services.ts";
import type { Runner, RunnerOptions } from "./types.ts";
import { type ParsedWorkflow, parseWorkflow, type Workflow } from "./workflow.ts";

export type { Runner, RunnerEvent, RunnerOptions } from "./types.ts";

const DEFAULT_SLOTS = 4;
/** Events for which a file that cannot be read at all gets a failed run; others would answer their own failure for ever. */
const SHOW_BROKEN_FILES = [
  "push",
  "pull_request",
  "pull_request_target",
  "merge_group",
  "workflow_dispatch",
  "schedule",
];

/**
 * Starts listening to the hub. The first events are those after this resolves.
 * @throws Error when the machine lacks bash or git.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  await mkdir(options.workDir, { recursive: true });
  const runner = new LocalRunner(options, {
    hub: options.hub,
    host: await inspectHost(options),
    options,
    groups: new ConcurrencyGroups(),
    slots: new Slots(options.slots ?? DEFAULT_SLOTS),
    emit: (event) => options.log(event),
  });
  runner.listen();
  return runner;
}

class LocalRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #services: Services;
  readonly #end = new AbortController();
  readonly #active = new Map<WorkflowRun, Promise<void>>();
  readonly #numbers = new Map<string, number>();
  /** Triggers are looked at one after the other, so that runs are made in the order of events. */
  #intake: Promise<void> = Promise.resolve();
  #unsubscribe: () => void = () => {};

  constructor(options: RunnerOptions, services: Omit<Services, "end">) {
    this.#options = options;
    this.#services = { ...services, end: this.#end.signal };
  }

  listen(): void {
    this.#unsubscribe = this.#options.hub.onTrigger((trigger) => {
      this.#intake = this.#intake.then(() => this.#take(trigger));
    });
  }

  async idle(): Promise<void> {
    for (;;) {
      const intake = this.#intake;
      await intake;
      if (this.#active.size > 0) await Promise.all(this.#active.values());
      else if (intake === this.#intake) return;
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#end.abort();
    for (const run of this.#active.keys()) run.cancel("the runner was stopped");
    await this.idle();
    for (const folder of ["_tool"])
      await rm(join(this.#options.workDir, folder), { recursive: true, force: true });
  }

  async #take(trigger: Trigger): Promise<void> {
    if (this.#end.signal.aborted) return;
    try {
      const files = await readWorkflowFiles(trigger.repository.gitDir, trigger.sha);
      const { workflowPath } = trigger;
      if (workflowPath !== undefined && !files.some((file) => file.path === workflowPath)) {
        throw new Error(`there is no ${workflowPath}`);
      }
      for (const { path, text } of files) await this.#consider(trigger, await parseWorkflow(path, text));
    } catch (error) {
      this.#problem(`event ${trigger.event} at ${trigger.sha}`, error);
    }
  }

  async #consider(trigger: Trigger, parsed: ParsedWorkflow): Promise<void> {
    const workflow = parsed.ok ? parsed.workflow : brokenWorkflow(parsed.path);
    const match = parsed.ok ? matchTrigger(parsed.workflow, trigger) : matchBroken(parsed, trigger);
    if (match.kind === "no") return;
    const { only } = this.#options;
    if (only !== undefined && !only.includes(workflow.path)) {
      this.#services.emit({ type: "not-run", path: workflow.path, event: trigger.event });
      return;
    }
    const runId = this.#options.hub.actions.createRun({
      trigger,
      workflowPath: workflow.path,
      workflowName: workflow.name,
    });
    const key = `${trigger.repository.id} ${workflow.path}`;
    const runNumber = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, runNumber);
    const inputs = match.kind === "yes" ? match.inputs : {};
    const eventInputs = match.kind === "yes" ? match.eventInputs : undefined;
    const run = new WorkflowRun(this.#services, {
      trigger,
      runId,
      runNumber,
      workflow,
      inputs,
      event: eventInputs ? { ...trigger.payload, inputs: eventInputs } : trigger.payload,
      hubUrl: this.#options.hub.url,
      vars: this.#options.vars ?? {},
    });
    this.#active.set(run, this.#execute(run, match.kind === "error" ? match.messages : null));
  }

  async #execute(run: WorkflowRun, errors: readonly string[] | null): Promise<void> {
    try {
      if (errors !== null) run.fail(errors);
      else await run.execute();
    } catch (error) {
      this.#problem(`run ${run.info.runId}`, error);
    } finally {
      await rm(join(this.#options.workDir, `run-${run.info.runId}`), { recursive: true, force: true });
      this.#active.delete(run);
    }
  }

  #problem(what: string, error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#services.emit({ type: "problem", message: `${what}: ${message}` });
  }
}

function brokenWorkflow(path: string): Workflow {
  return { path, name: path, events: new Map(), jobs: [], unsupported: [] };
}

function matchBroken(
  { path, events, errors }: Extract<ParsedWorkflow, { ok: false }>,
  trigger: Trigger,
): { readonly kind: "no" } | { readonly kind: "error"; readonly messages: readonly string[] } {
  const { event, workflowPath } = trigger;
  const concerned =
    event === "workflow_dispatch"
      ? workflowPath === path
      : // As on GitHub, every push shows a broken file, whatever it listens to.
        event === "push" || (events?.has(event) ?? SHOW_BROKEN_FILES.includes(event));
  return concerned ? { kind: "error", messages: errors } : { kind: "no" };
}
