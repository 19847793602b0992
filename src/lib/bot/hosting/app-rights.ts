/**
 * What the App may do and hears of, and why: the one place that says so. The manifest, the tables of docs/operations.md,
 * the rehearsal's hub and `npm run bot -- check` take it from here; a test holds it to the calls that the bot makes. Pure.
 */

export type Level = "read" | "write";

export interface AppPermission {
  /** As GitHub's API spells it. */
  readonly id: string;
  /** As GitHub's pages spell it. */
  readonly title: string;
  readonly level: Level;
  readonly reason: string;
}

export const APP_PERMISSIONS: readonly AppPermission[] = [
  {
    id: "contents",
    title: "Contents",
    level: "write",
    reason:
      "the merge lock `assay/merge`, moving the default branch to the verified merge commit, the branch `published`, branches with what a run of a contestant brought",
  },
  {
    id: "pull_requests",
    title: "Pull requests",
    level: "write",
    reason:
      "reading pull requests and hearing of them; the comments on each; opening one with what a run of a contestant brought",
  },
  {
    id: "issues",
    title: "Issues",
    level: "write",
    reason:
      "hearing of commands, answering them with a sign and a comment; the label `assay:hold`; one issue when the bot stops itself",
  },
  {
    id: "checks",
    title: "Checks",
    level: "write",
    reason:
      "the check run `assay/result` with its annotations, the orders for jobs on guarded hosts, and what the bot remembers in check runs",
  },
  {
    id: "actions",
    title: "Actions",
    level: "write",
    reason:
      "reading runs and their artifacts; dispatching `result-pr.yml` for a merge or on request, and the workflows of jobs on guarded hosts; cancelling such a job",
  },
  {
    id: "metadata",
    title: "Metadata",
    level: "read",
    reason: "every App has it: the repository itself, and the role of who gives a command",
  },
];

export interface AppEvent {
  readonly id: string;
  /** As GitHub's pages spell it. */
  readonly title: string;
  readonly reason: string;
}

export const APP_EVENTS: readonly AppEvent[] = [
  { id: "pull_request", title: "Pull request", reason: "one was opened, pushed to, closed or labelled" },
  { id: "issue_comment", title: "Issue comment", reason: "commands such as `/assay merge`" },
  {
    id: "workflow_run",
    title: "Workflow run",
    reason: "a verdict or a feed is ready to be fetched; a job on a guarded host began or ended",
  },
  {
    id: "workflow_job",
    title: "Workflow job",
    reason: "a job on a guarded host waits for a reviewer, waits for its host, or began",
  },
];

/** Permission → level, as GitHub's API takes it. */
export const permissionLevels = (): Record<string, Level> =>
  Object.fromEntries(APP_PERMISSIONS.map(({ id, level }) => [id, level]));

export const eventIds = (): string[] => APP_EVENTS.map(({ id }) => id);

/** Whether a granted level is as much as `wanted`. */
export const suffices = (granted: string | undefined, wanted: Level): boolean =>
  granted === "write" || granted === "admin" || granted === wanted;
