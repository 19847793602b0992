import type { Answer, Case, Suite, SuiteCategory, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { compress, compressOtherByte, decompress, lengthBytes, packed, STATUS } from "./oracle.ts";
import {
  little,
  type Question,
  randomSteps,
  readSteps,
  type Step,
  type Stock,
  sized,
  streamOf,
  toDecode,
  toEncode,
} from "./questions.ts";

const OPERATION = { encode: 0, decode: 1, compress: 2, decompress: 3 } as const;

/** All questions of one operation in one case. */
function caseOf(operation: keyof typeof OPERATION, questions: Iterable<Question>): Case {
  const all = [...questions];
  const content = Uint8Array.from([OPERATION[operation], ...all.flatMap((each) => sized(each.content))]);
  const expected = Uint8Array.from(all.flatMap(({ answer }) => answer));
  return { content, accepts: (given) => isAnswer(given, expected) };
}

const isAnswer = (given: Answer, expected: Uint8Array): boolean =>
  given.kind === "answer" &&
  given.bytes.length === expected.length &&
  expected.every((byte, index) => given.bytes[index] === byte);

const category = (
  id: string,
  title: string,
  operation: keyof typeof OPERATION,
  questions: (random: SuiteRandom) => Iterable<Question>,
): SuiteCategory => ({ id, title, cases: (random) => [caseOf(operation, questions(random))] });

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const bit = (value: boolean, model = 0): Step => ({ op: "bit", model, value });
const symbol = (value: number, model = 0): Step => ({ op: "symbol", model, value });
const number = (bits: number, value = 0): Step => ({ op: "number", bits, value });
const FINISH: Step = { op: "finish" };
const BITS: Stock = { bits: 1, sizes: [] };
const NOTHING: Stock = { bits: 0, sizes: [] };
const MIXED: Stock = { bits: 6, sizes: [2, 5, 16, 200, 1] };

function* bits(random: SuiteRandom): Iterable<Question> {
  for (const share of [0, 1, 30, 500, 970, 999, 1000]) {
    const steps = times(1500, () => bit(random.below(1000) < share));
    yield toEncode(BITS, steps);
  }
  // What was learned is forgotten at two speeds.
  yield toEncode(
    BITS,
    [300, 20, 5, 1, 400, 2, 90].flatMap((count, at) => times(count, () => bit(at % 2 === 0))),
  );
  const many: Stock = { bits: 200, sizes: [] };
  yield toEncode(many, randomSteps(random, many, 4000, false));
}

function* numbers(random: SuiteRandom): Iterable<Question> {
  for (let width = 0; width <= 32; width += 1) {
    const values = [0, 2 ** width - 1, random.below(2 ** width), random.below(2 ** width)];
    yield toEncode(
      NOTHING,
      values.map((value) => number(width, value)),
    );
  }
  yield toEncode(
    NOTHING,
    times(900, () => number(random.below(33), random.below(2 ** 32))),
  );
  yield toEncode(
    NOTHING,
    [33, 40, 255].map((width) => number(width, random.below(2 ** 32))),
  );
}

function* symbols(random: SuiteRandom): Iterable<Question> {
  for (const size of [1, 2, 3, 7, 16, 100, 255, 256, 1000, 1024]) {
    const stock: Stock = { bits: 0, sizes: [size] };
    yield toEncode(stock, randomSteps(random, stock, 500, false));
    yield toEncode(
      stock,
      times(380, (at) => symbol(at % 3 === 0 ? size - 1 : random.below(size))),
    );
  }
  // Counts are halved again and again, also those that are 1.
  yield toEncode(
    { bits: 0, sizes: [40] },
    times(2500, () => symbol(random.below(2) * random.below(40))),
  );
}

/** Streams with long runs of zeros: on the way there the encoder's number ends with as many bytes of ones. */
function* carries(random: SuiteRandom): Iterable<Question> {
  const stock: Stock = { bits: 3, sizes: [9, 60] };
  for (const zeros of [1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 40, 300]) {
    const edge = [1 + random.below(255), ...times(zeros, () => 0)];
    const stream = Uint8Array.from([...random.bytes(random.below(9)), ...edge, ...random.bytes(30)]);
    if (stream[0] === 255) stream[0] = 254;
    const asked = randomSteps(random, stock, 600 + zeros * 8, false);
    yield toEncode(stock, said(stock, stream, asked));
  }
}

/** The steps with what a stream says to them. */
function said(stock: Stock, stream: Uint8Array, steps: readonly Step[]): Step[] {
  const [, ...values] = readSteps(stock, stream, steps);
  return steps.map((step, at): Step => {
    const value = values[at] ?? 0;
    if (step.op === "bit") return { ...step, value: value === 1 };
    return step.op === "symbol" ? { ...step, value } : step;
  });
}

/** Every short message: each has an end of its own. */
function* ends(random: SuiteRandom): Iterable<Question> {
  yield toEncode(NOTHING, []);
  for (let count = 1; count <= 6; count += 1)
    for (let code = 0; code < 2 ** count; code += 1)
      yield toEncode(
        BITS,
        times(count, (at) => bit(((code >> at) & 1) === 1)),
      );
  for (let index = 0; index < 150; index += 1)
    yield toEncode(MIXED, randomSteps(random, MIXED, 1 + random.below(12)));
  for (let value = 0; value < 256; value += 5)
    yield toEncode(NOTHING, [number(8, value), number(8, 255 - value)]);
}

function* whole(random: SuiteRandom): Iterable<Question> {
  for (const count of [0, 1, 2, 3, 10, 40, 200, 1500]) {
    const steps = randomSteps(random, MIXED, count);
    yield toDecode(MIXED, streamOf(MIXED, steps), [...steps, FINISH]);
  }
  for (const size of [2, 300, 1024]) {
    const stock: Stock = { bits: 0, sizes: [size] };
    const steps = randomSteps(random, stock, 450, false);
    yield toDecode(stock, streamOf(stock, steps), [...steps, FINISH]);
  }
}

/** Bytes that no encoder wrote: nearly all of them mean something. */
function* anything(random: SuiteRandom): Iterable<Question> {
  const steps = (count: number): Step[] => randomSteps(random, MIXED, count, false);
  for (let index = 0; index < 30; index += 1)
    yield toDecode(MIXED, random.bytes(random.below(40)), steps(400));
  for (const first of [
    [255, 255, 255, 255],
    [255, 255, 255, 254, 255, 255],
    [255, 255, 255],
    [255, 255, 255, 255, 0],
  ])
    yield toDecode(MIXED, Uint8Array.from(first), steps(60));
  // Behind a number lies a rest that stands for none.
  for (const width of [3, 5, 7, 11, 13, 15, 16, 31]) {
    const last = Uint8Array.from([255, 255, 255, 254, ...random.bytes(6)]);
    yield toDecode(NOTHING, last, [number(width), number(8)]);
  }
  for (let index = 0; index < 60; index += 1)
    yield toDecode(NOTHING, random.bytes(64), [
      ...times(80, () => number(random.below(17))),
      ...times(8, () => number(24)),
    ]);
}

/** What is cut, longer, or changed is read as it is, and is no end. */
function* wrongEnds(random: SuiteRandom): Iterable<Question> {
  const ask = (stream: Uint8Array | readonly number[], steps: readonly Step[]): Question =>
    toDecode(MIXED, Uint8Array.from(stream), [...steps, FINISH]);
  for (const count of [1, 4, 15, 60]) {
    const steps = randomSteps(random, MIXED, count, false);
    const stream = [...streamOf(MIXED, steps)];
    for (let size = Math.max(0, stream.length - 7); size < stream.length; size += 1)
      yield ask(stream.slice(0, size), steps);
    for (const more of [[0], [0, 0, 0, 0, 0], [1], [0, 0, 0, 0, 7], [255]])
      yield ask([...stream, ...more], steps);
    for (let back = 1; back <= 6 && back <= stream.length; back += 1) {
      const changed = stream.slice();
      const place = stream.length - back;
      // Never four bytes of ones: that is another error.
      changed[place] = (changed[place] ?? 0) ^ (1 << random.below(7));
      yield ask(changed, steps);
    }
    yield ask(stream, steps.slice(0, -1));
  }
  yield ask([0], []);
  yield ask(
    [],
    times(500, () => bit(false)),
  );
  yield ask([], [symbol(0, 2), symbol(0, 3), bit(false)]);
}

function* mistakes(random: SuiteRandom): Iterable<Question> {
  for (const size of [0, 1025, 2000, 65535]) yield toEncode({ bits: 1, sizes: [4, size] }, [symbol(1)]);
  yield toEncode({ bits: 0, sizes: [1, 1024] }, [symbol(0), symbol(1023, 1), symbol(5, 1)]);
  for (const size of [1, 2, 9, 256, 1024]) {
    const stock: Stock = { bits: 1, sizes: [size] };
    const steps = randomSteps(random, stock, 60, false);
    const wrong = [size, size + 1, 65535].map((value) => symbol(value));
    yield toEncode(stock, [...steps.slice(0, 20), ...wrong, ...steps.slice(20), symbol(size)]);
  }
}

const texts = (random: SuiteRandom): Uint8Array[] => {
  const words = times(60, () => random.bytes(2 + random.below(8)).map((byte) => 97 + (byte % 26)));
  const text = times(700, () => [...(words[random.below(1 + random.below(60))] ?? []), 32]).flat();
  return [
    new Uint8Array(0),
    Uint8Array.of(0),
    Uint8Array.of(random.below(255) + 1),
    Uint8Array.from(times(256, (at) => at)),
    Uint8Array.from(text),
    random.bytes(300),
    new Uint8Array(1000).fill(random.below(256)),
    Uint8Array.from(times(600, (at) => (at % 7 < 4 ? at >> 4 : random.below(4)) & 255)),
    Uint8Array.from(times(20, () => times(1 + random.below(60), () => 0).concat(random.below(256))).flat()),
    ...[127, 128, 129].map((size) => random.bytes(size)),
  ];
};

function* packing(random: SuiteRandom): Iterable<Question> {
  for (const data of texts(random)) yield { content: [...data], answer: sized(compress(data)) };
}

function unpack(bytes: Uint8Array | readonly number[], limit: number): Question {
  const all = Uint8Array.from(bytes);
  const { status, data } = decompress(all, limit);
  return { content: [...little(limit), ...all], answer: [STATUS[status], ...sized(data)] };
}

function* unpacking(random: SuiteRandom): Iterable<Question> {
  for (const data of texts(random)) yield unpack(compress(data), data.length + random.below(50));
}

function* heads(random: SuiteRandom): Iterable<Question> {
  const data = random.bytes(20);
  const stream = compress(data).subarray(2);
  const withHead = (head: readonly number[], limit = 1000): Question => unpack([...head, ...stream], limit);
  yield unpack([], 10);
  yield unpack([0x52], 10);
  for (const mark of [0, 0x51, 0x53, 0x72, 0xd2]) yield withHead([mark, 20]);
  // Lengths that are too long, not the shortest, or never end.
  for (const head of [
    [0x80, 0x00],
    [0x94, 0x00],
    [0x94, 0x80, 0x00],
    [0x94, 0x80, 0x80, 0x80, 0x00],
    [0xff, 0xff, 0xff, 0xff, 0x10],
    [0xff, 0xff, 0xff, 0xff, 0x7f],
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  ])
    yield withHead([0x52, ...head]);
  for (const cut of [[0x80], [0x94, 0x80], [0xff, 0xff, 0xff, 0xff], [0x80, 0x80, 0x80, 0x80, 0x80]])
    yield unpack([0x52, ...cut], 1000);
  // The limit is looked at before anything else of the stream.
  for (const limit of [0, 1, 19, 20, 21]) yield withHead([0x52, 20], limit);
  for (const length of [21, 128, 300, 2 ** 31, 2 ** 32 - 1])
    yield unpack([0x52, ...lengthBytes(length), 255, 255, 255, 255], 20);
  yield unpack([0x52, 20, 255, 255, 255, 255], 20);
  yield unpack([0x53, 20, 255, 255, 255, 255], 2);
}

function* damaged(random: SuiteRandom): Iterable<Question> {
  for (const data of texts(random).slice(0, 9)) {
    const bytes = [...compress(data)];
    const limit = data.length + 5;
    for (let size = Math.max(2, bytes.length - 6); size < bytes.length; size += 1)
      yield unpack(bytes.slice(0, size), limit);
    for (let index = 0; index < 6; index += 1) {
      const changed = bytes.slice();
      const place = 3 + random.below(bytes.length - 3);
      changed[place] = (changed[place] ?? 0) ^ (1 << random.below(8));
      yield unpack(changed, limit);
    }
    yield unpack(
      compress(data, (sum) => (sum ^ (1 << random.below(31))) >>> 0),
      limit,
    );
  }
  // A byte that is the same as the one before it, and said to be another.
  for (const byte of [0, 1, 128]) yield unpack(compressOtherByte(byte), 1);
  yield unpack(packed(3, new Uint8Array(0)), 3);
  yield unpack(packed(0, new Uint8Array(0)), 3);
}

/** Right to the last decision, with something behind it. */
function* longer(random: SuiteRandom): Iterable<Question> {
  for (const data of texts(random).slice(0, 9))
    for (const more of [[0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1 + random.below(255)]])
      yield unpack([...compress(data), ...more], data.length);
}

/** Models belong to no encoder: what they learned stays with them. */
function* shared(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 6; index += 1)
    yield toEncode(MIXED, times(12, () => [...randomSteps(random, MIXED, random.below(200)), FINISH]).flat());
  yield toEncode(MIXED, [FINISH, FINISH, bit(true), FINISH, FINISH, bit(true), FINISH]);
}

function* long(random: SuiteRandom): Iterable<Question> {
  const stock: Stock = { bits: 100, sizes: [4, 30, 90, 256] };
  for (const count of [8000, 12000]) {
    const steps = randomSteps(random, stock, count);
    yield toDecode(stock, streamOf(stock, steps), [...steps, FINISH]);
  }
}

export const suite: Suite = {
  categories: [
    category("h01", "symbols", "encode", symbols),
    category("h02", "wrong ends of streams", "decode", wrongEnds),
    category("h03", "packing", "compress", packing),
    category("h04", "numbers", "encode", numbers),
    category("h05", "streams that are longer than they have to be", "decompress", longer),
    category("h06", "the end of a stream", "encode", ends),
    category("h07", "any bytes", "decode", anything),
    category("h08", "mistakes of the caller", "encode", mistakes),
    category("h09", "heads and limits", "decompress", heads),
    category("h10", "carries", "encode", carries),
    category("h11", "whole streams", "decode", whole),
    category("h12", "unpacking", "decompress", unpacking),
    category("h13", "bits", "encode", bits),
    category("h14", "models that live on", "encode", shared),
    category("h15", "damaged streams", "decompress", damaged),
    category("h16", "long messages", "decode", long),
  ],
};
