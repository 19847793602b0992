import { readPull, readPullsOfRun } from "../src/io/github/pulls.ts";
import { readRun } from "../src/io/github/runs.ts";
import {
  decideTrust,
  FEED_WORKFLOW,
  judgedOwnBase,
  type PullFacts,
  pullsOfRun,
  RESULT_WORKFLOW,
  type RunFacts,
} from "../src/lib/bot/trust.ts";
import { forgetBoard } from "./board.ts";
import type { BotContext, Job } from "./context.ts";
import { considerAutoMerge } from "./labels.ts";
import { tick } from "./merge.ts";
import { takeGroup, takeGroupReport } from "./merge-group.ts";
import { publish } from "./publish.ts";
import { refreshRanks } from "./refresh.ts";
import { loadReport, showVerdict } from "./verdicts.ts";

/** A workflow run completed. Other workflows than ours are no business of the bot. */
export function onWorkflowRun(payload: {
  readonly workflow_run: { readonly id: number; readonly path: string };
}): Job | null {
  const { id, path } = payload.workflow_run;
  const [file] = path.split("@", 1);
  if (file === RESULT_WORKFLOW) return { key: `run:${id}`, run: (context) => takeReport(context, id) };
  if (file === FEED_WORKFLOW) return { key: `feed:${id}`, run: (context) => takeFeed(context, id) };
  return null;
}

/** The run, if it is one of ours. */
function trusted({ repository, log }: BotContext, run: RunFacts, workflow: string): RunFacts | null {
  const trust = decideTrust(run, {
    workflow,
    repositoryId: repository.id,
    defaultBranch: repository.defaultBranch,
  });
  if (trust.trusted) return run;
  log.warn({ run: run.id, reason: trust.reason }, "a workflow run is not trusted");
  return null;
}

/** Takes the report of a result run to the pull request, or the merge, that it is for. */
export async function takeReport(context: BotContext, id: number): Promise<void> {
  const { repository, log } = context;
  const known = await readRun(repository, id);
  if (known === null) return;
  if (known.event === "merge_group") return takeGroup(context, known);
  const run = trusted(context, known, RESULT_WORKFLOW);
  if (run === null) return;
  if (run.event === "pull_request_target") {
    const pulls = pullsOfRun(run, await readPullsOfRun(repository, run), repository.defaultBranch);
    if (pulls.length === 0) log.info({ run: id }, "no open pull request has this head any more");
    for (const pull of pulls) await judge(context, pull, run);
    return;
  }
  const report = await loadReport(context, run);
  if (typeof report === "string" || report.mode === "merge") {
    if (typeof report === "string" || !(await takeGroupReport(context, run, report))) await tick(context);
    return;
  }
  // A head that was recomputed on request: which pull request it is for is looked up, and must agree.
  if (!judgedOwnBase(report, run)) return log.warn({ run: id }, "a report judged against another base");
  const pull = report.pull_request === null ? null : await readPull(repository, report.pull_request);
  if (pull?.open === true && pull.headSha === report.head_sha) await judge(context, pull, run);
  else log.warn({ run: id }, "a report is about no open head");
}

/** Shows a verdict; a label may have waited for it. */
async function judge(context: BotContext, pull: PullFacts, run: RunFacts): Promise<void> {
  await showVerdict(context, pull, run);
  if (await considerAutoMerge(context, pull)) await tick(context);
}

/** Publishes what a feed run computed. */
export async function takeFeed(context: BotContext, id: number): Promise<void> {
  const known = await readRun(context.repository, id);
  const run = known === null ? null : trusted(context, known, FEED_WORKFLOW);
  if (run === null || !(await publish(context, run))) return;
  await forgetBoard(context);
  context.queue("ranks", refreshRanks);
}
