import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { ChatClient } from "../io/run/chat-client.ts";
import { type JournalFile, openJournal, syncFolder } from "../io/run/journal-file.ts";
import { acquireRunLock } from "../io/run/lock.ts";
import { isPrivateMember } from "../lib/benchmarks/privacy.ts";
import { parseResult, resultPath } from "../lib/benchmarks/result.ts";
import type { ResultDocument } from "../lib/benchmarks/result-schema.ts";
import type { Suite } from "../lib/benchmarks/suite-schema.ts";
import { canonicalDocument, canonicalJson } from "../lib/canonical-json.ts";
import { digestOf } from "../lib/digest.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { type CallAnswer, pauseAfter } from "../lib/run/call.ts";
import { assembleDocument, type MemberHistory, type NotAsked } from "../lib/run/document.ts";
import { journalRecordSchema, type RunPlan } from "../lib/run/journal.ts";
import { decideRun, deriveAttempts, deriveHistory, type RunStep } from "../lib/run/loop.ts";
import { PIPELINE_VERSION, resumeFindings, runId, runNumber, runStem } from "../lib/run/plan.ts";
import type { RunProgress } from "../lib/run/progress.ts";
import { type AnswerFormat, PROMPT_VERSIONS, type PromptMode, promptDigest } from "../lib/run/prompt.ts";
import { goneFinding, judgeOnce, prepareMembers, type ReadyMember } from "./run-members.ts";
import { measurePrompts } from "./run-prompts.ts";
import { accountFinding, requestOf } from "./run-request.ts";
import { type LoadedSuite, loadSuite } from "./score.ts";

/** Where runs keep their state, below the root; ignored by git. */
export const RUNS_FOLDER = "benchmarks/.runs";

export interface RunOptions {
  /** Folder that holds `benchmarks/`. */
  readonly root: string;
  readonly suiteId: string;
  readonly model: string;
  readonly promptMode: PromptMode;
  readonly format: AnswerFormat;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** Null: three calls for each member. */
  readonly maxCalls: number | null;
  readonly attemptsPerMember: number;
  readonly minIntervalMs: number;
  /** Where calls go, as the document says it: without port where that is nobody's choice, and without secrets. */
  readonly transport: string;
  readonly client: ChatClient;
  readonly invocation: string;
  readonly runner: { readonly name: string; readonly version: string; readonly environment: string };
  /** Start anew although an unfinished run could go on. */
  readonly fresh: boolean;
}

export interface RunWorld {
  /** Wall clock, ISO 8601 UTC with milliseconds. */
  now(): string;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted when the person asks to stop: nothing further is begun. */
  readonly stop: AbortSignal;
  /** Aborted when the person insists: the call in flight is abandoned. */
  readonly abandon: AbortSignal;
  onEvent(event: RunEvent): void;
}

export type RunEvent =
  | {
      readonly type: "started";
      readonly run: string;
      readonly resumed: boolean;
      readonly progress: RunProgress;
    }
  /** The provider asked for a pause before the next call. */
  | { readonly type: "pausing"; readonly ms: number }
  | { readonly type: "not-asked"; readonly member: string; readonly reason: NotAsked }
  | {
      readonly type: "calling" | "answered";
      readonly step: Extract<RunStep, { do: "call" }>;
      readonly progress: RunProgress;
      /** Of the answer; null while calling. */
      readonly outcome: string | null;
      /** The member's status once it is settled as executed. */
      readonly status: string | null;
    }
  /** The document is on the disk. When the listener returns, the run counts as reported. */
  | { readonly type: "finished"; readonly result: FinishedRun };

export interface FinishedRun {
  readonly document: ResultDocument;
  /** Canonical bytes. */
  readonly text: string;
  /** Below the root. */
  readonly file: string;
  /** Where it belongs when it is committed. */
  readonly committedPath: string;
  readonly suite: Suite;
}

export type RunEnd =
  | { readonly kind: "finished"; readonly result: FinishedRun }
  | {
      readonly kind: "stopped";
      readonly why: "asked" | "account";
      readonly run: string;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

const refused = (...findings: Finding[]): RunEnd => ({ kind: "refused", findings });

/**
 * Runs a model over a suite: verifies every available digest, then asks member by member until all are settled or the
 * cap is reached. All state is in the journal; started again, it goes on where the journal ends.
 */
export async function runBenchmark(options: RunOptions, world: RunWorld): Promise<RunEnd> {
  const loaded = await loadSuite(options.root, options.suiteId);
  if (!loaded.ok) return refused(...loaded.findings);
  const members = await prepareMembers(loaded.value, options.promptMode);
  const broken = members.flatMap(({ findings }) => findings);
  if (hasErrors(broken)) return refused(...broken);
  const plan = planOf(options, loaded.value.suite);
  const stem = runStem(plan);
  const runs = join(options.root, RUNS_FOLDER);
  const lock = await acquireRunLock(runs, stem, world);
  if (!lock.ok) return refused(...lock.findings);
  try {
    const opened = await openRun(options, plan, stem, runs, world);
    if (opened.kind === "refused") return opened;
    try {
      return await drive(options, world, plan, loaded.value, members, opened);
    } finally {
      await opened.journal.close();
    }
  } finally {
    await lock.value.release();
  }
}

function planOf(options: RunOptions, suite: Suite): RunPlan {
  return {
    suite: { id: suite.id, digest: suite.digest },
    model: {
      id: options.model,
      parameters: {
        temperature: options.temperature,
        max_tokens: options.maxTokens,
        response_format: options.format,
      },
    },
    prompt: {
      mode: options.promptMode,
      version: PROMPT_VERSIONS[options.promptMode],
      sha256: promptDigest(options.promptMode),
    },
    pipeline_version: PIPELINE_VERSION,
    transport: options.transport,
    caps: {
      calls: options.maxCalls ?? suite.members.length * options.attemptsPerMember,
      attempts_per_member: options.attemptsPerMember,
    },
    pacing: { min_interval_ms: options.minIntervalMs },
  };
}

interface OpenedRun {
  readonly kind: "opened";
  readonly run: string;
  readonly journal: JournalFile;
  readonly resumed: boolean;
}

/** The unfinished run of this plan, or a new one with the next number. The caller holds the lock. */
async function openRun(
  options: RunOptions,
  plan: RunPlan,
  stem: string,
  runs: string,
  world: RunWorld,
): Promise<OpenedRun | Extract<RunEnd, { kind: "refused" }>> {
  await mkdir(runs, { recursive: true });
  const numbers = (await readdir(runs)).flatMap((name) => runNumber(stem, name) ?? []);
  const latest = Math.max(0, ...numbers);
  const openNumber = (number: number) => {
    const path = `${RUNS_FOLDER}/${runId(stem, number)}/journal.jsonl`;
    return openJournal(join(options.root, path), path, journalRecordSchema);
  };
  if (latest > 0 && !options.fresh) {
    const journal = await openNumber(latest);
    if (!journal.ok) return { kind: "refused", findings: journal.findings };
    const opened = { kind: "opened", run: runId(stem, latest), journal: journal.value } as const;
    const [start] = journal.value.records;
    if (start === undefined) {
      await begin(journal.value, opened.run, plan, options, world);
      return { ...opened, resumed: false };
    }
    if (!deriveHistory(journal.value.records).reported) {
      const differences = start.type === "run-started" ? resumeFindings(start.plan, plan) : [];
      if (differences.length > 0) {
        await journal.value.close();
        return { kind: "refused", findings: differences };
      }
      await journal.value.append({ type: "run-resumed", at: stamp(world, journal.value) });
      return { ...opened, resumed: true };
    }
    await journal.value.close();
  }
  const journal = await openNumber(latest + 1);
  if (!journal.ok) return { kind: "refused", findings: journal.findings };
  const run = runId(stem, latest + 1);
  await begin(journal.value, run, plan, options, world);
  return { kind: "opened", run, journal: journal.value, resumed: false };
}

const begin = (
  journal: JournalFile,
  run: string,
  plan: RunPlan,
  options: RunOptions,
  world: RunWorld,
): Promise<void> =>
  journal.append({ type: "run-started", at: world.now(), run, plan, invocation: options.invocation });

/**
 * The time for the next record: the clock's, but never before what is already recorded (or `after`, where a measured
 * duration says more). A clock that was set back must not cost a finished run its document.
 */
function stamp(world: RunWorld, journal: JournalFile, after = ""): string {
  const last = journal.records.at(-1)?.at ?? "";
  return [world.now(), last, after].reduce((latest, time) => (time > latest ? time : latest));
}

async function drive(
  options: RunOptions,
  world: RunWorld,
  plan: RunPlan,
  loaded: LoadedSuite,
  members: readonly ReadyMember[],
  { journal, run, resumed }: OpenedRun,
): Promise<RunEnd> {
  const judge = judgeOnce(members);
  const gone = members.filter(
    ({ id, loaded }) =>
      loaded === null && deriveHistory(journal.records).calls.some(({ member }) => member === id),
  );
  if (gone.length > 0) return refused(...gone.map(({ id }) => goneFinding(id)));
  const derive = () => {
    const history = deriveHistory(journal.records);
    const loop = members.map((member) => ({
      id: member.id,
      askable: member.notAsked === null,
      attempts: deriveAttempts(history.calls, member.id, (answer) => judge(member.id, answer)),
    }));
    return { history, loop };
  };
  const progress = (): RunProgress => {
    const { history, loop } = derive();
    return { caps: plan.caps, pacing: plan.pacing, calls: history.calls, members: loop };
  };
  world.onEvent({ type: "started", run, resumed, progress: progress() });
  for (const { id, notAsked } of members)
    if (notAsked !== null) world.onEvent({ type: "not-asked", member: id, reason: notAsked });
  const stopped = (why: "asked" | "account", ...findings: Finding[]): RunEnd => ({
    kind: "stopped",
    why,
    run,
    findings,
  });
  let lastCallAt: number | null = null;
  let pausedUntil = 0;
  for (;;) {
    const { history, loop } = derive();
    // A finish that was decided stays decided: resuming only makes the document again.
    if (history.finishedAt !== null) break;
    const step = decideRun(loop, history.calls.length, plan.caps);
    if (step.do === "finish") {
      await journal.append({ type: "run-finished", at: stamp(world, journal) });
      break;
    }
    const paced = lastCallAt === null ? 0 : lastCallAt + plan.pacing.min_interval_ms - world.elapsed();
    const wait = Math.max(paced, pausedUntil - world.elapsed());
    if (wait > paced && wait > 0) world.onEvent({ type: "pausing", ms: Math.ceil(wait) });
    if (wait > 0) await world.sleep(wait, world.stop);
    if (world.stop.aborted) return stopped("asked");
    const member = members.find(({ id }) => id === step.member);
    if (member?.prompt == null) throw new Error(`member ${step.member} has no prompt`);
    const request = requestOf(options, member.prompt, step.after);
    const intendedAt = stamp(world, journal);
    await journal.append({
      type: "call-intended",
      at: intendedAt,
      call: step.call,
      member: step.member,
      attempt: step.attempt,
      kind: step.kind,
      request_sha256: digestOf(canonicalJson(options.client.body(request))),
    });
    world.onEvent({ type: "calling", step, progress: progress(), outcome: null, status: null });
    lastCallAt = world.elapsed();
    let answer: CallAnswer;
    try {
      answer = await options.client.complete(request, world.abandon);
    } catch (error) {
      if (world.abandon.aborted) return stopped("asked");
      throw error;
    }
    const duration = Math.max(0, Math.round(world.elapsed() - lastCallAt));
    const endedAt = new Date(Date.parse(intendedAt) + duration).toISOString();
    await journal.append({
      type: "call-completed",
      at: stamp(world, journal, endedAt),
      call: step.call,
      duration_ms: duration,
      answer,
    });
    if (answer.kind === "account") {
      const entry = loaded.suite.members.find(({ id }) => id === step.member);
      const hidden = entry !== undefined && isPrivateMember(entry, loaded);
      return stopped("account", accountFinding(answer, hidden));
    }
    pausedUntil = world.elapsed() + pauseAfter(answer);
    const judged = judge(step.member, answer);
    const status = judged.execution === null ? null : (judge.score(step.member, judged)?.status ?? null);
    world.onEvent({ type: "answered", step, progress: progress(), outcome: judged.outcome, status });
  }
  const result = await writeDocument(options, plan, loaded, members, judge, journal, run);
  if (!result.ok) return refused(...result.findings);
  world.onEvent({ type: "finished", result: result.value });
  const result_sha256 = digestOf(result.value.text);
  await journal.append({ type: "run-reported", at: stamp(world, journal), result_sha256 });
  return { kind: "finished", result: result.value };
}

async function writeDocument(
  options: RunOptions,
  plan: RunPlan,
  loaded: LoadedSuite,
  members: readonly ReadyMember[],
  judge: ReturnType<typeof judgeOnce>,
  journal: JournalFile,
  run: string,
): Promise<{ ok: true; value: FinishedRun } | { ok: false; findings: Finding[] }> {
  const history = deriveHistory(journal.records);
  const [start] = journal.records;
  if (start?.type !== "run-started" || history.finishedAt === null)
    throw new Error("the journal of a finished run starts with run-started and has run-finished");
  const histories = members.map((member): [string, MemberHistory] => {
    const attempts = deriveAttempts(history.calls, member.id, (answer) => judge(member.id, answer));
    const last = attempts.at(-1);
    const score = last === undefined ? null : judge.score(member.id, last.judged);
    return [member.id, { notAsked: member.notAsked, attempts, score }];
  });
  const asked = members.flatMap(({ id, prompt }) =>
    prompt !== null && history.calls.some(({ member }) => member === id) ? [prompt] : [],
  );
  const { suite } = loaded;
  const document = assembleDocument({
    suite,
    privacy: loaded,
    plan,
    invocation: start.invocation,
    startedAt: start.at,
    finishedAt: history.finishedAt,
    runner: options.runner,
    unanswered: history.unanswered,
    measured: await measurePrompts(asked, options.format),
    members: new Map(histories),
  });
  const text = canonicalDocument(document);
  const file = `${RUNS_FOLDER}/${run}/result.json`;
  await replaceFile(join(options.root, file), text);
  const committedPath = resultPath(document);
  // Our own document has to pass what the validation demands of everyone's.
  const checked = parseResult(text, committedPath, file);
  if (!checked.ok) return { ok: false, findings: checked.findings };
  return { ok: true, value: { document, text, file, committedPath, suite } };
}

/** Writes a file so that a crash leaves the old one or the new one, never a part. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  const handle = await open(draft, "w");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
  await syncFolder(join(path, ".."));
}
