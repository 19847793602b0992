import { z } from "zod";
import { resultSchema } from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { sha256Hex } from "../digest.ts";
import type { Finding, Outcome } from "../findings.ts";
import { callAnswerSchema } from "./call.ts";

/**
 * The journal of a run: one JSON object per line, appended and synced before anything acts on it.
 *
 * Every call is two records: `call-intended` before the request leaves, `call-completed` once its outcome is known.
 * An intent without a completion is a call that was interrupted: whether the provider worked, and what it charged, is
 * unknown. It counts against the call cap, makes the run's cost incomplete, and is asked again under the same attempt
 * number, because no answer of it was ever acted on.
 *
 * Line form: `{"seq":N,"sum":"<16 hex>","record":{…}}`; `sum` is the start of the SHA-256 over `[seq, record]` as JSON, in
 * the order of the line's own keys (not RFC 8785, which has no place for the lone surrogates an answer may hold); `seq`
 * counts from 1 without gaps.
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

const sumOf = (seq: number, record: unknown): string => sha256Hex(JSON.stringify([seq, record])).slice(0, 16);

/** One line, with its newline, ready to append as record number `seq`. */
export const encodeJournalLine = (seq: number, record: JournalRecord): string =>
  `${JSON.stringify({ seq, sum: sumOf(seq, record), record })}\n`;

export interface RecoveredJournal {
  readonly records: readonly JournalRecord[];
  /** Length in bytes of the sound part: the file is cut to it before the next append. */
  readonly soundBytes: number;
  /** True when a half-written last line was left out. */
  readonly torn: boolean;
}

const lineSchema = z.strictObject({ seq: z.int().positive(), sum: z.string(), record: journalRecordSchema });

function decodeLine(line: string, seq: number): JournalRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success || parsed.data.seq !== seq) return null;
  // The sum is over the keys in the order in which they were written, which the schema does not keep.
  return parsed.data.sum === sumOf(seq, (value as { record: unknown }).record) ? parsed.data.record : null;
}

const LINE_START = '{"seq":';

/** True when a bad line ends with a sound one of a later number. Inside a text, quotes are escaped: it cannot look so. */
function holdsLaterLine(line: string, seq: number): boolean {
  for (let at = line.indexOf(LINE_START, 1); at !== -1; at = line.indexOf(LINE_START, at + 1)) {
    const later = Number.parseInt(line.slice(at + LINE_START.length, at + LINE_START.length + 9), 10);
    if (later > seq && decodeLine(line.slice(at), later) !== null) return true;
  }
  return false;
}

/**
 * Reads a journal back. A last line that is cut short or fails its checksum is what a crash leaves: it is left out, and
 * nothing acted on it. A bad line with sound lines after it is damage, and a finding: going on could repeat paid calls.
 */
export function recoverJournal(bytes: Uint8Array, path: string): Outcome<RecoveredJournal> {
  const records: JournalRecord[] = [];
  let start = 0;
  let soundBytes = 0;
  let bad: number | null = null;
  const decoder = new TextDecoder("utf-8");
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const record =
      newline === -1 ? null : decodeLine(decoder.decode(bytes.subarray(start, end)), records.length + 1);
    if (record !== null && bad !== null) return { ok: false, findings: [damaged(path, bad)] };
    if (record !== null) {
      records.push(record);
      soundBytes = end + 1;
    } else if (bad === null) {
      bad = records.length + 1;
      // A line break that was lost joins two lines: the second was on the disk, and something acted on it.
      if (holdsLaterLine(decoder.decode(bytes.subarray(start, end)), bad))
        return { ok: false, findings: [damaged(path, bad)] };
    } else if (newline !== -1) {
      // Two complete lines that do not hold: more than the one line a crash can leave.
      return { ok: false, findings: [damaged(path, bad)] };
    }
    start = end + 1;
  }
  return { ok: true, value: { records, soundBytes, torn: bad !== null }, findings: [] };
}

function damaged(path: string, line: number): Finding {
  return {
    code: "run-journal-damaged",
    severity: "error",
    message: `Line ${line} of the run's journal does not match its checksum, and there are records after it.`,
    path,
    line,
    hint: "The file was changed or the disk failed. Start a new run with --fresh; the old folder is kept.",
  };
}
