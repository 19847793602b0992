/** How far a job on a guarded host has come, and how it can end. */

/** How a job ended. Only `measured` says anything about what was to be measured. */
export const JOB_ENDS = ["measured", "candidate", "refused", "ours", "cancelled", "void", "offline"] as const;
export type JobEnd = (typeof JOB_ENDS)[number];

/** A job of a workflow run, as the API gives it. */
export interface HostJob {
  /** `queued`, `waiting` (for an environment's reviewers), `in_progress`, `completed` … */
  readonly status: string;
  readonly selfHosted: boolean;
  /** A runner took it. */
  readonly taken: boolean;
  /** ISO 8601; null before it has one. */
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly steps: readonly { readonly name: string; readonly status: string }[];
}

/** Where a job is on its way. */
export type JobPhase =
  /** Dispatched; GitHub shows no run yet. */
  | { readonly phase: "sent" }
  /** The guard on a hosted runner looks at it. */
  | { readonly phase: "guarded" }
  /** Somebody has to let it into the environment. */
  | { readonly phase: "approval" }
  /** Waits for its host. */
  | { readonly phase: "queued"; readonly since: string | null }
  | {
      readonly phase: "running";
      readonly since: string | null;
      /** The step at work, from 1, and how many there are; null when GitHub does not say. */
      readonly step: { readonly number: number; readonly of: number; readonly name: string } | null;
    }
  /** The host is done; a hosted runner puts the report together. */
  | { readonly phase: "reported" };
