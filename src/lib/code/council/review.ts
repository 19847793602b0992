import { z } from "zod";
import { instantMs } from "../../benchmarks/instant.ts";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import type { Finding } from "../../findings.ts";
import { type CallAnswer, callAnswerSchema } from "../../run/call.ts";
import type { RequestRow, Usage } from "../schema/usage-schema.ts";
import { type GivenReview, readReviewAnswer } from "./answer.ts";
import type { ReviewablePack } from "./prompt.ts";

/** Questions that a judge gets about one pack: the first, and one more for what was not usable. */
export const MAX_ASKS = 2;

/** What makes two calls of the command the same review. */
export const reviewPlanSchema = z.strictObject({
  pack: digestSchema,
  judge: segmentSchema,
  /** As it is asked for. */
  model: z.string().min(1).max(200),
  /** Null where the model has none. */
  effort: z.string().min(1).max(40).nullable(),
  /** Where calls go. */
  address: z.string().max(200),
  max_tokens: z.int().positive().nullable(),
  prompt: digestSchema,
});

/** The journal of a review; a call is two records, as in the journal of a run (src/lib/run/journal.ts). */
export const reviewRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("review-started"), at: instantSchema, plan: reviewPlanSchema }),
  z.strictObject({
    type: z.literal("call-intended"),
    at: instantSchema,
    call: z.int().positive(),
    request_sha256: digestSchema,
  }),
  z.strictObject({
    type: z.literal("call-completed"),
    at: instantSchema,
    call: z.int().positive(),
    answer: callAnswerSchema,
  }),
  z.strictObject({ type: z.literal("review-finished"), at: instantSchema }),
]);

export type ReviewPlan = z.infer<typeof reviewPlanSchema>;
export type ReviewRecord = z.infer<typeof reviewRecordSchema>;

export interface ReviewState {
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly calls: number;
  /** Calls whose end nobody recorded: they may have been charged. */
  readonly unanswered: number;
  /** Answers that count as asks, in order; a refused account asked nobody. */
  readonly answers: readonly CallAnswer[];
  /** What is usable so far, one review a letter. */
  readonly reviews: readonly GivenReview[];
  /** Letters that still lack a sound review. */
  readonly wanted: readonly string[];
  /** What is wrong with the last answer. */
  readonly problems: readonly Finding[];
}

/** Where a review stands, from its journal alone. */
export function deriveReview(records: readonly ReviewRecord[], pack: ReviewablePack): ReviewState {
  const letters = pack.document.letters;
  const answers = records.flatMap((record) =>
    record.type === "call-completed" && record.answer.kind !== "account" ? [record.answer] : [],
  );
  const intended = records.filter(({ type }) => type === "call-intended").length;
  const completed = records.filter(({ type }) => type === "call-completed").length;
  const found = new Map<string, GivenReview & { sound: boolean }>();
  let wanted: readonly string[] = letters;
  let problems: readonly Finding[] = [];
  for (const answer of answers.slice(0, MAX_ASKS)) {
    const read = readReviewAnswer(answer, wanted, pack);
    problems = read.problems;
    // A sound review stays; a later one replaces one of which something had to be left out.
    for (const review of read.reviews)
      if (found.get(review.letter)?.sound !== true) found.set(review.letter, review);
    wanted = letters.filter((letter) => found.get(letter)?.sound !== true);
  }
  const at = (type: ReviewRecord["type"]): string | null =>
    records.find((each) => each.type === type)?.at ?? null;
  return {
    startedAt: at("review-started"),
    finishedAt: at("review-finished"),
    calls: intended,
    unanswered: intended - completed,
    answers,
    reviews: letters.flatMap((letter) => {
      const review = found.get(letter);
      if (review === undefined) return [];
      const { sound: _, ...given } = review;
      return [given];
    }),
    wanted,
    problems,
  };
}

/** Whether the judge is to be asked, and how: from the start, or once more with the last answer before it. */
export const decideReview = ({
  finishedAt,
  answers,
  wanted,
}: ReviewState): "ask" | "ask-again" | "finish" => {
  if (finishedAt !== null || wanted.length === 0 || answers.length >= MAX_ASKS) return "finish";
  return answers.length === 0 ? "ask" : "ask-again";
};

/** Tokens and times of a review's calls, as the provider reported them; undefined when no call was made. */
export function reviewUsage(
  records: readonly ReviewRecord[],
  model: string,
  log: { readonly sha256: string; readonly bytes: number },
): Usage | undefined {
  const first = records.find(({ type }) => type === "call-intended")?.at;
  const last = records.findLast(({ type }) => type.startsWith("call-"))?.at;
  if (first === undefined || last === undefined) return undefined;
  const started = instantMs(first) ?? 0;
  const rows: RequestRow[] = [];
  let silent = records.filter(({ type }) => type === "call-intended").length;
  let cost: number | null = 0;
  for (const record of records) {
    if (record.type !== "call-completed") continue;
    if (record.answer.kind === "account") {
      silent -= 1;
      continue;
    }
    const { usage, cost_usd } = record.answer;
    cost = cost === null || cost_usd === null ? null : cost + cost_usd;
    if (usage === null) continue;
    silent -= 1;
    const cached = Math.min(usage.cached_prompt_tokens ?? 0, usage.prompt_tokens);
    const reasoning = Math.min(usage.reasoning_tokens ?? 0, usage.completion_tokens);
    const at = Math.max(0, (instantMs(record.at) ?? started) - started);
    rows.push([at, 0, 0, usage.prompt_tokens - cached, cached, 0, 0, 0, usage.completion_tokens, reasoning]);
  }
  return {
    harness: "openai-api",
    harness_version: null,
    logs: [{ name: "journal.jsonl", ...log }],
    first_event_at: first,
    last_event_at: last,
    models: [model],
    tiers: ["standard"],
    requests: rows,
    per: "request",
    cost_recorded_usd: silent > 0 ? null : cost,
    assumptions: silent > 0 ? [`calls-without-usage-${silent}`] : [],
    skipped_lines: 0,
  };
}
