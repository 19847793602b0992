import type { SandboxStatus } from "./status.ts";
import type { SandboxBound } from "./watch.ts";

export interface SandboxUsage {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** Most memory that a sample (or the cgroup, where there is one) saw; 0 when the run was too short for one. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Bytes and number of files in the writable folders at the end. */
  readonly workBytes: number;
  readonly workFiles: number;
  readonly outputBytes: number;
}

/**
 * How a run ended. `exited` and `signalled` are the guest's own doing; bubblewrap reports both as one number, so
 * a program that itself exits with 129 to 192 reads as signalled.
 */
export type SandboxEnd =
  | { readonly outcome: "exited"; readonly code: number }
  | { readonly outcome: "signalled"; readonly signal: number }
  | { readonly outcome: "timed-out" }
  | { readonly outcome: "over-limit"; readonly bound: SandboxBound }
  /** The harness stopped it. */
  | { readonly outcome: "stopped" };

export type SandboxResult = SandboxEnd & {
  readonly usage: SandboxUsage;
  /** More was written than the bound on output; what came before it was delivered. */
  readonly truncated: boolean;
  /** What stands in the writable folder and was not fetched: links, devices, names that are no text. Paths in it. */
  readonly notFetched: readonly string[];
};

/** Why the harness ended a run. */
export type SandboxStop = "timed-out" | "stopped" | SandboxBound;

const HIGHEST_SIGNAL = 64;

/**
 * The end of a run, from what was said on the status pipe and why it was ended, if it was.
 * Null when the guest never started: the sandbox failed, which is nobody's fault but ours.
 */
export function decideEnd(status: SandboxStatus, stop: SandboxStop | null): SandboxEnd | null {
  if (stop === "timed-out" || stop === "stopped") return { outcome: stop };
  if (stop !== null) return { outcome: "over-limit", bound: stop };
  const { exitCode } = status;
  if (exitCode === null) return null;
  return exitCode > 128 && exitCode <= 128 + HIGHEST_SIGNAL
    ? { outcome: "signalled", signal: exitCode - 128 }
    : { outcome: "exited", code: exitCode };
}
