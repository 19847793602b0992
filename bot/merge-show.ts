import { type Check, type CheckWish, readChecks } from "../src/io/github/checks.ts";
import { patchComment, readComments } from "../src/io/github/comments.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { readRun } from "../src/io/github/runs.ts";
import { CHECKS, parseVerdict } from "../src/lib/bot/memos.ts";
import { formatMemo, type MergeFacts, type MergeMemo, queuePlaces } from "../src/lib/bot/merge.ts";
import { isOurs } from "../src/lib/bot/sticky.ts";
import { type MergeState, mergeTitle, mergeWords } from "../src/lib/result-pr/words-merge.ts";
import { type Reply, renderReply, replyMarker } from "../src/lib/result-pr/words-replies.ts";
import type { BotContext } from "./context.ts";
import { ensureCheck, loadReport, type MergeLine, mergeLine, showReport } from "./verdicts.ts";

/** How merges stand, where people look: check run, comment, and the answer to the command. */

const CONCLUSIONS = { merged: "success", refused: "failure" } as const;

const wishOf = (memo: MergeMemo, state: MergeState): CheckWish => ({
  name: CHECKS.merge,
  headSha: memo.head,
  externalId: formatMemo(memo),
  title: mergeTitle(state),
  summary: mergeWords(state),
  conclusion: state.phase === "merged" || state.phase === "refused" ? CONCLUSIONS[state.phase] : null,
});

/** Writes down that a merge was asked for. The comment follows with the first look at it. */
export async function writeRequest(
  context: BotContext,
  checks: readonly Check[],
  memo: MergeMemo,
): Promise<void> {
  const place = { position: 1, behind: null, first: null };
  await ensureCheck(context, checks, wishOf(memo, { phase: "queued", place }));
  context.memory.merging.set(memo.pull, memo.head);
}

/** Writes how a merge stands: its check run, the comment, and for an end that the comment cannot tell the answer. */
export async function show(context: BotContext, memo: MergeMemo, state: MergeState): Promise<void> {
  const { repository } = context;
  // What the comment says comes first: the check run is what a later look takes for done.
  const checks = await readChecks(repository, memo.head);
  const current = await refreshComment(context, memo, checks, mergeLine(wishOf(memo, state)));
  if (state.phase === "refused")
    await amendReply(context, memo, { kind: "merge-failed", refusal: state.refusal });
  if (state.phase === "merged" && !current) {
    await amendReply(context, memo, { kind: "merged-older", head: memo.head, commit: state.commit });
  }
  await ensureCheck(context, checks, wishOf(memo, state));
}

/** Renders the comment anew from the verdict that stands on the head. False when the head is another one by now. */
async function refreshComment(
  context: BotContext,
  memo: MergeMemo,
  checks: readonly Check[],
  merge: MergeLine,
): Promise<boolean> {
  const { repository } = context;
  const pull = await readPull(repository, memo.pull);
  // After a push the comment is about another head; the command's answer tells how this one ended.
  if (pull === null || pull.headSha !== memo.head) return false;
  const verdict = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  const run = verdict === null ? null : await readRun(repository, verdict.run);
  if (run === null) return true;
  const report = await loadReport(context, run);
  if (typeof report !== "string") await showReport(context, pull, run, report, checks, merge);
  return true;
}

async function amendReply(context: BotContext, memo: MergeMemo, reply: Reply): Promise<void> {
  const { repository, outbox } = context;
  await outbox.ensure(`reply:${memo.comment}`, async () => {
    const comments = await readComments(repository, memo.pull);
    const answer = comments.find(
      (comment) => isOurs(comment, repository.identity) && comment.body.startsWith(replyMarker(memo.comment)),
    );
    const body = renderReply(memo.comment, [reply]);
    if (answer !== undefined && answer.body !== body) await patchComment(repository, answer.id, body);
  });
}

/** Brings the shown places of waiting merges up to date: a write only where a place changed. */
export async function announceQueue(context: BotContext, facts: MergeFacts): Promise<void> {
  const memo = facts.holder?.request.memo;
  const since = memo == null || memo.dispatched === null ? null : new Date(memo.at * 1000).toISOString();
  for (const { waiting, place } of queuePlaces(facts, since)) {
    const { request, pull } = waiting;
    if (pull.open && pull.headSha === request.memo.head) {
      await show(context, request.memo, { phase: "queued", place });
    }
  }
}
