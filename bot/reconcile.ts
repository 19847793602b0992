import { readChecks } from "../src/io/github/checks.ts";
import { readComments } from "../src/io/github/comments.ts";
import { readOpenPulls } from "../src/io/github/pulls.ts";
import { readBranch, readCommit, readLock } from "../src/io/github/refs.ts";
import { dispatchWorkflow, readRuns } from "../src/io/github/runs.ts";
import { parseCommands } from "../src/lib/bot/command.ts";
import { CHECKS, parseVerdict } from "../src/lib/bot/memos.ts";
import { LOCK_BRANCH, parseMemo } from "../src/lib/bot/merge.ts";
import { PUBLISHED_BRANCH, parseSourceTree } from "../src/lib/bot/publish.ts";
import { isOurs } from "../src/lib/bot/sticky.ts";
import { FEED_WORKFLOW, type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import { replyMarker } from "../src/lib/result-pr/words-replies.ts";
import type { BotContext } from "./context.ts";
import { tick } from "./merge.ts";
import { answer, validate } from "./on-issue-comment.ts";
import { takeFeed, takeReport } from "./on-workflow-run.ts";
import { showWaiting } from "./verdicts.ts";

/** Puts right what lost webhooks and crashes left behind (field lessons F41 to F43): everything derived from GitHub. */

/** A head without any run gets one when nothing happened for this long. Milliseconds. */
const STRANDED_MS = 10 * 60_000;
/** Commands older than this are not answered any more. Milliseconds. */
const COMMAND_MS = 24 * 3_600_000;
/** A comment whose two times are further apart has been edited. Milliseconds. */
const EDITED_MS = 2_000;

/** Looks at every open pull request, the merge lock, and `published`. */
export async function reconcile(context: BotContext): Promise<void> {
  const { repository, memory, log } = context;
  memory.sticky.clear();
  for (const pull of await readOpenPulls(repository)) {
    try {
      await reconcilePull(context, pull);
    } catch (error) {
      log.error({ err: error, pull: pull.number }, "a pull request could not be reconciled");
    }
  }
  if (memory.merging.size > 0 || (await readLock(repository, LOCK_BRANCH)) !== null) await tick(context);
  await reconcilePublished(context);
}

async function reconcilePull(context: BotContext, pull: PullFacts): Promise<void> {
  const { repository, memory } = context;
  const checks = await readChecks(repository, pull.headSha);
  const merging = checks.find(({ name, status }) => name === CHECKS.merge && status !== "completed");
  if (parseMemo(merging?.externalId)?.pull === pull.number) memory.merging.set(pull.number, pull.headSha);
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  if (memo !== null) {
    // Writes nothing when comment and check say what they should.
    await takeReport(context, memo.run);
  } else {
    await findVerdict(context, pull);
  }
  await answerLeftOver(context, pull, memo !== null);
}

/** The webhook of a run may be lost, or the run itself. */
async function findVerdict(context: BotContext, pull: PullFacts): Promise<void> {
  const { repository } = context;
  const runs = await readRuns(repository, RESULT_WORKFLOW, {
    event: "pull_request_target",
    head_sha: pull.headSha,
  });
  const done = runs.find(({ status }) => status === "completed");
  if (done !== undefined) return takeReport(context, done.id);
  await showWaiting(context, pull);
  if (runs.length > 0 || context.now() - Date.parse(pull.updatedAt) < STRANDED_MS) return;
  const dispatched = await readRuns(repository, RESULT_WORKFLOW, {
    event: "workflow_dispatch",
    branch: repository.defaultBranch,
  });
  if (dispatched.every(({ status }) => status === "completed")) await validate(context, pull);
}

/** Commands that came while nobody listened. They count for this head only if its verdict could be seen. */
async function answerLeftOver(context: BotContext, pull: PullFacts, judged: boolean): Promise<void> {
  const { repository } = context;
  const comments = await readComments(repository, pull.number);
  for (const comment of comments) {
    if (comment.userType !== "User" || comment.appId !== null || parseCommands(comment.body).length === 0)
      continue;
    if (context.now() - Date.parse(comment.createdAt) > COMMAND_MS) continue;
    const marker = replyMarker(comment.id);
    if (comments.some((other) => isOurs(other, repository.identity) && other.body.startsWith(marker)))
      continue;
    const seen = judged && (await verdictBefore(context, pull.headSha, comment.createdAt));
    const edited = Date.parse(comment.updatedAt) - Date.parse(comment.createdAt) > EDITED_MS;
    await answer(context, pull.number, comment.id, {
      head: seen ? pull.headSha : null,
      body: edited ? null : comment.body,
    });
  }
}

/** Whether the head's verdict stood there when something was written. */
async function verdictBefore(context: BotContext, head: string, at: string): Promise<boolean> {
  const checks = await readChecks(context.repository, head);
  const result = checks.find(({ name }) => name === CHECKS.result);
  return result?.startedAt != null && Date.parse(result.startedAt) <= Date.parse(at);
}

/** `published` behind the base: take the run that is done, or start one. */
async function reconcilePublished(context: BotContext): Promise<void> {
  const { repository } = context;
  const mainSha = await readBranch(repository, repository.defaultBranch);
  if (mainSha === null) return;
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
}
