import { type CheckWish, postCheck, readChecks } from "../src/io/github/checks.ts";
import type { Comment } from "../src/io/github/comments.ts";
import { readFileNames, readFileText } from "../src/io/github/contents.ts";
import { cancelRun } from "../src/io/github/job-runs.ts";
import { readChangedPaths } from "../src/io/github/pulls.ts";
import type { Command } from "../src/lib/bot/command.ts";
import { type Choice, chooseDefect, chooseEntry, defectTasksIn, runsIn } from "../src/lib/bot/job-target.ts";
import { formatJobNote, isOver, type JobCheck, type JobNote } from "../src/lib/bot/jobs.ts";
import type { PullFacts } from "../src/lib/bot/trust.ts";
import { effectiveRun } from "../src/lib/code/derive/effective.ts";
import { type Defects, defectsSchema } from "../src/lib/code/schema/defects-schema.ts";
import { type CodeRun, runSchema } from "../src/lib/code/schema/run-schema.ts";
import { taskSchema } from "../src/lib/code/schema/task-schema.ts";
import { type JobKind, jobCheckName } from "../src/lib/job/order-schema.ts";
import { CODE_LIMITS } from "../src/lib/result-pr/code-facts.ts";
import { renderLiveJob, renderPlainEnd } from "../src/lib/result-pr/words-jobs.ts";
import type { Reply } from "../src/lib/result-pr/words-replies.ts";
import { parseWithSchema } from "../src/lib/strict-json/schema.ts";
import type { BotContext } from "./context.ts";
import { dispatchJob, endJob, jobsAmong, lookAtJobs, readSurroundings, runsOf } from "./job-board.ts";
import { readHosts } from "./job-report.ts";

/** The commands about jobs on guarded hosts. Whoever asked was found to be allowed, and the head is the one that was meant. */

/** Asks for a job on exactly this head. */
export async function askForJob(
  context: BotContext,
  pull: PullFacts,
  comment: Comment,
  command: Command & { readonly verb: JobKind },
): Promise<Reply> {
  const kind = command.verb;
  const choice = await choose(context, pull, command);
  if (!choice.ok) return { kind: "ask-which", job: kind, asked: command.target, could: choice.could };
  const host = await chooseHost(context, choice.task, command.host ?? null);
  if (typeof host !== "string") return { kind: "ask-host", job: kind, ...host };
  const name = { kind, target: choice.target, host };
  const checks = await readChecks(context.repository, pull.headSha);
  const standing = jobsAmong(checks).find(
    ({ note }) => note.kind === kind && note.target === name.target && note.host === host,
  );
  if (standing !== undefined && !isOver(standing) && standing.note.comment !== comment.id)
    return { kind: "ask-again", job: name, head: pull.headSha };
  const job = await orderJob(context, pull, {
    ...name,
    pull: pull.number,
    by: comment.userId ?? 0,
    login: comment.userLogin ?? "",
    comment: comment.id,
    at: Math.floor(Date.parse(comment.createdAt) / 1000),
    sent: Math.floor(context.now() / 1000),
    tries: 1,
  });
  await lookAtJobs(context, pull);
  return isOver(job) && job.note.end === "ours"
    ? { kind: "failed", what: "GitHub does not start the workflow of this job." }
    : { kind: "ask-taken", job: name, head: pull.headSha };
}

/** Makes the check run that is the order, unless this very comment made one before, and starts its workflow. */
async function orderJob(context: BotContext, pull: PullFacts, note: JobNote): Promise<JobCheck> {
  const { repository, outbox } = context;
  const words = renderLiveJob(note, "sent", { by: note.login, head: pull.headSha, again: false });
  const wish: CheckWish = {
    name: jobCheckName(note.kind, note.target, note.host),
    headSha: pull.headSha,
    externalId: formatJobNote(note),
    ...words,
    conclusion: null,
    queued: true,
  };
  const made = await outbox.ensure(`order:${note.comment}:${wish.name}`, async () => {
    const there = jobsAmong(await readChecks(repository, pull.headSha)).find(
      (job) =>
        job.note.comment === note.comment &&
        jobCheckName(job.note.kind, job.note.target, job.note.host) === wish.name,
    );
    if (there !== undefined) return { job: there, fresh: false };
    const id = await postCheck(repository, wish);
    const job: JobCheck = { id, headSha: pull.headSha, status: "queued", conclusion: null, ...words, note };
    return { job, fresh: true };
  });
  if (made === null) throw new Error("another order took over");
  // An order that was there already may have been sent: its next look tells.
  return made.fresh ? (await dispatchJob(context, made.job)).job : made.job;
}

async function choose(context: BotContext, pull: PullFacts, { verb, target }: Command): Promise<Choice> {
  const changed = async (): Promise<string[]> => readChangedPaths(context.repository, pull.number);
  if (verb === "verify") {
    const [task, id] =
      target === null ? [null, null] : target.includes("/") ? target.split("/") : [null, target];
    const tasks = task != null ? [task] : defectTasksIn(await changed());
    const listed = tasks.length > 0 || id === null ? tasks : await allDefectTasks(context, pull.headSha);
    const documents: Defects[] = [];
    for (const each of listed.slice(0, MAX_DOCUMENTS))
      documents.push(...(await readDefects(context, pull, each)));
    return chooseDefect(documents, id ?? null);
  }
  const named = target?.split("/")[0];
  const runs: CodeRun[] = [];
  for (const id of (named === undefined ? runsIn(await changed()) : [named]).slice(0, MAX_DOCUMENTS))
    runs.push(...(await readRun(context, pull, id)));
  if (target === null) return chooseEntry(runs, verb === "run" ? "run" : "perf");
  const [run] = runs;
  const there = run?.entries.some(({ id }) => `${run.id}/${id}` === target) === true;
  return there && run !== undefined
    ? { ok: true, target, task: run.task }
    : { ok: false, could: runs.flatMap((each) => each.entries.map(({ id }) => `${each.id}/${id}`)) };
}

/** Documents that are read to find out what is meant. */
const MAX_DOCUMENTS = 10;

const allDefectTasks = async ({ repository }: BotContext, head: string): Promise<string[]> =>
  (await readFileNames(repository, "data/defects", head)).flatMap(
    (name) => /^(.+)\.json$/.exec(name)?.[1] ?? [],
  );

async function readRun({ repository }: BotContext, pull: PullFacts, id: string): Promise<CodeRun[]> {
  const path = `data/runs/${id}.json`;
  const run = parsed(await readFileText(repository, path, pull.headSha), runSchema, path);
  return run === null ? [] : [effectiveRun(run)];
}

async function readDefects({ repository }: BotContext, pull: PullFacts, task: string): Promise<Defects[]> {
  const path = `data/defects/${task}.json`;
  return [parsed(await readFileText(repository, path, pull.headSha), defectsSchema, path) ?? []].flat();
}

/** A document of the pull request; null when there is none that holds. What is wrong with it the verdict says. */
function parsed<T>(
  text: string | null,
  schema: Parameters<typeof parseWithSchema<T>>[1],
  path: string,
): T | null {
  if (text === null) return null;
  const read = parseWithSchema(new TextEncoder().encode(text), schema, {
    path,
    code: "code-data",
    maxBytes: CODE_LIMITS.documentBytes,
  });
  return read.ok ? read.value : null;
}

/** The host that is named, or the task's own; or why there is none, and those that there are. */
async function chooseHost(
  context: BotContext,
  task: string,
  named: string | null,
): Promise<
  string | { readonly task: string; readonly host: string | null; readonly known: readonly string[] }
> {
  const { repository } = context;
  const known = ((await readHosts(context)) ?? []).map(({ id }) => id);
  const path = `tasks/${task}/task.json`;
  const host =
    named ??
    parsed(await readFileText(repository, path, repository.defaultBranch), taskSchema, path)?.perf.host ??
    null;
  return host !== null && known.includes(host) ? host : { task, host, known };
}

/** Stops jobs of this head that are not over: that which is named, or the only one. */
export async function cancelJobs(
  context: BotContext,
  pull: PullFacts,
  comment: Comment,
  { kind, target }: Command,
): Promise<Reply> {
  const { repository } = context;
  const live = jobsAmong(await readChecks(repository, pull.headSha)).filter(
    (job) => !isOver(job) && job.note.pull === pull.number,
  );
  const meant = live.filter(
    ({ note }) =>
      (kind === undefined || note.kind === kind) &&
      (target === null || note.target === target || note.target.endsWith(`/${target}`)),
  );
  if (meant.length === 0) return { kind: "ask-nothing", live: live.map(({ note }) => note) };
  if (meant.length > 1 && target === null) return { kind: "ask-cancel", live: meant.map(({ note }) => note) };
  const around = await readSurroundings(context);
  for (const job of meant) {
    const runs = runsOf(job, around).filter(({ status }) => status !== "completed");
    for (const run of runs) await cancelRun(repository, run.id);
    const words = renderPlainEnd({ end: "cancelled", by: comment.userLogin });
    await endJob(context, job, words, { end: "cancelled", run: runs[0]?.id ?? null });
  }
  await lookAtJobs(context, pull);
  return { kind: "ask-stopped", jobs: meant.map(({ note }) => note) };
}

/** Says how the jobs of this head stand, and brings what says so up to date. */
export async function jobStatus(context: BotContext, pull: PullFacts): Promise<Reply> {
  return { kind: "ask-status", head: pull.headSha, jobs: await lookAtJobs(context, pull) };
}
