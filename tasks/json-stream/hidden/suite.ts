import type { Answer, Case, Suite, SuiteCategory, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { logOf } from "./oracle.ts";
import {
  pick,
  randomArray,
  randomCodePoint,
  randomNumber,
  randomObject,
  randomString,
  randomValue,
} from "./random-documents.ts";

/** A document, and how deep it may go when that is not left to the deliverable. */
interface Question {
  readonly document: Uint8Array;
  readonly maxDepth?: number;
  /** Sizes of chunks; else: all at once, byte by byte, and in chunks of some bytes. */
  readonly sizes?: readonly number[];
}

const DEFAULT_DEPTH = 0xffffffff;
/** Longer documents are not sent byte by byte. */
const SHORT = 4000;

const utf8 = (words: string): Uint8Array => new TextEncoder().encode(words);
const latin = (words: string): Uint8Array => Uint8Array.from(words, (letter) => letter.charCodeAt(0));

const said = (words: string, maxDepth?: number): Question => ({
  document: utf8(words),
  ...(maxDepth === undefined ? {} : { maxDepth }),
});
/** Each character of the text is a byte. */
const raw = (words: string): Question => ({ document: latin(words) });

const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Random chunks, some of them empty. */
function chunks(random: SuiteRandom, bytes: number, most: number): number[] {
  const sizes: number[] = [];
  for (let left = bytes; left > 0; ) {
    const size = Math.min(left, random.below(most + 1));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

function cutsOf(random: SuiteRandom, { document, sizes }: Question): (readonly number[])[] {
  if (sizes !== undefined) return [sizes];
  const { length } = document;
  const cuts: (readonly number[])[] = [[length], chunks(random, length, length > SHORT ? 5000 : 9)];
  return length > SHORT ? cuts : [...cuts, Array<number>(length).fill(1)];
}

/** All questions of a category in one case. */
function caseOf(random: SuiteRandom, questions: readonly Question[]): Case {
  const content: Uint8Array[] = [Uint8Array.of(0)];
  const logs: string[][] = [];
  for (const question of questions)
    for (const sizes of cutsOf(random, question)) {
      const { document, maxDepth } = question;
      const head = [maxDepth ?? DEFAULT_DEPTH, sizes.length, ...sizes];
      content.push(Uint8Array.from(head.flatMap(little)), document);
      logs.push(logOf(document, sizes, maxDepth));
    }
  const expected = utf8(JSON.stringify(logs));
  return { content: joined(content), accepts: (given) => isAnswer(given, expected) };
}

const isAnswer = (given: Answer, expected: Uint8Array): boolean =>
  given.kind === "answer" &&
  given.bytes.length === expected.length &&
  expected.every((byte, index) => given.bytes[index] === byte);

const category = (
  id: string,
  title: string,
  questions: (random: SuiteRandom) => Iterable<Question>,
): SuiteCategory => ({
  id,
  title,
  cases: (random) => [caseOf(random, random.shuffled([...questions(random)]))],
});

function* structures(random: SuiteRandom): Iterable<Question> {
  for (const words of [
    "[]",
    "{}",
    "[[]]",
    '{"":{}}',
    "[{},[],{}]",
    " \t\r\n[ \n] \n",
    '{ "a" : [ 1 , { "b" : null } ] , "c" : true }',
    '[[[[[[["deep"]]]]]]]',
    "true",
    "false",
    "null",
    "  null\n",
    "[true,false,null]",
  ])
    yield said(words);
  for (let index = 0; index < 12; index += 1) {
    yield said(randomArray(random, 4, 4));
    yield said(randomObject(random, 4, 4));
  }
}

function* numbers(random: SuiteRandom): Iterable<Question> {
  const all = [
    "0",
    "-0",
    "-0.0",
    "0e0",
    "0E+00",
    "10",
    "1.10",
    "-1.5e-7",
    "1e400",
    "1E-999999",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    `${"9".repeat(3000)}.${"0".repeat(900)}`,
    "9007199254740993",
  ];
  for (const number of all) {
    yield said(number);
    yield said(`[${number}]`);
    yield said(`{"n":${number} ,"m":[${number}\n]}`);
  }
  for (let index = 0; index < 12; index += 1)
    yield said(`[${Array.from({ length: 20 }, () => randomNumber(random)).join(",")}]`);
}

function* wrongNumbers(): Iterable<Question> {
  for (const number of [
    "-",
    "-a",
    "--1",
    "-.5",
    "+1",
    ".5",
    "1.",
    "1.e5",
    "1.-",
    "1e",
    "1e+",
    "1e+-1",
    "1eE",
    "1e1.5",
    "1e1e1",
    "01",
    "00",
    "-01",
    "-00.1",
    "0x10",
    "1_000",
    "1.2.3",
    "1-2",
    "1+2",
    "-Infinity",
    "NaN",
    "1\u00a0",
    "1\u0661",
    "-\n1",
    "1 2",
    "1.5f",
  ]) {
    yield said(number);
    yield said(`[${number}]`);
    yield said(`{"a":[0,${number}, 1]}`);
  }
}

function* strings(random: SuiteRandom): Iterable<Question> {
  yield said('""');
  yield said('"\\"\\\\\\/\\b\\f\\n\\r\\t"');
  yield said('["a\\u0041\\u00e9\\u20AC\\u0000\\uFFFF\\ufffe"]');
  yield said('"\\u000a\\u001F\\u007f\u007f"');
  yield said('{"\\u0061b":"/\\/","\\n":"\\\\n"}');
  yield said(JSON.stringify(String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code))));
  for (let index = 0; index < 20; index += 1) yield said(`[${randomString(random, 10 + random.below(60))}]`);
  for (const length of [1022, 1023, 1024, 1025, 2047, 4096, 9000])
    yield said(JSON.stringify("x".repeat(length)));
}

function* wrongStrings(): Iterable<Question> {
  for (const inside of [
    ...[0, 1, 9, 10, 13, 31].map((code) => `a${String.fromCharCode(code)}b`),
    ..."acdehx0U'v \n\u007f".split("").map((letter) => `x\\${letter}y`),
    "\\u",
    "\\u1",
    "\\u12g4",
    "\\u123",
    "\\u123 ",
    "\\uG000",
    "\\u00:0",
    "\\u00`0",
    "\\u+041",
    "\\u\\u0041",
    "\\\u00e9",
    "\\ud83d\\uzzzz",
    "\\ud83d\\ud\u0000",
  ]) {
    yield said(`"${inside}"`);
    yield said(`{"${inside}":1}`);
  }
}

/** The first and last character of each length, and what is often mistaken. */
function* characters(random: SuiteRandom): Iterable<Question> {
  const codes = [
    0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff,
    0x10000, 0x1f600, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff, 0x2028, 0x2029, 0x85, 0xa0,
  ];
  for (const code of codes) yield said(`["${String.fromCodePoint(code)}"]`);
  yield said(`"${String.fromCodePoint(...codes)}"`);
  yield said(`{"\ufeff":"\ufeff","\ufeff\ufeff":["\ufeffa"]}`);
  for (let index = 0; index < 12; index += 1) {
    const text = String.fromCodePoint(...Array.from({ length: 40 }, () => randomCodePoint(random)));
    yield said(JSON.stringify(text));
    yield said(`{${JSON.stringify(text)}:${JSON.stringify(text)}}`);
  }
}

function* wrongUtf8(random: SuiteRandom): Iterable<Question> {
  for (const bytes of [
    "\x80",
    "\xbf",
    "\xc0\x80",
    "\xc1\xbf",
    "\xc2",
    "\xc2\x7f",
    "\xc2\xc0",
    "\xdf ",
    "\xe0\x80\x80",
    "\xe0\x9f\xbf",
    "\xe0\xa0",
    "\xe1\x80A",
    "\xed\xa0\x80",
    "\xed\xbf\xbf",
    "\xed\xa0\xbd\xed\xb8\x80",
    "\xef\xbf",
    "\xf0\x80\x80\x80",
    "\xf0\x8f\xbf\xbf",
    "\xf0\x90\x80",
    "\xf0\x9f\x98\\n",
    "\xf1\x80\x80\xc0",
    "\xf4\x90\x80\x80",
    "\xf5\x80\x80\x80",
    "\xf8\x88\x80\x80\x80",
    "\xfe",
    "\xff",
  ]) {
    yield raw(`"${bytes}"`);
    yield raw(`["ok","a${bytes}b"]`);
    yield raw(`{"k${bytes}":0}`);
  }
  for (let index = 0; index < 12; index += 1) {
    const good = utf8(`"${"aé€😀".repeat(4)}"`);
    good[1 + random.below(good.length - 2)] = random.below(256);
    yield { document: good };
  }
}

function* surrogates(random: SuiteRandom): Iterable<Question> {
  for (const inside of [
    "\\ud800\\udc00",
    "\\uDBFF\\uDFFF",
    "\\ud83d\\ude00\\ud83d\\ude00",
    "\\ud7ff\\ue000",
    "\\ud800",
    "\\ud800x",
    "\\ud800\\n",
    "\\ud800\\\\",
    "\\ud800\\u0041",
    "\\ud800\\ue000",
    "\\ud800\\ud800",
    "\\ud83d\\udbff",
    "\\ud83d\\uDb00",
    "\\udc00",
    "\\uDFFF",
    "\\ude00\\ud83d",
    "\\ud83d\\ude00\\ude00",
    "\\ud83d\u00e9",
    "\\ud83d\u0001",
    "\\ud83d\ud83d\ude00",
  ]) {
    yield said(`"${inside}"`);
    yield said(`{"a${inside}":"b"}`);
  }
  for (let index = 0; index < 30; index += 1) {
    const units = Array.from({ length: 3 }, () =>
      pick(random, [0xd800, 0xdbff, 0xdc00, 0xdfff, 0xd83d, 0xde00, 0x41]),
    );
    yield said(`["${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"]`);
  }
}

function* duplicates(): Iterable<Question> {
  for (const words of [
    '{"a":1,"a":2}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":2}',
    '{"é":1,"\\u00E9":2}',
    '{"😀":1,"\\ud83d\\ude00":2}',
    '{"":1,"":2}',
    '{"\\/":1,"/":2}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"x":{"a":1},"y":{"a":1},"a":1}',
    '{"x":{"a":1},"a":1,"x":2}',
    '{"a":[{"b":1,"c":2,"b":3}]}',
    '{"a":1,"A":2,"a ":3," a":4}',
    '{"é":1,"e\u0301":2}',
    '{"__proto__":1,"constructor":2,"toString":3,"hasOwnProperty":4}',
    '{"__proto__":1,"__proto__":2}',
    '{"1":1,"01":2,"1.0":3}',
    '{"a":1,"a"',
    '{"a":1,"a',
    '{"k":{"p":1,"q":{}},"l":{"q":{},"p":{"p":[]}},"k":0}',
  ])
    yield said(words);
  const many = Array.from({ length: 300 }, (_, index) => `"key ${index}":${index}`);
  yield said(`{${many.join(",")}}`);
  yield said(`{${many.join(",")},"key 7":0}`);
}

function* depths(random: SuiteRandom): Iterable<Question> {
  const nested = (levels: number, inside: string): string => {
    const kinds = Array.from({ length: levels }, () => random.below(2) === 0);
    const open = kinds.map((isArray) => (isArray ? "[" : '{"k":')).join("");
    return `${open}${inside}${kinds
      .reverse()
      .map((isArray) => (isArray ? "]" : "}"))
      .join("")}`;
  };
  for (const depth of [0, 1, 2, 7, 100])
    for (const levels of [depth, depth + 1]) {
      yield said(nested(levels, "1"), depth);
      yield said(nested(levels, '"[[[{{{"'), depth);
      yield said(` ${nested(levels, "[]")}`, depth);
    }
  yield said("[[],[],[[]]]", 2);
  yield said('{"a":{},"b":[{}]}', 2);
  yield said(nested(512, "0"));
  yield said(nested(513, "0"));
  yield said("[".repeat(600));
  yield said(nested(1500, "0"), 1500);
}

/** One document cut in two in every place, and in three in many. */
function* cuts(random: SuiteRandom): Iterable<Question> {
  const rich = utf8('[-12.5e+3,{"a\\u00e9\\ud83d\\ude00é€😀":true},null,"\\n\\\\",[ ],0] ');
  for (let at = 0; at <= rich.length; at += 1) {
    yield { document: rich, sizes: [at, rich.length - at] };
    const second = random.below(rich.length - at + 1);
    yield { document: rich, sizes: [at, second, 0, rich.length - at - second] };
  }
  for (const words of ["12", "true", '"é"', "[1]"]) {
    const { document } = said(words);
    yield { document, sizes: Array.from(document).flatMap(() => [0, 1, 0]) };
  }
  for (let index = 0; index < 10; index += 1) {
    const document = utf8(randomValue(random, 4, 4));
    yield { document, sizes: chunks(random, document.length, 3) };
  }
}

/** Every beginning of some documents, down to none at all. */
function* beginnings(random: SuiteRandom): Iterable<Question> {
  const whole = [
    utf8(' {"a":[-1.5e2,true,"x\\u00e9\\ud83d\\ude00é€😀"],"b":{"c":null},"d":false} '),
    utf8("[0,[ ],{ },10 , 3.25]"),
    utf8(randomObject(random, 3, 4)),
  ];
  for (const document of whole)
    for (let bytes = 0; bytes < document.length; bytes += 1) {
      const beginning = document.slice(0, bytes);
      yield {
        document: beginning,
        sizes: pick(random, [[bytes], chunks(random, bytes, 4), Array<number>(bytes).fill(1)]),
      };
    }
  yield said("");
  yield said(" \n");
}

function* misplaced(random: SuiteRandom): Iterable<Question> {
  for (const words of [
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1,,2]",
    "[}",
    "{]",
    "[1}",
    '{"a":1]',
    "]",
    "}",
    ",",
    ":",
    '{"a"}',
    '{"a",1}',
    '{"a":}',
    '{"a":1,}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    "{a:1}",
    "{1:1}",
    "{,}",
    "{null:1}",
    '["a":1]',
    "['a']",
    "tru",
    "trux",
    "TRUE",
    "nulL",
    "falsey",
    "[truefalse]",
    "nul l",
    "undefined",
    "// x\n1",
    "[1/**/]",
    "\u00a01",
    "\u2028[]",
    "[\u000b]",
    "[\u000c1]",
    "\u0000",
    "é",
    "[é]",
    "\ufeff[]",
    "[]\ufeff",
  ])
    yield said(words);
  for (const words of [
    "1 1",
    "[] []",
    "{}x",
    "null,",
    '"a""b"',
    "true]",
    "[1]}",
    "0 é",
    "[]\u0000",
    "1\n\n2",
  ])
    yield said(words);
  for (let index = 0; index < 20; index += 1) {
    const document = utf8(randomValue(random, 3, 4));
    document[random.below(document.length)] = pick(
      random,
      [0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d, 0x22, 0x5c, 0x30, 0x78],
    );
    yield { document };
  }
}

/** Long documents in chunks of all sizes. */
function* long(random: SuiteRandom): Iterable<Question> {
  yield said(`[${Array.from({ length: 1500 }, () => randomValue(random, 2, 3)).join(",")}]`);
  yield said(`[${Array.from({ length: 6000 }, () => randomNumber(random)).join(", ")}]`);
  yield said(randomString(random, 60000));
  yield said(`{"long":"${"abcdefgh".repeat(12000)}","${"k".repeat(70000)}":[]}`);
  yield said(`[${"\n ".repeat(40000)}1${" ".repeat(5000)}`);
}

export const suite: Suite = {
  categories: [
    category("h01", "invalid UTF-8", wrongUtf8),
    category("h02", "numbers as they are written", numbers),
    category("h03", "every beginning of a document", beginnings),
    category("h04", "surrogates in escapes", surrogates),
    category("h05", "structures", structures),
    category("h06", "how deep", depths),
    category("h07", "wrong escapes and control characters", wrongStrings),
    category("h08", "keys that come twice", duplicates),
    category("h09", "chunks cut anywhere", cuts),
    category("h10", "characters of every length", characters),
    category("h11", "wrong numbers", wrongNumbers),
    category("h12", "long documents", long),
    category("h13", "bytes in the wrong place", misplaced),
    category("h14", "strings", strings),
  ],
};
