import type { ChatClient } from "../io/run/chat-client.ts";
import { isPrivateMember } from "../lib/benchmarks/privacy.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { type CallAnswer, pauseAfter } from "../lib/run/call.ts";
import { decideMember, type JudgedAttempt } from "../lib/run/loop.ts";
import { PIPELINE_VERSION } from "../lib/run/plan.ts";
import { PROMPT_MODES, PROMPT_VERSIONS, promptDigest } from "../lib/run/prompt.ts";
import { MAX_INTERVAL_MS } from "../lib/run/settings.ts";
import {
  compareMember,
  DEFAULT_SAMPLE,
  type SpotCheck,
  type SpotMember,
  sampleMembers,
  spotTotals,
  whyNotAsked,
} from "../lib/run/spot-check.ts";
import { judgeOnce, prepareMembers } from "./run-members.ts";
import { accountFinding, type RequestOptions, requestOf } from "./run-request.ts";
import { loadSuite } from "./score.ts";

export interface SpotCheckOptions {
  /** Folder that holds `benchmarks/`. */
  readonly root: string;
  readonly document: ResultDocument;
  /** Digest of the document's bytes. */
  readonly digest: string;
  readonly seed: string;
  /** Members to ask; null for the default. */
  readonly sample: number | null;
  /** Cap on calls; null for as many attempts as the run had for each. */
  readonly maxCalls: number | null;
  readonly client: ChatClient;
  /** Where calls go now, in the words of a document. */
  readonly transport: string;
}

export interface SpotCheckWorld {
  now(): string;
  elapsed(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  readonly stop: AbortSignal;
  readonly abandon: AbortSignal;
  onMember(progress: { readonly member: string; readonly at: number; readonly of: number }): void;
}

/**
 * Asks a seeded sample of a result's members again, under the parameters, prompt and pacing that it records, and says
 * how far the answers agree. Writes nothing: the result stays as it is, whatever comes out.
 */
export async function spotCheck(
  options: SpotCheckOptions,
  world: SpotCheckWorld,
): Promise<Outcome<SpotCheck>> {
  const { document } = options;
  const loaded = await loadSuite(options.root, document.suite.id);
  if (!loaded.ok) return loaded;
  const { suite } = loaded.value;
  const differences = recordedDifferences(document, suite.digest);
  const mode = PROMPT_MODES.find((each) => each === document.prompt.mode);
  if (mode === undefined || differences.length > 0) return { ok: false, findings: differences };
  const ready = await prepareMembers(loaded.value, mode);
  const broken = ready.flatMap(({ findings }) => findings);
  if (hasErrors(broken)) return { ok: false, findings: [...broken] };
  const judge = judgeOnce(ready);
  const promptOf = new Map(ready.map(({ id, prompt }) => [id, prompt]));
  const reasons = document.members.map((member) => ({
    member: member.id,
    why: whyNotAsked(member, (promptOf.get(member.id) ?? null) !== null),
  }));
  const candidates = reasons.filter(({ why }) => why === null).map(({ member }) => member);
  if (candidates.length === 0) return { ok: false, findings: [nothingToAsk()] };
  const sample = sampleMembers(candidates, options.seed, options.sample ?? DEFAULT_SAMPLE);
  const startedAt = world.now();
  const costs: (number | null)[] = [];
  const members: SpotMember[] = [];
  const findings: Finding[] = [];
  // A document may claim any interval; the command takes none that is longer.
  const interval = Math.min(document.pacing.min_interval_ms, MAX_INTERVAL_MS);
  let lastCallAt: number | null = null;
  let pausedUntil = 0;
  let stopped = false;
  for (const [at, id] of sample.entries()) {
    const recorded = document.members.find((member) => member.id === id);
    const prompt = promptOf.get(id) ?? null;
    if (recorded === undefined || prompt === null) throw new Error(`${id} is no candidate`);
    world.onMember({ member: id, at: at + 1, of: sample.length });
    const attempts: JudgedAttempt[] = [];
    for (;;) {
      const step = decideMember(attempts, document.caps.attempts_per_member);
      if (step.do === "settle") break;
      const paced: number = lastCallAt === null ? 0 : lastCallAt + interval - world.elapsed();
      const wait = Math.max(paced, pausedUntil - world.elapsed());
      if (wait > 0) await world.sleep(wait, world.stop);
      stopped = world.stop.aborted || (options.maxCalls !== null && costs.length >= options.maxCalls);
      if (stopped) break;
      const sentAt = world.now();
      lastCallAt = world.elapsed();
      const answer = await ask(options, requestOf(recordedRequest(document), prompt, step.after), world);
      costs.push(answer === null || answer.kind === "account" ? null : answer.cost_usd);
      stopped = answer === null || answer.kind === "account";
      if (answer?.kind === "account") {
        const entry = suite.members.find((member) => member.id === id);
        findings.push(accountFinding(answer, entry !== undefined && isPrivateMember(entry, loaded.value)));
      }
      if (answer === null || answer.kind === "account") break;
      pausedUntil = world.elapsed() + pauseAfter(answer);
      attempts.push({
        attempt: step.attempt,
        kind: step.kind,
        startedAt: sentAt,
        durationMs: Math.max(0, Math.round(world.elapsed() - lastCallAt)),
        answer,
        judged: judge(id, answer),
      });
    }
    // A member that was cut off in the middle has not been asked as the run asked it.
    if (stopped) break;
    const last = attempts.at(-1);
    members.push(compareMember(recorded, attempts, last === undefined ? null : judge.score(id, last.judged)));
  }
  if (members.length === 0 && findings.length > 0) return { ok: false, findings };
  return {
    ok: true,
    findings,
    value: {
      schema_version: 1,
      result: options.digest,
      suite: document.suite,
      model: document.model.id,
      prompt_mode: mode,
      transport: { recorded: document.runner.transport, used: options.transport },
      started_at: startedAt,
      finished_at: world.now(),
      seed: options.seed,
      sample: sample.length,
      candidates: candidates.length,
      excluded: reasons.flatMap(({ member, why }) => (why === null ? [] : [{ member, why }])),
      members,
      totals: spotTotals(members, costs),
      stopped,
    },
  };
}

/** One call; null when the person insisted on stopping. */
async function ask(
  options: SpotCheckOptions,
  request: ReturnType<typeof requestOf>,
  world: SpotCheckWorld,
): Promise<CallAnswer | null> {
  try {
    return await options.client.complete(request, world.abandon);
  } catch (error) {
    if (world.abandon.aborted) return null;
    throw error;
  }
}

const recordedRequest = ({ model }: ResultDocument): RequestOptions => ({
  model: model.id,
  format: model.parameters.response_format,
  temperature: model.parameters.temperature,
  maxTokens: model.parameters.max_tokens,
});

/** The same question can be asked only while suite, prompt and pipeline are the recorded ones. */
function recordedDifferences(document: ResultDocument, suiteDigest: string): Finding[] {
  const mode = PROMPT_MODES.find((each) => each === document.prompt.mode);
  const prompt =
    mode === undefined ? "unknown here" : `${mode} ${PROMPT_VERSIONS[mode]} ${promptDigest(mode)}`;
  const { mode: was, version, sha256 } = document.prompt;
  const compare = (what: string, recorded: string, here: string): Finding[] =>
    recorded === here
      ? []
      : [
          {
            code: "run-spot-check-differs",
            severity: "error",
            message: `The result was made with another ${what} than the one here: its question cannot be asked again.`,
            expected: recorded,
            actual: here,
            hint: "Check it from the commit that it was made with.",
          },
        ];
  return [
    ...compare("suite", document.suite.digest, suiteDigest),
    ...compare("prompt", `${was} ${version} ${sha256}`, prompt),
    ...compare("pipeline", document.pipeline_version, PIPELINE_VERSION),
  ];
}

const nothingToAsk = (): Finding => ({
  code: "run-spot-check-empty",
  severity: "error",
  message: "No member of this result can be asked again.",
  hint: "Members that the run did not ask, that got no answer, or whose workbook is not here are left out.",
});
