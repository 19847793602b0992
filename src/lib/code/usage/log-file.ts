/** One file of a run's logs, as it was written. */
export interface LogFile {
  /** Named in findings and in the usage document; `/`-separated, with no more of a machine's folders than needed. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What `bytes` were made from, when they are not the file itself (rows read out of a database). */
  readonly source?: { readonly sha256: string; readonly bytes: number };
}

/** A line longer than this is not read: no harness writes one, and a string of it would not fit. */
export const MAX_LINE_BYTES: number = 256 * 1024 * 1024;

/** Where a value stands. */
export interface LogPlace {
  readonly path: string;
  readonly line: number;
}

export type LogLine =
  | { readonly kind: "value"; readonly value: unknown; readonly text: string; readonly line: number }
  /** `half`: the last line, with no line break behind it. */
  | { readonly kind: "broken"; readonly reason: string; readonly half: boolean; readonly line: number }
  | { readonly kind: "too-long"; readonly bytes: number; readonly line: number };

/**
 * The JSON values of a log: one a line, or one document over many lines. Empty lines are no lines. `JSON.parse` of V8 does
 * not recurse, makes `__proto__` a plain key, and is several times faster than our strict reader, whose refusals (duplicate
 * keys, long numbers) do not fit logs that others write.
 */
export function* logValues(bytes: Uint8Array): Generator<LogLine> {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const whole = wholeDocument(bytes, start);
  if (whole !== null) {
    yield whole;
    return;
  }
  for (const { from, to, line } of linesOf(bytes, start)) {
    if (to - from > MAX_LINE_BYTES) {
      yield { kind: "too-long", bytes: to - from, line };
      continue;
    }
    const parsed = parse(bytes.subarray(from, to));
    if (parsed === null) continue;
    if (parsed.ok) yield { kind: "value", value: parsed.value, text: parsed.text, line };
    else yield { kind: "broken", reason: parsed.reason, half: to === bytes.length, line };
  }
}

function* linesOf(bytes: Uint8Array, start: number): Generator<{ from: number; to: number; line: number }> {
  let line = 0;
  for (let from = start; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const to = end < 0 ? bytes.length : end;
    line++;
    yield { from, to, line };
    from = to + 1;
  }
}

/** The one value of a document that is spread over lines; null when the first line is a value of its own. */
function wholeDocument(bytes: Uint8Array, start: number): LogLine | null {
  if (bytes.length - start > MAX_LINE_BYTES) return null;
  for (const { from, to } of linesOf(bytes, start)) {
    const first = parse(bytes.subarray(from, to));
    if (first === null) continue;
    if (first.ok) return null;
    break;
  }
  const document = parse(bytes.subarray(start));
  return document?.ok === true
    ? { kind: "value", value: document.value, text: document.text, line: 1 }
    : null;
}

type Parsed = { ok: true; value: unknown; text: string } | { ok: false; reason: string };

/** Null for white space. */
function parse(bytes: Uint8Array): Parsed | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).trim();
  } catch {
    return { ok: false, reason: "it is not UTF-8" };
  }
  if (text === "") return null;
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return { ok: false, reason: "it is no JSON" };
  }
}
