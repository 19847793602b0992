import type { Answer, Case, SuiteCategory } from "../../src/lib/task/kit.ts";

/*
 * The examples of SPEC.md, section 8, row by row. Decisions are written as there: `b0=1` is a bit of the first bit model, `s1=7` symbol 7
 * of the second symbol model, `n8=200` a number of 8 bits. Bytes are in hexadecimal.
 */

interface Stream {
  /** How many bit models there are, and the symbols of each symbol model. */
  readonly bits: number;
  readonly symbols: readonly number[];
  readonly decisions: string;
  readonly stream: string;
  /** How decoding these decisions and finishing ends; encoding is asked too where it is Ok. */
  readonly end: keyof typeof STATUS;
}

const STATUS = { Ok: 0, Header: 1, TooLong: 2, BadCode: 3, Checksum: 4, Tail: 5 } as const;

const row = (
  bits: number,
  symbols: readonly number[],
  decisions: string,
  stream: string,
  end: Stream["end"] = "Ok",
): Stream => ({ bits, symbols, decisions, stream, end });

export const STREAMS: readonly Stream[] = [
  row(0, [], "", ""),
  row(1, [], "b0=0", ""),
  row(1, [], "b0=1", "80"),
  row(1, [], "b0=1 b0=1 b0=0 b0=1", "cd"),
  row(0, [5], "s0=0 s0=4 s0=4 s0=2", "32a6"),
  row(0, [], "n8=200 n1=1 n0=0", "c880"),
  row(0, [], "n32=3735928559", "deace042"),
  row(2, [3, 1], "b1=1 s0=2 s1=0 n5=9 b0=0 s0=2", "e162"),
  row(0, [], "", "ffffffff", "BadCode"),
  row(0, [], "n16=0", "fffffffe", "BadCode"),
  row(0, [], "", "00", "Tail"),
  row(1, [], "b0=1", "8001", "Tail"),
  row(1, [], "b0=0", "40", "Tail"),
];

export interface Packed {
  readonly packed: string;
  readonly limit: number;
  readonly end: keyof typeof STATUS;
  readonly data: string;
}

const packed = (bytes: string, limit: number, end: Packed["end"], data = ""): Packed => ({
  packed: bytes,
  limit,
  end,
  data,
});

export const PACKED: readonly Packed[] = [
  packed("5200811c1ca9", 0, "Ok"),
  packed("52018286268f80", 1, "Ok", "00"),
  packed("520130f1fb84655c", 1, "Ok", "61"),
  packed("520a34184127b9c7fd4fac31dd", 10, "Ok", "68616861686168616861"),
  packed("", 100, "Header"),
  packed("530a", 100, "Header"),
  packed("529400", 100, "Header"),
  packed("520a34184127b9c7fd4fac31dd", 9, "TooLong"),
  packed("5201", 100, "BadCode"),
  packed("5201ffffffff", 100, "BadCode"),
  packed("520a34184127b9c7fd4fac31", 100, "Checksum"),
  packed("520a34184127b9c7fd4fac31dd00", 100, "Tail"),
];

const bytesOf = (hex: string): number[] => hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
const little = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
const sized = (bytes: readonly number[]): number[] => [...little(bytes.length), ...bytes];

interface Step {
  readonly kind: "b" | "s" | "n";
  /** A model, or the bits of a number. */
  readonly which: number;
  readonly value: number;
}

const steps = ({ decisions }: Stream): Step[] =>
  Array.from(decisions.matchAll(/([bsn])(\d+)=(\d+)/g), ([, kind, which, value]) => ({
    kind: kind as Step["kind"],
    which: Number(which),
    value: Number(value),
  }));

const CODE = { b: 0, s: 1, n: 2 } as const;
const VALUE_BYTES = { b: 1, s: 2, n: 4 } as const;
const FINISH = 3;

const models = ({ bits, symbols }: Stream): number[] => [
  bits,
  symbols.length,
  ...symbols.flatMap((size) => little(size, 2)),
];

/** One question as driver/driver.rs describes it. */
function caseOf(operation: number, question: readonly number[], expected: readonly number[]): Case {
  return {
    content: Uint8Array.from([operation, ...sized(question)]),
    accepts: (given: Answer) =>
      given.kind === "answer" &&
      given.bytes.length === expected.length &&
      expected.every((byte, index) => given.bytes[index] === byte),
  };
}

function encoding(example: Stream): Case {
  const said = steps(example).flatMap(({ kind, which, value }) => [
    CODE[kind],
    which,
    ...little(value, VALUE_BYTES[kind]),
  ]);
  return caseOf(0, [...models(example), ...said, FINISH], sized(bytesOf(example.stream)));
}

function decoding(example: Stream): Case {
  const asked = steps(example).flatMap(({ kind, which }) => [CODE[kind], which]);
  const question = [...models(example), ...sized(bytesOf(example.stream)), ...asked, FINISH];
  const read = steps(example).flatMap(({ value }) => [STATUS.Ok, ...little(value)]);
  const begun = [STATUS.Ok];
  // A wrong code is met by the first thing that is read: the beginning, or a number.
  const before = example.end === "BadCode" ? (read.length === 0 ? [] : begun) : [...begun, ...read];
  return caseOf(1, question, [...before, STATUS[example.end]]);
}

const packing = ({ packed: bytes, data }: Packed): Case => caseOf(2, bytesOf(data), sized(bytesOf(bytes)));

const unpacking = ({ packed: bytes, limit, end, data }: Packed): Case =>
  caseOf(3, [...little(limit), ...bytesOf(bytes)], [STATUS[end], ...sized(bytesOf(data))]);

const isOk = ({ end }: { readonly end: keyof typeof STATUS }): boolean => end === "Ok";
const isWrong = (example: { readonly end: keyof typeof STATUS }): boolean => !isOk(example);

const category = (id: string, title: string, cases: readonly Case[]): SuiteCategory => ({
  id,
  title,
  cases: () => cases,
});

export const EXAMPLES: readonly SuiteCategory[] = [
  category("encode", "streams that are written", STREAMS.filter(isOk).map(encoding)),
  category("decode", "streams that are read", STREAMS.filter(isOk).map(decoding)),
  category("wrong", "streams that are wrong", STREAMS.filter(isWrong).map(decoding)),
  category("pack", "data that is packed", PACKED.filter(isOk).map(packing)),
  category("unpack", "data that is unpacked", PACKED.filter(isOk).map(unpacking)),
  category("refuse", "packed data that is wrong", PACKED.filter(isWrong).map(unpacking)),
];
