import { type Check, readChecks } from "../src/io/github/checks.ts";
import { statusOf } from "../src/io/github/policy.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { readRuns } from "../src/io/github/runs.ts";
import { CHECKS, parseVerdict } from "../src/lib/bot/memos.ts";
import {
  contestantOf,
  type OpenEvidence,
  sameEvidence,
  shortEvidence,
  withEarlier,
} from "../src/lib/bot/open-duplicates.ts";
import { type PullFacts, RESULT_WORKFLOW } from "../src/lib/bot/trust.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import type { OpenDuplicate } from "../src/lib/result-pr/words.ts";
import type { BotContext } from "./context.ts";

/** Which open pull requests share evidence: learnt from verdicts and from the check runs that passes read. */

/** Remembers the evidence of the verdict that stands on a pull request's head. */
export function noteEvidence(context: BotContext, pull: PullFacts, checks: readonly Check[]): void {
  const check = checks.find(({ name }) => name === CHECKS.result);
  const memo = parseVerdict(check?.externalId);
  if (memo === null || check?.startedAt == null) return;
  const { number, headSha: head } = pull;
  const known = context.memory.evidence.get(number);
  const same = known?.head === head ? known : null;
  const { evidence: digests } = memo;
  context.memory.evidence.set(number, {
    pull: number,
    head,
    since: same?.since ?? check.startedAt,
    digests,
    model: same?.model ?? null,
    dated: same?.dated ?? false,
  });
}

/** Earlier heads of one branch that are asked for their evidence. */
const MAX_HEADS = 10;

/**
 * When a pull request first brought evidence that it has now: with this head, or with one before, so that whoever pushes
 * again does not come after his own copy. By the runs that GitHub makes for every head; null when nothing tells.
 */
async function readFirst(
  { repository }: BotContext,
  pull: PullFacts,
  digests: readonly string[],
): Promise<string | null> {
  if (pull.headBranch === null) return null;
  const runs = await readRuns(repository, RESULT_WORKFLOW, {
    event: "pull_request_target",
    branch: pull.headBranch,
  });
  const began = new Map<string, string>();
  // Newest first: what stays is a head's first run.
  for (const { headRepositoryId, headSha, createdAt } of runs)
    if (headRepositoryId === pull.headRepositoryId) began.set(headSha, createdAt);
  const heads = [...began].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [head, at] of heads.slice(0, MAX_HEADS)) {
    if (head === pull.headSha) return at;
    // A head that was pushed over may be gone.
    const checks = await readChecks(repository, head).catch((error: unknown) => {
      if (statusOf(error) === null) throw error;
      return [];
    });
    const memo = parseVerdict(checks.find(({ name }) => name === CHECKS.result)?.externalId);
    if (memo?.evidence.some((digest) => digests.includes(digest)) === true) return at;
  }
  return began.get(pull.headSha) ?? null;
}

/** What is remembered of another pull request, with the time that decides which was first; asked for once a head. */
async function dated(context: BotContext, other: OpenEvidence): Promise<OpenEvidence> {
  if (other.dated === true) return other;
  const pull = await readPull(context.repository, other.pull);
  const first = pull?.headSha === other.head ? await readFirst(context, pull, other.digests) : null;
  const known = { ...other, since: first ?? other.since, dated: true };
  context.memory.evidence.set(other.pull, known);
  return known;
}

/**
 * The report as other open pull requests change it, and those that share its evidence. `modelOn`: the model of the
 * report on another head.
 */
export async function withOpenDuplicates(
  context: BotContext,
  pull: PullFacts,
  report: Report,
  checks: readonly Check[],
  modelOn: (head: string) => Promise<string | null>,
): Promise<{ report: Report; duplicates: OpenDuplicate[] }> {
  const { memory } = context;
  const digests = shortEvidence(report);
  const { number, headSha: head } = pull;
  const shown = checks.find(({ name }) => name === CHECKS.result)?.startedAt ?? null;
  const known = memory.evidence.get(number);
  const alike = sameEvidence({ pull: number, since: shown, digests }, memory.evidence.values());
  let isDated = known?.head === head && known.dated === true;
  let since = isDated && known !== undefined ? known.since : shown;
  if (alike.length > 0 && !isDated) {
    since = (await readFirst(context, pull, digests)) ?? shown;
    isDated = true;
  }
  const others: OpenEvidence[] = [];
  for (const { other } of alike) others.push(await dated(context, other));
  const same = sameEvidence({ pull: number, since, digests }, others);
  memory.evidence.set(number, {
    pull: number,
    head,
    since: since ?? new Date(context.now()).toISOString(),
    digests,
    model: contestantOf(report),
    dated: isDated,
  });
  const duplicates: OpenDuplicate[] = [];
  for (const { other } of same) {
    const model = other.model ?? (await modelOn(other.head));
    if (model !== null) duplicates.push({ pull: other.pull, model });
    memory.evidence.set(other.pull, { ...other, model });
  }
  const earlier = same.filter((each) => each.earlier).map(({ other }) => other.pull);
  return { report: withEarlier(report, earlier), duplicates };
}
