import { readCheck } from "../src/io/github/checks.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { readRun } from "../src/io/github/runs.ts";
import { jobOf, kindOfWorkflow, parseRunTitle } from "../src/lib/bot/jobs.ts";
import { JOB_WORKFLOWS } from "../src/lib/job/order-schema.ts";
import type { BotContext, Job } from "./context.ts";
import { lookAtJobs } from "./job-board.ts";

/** Something about the run of a job changed. What a webhook says is only where to look. */

export function onJobRun(payload: {
  readonly workflow_run: { readonly id: number; readonly path: string };
}): Job | null {
  const { id, path } = payload.workflow_run;
  return kindOfWorkflow(path) === null ? null : lookAtRun(id);
}

const NAMES = Object.values(JOB_WORKFLOWS).map((path) => path.replace(/^.*\/|\.ya?ml$/g, ""));

/** A job of a run was queued, waits, or began. Our workflows of jobs are called like their files; what else is, is looked up for nothing. */
export const onHostJob = (payload: {
  readonly workflow_job: { readonly run_id: number; readonly workflow_name?: string | null };
}): Job | null =>
  NAMES.includes(payload.workflow_job.workflow_name ?? "") ? lookAtRun(payload.workflow_job.run_id) : null;

const lookAtRun = (id: number): Job => ({
  key: `job-run:${id}`,
  run: async (context) => {
    const run = await readRun(context.repository, id);
    if (run === null || kindOfWorkflow(run.path) === null) return;
    const number = await pullOfRun(context, run.title);
    if (number !== null) await lookAtJobsOf(context, number);
    // Whoever waits behind it is nearer now.
    if (run.status !== "completed") return;
    for (const other of context.memory.jobs)
      if (other !== number) context.queue(`jobs:${other}`, (later) => lookAtJobsOf(later, other));
  },
});

/** The pull request of the order that a run says it carries out; null when that is none of ours. */
async function pullOfRun({ repository }: BotContext, title: string): Promise<number | null> {
  const named = parseRunTitle(title);
  const check = named === null ? null : await readCheck(repository, named.nonce);
  return check === null ? null : (jobOf(check)?.note.pull ?? null);
}

export async function lookAtJobsOf(context: BotContext, number: number): Promise<void> {
  const pull = await readPull(context.repository, number);
  if (pull !== null) await lookAtJobs(context, pull);
}
