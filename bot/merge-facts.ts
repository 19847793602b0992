import { readChecks } from "../src/io/github/checks.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { isAncestor, readBranch, readLock } from "../src/io/github/refs.ts";
import { readRun, readRuns } from "../src/io/github/runs.ts";
import { CHECKS, parseAccept, parseVerdict } from "../src/lib/bot/memos.ts";
import {
  byTurn,
  LOCK_BRANCH,
  type MergeFacts,
  type MergeRun,
  parseMemo,
  type RequestFacts,
} from "../src/lib/bot/merge.ts";
import { decideTrust, type LockFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import type { Finding } from "../src/lib/findings.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import type { BotContext } from "./context.ts";
import { readHold } from "./labels.ts";
import { loadReport } from "./verdicts.ts";

/** What GitHub says about merges right now. */

/** @throws when the default branch is not to be had, which a renamed one is not under its old name. */
export async function deriveFacts(context: BotContext): Promise<MergeFacts> {
  const { repository, memory } = context;
  const { defaultBranch } = repository;
  const mainSha = await readBranch(repository, defaultBranch);
  if (mainSha === null) {
    context.forget();
    throw new Error("the default branch has no tip");
  }
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
  queue.sort(byTurn);
  return {
    defaultBranch,
    mainSha,
    lock,
    landed: await hasLanded(context, lock, mainSha),
    holder,
    queue,
    run: lock === null || holder === null ? { state: "none" } : await mergeRun(context, lock, holder),
    now: Math.floor(context.now() / 1000),
  };
}

/** Only a base that moved can hold the lock's merge commit. */
const hasLanded = async (
  { repository }: BotContext,
  lock: LockFacts | null,
  mainSha: string,
): Promise<boolean> =>
  lock !== null && lock.parents[0] !== mainSha && (await isAncestor(repository, lock.sha, mainSha));

/** The merge that was asked for on this head, with everything that decides about it; null when there is none (any more). */
export async function requestFacts(
  context: BotContext,
  number: number,
  head: string,
): Promise<RequestFacts | null> {
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
    held: pull.open && (await readHold(context, pull)),
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
  )
    // Only code of the very base that is merged into judges the merge.
    .filter((run) => run.id > memo.after && run.headSha === lock.parents[0]);
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
      return { state: "report", report, unseenFindings: await hasUnseen(context, memo.head, report) };
    }
  }
  if (running) return { state: "running" };
  return failed ? { state: "failed" } : { state: "none" };
}

const identity = ({ code, severity, path, pointer, line }: Finding): string =>
  JSON.stringify([code, severity, path, pointer, line]);

/** Whether the merge commit has findings that were not there to be seen when the head was accepted. */
export async function hasUnseen(context: BotContext, head: string, merged: Report): Promise<boolean> {
  if (merged.verdict === "valid") return false;
  const seen = await acceptedReport(context, head);
  if (seen === null) return true;
  const known = new Set(seen.findings.map(identity));
  return (
    merged.findings_total > seen.findings_total ||
    merged.findings.some((finding) => !known.has(identity(finding)))
  );
}

/** The report that was accepted; where nothing says which, the one that stands. */
async function acceptedReport(context: BotContext, head: string): Promise<Report | null> {
  const checks = await readChecks(context.repository, head);
  const run = parseAccept(checks.find(({ name }) => name === CHECKS.accept)?.externalId)?.run;
  return run === undefined ? reportOn(context, head) : reportOf(context, run);
}

async function reportOf(context: BotContext, id: number): Promise<Report | null> {
  const run = await readRun(context.repository, id);
  const report = run === null ? null : await loadReport(context, run);
  return typeof report === "string" ? null : report;
}

/** The report behind the verdict that stands on a head. */
export async function reportOn(context: BotContext, head: string): Promise<Report | null> {
  const checks = await readChecks(context.repository, head);
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  return memo === null ? null : reportOf(context, memo.run);
}
