import { type Check, type CheckWish, patchCheck, readChecks } from "../src/io/github/checks.ts";
import { type Comment, patchComment, postComment, readComments } from "../src/io/github/comments.ts";
import { cancelRun, readJobRuns, readRunJobs } from "../src/io/github/job-runs.ts";
import { statusOf } from "../src/io/github/policy.ts";
import { dispatchWorkflow } from "../src/io/github/runs.ts";
import { placeOf } from "../src/lib/bot/job-queue.ts";
import {
  decideJob,
  formatJobNote,
  isOver,
  type JobCheck,
  type JobNote,
  jobOf,
  parseRunTitle,
  phaseOf,
} from "../src/lib/bot/jobs.ts";
import { decideComment, isOurs } from "../src/lib/bot/sticky.ts";
import { decideJobTrust, type PullFacts, type RunFacts } from "../src/lib/bot/trust.ts";
import { JOB_KINDS, JOB_WORKFLOWS, type JobInputs, jobCheckName } from "../src/lib/job/order-schema.ts";
import type { HostJob, JobPhase } from "../src/lib/job/progress.ts";
import type { CheckConclusion } from "../src/lib/result-pr/words-check.ts";
import {
  type JobCheckWords,
  type JobsTag,
  type PlainEnd,
  parseJobsTag,
  renderJobs,
  renderLiveJob,
  renderPlainEnd,
  type ShownJob,
} from "../src/lib/result-pr/words-jobs.ts";
import { repositoryUrlOf } from "../src/lib/result-pr/words-links.ts";
import type { BotContext } from "./context.ts";
import { concludeJob } from "./job-conclude.ts";

/** Brings the jobs of a pull request on: what their check runs say, and the one comment that lists them. */

/** All that is looked up once for all jobs of a look. */
interface Surroundings {
  /** Trusted runs of all workflows of jobs, newest first. */
  readonly runs: readonly RunFacts[];
  readonly repositoryUrl: string | null;
}

export async function readSurroundings({ repository, log }: BotContext): Promise<Surroundings> {
  const rules = {
    workflows: JOB_KINDS.map((kind) => JOB_WORKFLOWS[kind]),
    repositoryId: repository.id,
    defaultBranch: repository.defaultBranch,
    appUserId: repository.identity.botUserId,
  };
  const all = await readJobRuns(repository);
  const runs = all.filter((run) => {
    const trust = decideJobTrust(run, rules);
    if (!trust.trusted)
      log.debug({ run: run.id, reason: trust.reason }, "a run of a job's workflow is not trusted");
    return trust.trusted;
  });
  const url = all.map((run) => repositoryUrlOf(run.url)).find((found) => found !== null);
  return { runs, repositoryUrl: url ?? null };
}

export const runsOf = (job: JobCheck, { runs }: Surroundings): RunFacts[] =>
  runs.filter(
    (run) =>
      parseRunTitle(run.title)?.nonce === job.id &&
      run.path.split("@", 1)[0] === JOB_WORKFLOWS[job.note.kind],
  );

/** The jobs that stand on a commit, oldest first. */
export const jobsAmong = (checks: readonly Check[]): JobCheck[] =>
  checks.flatMap((check) => jobOf(check) ?? []).sort((a, b) => a.id - b.id);

/** A job as it now is, and how it is shown. */
interface Looked {
  readonly job: JobCheck;
  readonly shown: ShownJob;
}

/**
 * Looks at the jobs of a pull request: goes on with each, ends those of a head that is not there any more, and brings the comment up to
 * date. `known`: check runs of the head, where they have just been read.
 */
export async function lookAtJobs(
  context: BotContext,
  pull: PullFacts,
  known?: readonly Check[],
): Promise<readonly ShownJob[]> {
  const { repository, memory } = context;
  const own = jobsAmong(known ?? (await readChecks(repository, pull.headSha)));
  const comment = await findJobsComment(context, pull.number);
  if (own.length === 0 && comment === null) return [];
  const tag = comment === null ? null : parseJobsTag(comment.body);
  const beforeSha = beforeOf(tag, pull.headSha, own.length);
  const before = beforeSha === null ? [] : jobsAmong(await readChecks(repository, beforeSha));
  const mine = (job: JobCheck): boolean => job.note.pull === pull.number;
  const all = [...own, ...before].filter(mine);
  const around = all.some((job) => !isOver(job))
    ? await readSurroundings(context)
    : { runs: [], repositoryUrl: null };
  const looked: Looked[] = [];
  for (const job of all) looked.push(await lookAtJob(context, pull, job, around));
  const live = looked.some(({ job }) => !isOver(job));
  if (live) memory.jobs.add(pull.number);
  else memory.jobs.delete(pull.number);
  const on = (sha: string): ShownJob[] =>
    looked.filter(({ job }) => job.headSha === sha).map(({ shown }) => shown);
  const body = renderJobs({
    head: pull.headSha,
    jobs: on(pull.headSha),
    before:
      beforeSha === null || on(beforeSha).length === 0 ? null : { head: beforeSha, jobs: on(beforeSha) },
    repositoryUrl: around.repositoryUrl ?? linkedIn(comment?.body),
  });
  if (looked.length > 0) await ensureJobsComment(context, pull.number, body);
  return on(pull.headSha);
}

/** The head whose jobs are told beside those of this one: the last that had some, until this one has. */
function beforeOf(tag: JobsTag | null, head: string, jobs: number): string | null {
  if (tag === null) return null;
  if (tag.head !== head) return tag.head;
  return jobs > 0 ? null : tag.before;
}

/** The repository's address as an earlier comment of ours has it. */
const linkedIn = (body: string | undefined): string | null =>
  repositoryUrlOf(/\((https?:\/\/[^\s()]+\/actions\/runs\/\d+)\)/.exec(body ?? "")?.[1] ?? "");

async function lookAtJob(
  context: BotContext,
  pull: PullFacts,
  job: JobCheck,
  around: Surroundings,
): Promise<Looked> {
  const { repository } = context;
  if (isOver(job)) return { job, shown: shownOver(job) };
  const runs = runsOf(job, around);
  const [newest = null] = runs;
  const jobs = newest === null ? [] : await readRunJobs(repository, newest.id);
  const place = newest === null ? null : placeOf(newest, around.runs, context.now());
  const open = pull.open && pull.baseRef === repository.defaultBranch;
  const step = decideJob({
    job,
    head: open ? pull.headSha : null,
    runs,
    jobs,
    hostBusy: (place?.ahead ?? 0) > 0,
    now: context.now(),
  });
  switch (step.do) {
    case "dispatch": {
      const again = { ...job.note, sent: Math.floor(context.now() / 1000), tries: job.note.tries + 1 };
      return dispatchJob(context, { ...job, note: again });
    }
    case "cancel-runs":
      for (const run of step.runs) await cancelRun(repository, run.id);
      return showLive(context, job, newest, jobs, around);
    case "end": {
      for (const run of step.stop) await cancelRun(repository, run.id);
      const plain = plainEnd(step.end, open ? pull.headSha : null);
      return endJob(context, job, renderPlainEnd(plain), { end: plain.end, run: newest?.id ?? null });
    }
    case "take": {
      const { words, end, run, conclusion } = await concludeJob(
        context,
        job,
        step.runs,
        around.repositoryUrl,
      );
      return endJob(context, job, words, { end, run, conclusion });
    }
    case "nothing":
      return showLive(context, job, newest, jobs, around);
  }
}

const plainEnd = (end: JobNote["end"], head: string | null): PlainEnd =>
  end === "void" ? { end, head } : end === "offline" ? { end } : { end: "ours", why: "not-started" };

/** Starts the workflow of a job, whose note says that it was sent. A refusal of GitHub's ends it. */
export async function dispatchJob(context: BotContext, job: JobCheck): Promise<Looked> {
  const { repository, log } = context;
  const { note } = job;
  const inputs: JobInputs = {
    pull_request: String(note.pull),
    head_sha: job.headSha,
    nonce: String(job.id),
    target: note.target,
    host: note.host,
  };
  // First the note: should the answer be lost, a later look waits for the run before it sends another.
  const looked = await showLive(context, job, null, [], null);
  try {
    await dispatchWorkflow(repository, JOB_WORKFLOWS[note.kind], inputs);
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 422) throw error;
    log.warn({ err: error, job: job.id }, "GitHub does not start the workflow of a job");
    return endJob(context, looked.job, renderPlainEnd({ end: "ours", why: "not-started" }), {
      end: "ours",
      run: null,
    });
  }
  return looked;
}

/** Writes into the check run of a job that is not over how it stands, where that is news. */
async function showLive(
  context: BotContext,
  job: JobCheck,
  run: RunFacts | null,
  jobs: readonly HostJob[],
  around: Surroundings | null,
): Promise<Looked> {
  const { note } = job;
  const phase: JobPhase = phaseOf(run === null || run.status === "completed" ? null : run, jobs);
  const again = note.tries > 1;
  const words = renderLiveJob(note, phase.phase, { by: note.login, head: job.headSha, again });
  const queued = phase.phase !== "running" && phase.phase !== "reported";
  const now = await writeCheck(context, job, { ...words, note, conclusion: null, queued });
  const waits = phase.phase === "queued" && run !== null && around !== null;
  const place = waits ? placeOf(run, around.runs, context.now()) : null;
  const shown: ShownJob = {
    ...nameOf(note),
    by: note.login,
    again,
    run: run?.id ?? null,
    state: {
      over: false,
      phase,
      place:
        place === null
          ? null
          : {
              ahead: place.ahead,
              expected: place.expected === null ? null : new Date(place.expected).toISOString(),
            },
    },
  };
  return { job: now, shown };
}

const nameOf = ({ kind, target, host }: JobNote): Pick<JobNote, "kind" | "target" | "host"> => ({
  kind,
  target,
  host,
});

/** Ends a job: its check run says how. */
export async function endJob(
  context: BotContext,
  job: JobCheck,
  words: JobCheckWords,
  {
    end,
    run,
    conclusion = "neutral",
  }: {
    readonly end: NonNullable<JobNote["end"]>;
    readonly run: number | null;
    readonly conclusion?: CheckConclusion;
  },
): Promise<Looked> {
  const note: JobNote = { ...job.note, end, ...(run === null ? {} : { run }) };
  const now = await writeCheck(context, job, { ...words, note, conclusion, queued: false });
  return { job: now, shown: shownOver(now) };
}

function shownOver({ note, title, summary }: JobCheck): ShownJob {
  const state = { over: true, end: note.end ?? "ours", title, summary } as const;
  return { ...nameOf(note), by: note.login, again: note.tries > 1, run: note.run ?? null, state };
}

interface JobWish extends JobCheckWords, Pick<CheckWish, "conclusion"> {
  readonly note: JobNote;
  readonly queued: boolean;
}

/** Makes a job's check run say this, where it does not yet. */
async function writeCheck(context: BotContext, job: JobCheck, wish: JobWish): Promise<JobCheck> {
  const { repository, outbox } = context;
  const { note, title, summary, conclusion, queued } = wish;
  const status = conclusion === null ? (queued ? "queued" : "in_progress") : "completed";
  const now: JobCheck = { ...job, note, title, summary, conclusion, status };
  const same =
    job.status === status &&
    job.title === title &&
    job.summary === summary &&
    job.conclusion === conclusion &&
    formatJobNote(job.note) === formatJobNote(note);
  if (same) return now;
  const name = jobCheckName(note.kind, note.target, note.host);
  await outbox.ensure(`job:${job.id}`, async () =>
    patchCheck(repository, job.id, {
      name,
      headSha: job.headSha,
      externalId: formatJobNote(note),
      title,
      summary,
      conclusion,
      queued,
    }),
  );
  return now;
}

/** The comment about jobs; null when there is none. */
async function findJobsComment(
  { repository, memory }: BotContext,
  pull: number,
  fresh = false,
): Promise<{ id: number; body: string } | null> {
  const known = memory.jobComments.get(pull);
  if (known !== undefined && !fresh) return known;
  const comments = await readComments(repository, pull);
  noteJobsComment({ repository, memory }, pull, comments);
  return memory.jobComments.get(pull) ?? null;
}

/** Remembers the comment about jobs among those of a pull request; null where there is none, which saves looking. */
export function noteJobsComment(
  { repository, memory }: Pick<BotContext, "repository" | "memory">,
  pull: number,
  comments: readonly Comment[],
): void {
  const [own = null] = comments
    .filter((comment) => isOurs(comment, repository.identity) && parseJobsTag(comment.body) !== null)
    .sort((a, b) => a.id - b.id);
  memory.jobComments.set(pull, own === null ? null : { id: own.id, body: own.body });
}

async function ensureJobsComment(context: BotContext, pull: number, body: string): Promise<void> {
  const { repository, memory, outbox } = context;
  await outbox.ensure(`jobs:${pull}`, async (fresh) => {
    if (fresh) memory.jobComments.delete(pull);
    const comment = await findJobsComment(context, pull, fresh);
    const step = decideComment(comment, body);
    if (step.do === "create")
      memory.jobComments.set(pull, { id: await postComment(repository, pull, body), body });
    if (step.do === "update") {
      await patchComment(repository, step.id, body);
      memory.jobComments.set(pull, { id: step.id, body });
    }
  });
}
