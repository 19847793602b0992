import { type Check, readChecks } from "../src/io/github/checks.ts";
import { patchComment, readComments } from "../src/io/github/comments.ts";
import { isPassing, sleep, statusOf } from "../src/io/github/policy.ts";
import { readPull } from "../src/io/github/pulls.ts";
import {
  createBranch,
  deleteBranch,
  forwardBranch,
  mergeInto,
  readBranch,
  readLock,
} from "../src/io/github/refs.ts";
import { dispatchWorkflow, readRun, readRuns } from "../src/io/github/runs.ts";
import { CHECKS, parseVerdict } from "../src/lib/bot/memos.ts";
import {
  decideMerge,
  formatMemo,
  LOCK_BRANCH,
  type MergeFacts,
  type MergeMemo,
  type MergeRun,
  type MergeStep,
  mergeMessage,
  parseMemo,
  type RequestFacts,
} from "../src/lib/bot/merge.ts";
import { isOurs } from "../src/lib/bot/sticky.ts";
import { decideTrust, type LockFacts, type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import type { Finding } from "../src/lib/findings.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import {
  type MergeRefusal,
  type MergeState,
  mergeTitle,
  mergeWords,
} from "../src/lib/result-pr/words-merge.ts";
import { renderReply, replyMarker } from "../src/lib/result-pr/words-replies.ts";
import type { BotContext } from "./context.ts";
import { ensureCheck, loadReport, showReport } from "./verdicts.ts";

/** The merge: look at GitHub, decide one step, do it, look again. What the steps are is decided in `src/lib/bot/merge.ts`. */

/** A merge takes about six steps; more than this at once means that something turns in circles. */
const MAX_STEPS = 60;

/** Goes on with merges as far as possible right now. */
export async function tick(context: BotContext): Promise<void> {
  let failures = 0;
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const facts = await deriveFacts(context);
    const step = decideMerge(facts);
    context.log.debug({ step: step.do }, "merge");
    if (step.do === "idle" || step.do === "wait") return announceQueue(context, facts);
    try {
      await perform(context, facts, step);
    } catch (error) {
      // The answer may be lost and the thing done: only a new look can tell.
      failures += 1;
      if (!isPassing(error) || failures > 3) throw error;
      context.log.warn(
        { step: step.do, status: statusOf(error) },
        "a merge step had no answer: looking again",
      );
      await sleep(500 * failures);
    }
  }
  throw new Error("the merge turns in circles");
}

async function deriveFacts(context: BotContext): Promise<MergeFacts> {
  const { repository, memory } = context;
  const mainSha = await readBranch(repository, repository.defaultBranch);
  if (mainSha === null) throw new Error("the default branch has no tip");
  const lock = await readLock(repository, LOCK_BRANCH);
  const holder =
    lock?.pullRequest == null || lock.head === null
      ? null
      : await requestFacts(context, lock.pullRequest, lock.head);
  if (holder !== null) memory.merging.set(holder.pull.number, holder.request.memo.head);
  const queue: RequestFacts[] = [];
  for (const [number, head] of [...memory.merging]) {
    if (number === holder?.pull.number) continue;
    const facts = await requestFacts(context, number, head);
    if (facts === null) memory.merging.delete(number);
    else queue.push(facts);
  }
  queue.sort((a, b) => a.request.memo.comment - b.request.memo.comment);
  const run =
    lock === null || holder === null ? { state: "none" as const } : await mergeRun(context, lock, holder);
  return { mainSha, lock, holder, queue, run, now: Math.floor(context.now() / 1000) };
}

/** The merge that was asked for on this head, with everything that decides about it; null when there is none (any more). */
async function requestFacts(context: BotContext, number: number, head: string): Promise<RequestFacts | null> {
  const checks = await readChecks(context.repository, head);
  const check = checks.find(({ name, status }) => name === CHECKS.merge && status !== "completed");
  const memo = parseMemo(check?.externalId);
  if (check === undefined || memo === null || memo.pull !== number || memo.head !== head) return null;
  const pull = await readPull(context.repository, number);
  if (pull === null) return null;
  const result = checks.find(({ name, status }) => name === CHECKS.result && status === "completed");
  const verdict = parseVerdict(result?.externalId)?.verdict ?? null;
  return {
    request: { checkId: check.id, memo },
    pull,
    verdict: verdict === "none" ? null : verdict,
    accepted: checks.some(({ name, conclusion }) => name === CHECKS.accept && conclusion === "success"),
  };
}

/** What became of the recomputation that was dispatched for the lock's merge commit. */
async function mergeRun(context: BotContext, lock: LockFacts, holder: RequestFacts): Promise<MergeRun> {
  const { repository } = context;
  const { memo } = holder.request;
  if (memo.dispatched !== lock.sha) return { state: "none" };
  const runs = (
    await readRuns(repository, RESULT_WORKFLOW, {
      event: "workflow_dispatch",
      branch: repository.defaultBranch,
    })
  ).filter((run) => run.id > memo.after);
  let running = false;
  let failed = false;
  for (const run of runs) {
    if (run.status !== "completed") {
      running = true;
      continue;
    }
    const trust = decideTrust(run, {
      workflow: RESULT_WORKFLOW,
      repositoryId: repository.id,
      defaultBranch: repository.defaultBranch,
    });
    if (!trust.trusted) continue;
    const report = await loadReport(context, run);
    if (typeof report === "string") failed = true;
    else if (report.commit_sha === lock.sha && report.mode === "merge") {
      return { state: "report", report, unseenFindings: await hasUnseen(context, holder, report) };
    }
  }
  if (running) return { state: "running" };
  return failed ? { state: "failed" } : { state: "none" };
}

const identity = ({ code, severity, path, pointer, line }: Finding): string =>
  JSON.stringify([code, severity, path, pointer, line]);

/** Whether the merge commit has findings that nobody saw on the head. */
async function hasUnseen(context: BotContext, holder: RequestFacts, merged: Report): Promise<boolean> {
  if (merged.verdict === "valid") return false;
  const seen = await reportOn(context, holder.request.memo.head);
  if (seen === null) return true;
  const known = new Set(seen.findings.map(identity));
  return (
    merged.findings_total > seen.findings_total ||
    merged.findings.some((finding) => !known.has(identity(finding)))
  );
}

/** The report behind the verdict that stands on a head. */
export async function reportOn(context: BotContext, head: string): Promise<Report | null> {
  const checks = await readChecks(context.repository, head);
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  const run = memo === null ? null : await readRun(context.repository, memo.run);
  if (run === null) return null;
  const report = await loadReport(context, run);
  return typeof report === "string" ? null : report;
}

async function perform(context: BotContext, facts: MergeFacts, step: MergeStep): Promise<void> {
  const { repository } = context;
  switch (step.do) {
    case "idle":
    case "wait":
      return;
    case "take-lock":
      await createBranch(repository, LOCK_BRANCH, step.base);
      return;
    case "build":
      return build(context, step.request.memo);
    case "dispatch":
      return dispatch(context, step.request.memo, step.lock, step.pull);
    case "move-main": {
      const moved = await forwardBranch(repository, repository.defaultBranch, step.lock.sha);
      if (moved) return;
      // Not a fast-forward any more: the next look sees the moved base. Otherwise GitHub forbids it.
      const now = await readBranch(repository, repository.defaultBranch);
      if (now === facts.mainSha) await refuse(context, facts, step.request.memo, { why: "not-allowed" });
      return;
    }
    case "rebuild": {
      const memo = { ...step.request.memo, tries: step.request.memo.tries + 1, dispatched: null };
      await show(context, memo, { phase: "moving-again", base: step.base, tries: memo.tries });
      return deleteBranch(repository, LOCK_BRANCH);
    }
    case "finish":
      await show(context, step.request.memo, { phase: "merged", commit: step.commit });
      context.memory.merging.delete(step.request.memo.pull);
      context.log.info({ pull: step.request.memo.pull, commit: step.commit }, "merged");
      // Last, so that a crash before it is seen as one.
      return deleteBranch(repository, LOCK_BRANCH);
    case "refuse":
      return refuse(context, facts, step.request.memo, step.refusal);
    case "release":
      return deleteBranch(repository, LOCK_BRANCH);
  }
}

async function build(context: BotContext, memo: MergeMemo): Promise<void> {
  const outcome = await mergeInto(
    context.repository,
    LOCK_BRANCH,
    memo.head,
    mergeMessage(memo.pull, memo.head),
  );
  if (outcome === "merged") return;
  await show(context, memo, {
    phase: "refused",
    refusal: { why: outcome === "conflict" ? "conflict" : "nothing-to-merge" },
  });
  context.memory.merging.delete(memo.pull);
  await deleteBranch(context.repository, LOCK_BRANCH);
}

async function dispatch(
  context: BotContext,
  memo: MergeMemo,
  lock: LockFacts,
  pull: PullFacts,
): Promise<void> {
  const { repository } = context;
  const base = lock.parents[0] ?? "";
  const [newest] = await readRuns(repository, RESULT_WORKFLOW, {
    event: "workflow_dispatch",
    branch: repository.defaultBranch,
  });
  const sent: MergeMemo = {
    ...memo,
    dispatched: lock.sha,
    after: newest?.id ?? 0,
    at: Math.floor(context.now() / 1000),
  };
  // The intent is written down first: a crash in between is then waited out, and sent again.
  await show(context, sent, { phase: "recomputing", base, commit: lock.sha, tries: memo.tries });
  await dispatchWorkflow(repository, RESULT_WORKFLOW, {
    pull_request: String(memo.pull),
    base_sha: base,
    head_sha: memo.head,
    merge_sha: lock.sha,
    arrived_at: pull.updatedAt,
  });
}

async function refuse(
  context: BotContext,
  facts: MergeFacts,
  memo: MergeMemo,
  refusal: MergeRefusal,
): Promise<void> {
  await show(context, memo, { phase: "refused", refusal });
  context.memory.merging.delete(memo.pull);
  context.log.info({ pull: memo.pull, refusal: refusal.why }, "not merged");
  if (facts.holder?.request.memo.head === memo.head) await deleteBranch(context.repository, LOCK_BRANCH);
}

const CONCLUSIONS = { merged: "success", refused: "failure" } as const;

/** Writes how a merge stands: its check run, the comment, and for an end without merge the answer to the command. */
export async function show(context: BotContext, memo: MergeMemo, state: MergeState): Promise<void> {
  const { repository } = context;
  const words = mergeWords(state);
  const wish = {
    name: CHECKS.merge,
    headSha: memo.head,
    externalId: formatMemo(memo),
    title: mergeTitle(state),
    summary: words,
    conclusion: state.phase === "merged" || state.phase === "refused" ? CONCLUSIONS[state.phase] : null,
  };
  // What the comment says comes first: the check run is what a later look takes for done.
  const checks = await readChecks(repository, memo.head);
  await refreshComment(context, memo, checks, { words, merged: state.phase === "merged" });
  if (state.phase === "refused") await amendReply(context, memo, state.refusal);
  await ensureCheck(context, checks, wish);
}

/** Renders the comment anew from the verdict that stands on the head. */
async function refreshComment(
  context: BotContext,
  memo: MergeMemo,
  checks: readonly Check[],
  merge: { words: string; merged: boolean },
): Promise<void> {
  const { repository } = context;
  const pull = await readPull(repository, memo.pull);
  // After a push the comment is about another head; the command's answer tells how this one ended.
  if (pull === null || pull.headSha !== memo.head) return;
  const verdict = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  const run = verdict === null ? null : await readRun(repository, verdict.run);
  if (run === null) return;
  const report = await loadReport(context, run);
  if (typeof report === "string") return;
  await showReport(context, pull, run, report, checks, merge);
}

async function amendReply(context: BotContext, memo: MergeMemo, refusal: MergeRefusal): Promise<void> {
  const { repository, outbox } = context;
  await outbox.ensure(`reply:${memo.comment}`, async () => {
    const comments = await readComments(repository, memo.pull);
    const answer = comments.find(
      (comment) => isOurs(comment, repository.identity) && comment.body.startsWith(replyMarker(memo.comment)),
    );
    const body = renderReply(memo.comment, [{ kind: "merge-failed", refusal }]);
    if (answer !== undefined && answer.body !== body) await patchComment(repository, answer.id, body);
  });
}

/** Brings the shown positions of waiting merges up to date. */
async function announceQueue(context: BotContext, facts: MergeFacts): Promise<void> {
  const ahead = facts.holder === null ? 0 : 1;
  for (const [index, { request, pull }] of facts.queue.entries()) {
    if (pull.open && pull.headSha === request.memo.head) {
      await show(context, request.memo, { phase: "queued", position: index + 1 + ahead });
    }
  }
}
