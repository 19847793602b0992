import { z } from "zod";
import { resultSchema } from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import type { Outcome } from "../findings.ts";
import { callAnswerSchema } from "./call.ts";
import { encodeLine, type RecoveredLines, recoverLines } from "./journal-lines.ts";

/**
 * The journal of a run: one JSON object per line, appended and synced before anything acts on it.
 *
 * Every call is two records: `call-intended` before the request leaves, `call-completed` once its outcome is known.
 * An intent without a completion is a call that was interrupted: whether the provider worked, and what it charged, is
 * unknown. It counts against the call cap, makes the run's cost incomplete, and is asked again under the same attempt
 * number, because no answer of it was ever acted on.
 */

/** What makes two invocations the same run. */
export const runPlanSchema = z.strictObject({
  suite: resultSchema.shape.suite,
  model: resultSchema.shape.model,
  prompt: resultSchema.shape.prompt.omit({ measured: true }),
  pipeline_version: segmentSchema,
  /** Where calls go, as the result document will say it. */
  transport: resultSchema.shape.runner.shape.transport,
  caps: resultSchema.shape.caps,
  pacing: resultSchema.shape.pacing,
});

const callNumber = z.int().positive();
const attemptNumber = z.int().min(1).max(3);

export const journalRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run-started"),
    at: instantSchema,
    run: z.string().min(1).max(200),
    plan: runPlanSchema,
    invocation: resultSchema.shape.runner.shape.invocation,
  }),
  z.strictObject({ type: z.literal("run-resumed"), at: instantSchema }),
  z.strictObject({
    type: z.literal("call-intended"),
    at: instantSchema,
    /** Counts calls over the whole run, from 1. */
    call: callNumber,
    member: segmentSchema,
    attempt: attemptNumber,
    kind: z.enum(["initial", "revision"]),
    /** Digest of the request body that is about to be sent. */
    request_sha256: digestSchema,
  }),
  z.strictObject({
    type: z.literal("call-completed"),
    at: instantSchema,
    call: callNumber,
    duration_ms: z.int().nonnegative(),
    answer: callAnswerSchema,
  }),
  /** Nothing is left to ask: fixes `finished_at`, so that making the document again gives the same bytes. */
  z.strictObject({ type: z.literal("run-finished"), at: instantSchema }),
  /** The document was written and shown; the next start with the same plan is a new run. */
  z.strictObject({ type: z.literal("run-reported"), at: instantSchema, result_sha256: digestSchema }),
]);

export type RunPlan = z.infer<typeof runPlanSchema>;
export type JournalRecord = z.infer<typeof journalRecordSchema>;

/** One line, with its newline, ready to append as record number `seq`. */
export const encodeJournalLine = (seq: number, record: JournalRecord): string => encodeLine(seq, record);

export type RecoveredJournal = RecoveredLines<JournalRecord>;

/** Reads a run's journal back; see `recoverLines`. */
export const recoverJournal = (bytes: Uint8Array, path: string): Outcome<RecoveredJournal> =>
  recoverLines(bytes, path, journalRecordSchema);
