import { type Check, readChecks } from "../src/io/github/checks.ts";
import { type Comment, ensureIssue, readComments } from "../src/io/github/comments.ts";
import { readClosedPulls, readOpenPulls } from "../src/io/github/pulls.ts";
import { readBranch, readCommit, readLock } from "../src/io/github/refs.ts";
import { dispatchWorkflow, readRun, readRuns } from "../src/io/github/runs.ts";
import { parseCommands } from "../src/lib/bot/command.ts";
import { isOver } from "../src/lib/bot/jobs.ts";
import { CHECKS, isOthers, parseVerdict } from "../src/lib/bot/memos.ts";
import { LOCK_BRANCH, parseMemo } from "../src/lib/bot/merge.ts";
import { chooseLooks } from "../src/lib/bot/passes.ts";
import { PUBLISHED_BRANCH, parseSourceTree } from "../src/lib/bot/publish.ts";
import { findSticky, isOurs } from "../src/lib/bot/sticky.ts";
import {
  decideTrust,
  FEED_WORKFLOW,
  type PullFacts,
  RESULT_WORKFLOW,
  type RunFacts,
} from "../src/lib/bot/trust.ts";
import { renderFeedIssue, replyMarker } from "../src/lib/result-pr/words-replies.ts";
import { forgetBoard } from "./board.ts";
import { validate } from "./commands.ts";
import type { BotContext } from "./context.ts";
import { jobsAmong, lookAtJobs, noteJobsComment } from "./job-board.ts";
import { considerAutoMerge, readArrival } from "./labels.ts";
import { tick } from "./merge.ts";
import { answer } from "./on-issue-comment.ts";
import { takeFeed, takeReport } from "./on-workflow-run.ts";
import { noteEvidence } from "./open-duplicates.ts";
import { showVerdict, showWaiting } from "./verdicts.ts";

/** Puts right what lost webhooks and crashes left behind (field lessons F41 to F43): everything derived from GitHub. */

/** Pull requests that get a full look in one pass, beside those that need one: the others have their turn next. */
const LOOKS = 50;
/** A head without any run gets one when nothing happened for this long. Milliseconds. */
const STRANDED_MS = 10 * 60_000;
/** Commands older than this are not answered any more. Milliseconds. */
const COMMAND_MS = 24 * 3_600_000;
/** A comment whose two times are further apart has been edited. Milliseconds. */
const EDITED_MS = 2_000;
/** Dispatched runs that are looked at, and how old they may be, milliseconds. */
const DISPATCHED = 20;
const DISPATCHED_MS = 6 * 3_600_000;
/** Passes overlap by this much, because clocks differ. Milliseconds. */
const OVERLAP_MS = 5 * 60_000;

/** Looks at open pull requests, the merge lock, and `published`. */
export async function reconcile(context: BotContext): Promise<void> {
  const { repository, memory } = context;
  const began = context.now();
  const since = memory.lastPass === null ? began - COMMAND_MS : memory.lastPass - OVERLAP_MS;
  memory.passes += 1;
  memory.sticky.clear();
  memory.jobComments.clear();
  await guarded(context, "board", () => forgetBoard(context));
  const pulls = await readOpenPulls(repository);
  const checks = new Map<number, readonly Check[]>();
  for (const pull of pulls) {
    await guarded(context, pull.number, async () => {
      const known = await readChecks(repository, pull.headSha);
      checks.set(pull.number, known);
      noteEvidence(context, pull, known);
    });
  }
  const looks = chooseLooks(
    pulls.map(({ number, updatedAt }) => ({
      number,
      // Whatever people did there since the last pass, a command among it, has touched it.
      urgent:
        Date.parse(updatedAt) >= since ||
        verdictOn(checks.get(number) ?? []) === null ||
        jobsAmong(checks.get(number) ?? []).some((job) => !isOver(job)),
      looked: memory.looked.get(number) ?? 0,
    })),
    LOOKS,
  );
  for (const pull of pulls) noteMerging(context, pull, checks.get(pull.number) ?? []);
  // First what others wait for and few requests bring on, so that a pass that is cut short again and again still does it.
  const merges = (): Promise<void> =>
    guarded(context, "merges", async () => {
      if (memory.merging.size > 0 || (await readLock(repository, LOCK_BRANCH)) !== null) await tick(context);
    });
  const merging = new Set(memory.merging.keys());
  await guarded(context, "dispatched runs", () => takeDispatched(context));
  await merges();
  await guarded(context, "published", () => reconcilePublished(context));
  const lacking = (pull: PullFacts): number => (verdictOn(checks.get(pull.number) ?? []) === null ? 0 : 1);
  for (const pull of [...pulls].sort((a, b) => lacking(a) - lacking(b))) {
    const known = checks.get(pull.number);
    if (known === undefined || !looks.has(pull.number)) continue;
    memory.looked.set(pull.number, memory.passes);
    await guarded(context, pull.number, async () => {
      // What a merge just changed is not what was read before it.
      const now = merging.has(pull.number) ? await readChecks(repository, pull.headSha) : known;
      await lookAtPull(context, pull, now);
    });
  }
  for (const number of memory.evidence.keys())
    if (!pulls.some((pull) => pull.number === number)) memory.evidence.delete(number);
  for (const number of memory.looked.keys())
    if (!pulls.some((pull) => pull.number === number)) memory.looked.delete(number);
  await guarded(context, "closed pull requests", () => noteClosed(context, since));
  await merges();
  memory.lastPass = began;
}

/** What cannot be reconciled does not keep the rest from it. */
async function guarded(context: BotContext, what: number | string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.failed();
    context.log.error({ err: error, what }, "this could not be reconciled");
  }
}

const verdictOn = (checks: readonly Check[]) =>
  parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);

/** Remembers a merge that was asked for on a head. */
function noteMerging({ memory }: BotContext, pull: PullFacts, checks: readonly Check[]): void {
  const merging = checks.find(({ name, status }) => name === CHECKS.merge && status !== "completed");
  if (parseMemo(merging?.externalId)?.pull === pull.number) memory.merging.set(pull.number, pull.headSha);
}

/** A merge that was asked for on a pull request that was closed since: it ends, and does not wait for a reopening. */
async function noteClosed(context: BotContext, since: number): Promise<void> {
  for (const pull of await readClosedPulls(context.repository)) {
    if (Date.parse(pull.updatedAt) < since) continue;
    await guarded(context, pull.number, async () =>
      noteMerging(context, pull, await readChecks(context.repository, pull.headSha)),
    );
  }
}

async function lookAtPull(context: BotContext, pull: PullFacts, checks: readonly Check[]): Promise<void> {
  const { repository, memory } = context;
  const comments = await readComments(repository, pull.number);
  const sticky = findSticky(comments, repository.identity);
  if (sticky !== null) memory.sticky.set(pull.number, { id: sticky.id, body: sticky.body });
  await findVerdict(context, pull, checks);
  if (await considerAutoMerge(context, pull)) context.queue("merge", tick);
  noteJobsComment(context, pull.number, comments);
  await lookAtJobs(context, pull, checks);
  await answerLeftOver(context, pull, checks, comments);
}

/** Shows the newest verdict for a head; the webhook of a run may be lost, or the run itself. */
async function findVerdict(context: BotContext, pull: PullFacts, checks: readonly Check[]): Promise<void> {
  const { repository } = context;
  const standing = verdictOn(checks);
  const memo = isOthers(standing, pull.number) ? null : standing;
  // Another branch can have the same head.
  const runs = (
    await readRuns(repository, RESULT_WORKFLOW, { event: "pull_request_target", head_sha: pull.headSha })
  ).filter(
    ({ headRepositoryId, headBranch }) =>
      headRepositoryId === pull.headRepositoryId &&
      (pull.headBranch === null || headBranch === pull.headBranch),
  );
  const done = runs.find(({ status }) => status === "completed");
  const run =
    memo === null || (done !== undefined && done.id >= memo.run) ? done : await readRun(repository, memo.run);
  const rules = {
    workflow: RESULT_WORKFLOW,
    repositoryId: repository.id,
    defaultBranch: repository.defaultBranch,
  };
  if (run != null && decideTrust(run, rules).trusted) return showVerdict(context, pull, run, checks);
  if (standing !== null) return;
  await showWaiting(context, pull);
  if (runs.length > 0 || context.now() - Date.parse(pull.updatedAt) < STRANDED_MS) return;
  const dispatched = await readRuns(repository, RESULT_WORKFLOW, {
    event: "workflow_dispatch",
    branch: repository.defaultBranch,
  });
  if (dispatched.every(({ status }) => status === "completed")) await validate(context, pull);
}

/** Runs that belong to no head: of the base, for heads recomputed on request, and of merge groups. */
async function takeDispatched(context: BotContext): Promise<void> {
  const { repository, memory } = context;
  const runs = await readRuns(repository, RESULT_WORKFLOW, {
    event: "workflow_dispatch",
    branch: repository.defaultBranch,
  });
  const groups = await readRuns(repository, RESULT_WORKFLOW, { event: "merge_group" });
  const listed = [...runs.slice(0, DISPATCHED), ...groups.slice(0, DISPATCHED)];
  const keyOf = ({ id, attempt }: RunFacts): string => `${id}/${attempt}`;
  const keys = new Set(listed.map(keyOf));
  for (const key of memory.taken) if (!keys.has(key)) memory.taken.delete(key);
  for (const run of listed) {
    const key = keyOf(run);
    if (run.status !== "completed" || memory.taken.has(key)) continue;
    if (context.now() - Date.parse(run.createdAt) <= DISPATCHED_MS) await takeReport(context, run.id);
    memory.taken.add(key);
  }
}

/**
 * Commands that came while nobody listened. They count for this head only if it was the head at that time (one that was
 * pushed away and back was not), and its verdict could be seen.
 */
async function answerLeftOver(
  context: BotContext,
  pull: PullFacts,
  checks: readonly Check[],
  comments: readonly Comment[],
): Promise<void> {
  const { repository } = context;
  const judgedAt = checks.find(({ name }) => name === CHECKS.result)?.startedAt ?? null;
  for (const comment of comments) {
    if (comment.userType !== "User" || comment.appId !== null || parseCommands(comment.body).length === 0)
      continue;
    if (context.now() - Date.parse(comment.createdAt) > COMMAND_MS) continue;
    const marker = replyMarker(comment.id);
    if (comments.some((other) => isOurs(other, repository.identity) && other.body.startsWith(marker)))
      continue;
    const written = Date.parse(comment.createdAt);
    const { arrival, runs } = await readArrival(context, pull);
    const there = arrival === null ? !runs : Date.parse(arrival) <= written;
    const seen = there && judgedAt !== null && Date.parse(judgedAt) <= written;
    const edited = Date.parse(comment.updatedAt) - Date.parse(comment.createdAt) > EDITED_MS;
    await answer(context, pull.number, comment.id, {
      head: seen ? pull.headSha : null,
      body: edited ? null : comment.body,
    });
  }
}

/** `published` behind the base: take the run that is done, or start one; one issue when it failed (field lesson F19). */
async function reconcilePublished(context: BotContext): Promise<void> {
  const { repository } = context;
  const mainSha = await readBranch(repository, repository.defaultBranch);
  if (mainSha === null) return context.forget();
  const main = await readCommit(repository, mainSha);
  const tip = await readBranch(repository, PUBLISHED_BRANCH);
  const source = tip === null ? null : parseSourceTree((await readCommit(repository, tip)).message);
  if (source === main.tree) return;
  const runs = (await readRuns(repository, FEED_WORKFLOW, { branch: repository.defaultBranch })).filter(
    (run) => run.headSha === mainSha && run.headRepositoryId === repository.id,
  );
  if (runs.some(({ status }) => status !== "completed")) return;
  const done = runs.find(({ conclusion }) => conclusion === "success");
  if (done !== undefined) return takeFeed(context, done.id);
  // A run that failed would fail again: people look at it. Only a missing one is started.
  if (runs.length === 0) await dispatchWorkflow(repository, FEED_WORKFLOW, {});
  else await ensureIssue(repository, renderFeedIssue(mainSha));
}
