/** What runs and jobs share. */
import type { Hub } from "../hub/contract.ts";
import type { ConcurrencyGroups, Slots } from "./concurrency.ts";
import type { RunInfo } from "./contexts.ts";
import type { Host } from "./host.ts";
import type { RunnerEvent, RunnerOptions } from "./types.ts";

export interface Services {
  readonly hub: Hub;
  readonly host: Host;
  readonly options: RunnerOptions;
  readonly groups: ConcurrencyGroups;
  readonly slots: Slots;
  /** Aborted when the runner closes. */
  readonly end: AbortSignal;
  emit(event: RunnerEvent): void;
}

/** A run, as its jobs see it. */
export interface RunHandle {
  readonly services: Services;
  readonly info: RunInfo;
  /** What events of this run carry. */
  readonly tag: { readonly runId: number; readonly workflow: string };
  /** Makes a job that has failed before its first step. */
  failJob(name: string, messages: readonly string[]): void;
}
