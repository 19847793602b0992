import type { Check } from "../src/io/github/checks.ts";
import { CHECKS, parseVerdict } from "../src/lib/bot/memos.ts";
import { sameEvidence, shortEvidence, withEarlier } from "../src/lib/bot/open-duplicates.ts";
import type { PullFacts } from "../src/lib/bot/trust.ts";
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
  const model = known?.head === head ? known.model : null;
  const { evidence: digests } = memo;
  context.memory.evidence.set(number, { pull: number, head, since: check.startedAt, digests, model });
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
  const since = checks.find(({ name }) => name === CHECKS.result)?.startedAt ?? null;
  const same = sameEvidence({ pull: pull.number, since, digests }, memory.evidence.values());
  const now = new Date(context.now()).toISOString();
  memory.evidence.set(pull.number, {
    pull: pull.number,
    head: pull.headSha,
    since: since ?? now,
    digests,
    model: report.results[0]?.model ?? null,
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
