import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readBelow, textOrBytes } from "../io/code/council-files.ts";
import { writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import type { ChatClient } from "../io/run/chat-client.ts";
import { type JournalFile, openJournal } from "../io/run/journal-file.ts";
import { acquireRunLock } from "../io/run/lock.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { packDigest, packName } from "../lib/code/council/pack.ts";
import { lettersSchema, packSchema } from "../lib/code/council/pack-schema.ts";
import {
  type ReviewablePack,
  repeatMessages,
  reviewFormat,
  reviewMessages,
  reviewPromptDigest,
} from "../lib/code/council/prompt.ts";
import {
  decideReview,
  deriveReview,
  type ReviewPlan,
  type ReviewRecord,
  type ReviewState,
  reviewRecordSchema,
  reviewUsage,
} from "../lib/code/council/review.ts";
import type { SessionFile } from "../lib/code/council/session-file.ts";
import { digestOf } from "../lib/digest.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { type CallAnswer, type ChatRequest, pauseAfter } from "../lib/run/call.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { accountFinding } from "./run-request.ts";

export interface ReviewOptions {
  /** The pack's folder. */
  readonly pack: string;
  readonly judge: string;
  readonly model: string;
  readonly effort: string | null;
  readonly address: string;
  readonly maxTokens: number | null;
  /** Folder that gets `reviews/`, and may have `letters/`. */
  readonly council: string;
  readonly client: ChatClient;
}

export interface ReviewWorld {
  /** ISO 8601 UTC with milliseconds. */
  now(): string;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted when the person asks to stop: nothing further is begun. */
  readonly stop: AbortSignal;
  /** Aborted when the person insists: the call in flight is abandoned. */
  readonly abandon: AbortSignal;
  say(line: string): void;
}

export interface Reviewed {
  readonly session: SessionFile;
  /** Where the session file lies. */
  readonly file: string;
  /** Letters without a usable review. */
  readonly missing: readonly string[];
}

const error = (code: string, message: string, details: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  message,
  ...details,
});
const refused = (...findings: Finding[]): { ok: false; findings: Finding[] } => ({ ok: false, findings });

/**
 * Has a judge review a pack: one question, and one more for what was not usable. All state is in a journal; the same command
 * goes on where it stopped, and a call whose answer is recorded is never made again. What stays without a usable review is
 * a missing seat.
 */
export async function reviewPack(options: ReviewOptions, world: ReviewWorld): Promise<Outcome<Reviewed>> {
  const pack = await readPack(options.pack);
  if (!pack.ok) return pack;
  const misdirected = await checkJudge(options, pack.value);
  if (misdirected.length > 0) return refused(...misdirected);
  const plan: ReviewPlan = {
    pack: pack.value.document.sha256,
    judge: options.judge,
    model: options.model,
    effort: options.effort,
    address: options.address,
    max_tokens: options.maxTokens,
    prompt: reviewPromptDigest(pack.value),
  };
  const stem = `${packName(plan.pack)}.${options.judge}`;
  const reviews = join(options.council, "reviews");
  const lock = await acquireRunLock(reviews, stem, world, reviews);
  if (!lock.ok) return lock;
  try {
    const opened = await openReview(reviews, stem, plan, pack.value, world);
    if (!opened.ok) return opened;
    const { journal, folder } = opened.value;
    try {
      return await drive(options, world, plan, pack.value, journal, folder);
    } finally {
      await journal.close();
    }
  } finally {
    await lock.value.release();
  }
}

/** A pack's folder, every digest checked. */
export async function readPack(folder: string): Promise<Outcome<ReviewablePack>> {
  const files = await readBelow(folder);
  const described = files?.get("pack.json");
  if (files === null || described === undefined)
    return refused(
      error("code-council-pack", "This is no folder of a pack: it has no pack.json.", { path: folder }),
    );
  const parsed = parseWithSchema(described, packSchema, { path: "pack.json", code: "code-data" });
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  const findings: Finding[] = [];
  if (packDigest(document) !== document.sha256)
    findings.push(
      error("code-council-pack", "pack.json is not what its digest says.", { path: "pack.json" }),
    );
  const listed = new Map(document.files.map(({ path, sha256 }) => [path, sha256]));
  for (const [path, bytes] of files)
    if (path !== "pack.json" && listed.get(path) !== fastDigest(bytes))
      findings.push(
        error(
          "code-council-pack",
          listed.has(path) ? "The file was changed." : "The pack lists no such file.",
          {
            path,
            hint: "Make the pack again: bench council pack with the same seed gives the same bytes.",
          },
        ),
      );
  for (const path of listed.keys())
    if (!files.has(path)) findings.push(error("code-council-pack", "The file is gone.", { path }));
  const [spec, rubric] = ["SPEC.md", "rubric.md"].map((path) =>
    textOrBytes(files.get(path) ?? new Uint8Array([0])),
  );
  if (typeof spec !== "string" || typeof rubric !== "string")
    findings.push(error("code-council-pack", "A pack has SPEC.md and rubric.md.", { path: folder }));
  if (hasErrors(findings) || typeof spec !== "string" || typeof rubric !== "string")
    return refused(...findings);
  const entries = new Map(
    document.letters.map((letter) => {
      const own = [...files]
        .filter(([path]) => path.startsWith(`${letter}/`))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        letter,
        new Map(
          own.map(([path, bytes]) => {
            const content = textOrBytes(bytes);
            return [
              path.slice(letter.length + 1),
              typeof content === "string" ? content : { bytes: bytes.length },
            ];
          }),
        ),
      ] as const;
    }),
  );
  return { ok: true, value: { document, spec, rubric, entries }, findings: [] };
}

/** Where the letters map is at hand, it says whom the pack was made for. Its order is not looked at. */
async function checkJudge(
  { council, judge }: ReviewOptions,
  { document }: ReviewablePack,
): Promise<Finding[]> {
  const maps = await readBelow(join(council, "letters"));
  const bytes = maps?.get(`${packName(document.sha256)}.json`);
  if (bytes === undefined) return [];
  const letters = parseWithSchema(bytes, lettersSchema, { code: "code-data" });
  return letters.ok && letters.value.judge !== judge
    ? [
        error("code-council-judge", "The pack was made for another judge.", {
          expected: letters.value.judge,
          actual: judge,
          hint: "Each judge gets packs of its own, shuffled on their own.",
        }),
      ]
    : [];
}

interface OpenedReview {
  readonly journal: JournalFile<ReviewRecord>;
  readonly folder: string;
}

/** The review of this pack by this judge that goes on; a new one when there is none, or when the last gave nothing. */
async function openReview(
  reviews: string,
  stem: string,
  plan: ReviewPlan,
  pack: ReviewablePack,
  world: ReviewWorld,
): Promise<Outcome<OpenedReview>> {
  const numbers = (await readdir(reviews)).flatMap((name) => {
    const number = name.startsWith(`${stem}.`) ? /^[1-9]\d{0,3}$/.exec(name.slice(stem.length + 1)) : null;
    return number === null ? [] : [Number(number[0])];
  });
  const latest = Math.max(0, ...numbers);
  const open = async (number: number): Promise<Outcome<OpenedReview>> => {
    const folder = join(reviews, `${stem}.${number}`);
    const journal = await openJournal(
      join(folder, "journal.jsonl"),
      `${stem}.${number}/journal.jsonl`,
      reviewRecordSchema,
    );
    return journal.ok ? { ...journal, value: { journal: journal.value, folder } } : journal;
  };
  if (latest > 0) {
    const last = await open(latest);
    if (!last.ok) return last;
    const { journal } = last.value;
    const [start] = journal.records;
    const state = deriveReview(journal.records, pack);
    const gaveNothing = state.finishedAt !== null && state.reviews.length === 0;
    if (start?.type === "review-started" && !gaveNothing) {
      const changed = changedSettings(start.plan, plan);
      if (changed.length === 0) return last;
      await journal.close();
      return refused(
        error("code-council-resume", "This review was begun with other settings.", {
          expected: changed.map((key) => `${key} ${start.plan[key] ?? "none"}`).join(", "),
          actual: changed.map((key) => `${key} ${plan[key] ?? "none"}`).join(", "),
          hint: "Give the same options to go on. A pack is reviewed once; for a second look make a pack with another seed.",
        }),
      );
    }
    if (start === undefined) {
      await journal.append({ type: "review-started", at: world.now(), plan });
      return last;
    }
    await journal.close();
  }
  const fresh = await open(latest + 1);
  if (fresh.ok) await fresh.value.journal.append({ type: "review-started", at: world.now(), plan });
  return fresh;
}

const changedSettings = (before: ReviewPlan, now: ReviewPlan): (keyof ReviewPlan)[] =>
  (Object.keys(now) as (keyof ReviewPlan)[]).filter((key) => before[key] !== now[key]);

/** The clock's time, but never before what is recorded. */
function stamp(world: ReviewWorld, journal: JournalFile<ReviewRecord>): string {
  const last = journal.records.at(-1)?.at ?? "";
  return [world.now(), last].toSorted().at(-1) ?? last;
}

async function drive(
  options: ReviewOptions,
  world: ReviewWorld,
  plan: ReviewPlan,
  pack: ReviewablePack,
  journal: JournalFile<ReviewRecord>,
  folder: string,
): Promise<Outcome<Reviewed>> {
  const first = reviewMessages(pack);
  for (;;) {
    const state = deriveReview(journal.records, pack);
    const step = decideReview(state);
    if (step === "finish") {
      if (state.finishedAt === null)
        await journal.append({ type: "review-finished", at: stamp(world, journal) });
      break;
    }
    const wait = state.answers.length === 0 ? 0 : pauseAfter(state.answers.at(-1) as CallAnswer);
    if (wait > 0) await world.sleep(wait, world.stop);
    if (world.stop.aborted) return stopped();
    const request = requestOf(options, pack, state, first);
    const call = state.calls + 1;
    await journal.append({
      type: "call-intended",
      at: stamp(world, journal),
      call,
      request_sha256: digestOf(canonicalJson(options.client.body(request))),
    });
    world.say(`Asking ${options.judge} about ${state.wanted.length} letters (call ${call}) …`);
    let answer: CallAnswer;
    try {
      answer = await options.client.complete(request, world.abandon);
    } catch (failure) {
      if (world.abandon.aborted) return stopped();
      throw failure;
    }
    await journal.append({ type: "call-completed", at: stamp(world, journal), call, answer });
    if (answer.kind === "account") return refused(accountFinding(answer));
    const after = deriveReview(journal.records, pack);
    world.say(`${after.reviews.length} of ${pack.document.letters.length} letters have a review.`);
  }
  return await writeSession(plan, pack, journal, folder);
}

const stopped = (): { ok: false; findings: Finding[] } =>
  refused(
    error("code-council-stopped", "Stopped; what was done is kept.", {
      hint: "Give the same command again: it goes on where it stopped.",
    }),
  );

function requestOf(
  options: ReviewOptions,
  pack: ReviewablePack,
  state: ReviewState,
  first: ReturnType<typeof reviewMessages>,
): ChatRequest {
  const last = state.answers.at(-1);
  const text = last?.kind === "answer" ? last.text : null;
  const problems = state.problems.map(({ message, pointer, expected, actual }) =>
    [
      pointer === undefined ? message : `${pointer}: ${message}`,
      ...(expected === undefined ? [] : [`expected ${expected}`]),
      ...(actual === undefined ? [] : [`got ${actual}`]),
    ].join(" "),
  );
  const again = text !== null && text !== "";
  return {
    model: options.model,
    messages: again ? repeatMessages(first, text, problems, state.wanted) : first,
    temperature: null,
    max_tokens: options.maxTokens,
    response_format: reviewFormat(again ? state.wanted : pack.document.letters),
    ...(options.effort === null ? {} : { reasoning_effort: options.effort }),
  };
}

async function writeSession(
  plan: ReviewPlan,
  pack: ReviewablePack,
  journal: JournalFile<ReviewRecord>,
  folder: string,
): Promise<Outcome<Reviewed>> {
  const state = deriveReview(journal.records, pack);
  if (state.startedAt === null || state.finishedAt === null)
    throw new Error("a finished review has both ends");
  const bytes = (await readBelow(folder))?.get("journal.jsonl") ?? new Uint8Array();
  const usage = reviewUsage(journal.records, plan.model, { sha256: fastDigest(bytes), bytes: bytes.length });
  const missing = pack.document.letters.filter(
    (letter) => !state.reviews.some((review) => review.letter === letter),
  );
  const why = state.problems.map(({ message }) => message).join(" ");
  const session: SessionFile = {
    schema_version: 1,
    judge: plan.judge,
    pack: plan.pack,
    started_at: state.startedAt,
    finished_at: state.finishedAt,
    prompt: plan.prompt,
    reviews: state.reviews.map(({ findings, ...review }) => ({ ...review, findings: [...findings] })),
    ...(missing.length === 0
      ? {}
      : { missing: { reason: `No usable review of ${missing.join(", ")}. ${why}`.trim().slice(0, 500) } }),
    ...(usage === undefined ? {} : { usage }),
  };
  await writeFilesWhole(folder, [{ path: "session.json", data: `${JSON.stringify(session, null, 2)}\n` }]);
  const findings = [...state.problems];
  if (missing.length > 0)
    findings.push({
      code: "code-council-missing-seat",
      severity: state.reviews.length === 0 ? "error" : "warning",
      message: "Letters have no usable review: missing seats, not zeros.",
      path: basename(folder),
      actual: missing.join(", "),
      hint:
        state.reviews.length === 0
          ? "Import the session to record that, or give the command again for a new review."
          : "Import the session: it says which are missing, and why.",
    });
  return { ok: true, value: { session, file: join(folder, "session.json"), missing }, findings };
}
