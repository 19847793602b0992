import { readChecks } from "../src/io/github/checks.ts";
import type { Comment } from "../src/io/github/comments.ts";
import { addLabel, removeLabel } from "../src/io/github/labels.ts";
import { readBranch } from "../src/io/github/refs.ts";
import { dispatchWorkflow } from "../src/io/github/runs.ts";
import { LABELS } from "../src/lib/bot/labels.ts";
import { CHECKS, formatAccept, parseAccept, parseVerdict } from "../src/lib/bot/memos.ts";
import { type MergeMemo, mergeable, parseMemo } from "../src/lib/bot/merge.ts";
import { isNamed, replacedBy } from "../src/lib/bot/supersede.ts";
import { type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import type { Reply } from "../src/lib/result-pr/words-replies.ts";
import type { BotContext } from "./context.ts";
import { considerAutoMerge, readHold } from "./labels.ts";
import { tick } from "./merge.ts";
import { reportOn } from "./merge-facts.ts";
import { writeRequest } from "./merge-show.ts";
import { withOpenDuplicates } from "./open-duplicates.ts";
import { ensureCheck, showAgain } from "./verdicts.ts";

/** What each command does. Whoever asked was found to be allowed, and the head is the one that was meant. */

/** Has a head recomputed by a run of the default branch's workflow. */
export async function validate(context: BotContext, pull: PullFacts): Promise<Reply> {
  const { repository } = context;
  const base = await readBranch(repository, repository.defaultBranch);
  if (base === null) return { kind: "failed", what: "the base branch could not be read." };
  await dispatchWorkflow(repository, RESULT_WORKFLOW, {
    pull_request: String(pull.number),
    base_sha: base,
    head_sha: pull.headSha,
    arrived_at: pull.updatedAt,
  });
  return { kind: "validating", head: pull.headSha };
}

/** Accepts what needs review on exactly this head. `what`: in the words of the check run. */
export async function accept(
  context: BotContext,
  pull: PullFacts,
  comment: Comment,
  what = "Declared evidence, and what needed review,",
): Promise<Reply> {
  const checks = await readChecks(context.repository, pull.headSha);
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  if (memo === null) return { kind: "no-verdict", head: pull.headSha };
  if (memo.verdict === "none") return { kind: "no-results" };
  if (memo.verdict !== "valid" && memo.verdict !== "needs-review") {
    return { kind: "accept-not-needed", verdict: memo.verdict };
  }
  const before = checks.find(({ name, conclusion }) => name === CHECKS.accept && conclusion === "success");
  // What a later run found was not accepted with it.
  if (before !== undefined && (parseAccept(before.externalId)?.run ?? memo.run) === memo.run) {
    return { kind: "accepted", head: pull.headSha, again: true };
  }
  const login = comment.userLogin ?? "";
  await ensureCheck(context, checks, {
    name: CHECKS.accept,
    headSha: pull.headSha,
    externalId: formatAccept({ by: comment.userId ?? 0, login, comment: comment.id, run: memo.run }),
    title: "Accepted for exactly this head",
    summary: `${what} was accepted by \`${login}\`.`,
    conclusion: "success",
  });
  await showAgain(context, pull);
  return { kind: "accepted", head: pull.headSha, again: false };
}

/** Accepts a head for nothing but that it replaces, or withdraws, the one committed result that is named. */
export async function supersede(
  context: BotContext,
  pull: PullFacts,
  comment: Comment,
  target: string,
): Promise<Reply> {
  const own = await reportOn(context, pull.headSha);
  if (own === null) return { kind: "no-verdict", head: pull.headSha };
  // What other pull requests make of it needs review as well.
  const checks = await readChecks(context.repository, pull.headSha);
  const { report } = await withOpenDuplicates(context, pull, own, checks, async () => null);
  const { replaced, others } = replacedBy(report);
  const [only] = replaced;
  if (only === undefined) return { kind: "supersede-none" };
  if (replaced.length > 1 || !isNamed(only, target)) {
    return { kind: "supersede-other", asked: target, paths: replaced.map(({ path }) => path) };
  }
  if (report.verdict === "needs-review" && others.length > 0)
    return { kind: "supersede-more", codes: others };
  const doing = only.withdrawn ? "Taking off the board" : "Replacing";
  const reply = await accept(context, pull, comment, `${doing} \`${only.path}\``);
  return reply.kind === "accepted"
    ? { kind: "superseded", head: pull.headSha, path: only.path, withdrawn: only.withdrawn }
    : reply;
}

/** Stops every merge of a pull request. */
export async function hold(context: BotContext, pull: PullFacts): Promise<Reply> {
  const again = pull.labels.includes(LABELS.hold);
  if (!again) await addLabel(context.repository, pull.number, LABELS.hold);
  context.memory.released.delete(pull.number);
  if (context.memory.merging.has(pull.number)) await tick(context);
  await showAgain(context, { ...pull, labels: [...pull.labels, LABELS.hold] });
  return { kind: "held", again };
}

/** Ends a hold. */
export async function release(context: BotContext, pull: PullFacts): Promise<Reply> {
  const { repository } = context;
  if (!(await readHold(context, pull))) return { kind: "released", again: true };
  await removeLabel(repository, pull.number, LABELS.hold);
  const free = { ...pull, labels: pull.labels.filter((label) => label !== LABELS.hold) };
  await showAgain(context, free);
  if (await considerAutoMerge(context, free)) context.queue("merge", tick);
  return { kind: "released", again: false };
}

/** Asks for the merge of exactly this head. */
export async function merge(context: BotContext, pull: PullFacts, comment: Comment): Promise<Reply> {
  const { repository, memory } = context;
  if (pull.draft) return { kind: "draft" };
  if (await readHold(context, pull)) return { kind: "merge-failed", refusal: { why: "held" } };
  const checks = await readChecks(repository, pull.headSha);
  const result = checks.find(({ name, status }) => name === CHECKS.result && status === "completed");
  const memo = parseVerdict(result?.externalId);
  if (memo === null) return { kind: "no-verdict", head: pull.headSha };
  if (memo.verdict === "none") return { kind: "no-results" };
  const accepted = checks.some(({ name, conclusion }) => name === CHECKS.accept && conclusion === "success");
  if (!mergeable(memo.verdict, accepted)) {
    const report = await reportOn(context, pull.headSha);
    // What other pull requests make of it is in no report of its own.
    return report === null || report.verdict !== memo.verdict
      ? { kind: "merge-failed", refusal: { why: "not-valid", verdict: memo.verdict } }
      : { kind: "merge-refused", report, accepted };
  }
  const standing = checks.find(({ name, status }) => name === CHECKS.merge && status !== "completed");
  if (parseMemo(standing?.externalId) !== null) {
    memory.merging.set(pull.number, pull.headSha);
    return { kind: "merge-already", head: pull.headSha };
  }
  const position = memory.merging.size + 1;
  const request: MergeMemo = {
    pull: pull.number,
    head: pull.headSha,
    by: comment.userId ?? 0,
    comment: comment.id,
    asked: Math.floor(Date.parse(comment.createdAt) / 1000),
    tries: 1,
    dispatched: null,
    after: 0,
    at: 0,
  };
  await writeRequest(context, checks, request);
  return { kind: "merge-queued", head: pull.headSha, position };
}
