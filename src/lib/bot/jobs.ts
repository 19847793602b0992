import { instantMs } from "../benchmarks/instant.ts";
import { formatJobMemo, type JobMemo, parseJobMemo } from "../job/memo.ts";
import { JOB_KINDS, JOB_WORKFLOWS, type JobKind, jobCheckName } from "../job/order-schema.ts";
import { type HostJob, JOB_ENDS, type JobEnd, type JobPhase } from "../job/progress.ts";
import type { JobReport } from "../job/report-schema.ts";
import type { RunFacts, Trust } from "./trust.ts";

/**
 * Jobs on guarded hosts, as check runs and workflow runs show them (field lessons F04, F12, F43, F67, F68). A job is a check run of the App
 * on the judged commit; its external id holds who asked and what was done about it. Everything else is looked up each time. Pure.
 */

/** What the App keeps of a job. */
export interface JobNote extends JobMemo {
  /** When its workflow was last dispatched: seconds since 1970. */
  readonly sent: number;
  /** How often it was dispatched. */
  readonly tries: number;
  /** Absent while it is not over. */
  readonly end?: JobEnd;
  /** The workflow run that it ended with. */
  readonly run?: number;
}

export const formatJobNote = (note: JobNote): string =>
  [
    formatJobMemo(note),
    `sent=${note.sent}`,
    `tries=${note.tries}`,
    ...(note.end === undefined ? [] : [`end=${note.end}`]),
    ...(note.run === undefined ? [] : [`run=${note.run}`]),
  ].join(" ");

/** Null when the text is none of ours. */
export function parseJobNote(text: string | null | undefined): JobNote | null {
  const memo = parseJobMemo(text);
  const found = / sent=(\d+) tries=(\d+)(?: end=([a-z]+))?(?: run=(\d+))?$/.exec(text ?? "");
  if (memo === null || found === null) return null;
  const end = JOB_ENDS.find((known) => known === found[3]);
  return {
    ...memo,
    sent: Number(found[1]),
    tries: Number(found[2]),
    ...(end === undefined ? {} : { end }),
    ...(found[4] === undefined ? {} : { run: Number(found[4]) }),
  };
}

/** A check run that stands for a job. */
export interface JobCheck {
  /** The nonce. */
  readonly id: number;
  readonly headSha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly title: string;
  readonly summary: string;
  readonly note: JobNote;
}

interface CheckFacts extends Omit<JobCheck, "note"> {
  readonly name: string;
  readonly externalId: string;
}

/** The job that a check run of the App's stands for; null for other check runs. */
export function jobOf(check: CheckFacts): JobCheck | null {
  const note = parseJobNote(check.externalId);
  if (note === null || check.name !== jobCheckName(note.kind, note.target, note.host)) return null;
  const { id, headSha, status, conclusion, title, summary } = check;
  return { id, headSha, status, conclusion, title, summary, note };
}

export const isOver = ({ status, note }: Pick<JobCheck, "status" | "note">): boolean =>
  status === "completed" || note.end !== undefined;

/** The workflows of jobs, and which kind each is for. */
const WORKFLOW_KINDS = new Map(JOB_KINDS.map((kind) => [JOB_WORKFLOWS[kind], kind]));

/** The kind of job that a workflow file is for; null for other files. */
export const kindOfWorkflow = (path: string): JobKind | null =>
  WORKFLOW_KINDS.get(path.split("@", 1)[0] ?? "") ?? null;

/**
 * What the name of a run of one of these workflows says: `… on <host>, job <nonce>`. Whoever may dispatch a workflow can have it say
 * anything, so it only tells where to look.
 */
export function parseRunTitle(
  title: string,
): { readonly nonce: number; readonly host: string | null } | null {
  const found = /(?: on ([a-z0-9][a-z0-9._-]*))?, job ([1-9]\d{0,14})$/.exec(title);
  return found === null ? null : { nonce: Number(found[2]), host: found[1] ?? null };
}

/** Where the job behind a run that has not ended is. `jobs`: those of the run. */
export function phaseOf(run: RunFacts | null, jobs: readonly HostJob[]): JobPhase {
  if (run === null) return { phase: "sent" };
  // The environment is the guard's: a job that waits for reviewers is listed, and the run says so as well.
  if (run.status === "waiting" || jobs.some(({ status }) => status === "waiting"))
    return { phase: "approval" };
  const host = jobs.filter(({ selfHosted }) => selfHosted).at(-1);
  if (host === undefined) {
    // Behind another job of its host it may not be listed yet.
    const passed = jobs.length > 0 && jobs.every(({ status }) => status === "completed");
    return passed ? { phase: "queued", since: null } : { phase: "guarded" };
  }
  if (host.status === "completed") return { phase: "reported" };
  if (host.status !== "in_progress") return { phase: "queued", since: host.createdAt };
  const at = host.steps.findIndex(({ status }) => status === "in_progress");
  const step = at < 0 ? null : { number: at + 1, of: host.steps.length, name: host.steps[at]?.name ?? "" };
  return { phase: "running", since: host.startedAt, step };
}

/** How long GitHub may take to show a run that was dispatched, milliseconds. */
export const APPEARS_MS = 3 * 60_000;
/** A job that its host has not taken after this long, while the host does nothing else: the host is offline. Milliseconds. */
export const OFFLINE_MS = 30 * 60_000;
/** How often a job is dispatched at most. */
const MAX_TRIES = 2;

export interface JobSituation {
  readonly job: Pick<JobCheck, "status" | "note" | "headSha">;
  /** The head of its pull request, open against the default branch; null when there is none any more. */
  readonly head: string | null;
  /** Trusted runs of this nonce, newest first. */
  readonly runs: readonly RunFacts[];
  /** The jobs of the newest run. */
  readonly jobs: readonly HostJob[];
  /** Another job runs on the host, or stands before this one. */
  readonly hostBusy: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type JobStep =
  | { readonly do: "nothing" }
  | { readonly do: "dispatch" }
  /** Ends these runs; the next look goes on. */
  | { readonly do: "cancel-runs"; readonly runs: readonly RunFacts[] }
  | { readonly do: "end"; readonly end: JobEnd; readonly stop: readonly RunFacts[] }
  /** Take the report of the runs, which have all ended: the first that has one that counts. */
  | { readonly do: "take"; readonly runs: readonly RunFacts[] };

const NOTHING: JobStep = { do: "nothing" };

/** What has to be done about a job now. */
export function decideJob({ job, head, runs, jobs, hostBusy, now }: JobSituation): JobStep {
  if (isOver(job)) return NOTHING;
  const { note } = job;
  const live = runs.filter(({ status }) => status !== "completed");
  if (head !== job.headSha) return { do: "end", end: "void", stop: live };
  const again = note.tries < MAX_TRIES;
  const [newest] = runs;
  const appearing = now - note.sent * 1000 < APPEARS_MS;
  if (newest === undefined) {
    if (appearing) return NOTHING;
    return again ? { do: "dispatch" } : { do: "end", end: "ours", stop: [] };
  }
  const untaken = untakenSince(newest, jobs);
  const starved = untaken !== null && now - untaken >= OFFLINE_MS;
  if (live.length === 0) {
    if (!starved || newest.conclusion !== "cancelled" || runs.length > 1) return { do: "take", runs };
    // It was given up; the second one may not be shown yet.
    if (again) return { do: "dispatch" };
    return appearing ? NOTHING : { do: "end", end: "ours", stop: [] };
  }
  if (!starved || hostBusy) return NOTHING;
  return again ? { do: "cancel-runs", runs: live } : { do: "end", end: "offline", stop: live };
}

/** Since when the host's job of a run waits for a runner, or waited until it was given up; null when one took it, or it did not get so far. */
function untakenSince(run: RunFacts, jobs: readonly HostJob[]): number | null {
  const host = jobs.filter(({ selfHosted }) => selfHosted).at(-1);
  if (host === undefined || host.taken || host.status === "waiting") return null;
  return timeOf(host.createdAt) ?? timeOf(run.createdAt);
}

/** Milliseconds since 1970 of a time as GitHub writes it, with or without milliseconds; null when it is none. */
export const timeOf = (text: string | null): number | null =>
  instantMs((text ?? "").replace(/:(\d\d)Z$/, ":$1.000Z"));

/** Whether a report is about the job that a check run stands for. What it says of itself only must not disagree. */
export function decideJobReport(report: JobReport, job: JobCheck): Trust {
  const no = (reason: string): Trust => ({ trusted: false, reason });
  const { note } = job;
  if (report.kind !== note.kind) return no("it is of another kind of job");
  if (report.nonce !== String(job.id)) return no("it answers another order");
  if (report.head_sha !== job.headSha) return no("it is about another head");
  if (report.target !== note.target) return no("it is about something else");
  if (report.pull_request !== note.pull) return no("it is about another pull request");
  if (report.host !== null && report.host.id !== note.host) return no("it comes from another host");
  if (report.outcome === "measured" && report.host === null) return no("it names no host");
  return { trusted: true };
}
