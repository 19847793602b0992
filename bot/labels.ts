import { type Check, readChecks } from "../src/io/github/checks.ts";
import { addLabel, readLabelEvents } from "../src/io/github/labels.ts";
import { readPermission } from "../src/io/github/pulls.ts";
import { RUNS_LISTED, readRuns } from "../src/io/github/runs.ts";
import { authorise } from "../src/lib/bot/authorise.ts";
import { headArrival, isOwnEvent, LABELS, type LabelEvent, newestEvent } from "../src/lib/bot/labels.ts";
import { CHECKS, formatIgnored, parseIgnored, parseVerdict } from "../src/lib/bot/memos.ts";
import { parseMemo } from "../src/lib/bot/merge.ts";
import { type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import { type IgnoredLabel, ignoredLabelWords } from "../src/lib/result-pr/words-merge.ts";
import type { BotContext } from "./context.ts";
import { writeRequest } from "./merge-show.ts";
import { ensureCheck, showAgain } from "./verdicts.ts";

/** Holds and auto-merge: what labels say, and whether they may. */

/** Whether whoever set or removed a label may merge. Another app may not. */
async function mayMerge(context: BotContext, event: LabelEvent): Promise<boolean> {
  if (event.actorType !== "User" || event.appId !== null || event.actorLogin === null) return false;
  const permission = await readPermission(context.repository, event.actorLogin);
  return authorise("merge", event.actorId ?? -1, permission).allowed;
}

/**
 * Whether a pull request is on hold: its label is there, or was taken off by somebody who may not release. In that
 * case it is put back.
 */
export async function readHold(context: BotContext, pull: PullFacts): Promise<boolean> {
  const { repository, memory } = context;
  if (pull.labels.includes(LABELS.hold)) return true;
  const known = memory.released.get(pull.number);
  if (known === pull.updatedAt) return false;
  const newest = newestEvent(await readLabelEvents(repository, pull.number), LABELS.hold);
  const released =
    newest === null ||
    (!newest.on && (isOwnEvent(newest, repository.identity) || (await mayMerge(context, newest))));
  if (released) memory.released.set(pull.number, pull.updatedAt);
  else await addLabel(repository, pull.number, LABELS.hold);
  return !released;
}

/** Since when the head is this one (see `headArrival`). `runs`: whether its branch had any run at all. */
export async function readArrival(
  { repository }: BotContext,
  pull: PullFacts,
): Promise<{ arrival: string | null; runs: boolean }> {
  const runs = await readRuns(repository, RESULT_WORKFLOW, {
    event: "pull_request_target",
    ...(pull.headBranch === null ? { head_sha: pull.headSha } : { branch: pull.headBranch }),
  });
  return { arrival: headArrival(pull, runs, runs.length < RUNS_LISTED), runs: runs.length > 0 };
}

/** Asks for the merge that the label asks for, if whoever put it on may, and saw this head. */
export async function considerAutoMerge(context: BotContext, pull: PullFacts): Promise<boolean> {
  const { repository } = context;
  if (!pull.labels.includes(LABELS.autoMerge) || !pull.open || pull.draft) return false;
  if (pull.baseRef !== repository.defaultBranch || (await readHold(context, pull))) return false;
  const checks = await readChecks(repository, pull.headSha);
  const result = checks.find(({ name, status }) => name === CHECKS.result && status === "completed");
  // What needs review is accepted by a person who says so, never by a label.
  if (parseVerdict(result?.externalId)?.verdict !== "valid") return false;
  const merge = checks.find(({ name }) => name === CHECKS.merge);
  if (merge !== undefined && merge.status !== "completed") return false;
  const event = newestEvent(await readLabelEvents(repository, pull.number), LABELS.autoMerge);
  if (event === null || !event.on || parseIgnored(merge?.externalId) === event.id) return false;
  const asked = Math.floor(Date.parse(event.at) / 1000);
  // The merge that this label asked for has ended: it is asked for again, not tried for ever.
  if ((parseMemo(merge?.externalId)?.asked ?? 0) >= asked) return false;
  if (!(await mayMerge(context, event))) return ignore(context, pull, checks, event, "role");
  const { arrival } = await readArrival(context, pull);
  if (arrival === null || Date.parse(event.at) < Date.parse(arrival)) {
    return ignore(context, pull, checks, event, "older-head");
  }
  await writeRequest(context, checks, {
    pull: pull.number,
    head: pull.headSha,
    by: event.actorId ?? 0,
    comment: 0,
    asked,
    tries: 1,
    dispatched: null,
    after: 0,
    at: 0,
  });
  context.log.info({ pull: pull.number }, "the label asks for a merge");
  return true;
}

/** Says, where merges are shown, that a label does not count and what would. */
async function ignore(
  context: BotContext,
  pull: PullFacts,
  checks: readonly Check[],
  event: LabelEvent,
  why: IgnoredLabel,
): Promise<false> {
  await ensureCheck(context, checks, {
    name: CHECKS.merge,
    headSha: pull.headSha,
    externalId: formatIgnored(event.id),
    title: "The auto-merge label does not count",
    summary: ignoredLabelWords(why),
    conclusion: "neutral",
  });
  await showAgain(context, pull);
  return false;
}
