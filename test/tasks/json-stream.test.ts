import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { logOf, read } from "../../tasks/json-stream/hidden/oracle.ts";
import { randomValue } from "../../tasks/json-stream/hidden/random-documents.ts";
import { suite } from "../../tasks/json-stream/hidden/suite.ts";
import { kit } from "../../tasks/json-stream/kit.ts";
import { contentsOf, suiteRandom } from "./suites.ts";

/* The oracle of the json-stream task against JSON.parse, which shares nothing with it. */

const DEPTH = 10_000;

/** The value that is told, keys as they come; numbers as JavaScript has them. */
function builtFrom(told: readonly string[]): unknown {
  const open: { readonly value: unknown[] | Map<string, unknown>; key: string }[] = [];
  let whole: unknown;
  const put = (value: unknown): void => {
    const inner = open.at(-1);
    if (inner === undefined) whole = value;
    else if (Array.isArray(inner.value)) inner.value.push(value);
    else inner.value.set(inner.key, value);
  };
  for (const text of told)
    if (text === "{" || text === "[") open.push({ value: text === "{" ? new Map() : [], key: "" });
    else if (text === "}" || text === "]") put(plain(open.pop()?.value));
    else if (text.startsWith("k")) open.at(-1)!.key = text.slice(1);
    else if (text.startsWith("s")) put(text.slice(1));
    else if (text.startsWith("n") && text !== "null") put(Number(text.slice(1)));
    else put(text === "null" ? null : text === "true");
  return whole;
}

const plain = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

/** What JSON.parse makes of bytes that must be UTF-8; undefined when it refuses. */
function byJsonParse(document: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(document)) };
  } catch {
    return undefined;
  }
}

/** Refused by us and not by JSON.parse. */
const STRICTER = ["duplicate-key", "lone-surrogate", "too-deep"];

function expectAgreement(document: Uint8Array): string | null {
  const { told, error } = read(document, DEPTH);
  const parsed = byJsonParse(document);
  if (error === null) expect(parsed?.value).toEqual(builtFrom(told.map(({ text }) => text)));
  else if (!STRICTER.includes(error.code)) expect(parsed, `${error.code} at ${error.at}`).toBeUndefined();
  return error?.code ?? null;
}

interface Question {
  readonly maxDepth: number;
  readonly sizes: number[];
  readonly document: Buffer;
}

function questionsOf(content: Buffer): Question[] {
  const questions: Question[] = [];
  for (let at = 0; at < content.length; ) {
    const maxDepth = content.readUInt32LE(at);
    const count = content.readUInt32LE(at + 4);
    const sizes = Array.from({ length: count }, (_, index) => content.readUInt32LE(at + 8 + index * 4));
    const start = at + 8 + count * 4;
    at = start + sizes.reduce((sum, size) => sum + size, 0);
    questions.push({ maxDepth, sizes, document: content.subarray(start, at) });
  }
  return questions;
}

describe("the oracle of json-stream", () => {
  it("agrees with JSON.parse about documents at random, whole, cut and with a byte changed", () => {
    const random = suiteRandom("documents");
    for (let round = 0; round < 150; round += 1) {
      const whole = new TextEncoder().encode(randomValue(random, 4, 4));
      expect(expectAgreement(whole)).toBeNull();
      const changed = Uint8Array.from(whole);
      changed[random.below(whole.length)] = random.below(256);
      expectAgreement(changed);
      expectAgreement(whole.slice(0, random.below(whole.length)));
    }
  });

  it("agrees with JSON.parse about every document of the hidden suite", () => {
    const documents = new Map<string, Buffer>();
    for (const { document } of contentsOf(suite.categories, "suite").flatMap(questionsOf))
      documents.set(document.toString("latin1"), document);
    const seen = new Set([...documents.values()].map(expectAgreement));
    expect([...seen].sort()).toEqual(
      [
        "bad-escape",
        "bad-number",
        "control-character",
        "duplicate-key",
        "invalid-utf8",
        "lone-surrogate",
        null,
        "trailing-data",
        "unexpected-byte",
        "unexpected-end",
      ].sort(),
    );
  });

  it("names the first byte with which no document can be accepted any more", () => {
    // Every beginning up to that byte can be completed, with it none can: told by the oracle's own verdict on what JSON.parse takes.
    const wrong = ["[1.]", '{"a":tru}', '["\\u12x4"]', "[01]", '{"a" 1}', "[1,]", '"\\q"', "-x", "[}"];
    for (const words of wrong) {
      const { error } = read(new TextEncoder().encode(words), DEPTH);
      const at = error!.at;
      expect(byJsonParse(new TextEncoder().encode(words))).toBeUndefined();
      expect(
        ENDINGS.some((ending) => isJson(words.slice(0, at) + ending)),
        words,
      ).toBe(true);
      expect(
        ENDINGS.some((ending) => isJson(words.slice(0, at + 1) + ending)),
        words,
      ).toBe(false);
    }
  });

  it("says the same however a document is cut, but for the calls", () => {
    const random = suiteRandom("cuts");
    for (let round = 0; round < 60; round += 1) {
      const document = new TextEncoder().encode(randomValue(random, 3, 4));
      if (round % 2 === 0) document[random.below(document.length)] = random.below(256);
      const said = (sizes: number[]): string[] =>
        logOf(document, sizes).filter((text) => text !== "|" && !text.startsWith("!"));
      expect(said(Array(document.length).fill(1))).toEqual(said([document.length]));
    }
  });
});

/** Enough to complete each beginning above. */
const ENDINGS = [
  "",
  "1",
  "1]",
  "]",
  "e}",
  "1}",
  '"]',
  '0"]',
  '00"]',
  '000"]',
  '"',
  'n"',
  ":1}",
  ",1]",
  "}",
  '":1}',
  ',"b":1}',
  "null]",
];
const isJson = (words: string): boolean => byJsonParse(new TextEncoder().encode(words)) !== undefined;

describe("the kit of json-stream", () => {
  it("has the examples of SPEC.md, all of them and nothing else, and expects what the oracle says", () => {
    const spec = readFileSync("tasks/json-stream/SPEC.md", "utf8");
    const lines = /^```json\n(.*?)\n```$/ms.exec(spec.slice(spec.indexOf("## 7.")))?.[1]?.split("\n") ?? [];
    const written = lines.map(
      (line) => JSON.parse(line) as { chunks: string[]; maxDepth?: number; log: string[] },
    );
    const cases = kit.examples.flatMap((category) => [...category.cases(suiteRandom(""))]);
    expect(cases).toHaveLength(written.length);
    for (const [index, { content, accepts }] of cases.entries()) {
      const [question] = questionsOf(Buffer.from(content).subarray(1));
      const { chunks, maxDepth = 0xffffffff, log } = written[index]!;
      expect(question!.document.toString("utf8")).toBe(chunks.join(""));
      expect(question!.sizes).toEqual(chunks.map((chunk) => Buffer.byteLength(chunk)));
      expect(question!.maxDepth).toBe(maxDepth);
      expect(log).toEqual(
        logOf(question!.document, question!.sizes, maxDepth === 0xffffffff ? 512 : maxDepth),
      );
      const answer = (logs: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(logs));
      expect(accepts({ kind: "answer", bytes: answer([log]) })).toBe(true);
      expect(accepts({ kind: "answer", bytes: answer([[...log, "|"]]) })).toBe(false);
      expect(accepts({ kind: "fault", what: "died" })).toBe(false);
    }
  });

  it("makes documents for the clock that are JSON with every choice, the same for one seed", () => {
    for (const { id, caseOf } of kit.perf.metrics) {
      const content = Buffer.from(caseOf("seed"));
      expect(content.equals(caseOf("seed")), id).toBe(true);
      const [spots, size] = [5, 9].map((at) => content.readUInt32LE(at)) as [number, number];
      const document = Buffer.from(content.subarray(13, 13 + size));
      const first = JSON.parse(document.toString("utf8")) as unknown[];
      for (let spot = 0; spot < spots; spot += 1) {
        const at = 13 + size + spot * 6;
        document[content.readUInt32LE(at)] = content[at + 4]! + ((spot * 7) % content[at + 5]!);
      }
      expect(byJsonParse(document), id).not.toBeUndefined();
      expect(byJsonParse(document)?.value, id).not.toEqual(first);
      expect(read(document, DEPTH).error, id).toBeNull();
    }
  });
});
