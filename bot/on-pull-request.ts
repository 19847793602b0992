import { readPull } from "../src/io/github/pulls.ts";
import { LABELS } from "../src/lib/bot/labels.ts";
import type { BotContext, Job } from "./context.ts";
import { lookAtJobs } from "./job-board.ts";
import { considerAutoMerge, readHold } from "./labels.ts";
import { tick } from "./merge.ts";
import { showAgain, showWaiting } from "./verdicts.ts";

/** A pull request was opened, pushed to, reopened or closed, became a draft, or goes to another base. */
export const onPullRequest = (payload: { readonly number: number }): Job => ({
  key: `pull:${payload.number}`,
  run: (context) => lookAt(context, payload.number),
});

/** A label was put on or taken off, or a draft became ready. Other labels than ours are no business of the bot. */
export function onLabel(payload: {
  readonly number: number;
  readonly label?: string | undefined;
}): Job | null {
  const { number, label } = payload;
  if (label !== undefined && label !== LABELS.hold && label !== LABELS.autoMerge) return null;
  return { key: `labels:${number}`, run: (context) => lookAtLabels(context, number) };
}

async function lookAtLabels(context: BotContext, number: number): Promise<void> {
  const pull = await readPull(context.repository, number);
  if (pull === null || !pull.open || pull.baseRef !== context.repository.defaultBranch) return;
  const held = await readHold(context, pull);
  const labels = pull.labels.filter((label) => label !== LABELS.hold);
  const asked = await considerAutoMerge(context, pull);
  await showAgain(context, { ...pull, labels: held ? [...labels, LABELS.hold] : labels });
  if (asked || context.memory.merging.has(number)) await tick(context);
}

async function lookAt(context: BotContext, number: number): Promise<void> {
  const { repository, memory } = context;
  const pull = await readPull(repository, number);
  if (pull === null) return;
  // Evidence of a head that is gone is nobody's original.
  if (!pull.open || memory.evidence.get(number)?.head !== pull.headSha) memory.evidence.delete(number);
  // It is not what a merge was asked for any more: the merge has to hear of it.
  const merging = memory.merging.get(number);
  const changed = !pull.open || pull.draft || pull.baseRef !== repository.defaultBranch;
  if (merging !== undefined && (changed || pull.headSha !== merging)) await tick(context);
  // Jobs were asked for on the head that was there.
  if (memory.jobs.has(number)) await lookAtJobs(context, pull);
  if (!pull.open || pull.baseRef !== repository.defaultBranch) return;
  await showWaiting(context, pull);
}
