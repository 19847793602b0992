import { zipSync } from "fflate";
import type { ActionsStore, Conclusion, HubEvents, Trigger } from "./contract.ts";

/** What a test says a run of a workflow came to. */
export interface PlayedRun {
  /** `success` when absent. */
  readonly conclusion?: Conclusion;
  /** Jobs by name; each is a check run of `github-actions` as well. */
  readonly jobs?: Readonly<Record<string, Conclusion>>;
  /** Artifacts by name: the zip itself, or the files in it. */
  readonly artifacts?: Readonly<Record<string, Uint8Array | Readonly<Record<string, string | Uint8Array>>>>;
}

/** A workflow that a test plays, in place of the runner. */
export interface PlayedWorkflow {
  /** `.github/workflows/result-pr.yml`. */
  readonly path: string;
  readonly name: string;
  /** Events that start it; a dispatch starts it when it names this path. */
  readonly events: readonly string[];
  /** What `run-name` would give. */
  readonly title?: (trigger: Trigger) => string;
  /** Null: the run stays queued, for the test to end it. The run waits for a promise. */
  run(trigger: Trigger, runId: number): PlayedRun | null | Promise<PlayedRun | null>;
}

const bytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content, "utf8") : content;

function zipped(artifact: Uint8Array | Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  if (artifact instanceof Uint8Array) return artifact;
  const files = Object.entries(artifact).map(([path, content]): [string, Uint8Array] => [
    path,
    bytes(content),
  ]);
  return zipSync(Object.fromEntries(files), { level: 0 });
}

/** Plays workflows in the hub's process: no files, no containers, no waiting. */
export class Player {
  readonly #hub: HubEvents & { readonly actions: ActionsStore };
  readonly #log: (line: string) => void;
  readonly #playing = new Set<Promise<void>>();

  constructor(hub: HubEvents & { readonly actions: ActionsStore }, log: (line: string) => void) {
    this.#hub = hub;
    this.#log = log;
  }

  /** Returns a function that stops it. */
  play(workflow: PlayedWorkflow): () => void {
    return this.#hub.onTrigger((trigger) => {
      const asked =
        trigger.event === "workflow_dispatch"
          ? trigger.workflowPath === workflow.path
          : workflow.events.includes(trigger.event);
      if (!asked) return;
      const { path: workflowPath, name: workflowName } = workflow;
      const title = workflow.title?.(trigger);
      const named = title === undefined ? {} : { title };
      const runId = this.#hub.actions.createRun({ trigger, workflowPath, workflowName, ...named });
      const work = this.#run(workflow, trigger, runId);
      this.#playing.add(work);
      void work.finally(() => this.#playing.delete(work));
    });
  }

  /** Resolves when nothing is being played. */
  async idle(): Promise<void> {
    while (this.#playing.size > 0) await Promise.all(this.#playing);
  }

  async #run(workflow: PlayedWorkflow, trigger: Trigger, runId: number): Promise<void> {
    const { actions } = this.#hub;
    let played: PlayedRun | null;
    try {
      played = await workflow.run(trigger, runId);
    } catch (error) {
      this.#log(`Playing ${workflow.path} failed: ${error instanceof Error ? error.stack : String(error)}`);
      played = { conclusion: "failure" };
    }
    // Somebody may have cancelled it meanwhile.
    if (played === null || actions.hasEnded(runId)) return;
    actions.startRun(runId);
    for (const [name, conclusion] of Object.entries(played.jobs ?? {}))
      actions.completeJob(runId, actions.createJob(runId, name), conclusion, "");
    for (const [name, artifact] of Object.entries(played.artifacts ?? {}))
      actions.putArtifact(runId, name, zipped(artifact));
    actions.completeRun(runId, played.conclusion ?? "success");
  }
}
