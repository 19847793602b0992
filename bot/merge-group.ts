import { type Check, readChecks } from "../src/io/github/checks.ts";
import { readFileId } from "../src/io/github/contents.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { readCommit } from "../src/io/github/refs.ts";
import { dispatchWorkflow } from "../src/io/github/runs.ts";
import { LABELS } from "../src/lib/bot/labels.ts";
import { CHECKS, formatVerdict, parseVerdict } from "../src/lib/bot/memos.ts";
import {
  decideGroupReport,
  decideGroupTrust,
  type GroupFacts,
  groupPull,
  RESULT_WORKFLOW,
  type RunFacts,
} from "../src/lib/bot/trust.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import { touchesResults } from "../src/lib/result-pr/words.ts";
import { renderCheck, renderFailedCheck } from "../src/lib/result-pr/words-check.ts";
import { GROUP_WAITS } from "../src/lib/result-pr/words-merge.ts";
import type { BotContext } from "./context.ts";
import { hasUnseen } from "./merge-facts.ts";
import { ensureCheck, heldCheck, loadReport } from "./verdicts.ts";

/** GitHub's own merge queue: the required check `assay/result` on the commit of each group (field lessons F15, F16). */

/** A run that GitHub made for a merge group. */
export async function takeGroup(context: BotContext, run: RunFacts): Promise<void> {
  const { repository, log } = context;
  const rules = {
    workflow: RESULT_WORKFLOW,
    repositoryId: repository.id,
    defaultBranch: repository.defaultBranch,
  };
  const trust = decideGroupTrust(run, rules);
  if (!trust.trusted)
    return log.warn({ run: run.id, reason: trust.reason }, "a merge group's run is not trusted");
  const group = await readCommit(repository, run.headSha);
  const [own, base] = await Promise.all([
    readFileId(repository, RESULT_WORKFLOW, run.headSha),
    readFileId(repository, RESULT_WORKFLOW, repository.defaultBranch),
  ]);
  // A group's workflow file is the group's own. Only where it is the base's, byte for byte, did it run the base's code.
  if (own === null || own !== base) return askAnew(context, run, group);
  await conclude(context, run, group, await loadReport(context, run));
}

/** Has a group judged by a run of the default branch's own workflow, once. */
async function askAnew(context: BotContext, run: RunFacts, group: GroupFacts): Promise<void> {
  const { repository } = context;
  const checks = await readChecks(repository, group.sha);
  const known = checks.find(({ name }) => name === CHECKS.result);
  const memo = {
    run: run.id,
    attempt: run.attempt,
    verdict: "none" as const,
    notes: "00000000",
    evidence: [],
  };
  if (known !== undefined && parseVerdict(known.externalId) !== null) return;
  await dispatchWorkflow(repository, RESULT_WORKFLOW, {
    pull_request: String(groupPull(run.headBranch, repository.defaultBranch) ?? 0),
    base_sha: group.parents[0] ?? "",
    head_sha: group.parents[1] ?? group.sha,
    merge_sha: group.sha,
  });
  await ensureCheck(context, checks, {
    name: CHECKS.result,
    headSha: group.sha,
    externalId: formatVerdict(memo),
    title: GROUP_WAITS.title,
    summary: GROUP_WAITS.summary,
    conclusion: null,
  });
}

/** The report of a dispatched run on a merge commit: true when that is a group which waits for it. */
export async function takeGroupReport(context: BotContext, run: RunFacts, report: Report): Promise<boolean> {
  const { repository } = context;
  if (report.mode !== "merge" || report.commit_sha === null) return false;
  const checks = await readChecks(repository, report.commit_sha);
  const waiting = checks.find(({ name, status }) => name === CHECKS.result && status !== "completed");
  if (waiting === undefined) return false;
  await conclude(context, run, await readCommit(repository, report.commit_sha), report, checks);
  return true;
}

async function conclude(
  context: BotContext,
  run: RunFacts,
  group: GroupFacts,
  loaded: Report | string,
  known?: readonly Check[],
): Promise<void> {
  const { repository, log } = context;
  const checks = known ?? (await readChecks(repository, group.sha));
  const trust = typeof loaded === "string" ? null : decideGroupReport(loaded, group);
  if (trust?.trusted === false)
    log.warn({ run: run.id, reason: trust.reason }, "a report is not about its group");
  const report = typeof loaded === "string" || trust?.trusted === false ? null : loaded;
  const standing = report === null ? null : await standingOf(context, run, group, report);
  const given =
    report === null
      ? renderFailedCheck("The run left no report that can be used.", run.id)
      : renderCheck(report, standing?.accepted === true);
  const words = standing?.held === true ? heldCheck(given) : given;
  const verdict = report === null ? "error" : touchesResults(report) ? report.verdict : "none";
  await ensureCheck(context, checks, {
    name: CHECKS.result,
    headSha: group.sha,
    externalId: formatVerdict({
      run: run.id,
      attempt: run.attempt,
      verdict,
      notes: "00000000",
      evidence: [],
    }),
    title: words.title,
    summary: words.summary,
    conclusion: words.conclusion,
    detailsUrl: run.url,
  });
}

/** What people said about the pull request that a group adds. */
async function standingOf(
  context: BotContext,
  run: RunFacts,
  group: GroupFacts,
  report: Report,
): Promise<{ held: boolean; accepted: boolean }> {
  const { repository } = context;
  const number = report.pull_request ?? groupPull(run.headBranch, repository.defaultBranch);
  const pull = number === null ? null : await readPull(repository, number);
  if (pull === null) return { held: false, accepted: false };
  const held = pull.labels.includes(LABELS.hold);
  // What needs review passes only for the very head that was accepted, and only with what was seen there.
  const head = group.parents[1];
  if (report.verdict !== "needs-review" || head !== pull.headSha) return { held, accepted: false };
  const accepted = (await readChecks(repository, head)).some(
    ({ name, conclusion }) => name === CHECKS.accept && conclusion === "success",
  );
  return { held, accepted: accepted && !(await hasUnseen(context, head, report)) };
}
