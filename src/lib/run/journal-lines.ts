import { z } from "zod";
import { sha256Hex } from "../digest.ts";
import type { Finding, Outcome } from "../findings.ts";

/**
 * Append-only files of records that survive a crash. Line form: `{"seq":N,"sum":"<16 hex>","record":{…}}`; `sum` is the
 * start of the SHA-256 over `[seq, record]` as JSON, in
 * the order of the line's own keys (not RFC 8785, which has no place for the lone surrogates an answer may hold); `seq`
 * counts from 1 without gaps.
 */

const sumOf = (seq: number, record: unknown): string => sha256Hex(JSON.stringify([seq, record])).slice(0, 16);

/** One line, with its newline, ready to append as record number `seq`. */
export const encodeLine = (seq: number, record: unknown): string =>
  `${JSON.stringify({ seq, sum: sumOf(seq, record), record })}\n`;

export interface RecoveredLines<T> {
  readonly records: readonly T[];
  /** Length in bytes of the sound part: the file is cut to it before the next append. */
  readonly soundBytes: number;
  /** True when a half-written last line was left out. */
  readonly torn: boolean;
}

const lineSchema = z.strictObject({ seq: z.int().positive(), sum: z.string(), record: z.unknown() });

function decodeLine<T>(line: string, seq: number, schema: z.ZodType<T>): T | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success || parsed.data.seq !== seq) return null;
  // The sum is over the keys in the order in which they were written, which the schema does not keep.
  if (parsed.data.sum !== sumOf(seq, (value as { record: unknown }).record)) return null;
  const record = schema.safeParse(parsed.data.record);
  return record.success ? record.data : null;
}

const LINE_START = '{"seq":';

/** True when a bad line ends with a sound one of a later number. Inside a text, quotes are escaped: it cannot look so. */
function holdsLaterLine(line: string, seq: number, schema: z.ZodType): boolean {
  for (let at = line.indexOf(LINE_START, 1); at !== -1; at = line.indexOf(LINE_START, at + 1)) {
    const later = Number.parseInt(line.slice(at + LINE_START.length, at + LINE_START.length + 9), 10);
    if (later > seq && decodeLine(line.slice(at), later, schema) !== null) return true;
  }
  return false;
}

/**
 * Reads a journal back. A last line that is cut short or fails its checksum is what a crash leaves: it is left out, and
 * nothing acted on it. A bad line with sound lines after it is damage, and a finding: going on could repeat paid calls.
 */
export function recoverLines<T>(
  bytes: Uint8Array,
  path: string,
  schema: z.ZodType<T>,
): Outcome<RecoveredLines<T>> {
  const records: T[] = [];
  let start = 0;
  let soundBytes = 0;
  let bad: number | null = null;
  const decoder = new TextDecoder("utf-8");
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const record =
      newline === -1
        ? null
        : decodeLine(decoder.decode(bytes.subarray(start, end)), records.length + 1, schema);
    if (record !== null && bad !== null) return { ok: false, findings: [damaged(path, bad)] };
    if (record !== null) {
      records.push(record);
      soundBytes = end + 1;
    } else if (bad === null) {
      bad = records.length + 1;
      // A line break that was lost joins two lines: the second was on the disk, and something acted on it.
      if (holdsLaterLine(decoder.decode(bytes.subarray(start, end)), bad, schema))
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
