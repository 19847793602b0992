import { readPull } from "../src/io/github/pulls.ts";
import type { BotContext, Job } from "./context.ts";
import { tick } from "./merge.ts";
import { showWaiting } from "./verdicts.ts";

/** A pull request was opened, pushed to, reopened or closed. */
export const onPullRequest = (payload: { readonly number: number }): Job => ({
  key: `pull:${payload.number}`,
  run: (context) => lookAt(context, payload.number),
});

async function lookAt(context: BotContext, number: number): Promise<void> {
  const { repository, memory } = context;
  const pull = await readPull(repository, number);
  if (pull === null) return;
  // Its head moved or it was closed while a merge was asked for: the merge has to hear of it.
  const merging = memory.merging.get(number);
  if (merging !== undefined && (!pull.open || pull.headSha !== merging)) await tick(context);
  if (!pull.open || pull.baseRef !== repository.defaultBranch) return;
  await showWaiting(context, pull);
}
