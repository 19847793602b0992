import { ArtifactError, REPORT_LIMITS, readArtifact } from "../src/io/github/artifacts.ts";
import { type Check, type CheckWish, patchCheck, postCheck, readChecks } from "../src/io/github/checks.ts";
import { patchComment, postComment, readComments } from "../src/io/github/comments.ts";
import { readPull, seemsToTouchResults } from "../src/io/github/pulls.ts";
import { readRun } from "../src/io/github/runs.ts";
import { LABELS } from "../src/lib/bot/labels.ts";
import { CHECKS, formatVerdict, isNewer, isOthers, parseAccept, parseVerdict } from "../src/lib/bot/memos.ts";
import { parseMemo } from "../src/lib/bot/merge.ts";
import { contestantOf, shortEvidence } from "../src/lib/bot/open-duplicates.ts";
import { decideComment, findSticky, mayShowWaiting } from "../src/lib/bot/sticky.ts";
import { decideHeadReport, type PullFacts, REPORT_ARTIFACT, type RunFacts } from "../src/lib/bot/trust.ts";
import { sha256Hex } from "../src/lib/digest.ts";
import { type Report, reportSchema } from "../src/lib/result-pr/report-schema.ts";
import {
  type CommentContext,
  type RunFailure,
  renderComment,
  renderFailure,
  renderNoResults,
  renderWaiting,
  repositoryUrlOf,
  touchesResults,
} from "../src/lib/result-pr/words.ts";
import { type CheckWords, renderCheck, renderFailedCheck } from "../src/lib/result-pr/words-check.ts";
import { HOLD_TITLE, HOLD_WORDS } from "../src/lib/result-pr/words-merge.ts";
import { parseWithSchema } from "../src/lib/strict-json/schema.ts";
import { withCurrentRanks } from "./board.ts";
import type { BotContext } from "./context.ts";
import { withOpenDuplicates } from "./open-duplicates.ts";

/** From a trusted run to one comment and one check run. */

const REMEMBERED_REPORTS = 50;

/** The report of a run whose origin is already trusted, or why there is none to use. */
export async function loadReport(context: BotContext, run: RunFacts): Promise<Report | RunFailure> {
  const key = `${run.id}/${run.attempt}`;
  const known = context.memory.reports.get(key);
  if (known !== undefined) return known;
  const loaded = await readReport(context, run);
  // While a run is made again, its artifact is still the one of the attempt before.
  if (run.status !== "completed") return loaded;
  context.memory.reports.set(key, loaded);
  const [oldest] = context.memory.reports.keys();
  if (context.memory.reports.size > REMEMBERED_REPORTS && oldest !== undefined)
    context.memory.reports.delete(oldest);
  return loaded;
}

async function readReport({ repository, log }: BotContext, run: RunFacts): Promise<Report | RunFailure> {
  try {
    const files = await readArtifact(repository, run.id, REPORT_ARTIFACT, REPORT_LIMITS, "report.json");
    const bytes = files?.get("report.json");
    if (bytes === undefined) return run.conclusion === "cancelled" ? "cancelled" : "no-report";
    const parsed = parseWithSchema(bytes, reportSchema, {
      path: "report.json",
      code: "report",
      maxBytes: REPORT_LIMITS.bytes,
    });
    if (parsed.ok) return parsed.value;
    const codes = parsed.findings.slice(0, 3).map(({ code }) => code);
    log.warn({ run: run.id, codes }, "a report does not fit its schema");
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    log.warn({ run: run.id, reason: error.message }, "a report could not be unpacked");
  }
  return "unreadable";
}

/** Makes the one comment say `body`. `mayCreate`: false when there is nothing to say unless something stands there. */
export async function ensureComment(
  context: BotContext,
  pull: number,
  body: string,
  mayCreate = true,
): Promise<void> {
  const { repository, memory, outbox } = context;
  await outbox.ensure(`comment:${pull}`, async (fresh) => {
    if (fresh) memory.sticky.delete(pull);
    const sticky =
      memory.sticky.get(pull) ?? findSticky(await readComments(repository, pull), repository.identity);
    if (sticky === null && !mayCreate) return;
    const step = decideComment(sticky, body);
    if (step.do === "create") {
      memory.sticky.set(pull, { id: await postComment(repository, pull, step.body), body });
    } else if (step.do === "update") {
      await patchComment(repository, step.id, step.body);
      memory.sticky.set(pull, { id: step.id, body });
    } else if (sticky !== null) {
      memory.sticky.set(pull, { id: sticky.id, body });
    }
  });
}

const says = (check: Check, wish: CheckWish): boolean =>
  check.title === wish.title &&
  check.summary === wish.summary &&
  (wish.conclusion === null ? check.status !== "completed" : check.conclusion === wish.conclusion);

/**
 * Makes the check run of this name on this commit say what is wished. `same`: says whether two external ids mean the
 * same; by default they must be equal. Returns the check run's id, or null when a newer wish took over.
 */
export async function ensureCheck(
  context: BotContext,
  checks: readonly Check[] | null,
  wish: CheckWish,
  same: (before: string, now: string) => boolean = (before, now) => before === now,
): Promise<number | null> {
  const { repository, outbox } = context;
  return outbox.ensure(`check:${wish.headSha}:${wish.name}`, async (fresh) => {
    const known = fresh || checks === null ? await readChecks(repository, wish.headSha) : checks;
    const check = known.find(({ name }) => name === wish.name);
    if (check === undefined) return postCheck(repository, wish);
    if (says(check, wish) && same(check.externalId, wish.externalId)) return check.id;
    await patchCheck(repository, check.id, wish);
    return check.id;
  });
}

export type MergeLine = NonNullable<CommentContext["merge"]>;

const isHeld = (pull: PullFacts): boolean => pull.labels.includes(LABELS.hold);

/** The line about merging, with a hold before it. */
function withHold(pull: PullFacts, merge: MergeLine | null): MergeLine | null {
  if (!isHeld(pull) || merge?.merged === true) return merge;
  return merge === null
    ? { words: HOLD_WORDS, merged: false }
    : { ...merge, words: `${HOLD_WORDS}\n\n${merge.words}` };
}

/** A hold stops people's merges as well, where the check is required. */
export const heldCheck = (words: CheckWords): CheckWords => ({
  ...words,
  conclusion: "action_required",
  title: HOLD_TITLE,
  summary: `${HOLD_WORDS}\n\n${words.summary}`,
});

/** What the check run `assay/merge` says in the comment. */
export function mergeLine(check: Pick<Check, "summary" | "conclusion" | "externalId">): MergeLine {
  const { summary: words, conclusion } = check;
  const memo = parseMemo(check.externalId);
  if (memo === null) return { words, merged: false };
  if (conclusion === "success") return { words, merged: true, phase: "merged" };
  if (conclusion !== null) return { words, merged: false, phase: "refused" };
  return { words, merged: false, phase: memo.dispatched === null ? "queued" : "recomputing" };
}

/** What the check runs on a head say about accepting and merging it. */
function standing(checks: readonly Check[]): { acceptedBy: string | null; merge: MergeLine | null } {
  const accept = checks.find(({ name, conclusion }) => name === CHECKS.accept && conclusion === "success");
  const merge = checks.find(({ name }) => name === CHECKS.merge);
  return {
    acceptedBy: parseAccept(accept?.externalId)?.login ?? null,
    merge:
      merge === undefined
        ? null
        : {
            words: merge.summary,
            merged: merge.conclusion === "success",
            phase:
              merge.conclusion === "success"
                ? "merged"
                : merge.status === "completed"
                  ? "refused"
                  : "recomputing",
          },
  };
}

const newsOf = (externalId: string): string => {
  const memo = parseVerdict(externalId);
  return `${memo?.verdict} ${memo?.evidence.join(",")} ${memo?.pull}`;
};

/**
 * Whether the verdict on a head stays although another pull request with the very same head has one of its own: a good
 * one does while its pull request is there, for the content is the same and only what is about persons can differ.
 */
async function staysForOther(
  { repository }: BotContext,
  pull: PullFacts,
  checks: readonly Check[],
): Promise<boolean> {
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  if (memo?.pull === undefined || !isOthers(memo, pull.number)) return false;
  if (memo.verdict !== "valid" && memo.verdict !== "needs-review") return false;
  const other = await readPull(repository, memo.pull);
  return other?.open === true && other.headSha === pull.headSha && other.baseRef === pull.baseRef;
}

/** The check run `assay/result`, but only where it is news; annotations are never sent twice. */
async function ensureResultCheck(
  context: BotContext,
  checks: readonly Check[],
  pull: PullFacts,
  run: RunFacts,
  given: CheckWords,
  verdict: Report["verdict"] | "none",
  evidence: readonly string[] = [],
): Promise<void> {
  if (await staysForOther(context, pull, checks)) return;
  const words = isHeld(pull) ? heldCheck(given) : given;
  const notes = sha256Hex(JSON.stringify(words.annotations)).slice(0, 8);
  const sent = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId)?.notes;
  await ensureCheck(
    context,
    checks,
    {
      name: CHECKS.result,
      headSha: pull.headSha,
      externalId: formatVerdict({
        run: run.id,
        attempt: run.attempt,
        verdict,
        notes,
        evidence,
        pull: pull.number,
      }),
      title: words.title,
      summary: words.summary,
      conclusion: words.conclusion,
      detailsUrl: run.url,
      annotations: notes === sent ? [] : words.annotations,
    },
    // The same words from a later run are no news.
    (before, now) => newsOf(before) === newsOf(now),
  );
}

/** Puts a trusted run's verdict on the pull request that the API says it is for. */
export async function showVerdict(
  context: BotContext,
  pull: PullFacts,
  run: RunFacts,
  known?: readonly Check[],
): Promise<void> {
  const checks = known ?? (await readChecks(context.repository, pull.headSha));
  const before = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  if (!isOthers(before, pull.number) && !isNewer(run, before)) return;
  const loaded = await loadReport(context, run);
  const trust = typeof loaded === "string" ? null : decideHeadReport(loaded, pull);
  if (trust !== null && !trust.trusted) {
    context.log.warn(
      { run: run.id, pull: pull.number, reason: trust.reason },
      "a report disagrees with the API",
    );
  }
  const report = trust?.trusted === false ? "untrusted" : loaded;
  if (typeof report === "string") {
    const mayCreate = await seemsToTouchResults(context.repository, pull.number);
    const body = renderFailure(pull.headSha, report, run.id, repositoryUrlOf(run.url));
    await ensureComment(context, pull.number, body, mayCreate);
    const words = renderFailedCheck("The run left no report that can be used.", run.id);
    await ensureResultCheck(context, checks, pull, run, words, "error");
    return;
  }
  await showReport(context, pull, run, report, checks);
}

/**
 * Comment and check run for a report that is about exactly this head. `merge`: how a merge stands, when that is about
 * to change; by default what its check run says.
 */
export async function showReport(
  context: BotContext,
  pull: PullFacts,
  run: RunFacts,
  judged: Report,
  checks: readonly Check[],
  merge: MergeLine | null = standing(checks).merge,
): Promise<void> {
  if (!touchesResults(judged)) {
    await ensureComment(context, pull.number, renderNoResults(pull.headSha), false);
    await ensureResultCheck(context, checks, pull, run, renderCheck(judged), "none");
    return;
  }
  const current = await withCurrentRanks(context, run, judged);
  const modelOn = async (head: string): Promise<string | null> => {
    const theirs = await readChecks(context.repository, head);
    const standing = await standingReport(context, theirs);
    return standing === null ? null : contestantOf(standing.report);
  };
  const open = await withOpenDuplicates(context, pull, current?.report ?? judged, checks, modelOn);
  const { report } = open;
  const { acceptedBy } = standing(checks);
  const repositoryUrl = repositoryUrlOf(run.url);
  const body = renderComment(report, {
    head: pull.headSha,
    merge: withHold(pull, merge),
    acceptedBy,
    repositoryUrl,
    run: run.id,
    openDuplicates: open.duplicates,
    ...(current === null ? {} : { ranksBase: current.base }),
  });
  // A grader that failed early does not know whether there are results: then the files decide.
  const mayCreate = report.results.length > 0 || report.verdict !== "error";
  await ensureComment(
    context,
    pull.number,
    body,
    mayCreate || (await seemsToTouchResults(context.repository, pull.number)),
  );
  await ensureResultCheck(
    context,
    checks,
    pull,
    run,
    renderCheck(report, acceptedBy !== null, repositoryUrl),
    report.verdict,
    shortEvidence(judged),
  );
}

/** The run and the report behind the verdict that check runs name. */
async function standingReport(
  context: BotContext,
  checks: readonly Check[],
): Promise<{ run: RunFacts; report: Report } | null> {
  const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
  const run = memo === null ? null : await readRun(context.repository, memo.run);
  const report = run === null ? null : await loadReport(context, run);
  return run === null || report === null || typeof report === "string" ? null : { run, report };
}

/**
 * Brings comment and check run up to date with what stands on the head, where there is a verdict. Returns the report
 * behind it, or null.
 */
export async function showAgain(context: BotContext, pull: PullFacts): Promise<Report | null> {
  const checks = await readChecks(context.repository, pull.headSha);
  const standing = await standingReport(context, checks);
  if (standing !== null) await showReport(context, pull, standing.run, standing.report, checks);
  return standing?.report ?? null;
}

/** Says that a verdict is on its way, where there will be one and none stands there yet. */
export async function showWaiting(context: BotContext, pull: PullFacts): Promise<void> {
  const { repository, memory, outbox } = context;
  const { number, headSha } = pull;
  const body = renderWaiting(headSha);
  let touches: boolean | null = null;
  await outbox.ensure(`comment:${number}`, async () => {
    const sticky = findSticky(await readComments(repository, number), repository.identity);
    if (!mayShowWaiting(sticky, headSha)) return;
    if (sticky !== null) {
      await patchComment(repository, sticky.id, body);
      memory.sticky.set(number, { id: sticky.id, body });
      return;
    }
    touches ??= await seemsToTouchResults(repository, number);
    if (!touches) return;
    memory.sticky.set(number, { id: await postComment(repository, number, body), body });
  });
}
