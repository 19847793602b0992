import { isPassing, statusOf } from "../src/io/github/policy.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { createBranch, deleteBranch, forwardBranch, mergeInto, readBranch } from "../src/io/github/refs.ts";
import { dispatchWorkflow, readRuns } from "../src/io/github/runs.ts";
import {
  decideMerge,
  LOCK_BRANCH,
  type MergeFacts,
  type MergeMemo,
  type MergeStep,
  mergeMessage,
  refusalOf,
} from "../src/lib/bot/merge.ts";
import { type LockFacts, type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import type { MergeRefusal } from "../src/lib/result-pr/words-merge.ts";
import type { BotContext } from "./context.ts";
import { deriveFacts, requestFacts } from "./merge-facts.ts";
import { announceQueue, show } from "./merge-show.ts";

/** The merge: look at GitHub, decide one step, do it, look again. What the steps are is decided in `src/lib/bot/merge.ts`. */

/** A merge takes about six steps; more than this at once means that something turns in circles. */
const MAX_STEPS = 60;
/** GitHub answers 409 to a merge also when nothing conflicts (field lesson F10): so often it is asked again. */
const MAX_CONFLICTS = 3;

/** Goes on with merges as far as possible right now. */
export async function tick(context: BotContext): Promise<void> {
  let failures = 0;
  const conflicts = new Map<string, number>();
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const facts = await deriveFacts(context);
    const step = decideMerge(facts);
    context.log.debug({ step: step.do }, "merge");
    if (step.do === "idle" || step.do === "wait") return announceQueue(context, facts);
    try {
      await perform(context, facts, step, conflicts);
    } catch (error) {
      // The answer may be lost and the thing done: only a new look can tell.
      failures += 1;
      if (!isPassing(error) || failures > 3) throw error;
      context.log.warn(
        { step: step.do, status: statusOf(error) },
        "a merge step had no answer: looking again",
      );
      await context.outbox.pause(500 * failures);
    }
  }
  throw new Error("the merge turns in circles");
}

async function perform(
  context: BotContext,
  facts: MergeFacts,
  step: MergeStep,
  conflicts: Map<string, number>,
): Promise<void> {
  const { repository } = context;
  switch (step.do) {
    case "idle":
    case "wait":
      return;
    case "take-lock":
      if (await createBranch(repository, LOCK_BRANCH, step.base)) return;
      // There already, which the next look sees. Otherwise GitHub forbids it.
      if ((await readBranch(repository, LOCK_BRANCH)) !== null) return;
      return refuse(context, facts, step.request.memo, { why: "not-built" });
    case "build":
      return build(context, facts, step.request.memo, conflicts);
    case "dispatch":
      return dispatch(context, step.request.memo, step.lock, step.pull);
    case "move-main": {
      if (!(await stillWanted(context, facts, step.request.memo))) return;
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

/** The last look before the base moves: what it refuses, the next look at everything refuses in words. */
async function stillWanted(context: BotContext, facts: MergeFacts, memo: MergeMemo): Promise<boolean> {
  const now = await requestFacts(context, memo.pull, memo.head);
  return now !== null && refusalOf(now, facts.defaultBranch) === null;
}

async function build(
  context: BotContext,
  facts: MergeFacts,
  memo: MergeMemo,
  conflicts: Map<string, number>,
): Promise<void> {
  const { repository } = context;
  const outcome = await mergeInto(repository, LOCK_BRANCH, memo.head, mergeMessage(memo.pull, memo.head));
  if (outcome === "merged") return;
  if (outcome === "forbidden") return refuse(context, facts, memo, { why: "not-built" });
  if (outcome === "nothing") return refuse(context, facts, memo, { why: "nothing-to-merge" });
  // 409 alone says little: GitHub's own trial merge or several tries make it a conflict; another head is seen next.
  const pull = await readPull(repository, memo.pull);
  if (pull?.headSha !== memo.head) return;
  const count = (conflicts.get(memo.head) ?? 0) + 1;
  conflicts.set(memo.head, count);
  if (pull.mergeable === false || count >= MAX_CONFLICTS) {
    return refuse(context, facts, memo, { why: "conflict" });
  }
  context.log.warn({ pull: memo.pull, count }, "GitHub answered 409 to a merge: looking again");
  await context.outbox.pause(500 * count);
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
  // A lock without a holder was taken for this request.
  const holder = facts.holder?.request.memo.head ?? memo.head;
  if (facts.lock !== null && holder === memo.head) await deleteBranch(context.repository, LOCK_BRANCH);
}
