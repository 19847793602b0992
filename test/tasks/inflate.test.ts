import { readFileSync } from "node:fs";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decode } from "../../tasks/inflate/hidden/oracle.ts";
import { randomStream } from "../../tasks/inflate/hidden/random-streams.ts";
import { suite } from "../../tasks/inflate/hidden/suite.ts";
import { kit } from "../../tasks/inflate/kit.ts";
import { contentsOf, suiteRandom } from "./suites.ts";

/* The oracle of the inflate task against zlib, which shares nothing with it. */

const ROOM = 2 ** 26;

/** What zlib makes of a stream; null when it takes it for broken or unfinished. */
function byZlib(stream: Uint8Array): Buffer | null {
  try {
    return inflateRawSync(stream);
  } catch {
    return null;
  }
}

interface Question {
  readonly bound: number;
  readonly stream: Buffer;
}

function questionsOf(content: Buffer): Question[] {
  const questions: Question[] = [];
  for (let at = 0; at < content.length; ) {
    const bound = content.readUInt32LE(at);
    const start = at + 8;
    at = start + content.readUInt32LE(at + 4);
    questions.push({ bound, stream: content.subarray(start, at) });
  }
  return questions;
}

describe("the oracle of inflate", () => {
  it("decodes what zlib compressed, at every level and by every strategy", () => {
    const random = suiteRandom("compressed");
    const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
    for (const strategy of [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE])
      for (const level of [0, 1, 6, 9]) {
        const words = Array.from({ length: 300 }, () => `${random.below(40) ** 2} `).join("");
        const plain = Buffer.concat([Buffer.from(words), random.bytes(200), Buffer.alloc(500, 7)]);
        const stream = deflateRawSync(plain, { level, strategy });
        const decoded = decode(stream, ROOM);
        expect(decoded.status).toBe("ok");
        expect(decoded.consumed).toBe(stream.length);
        expect(plain.equals(decoded.output)).toBe(true);
      }
  });

  it("agrees with zlib about streams written by hand, whole, cut and with a byte changed", () => {
    const random = suiteRandom("written");
    for (let round = 0; round < 60; round += 1) {
      const whole = randomStream(random, 1 + random.below(3), 1 + random.below(80));
      const changed = Uint8Array.from(whole);
      changed[random.below(whole.length)] = random.below(256);
      for (const stream of [whole, whole.slice(0, random.below(whole.length)), changed]) {
        const { status, output } = decode(stream, ROOM);
        const expected = byZlib(stream);
        expect(status === "ok").toBe(expected !== null);
        if (expected !== null) expect(expected.equals(output)).toBe(true);
      }
    }
  });

  it("agrees with zlib about every question of the hidden suite", () => {
    const asked = contentsOf(suite.categories, "suite").flatMap(questionsOf);
    const seen = new Set<string>();
    for (const { stream, bound } of asked) {
      const { status, output } = decode(stream, bound);
      seen.add(status);
      const expected = byZlib(stream);
      // Little room is no fault of the stream.
      if (status !== "outputFull") expect(status === "ok").toBe(expected !== null);
      else if (expected !== null) expect(expected.subarray(0, bound).equals(output)).toBe(true);
    }
    expect(seen.size).toBe(10);
  });
});

describe("the kit of inflate", () => {
  it("has the examples of SPEC.md, all of them and nothing else", () => {
    const spec = readFileSync("tasks/inflate/SPEC.md", "utf8");
    const rows = [...spec.matchAll(/^\| (?:`([0-9a-f]+)`)? ?\| (\d+) \| \d \| \d+ \| \d+ \| /gm)];
    const asked = contentsOf(kit.examples, "").flatMap(questionsOf);
    expect(asked.map(({ stream, bound }) => [stream.toString("hex"), bound])).toEqual(
      rows.map(([, stream, bound]) => [stream ?? "", Number(bound)]),
    );
  });

  it("expects of each example what the oracle says", () => {
    for (const { cases } of kit.examples)
      for (const { content, accepts } of cases(suiteRandom(""))) {
        const [question] = questionsOf(Buffer.from(content).subarray(1));
        const { status, consumed, output } = decode(question!.stream, question!.bound);
        const bytes = Buffer.concat([Buffer.alloc(9), output]);
        bytes[0] = STATUSES.indexOf(status);
        bytes.writeUInt32LE(consumed, 1);
        bytes.writeUInt32LE(output.length, 5);
        expect(accepts({ kind: "answer", bytes })).toBe(true);
        bytes[0] = 77;
        expect(accepts({ kind: "answer", bytes })).toBe(false);
      }
  });

  it("makes streams for the clock that zlib decodes, other ones for each choice, the same for one seed", () => {
    for (const { id, caseOf } of kit.perf.metrics) {
      const content = Buffer.from(caseOf("seed"));
      expect(content.equals(caseOf("seed")), id).toBe(true);
      const [size, produced, spots] = [1, 5, 9].map((at) => content.readUInt32LE(at)) as [
        number,
        number,
        number,
      ];
      const stream = Buffer.from(content.subarray(13, 13 + size));
      const first = inflateRawSync(stream);
      expect(first.length, id).toBe(produced);
      let at = 13 + size;
      for (let spot = 0; spot < spots; spot += 1) {
        const [offset, bytes, choices] = [0, 4, 8].map((word) => content.readUInt32LE(at + word)) as [
          number,
          number,
          number,
        ];
        const choice = at + 12 + ((spot * 7 + 3) % choices) * bytes;
        stream.set(content.subarray(choice, choice + bytes), offset);
        at += 12 + choices * bytes;
      }
      expect(at).toBe(content.length);
      const second = inflateRawSync(stream);
      expect(second.length, id).toBe(produced);
      expect(second.equals(first), id).toBe(false);
    }
  });
});

const STATUSES = [
  "ok",
  "truncated",
  "outputFull",
  "badBlockType",
  "badStoredLength",
  "badCounts",
  "badRepeat",
  "badCodeSet",
  "badSymbol",
  "badDistance",
];
