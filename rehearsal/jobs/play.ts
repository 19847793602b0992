import { join } from "node:path";
import { type JobKind, jobCheckName } from "../../src/lib/job/order-schema.ts";
import { JOBS_MARKER } from "../../src/lib/result-pr/words-jobs.ts";
import type { Stage } from "../stage.ts";
import type { JobsCheckout } from "./checkout.ts";
import { type JobFacts, makeJobFacts } from "./facts.ts";

/** Jobs as people ask for them, from the comment to what is said of them. */

export interface JobsPull extends JobFacts {
  readonly number: number;
  readonly sha: string;
}

/** Opens a pull request with a run and a defect of a task. */
export async function openJobsPull(stage: Stage, checkout: JobsCheckout, task: string): Promise<JobsPull> {
  const facts = await makeJobFacts(checkout.folder, task);
  await checkout.putBrief(`${task}.md`, facts.brief);
  const branch = `jobs-${task}`;
  const title = `A run of ${task}`;
  const sha = await stage.ada.pushChange(
    stage.base,
    join(stage.scratch, branch),
    branch,
    facts.change,
    title,
  );
  const number = await stage.ada.openPullRequest(stage.base, branch, title, "A rehearsal of jobs.");
  return { ...facts, number, sha };
}

/** What a job is about: the defect, or an entry. */
export const targetOf = (pull: JobsPull, kind: JobKind, entry = "e1"): string =>
  kind === "verify" ? pull.defect : `${pull.run}/${entry}`;

export interface AskedJob {
  readonly kind: JobKind;
  readonly entry?: string;
  readonly host: string;
}

/** The maintainer asks for a job, and it is waited for. Returns how its check run then stands. */
export async function playJob(
  stage: Stage,
  pull: JobsPull,
  asked: AskedJob,
): Promise<{ readonly conclusion: string | null; readonly title: string | null }> {
  const { kind, entry, host } = asked;
  await stage.mia.comment(stage.base, pull.number, `/assay ${kind} ${targetOf(pull, kind, entry)} ${host}`);
  return waitForJob(stage, pull, asked);
}

/** Waits, a quarter of an hour at most, for the end of a job that was asked for. */
export async function waitForJob(
  stage: Stage,
  pull: JobsPull,
  { kind, entry, host }: AskedJob,
): Promise<{ readonly conclusion: string | null; readonly title: string | null }> {
  const target = targetOf(pull, kind, entry);
  const name = jobCheckName(kind, target, host);
  let last: Awaited<ReturnType<typeof stage.mia.readCheck>> = null;
  await stage.until(
    `the end of ${kind} ${target} on ${host}`,
    async () => {
      last = await stage.mia.readCheck(stage.base, pull.sha, name);
      return last !== null && last.conclusion !== null;
    },
    900,
  );
  await stage.settled();
  return last ?? { conclusion: null, title: null };
}

/** What the one comment about jobs says; empty when there is none. */
export async function jobsComment(stage: Stage, number: number): Promise<string> {
  const comments = await stage.mia.readComments(stage.base, number);
  return comments.find(({ body }) => body.startsWith(JOBS_MARKER))?.body ?? "";
}

/** What the bot last answered. */
export async function lastReply(stage: Stage, number: number): Promise<string> {
  const comments = await stage.mia.readComments(stage.base, number);
  return comments.findLast(({ body }) => body.startsWith("<!-- assay:reply"))?.body ?? "";
}
