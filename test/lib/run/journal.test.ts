import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeJournalLine, type JournalRecord, recoverJournal } from "../../../src/lib/run/journal.ts";

const at = "2026-11-30T10:00:00.000Z";
const digest = `sha256:${"0".repeat(64)}`;
const records: JournalRecord[] = [
  { type: "run-resumed", at },
  { type: "call-intended", at, call: 1, member: "a", attempt: 1, kind: "initial", request_sha256: digest },
  {
    type: "call-completed",
    at,
    call: 1,
    duration_ms: 12,
    answer: {
      kind: "answer",
      text: '{"version":1,"tables":[]} \ud800 ü \u2028',
      refusal: null,
      response_sha256: digest,
      usage: { prompt_tokens: 10, completion_tokens: 2 },
      cost_usd: 1e-7,
      generation_id: "gen-1",
      finish_reason: "stop",
    },
  },
  { type: "run-finished", at },
];
const encoder = new TextEncoder();
const lines = records.map((record, index) => encodeJournalLine(index + 1, record));
const bytes = encoder.encode(lines.join(""));
const ends = lines.map((_, index) => encoder.encode(lines.slice(0, index + 1).join("")).length);

describe("recoverJournal", () => {
  it("gives back what was written", () => {
    const recovered = recoverJournal(bytes, "j");
    expect(recovered).toMatchObject({ ok: true, value: { records, soundBytes: bytes.length, torn: false } });
  });

  it("keeps, after a crash at any byte, exactly the records whose line is complete", () => {
    for (let length = 0; length <= bytes.length; length++) {
      const recovered = recoverJournal(bytes.slice(0, length), "j");
      if (!recovered.ok) throw new Error(`cut at ${length}`);
      const complete = ends.filter((end) => end <= length);
      expect(recovered.value.records).toEqual(records.slice(0, complete.length));
      expect(recovered.value.soundBytes).toBe(complete.at(-1) ?? 0);
      expect(recovered.value.torn).toBe(length !== (complete.at(-1) ?? 0));
    }
  });

  it("leaves out a last line that fails its checksum, and reports damage before the last line", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const damaged = bytes.slice();
        damaged[place] = (damaged[place] ?? 0) ^ flip;
        const recovered = recoverJournal(damaged, "j");
        const line = ends.findIndex((end) => place < end);
        if (line === records.length - 1) {
          if (!recovered.ok) throw new Error("the last line may be torn");
          expect(recovered.value.records).toEqual(records.slice(0, -1));
        } else if (recovered.ok) {
          throw new Error(`damage in line ${line + 1} went unseen`);
        } else expect(recovered.findings[0]).toMatchObject({ code: "run-journal-damaged", line: line + 1 });
      }),
    );
  });

  it("sees damage also where the line break before the last line was lost", () => {
    const whole = lines.join("");
    const at = whole.length - (lines.at(-1)?.length ?? 0) - 1;
    for (const other of [" ", "\u0000", "x", ""]) {
      const joined = encoder.encode(`${whole.slice(0, at)}${other}${whole.slice(at + 1)}`);
      expect(recoverJournal(joined, "j")).toMatchObject({
        ok: false,
        findings: [{ code: "run-journal-damaged", line: lines.length - 1 }],
      });
    }
  });

  it("refuses a line that stands twice or is missing", () => {
    const text = (...which: number[]): Uint8Array => encoder.encode(which.map((n) => lines[n]).join(""));
    expect(recoverJournal(text(0, 1, 1, 2), "j").ok).toBe(false);
    expect(recoverJournal(text(0, 2, 3), "j").ok).toBe(false);
  });
});
