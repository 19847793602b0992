/**
 * What SPEC.md demands of a stream, decoded bit by bit: slow and plain, so that it can be read beside the contract. Shares nothing
 * with the reference.
 */

export const STATUS = {
  ok: 0,
  truncated: 1,
  outputFull: 2,
  badBlockType: 3,
  badStoredLength: 4,
  badCounts: 5,
  badRepeat: 6,
  badCodeSet: 7,
  badSymbol: 8,
  badDistance: 9,
} as const;

export type Status = keyof typeof STATUS;

export interface Decoded {
  readonly status: Status;
  readonly consumed: number;
  readonly output: Uint8Array;
}

/** Decodes at most `bound` bytes. */
export function decode(stream: Uint8Array, bound: number): Decoded {
  const bits = new Bits(stream);
  const output: number[] = [];
  const write = (byte: number): void => {
    if (output.length === bound) throw new Fault("outputFull");
    output.push(byte);
  };
  try {
    for (let isFinal = false; !isFinal; ) {
      isFinal = bits.bit() === 1;
      const type = bits.number(2);
      if (type === 0) readStored(bits, write);
      else if (type === 1) readSymbols(bits, FIXED, output, write);
      else if (type === 2) readSymbols(bits, readCodes(bits), output, write);
      else throw new Fault("badBlockType");
    }
    return { status: "ok", consumed: bits.bytesBegun(), output: Uint8Array.from(output) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: error.status, consumed: 0, output: Uint8Array.from(output) };
  }
}

class Fault extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status);
    this.status = status;
  }
}

class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new Fault("truncated");
    const bit = (byte >> (this.#at & 7)) & 1;
    this.#at += 1;
    return bit;
  }

  /** The first bit is the lowest. */
  number(count: number): number {
    if (this.#at + count > this.#bytes.length * 8) throw new Fault("truncated");
    let value = 0;
    for (let index = 0; index < count; index += 1) value |= this.bit() << index;
    return value;
  }

  toByte(): void {
    this.#at = this.bytesBegun() * 8;
  }

  bytesBegun(): number {
    return (this.#at + 7) >> 3;
  }
}

function readStored(bits: Bits, write: (byte: number) => void): void {
  bits.toByte();
  const length = bits.number(16);
  if ((length ^ bits.number(16)) !== 0xffff) throw new Fault("badStoredLength");
  for (let left = length; left > 0; left -= 1) write(bits.number(8));
}

interface CodeSet {
  /** Codes as texts of bits, the first one first. */
  readonly symbols: ReadonlyMap<string, number>;
  /** Texts that a code begins with, shorter than the code. */
  readonly beginnings: ReadonlySet<string>;
}

interface Codes {
  readonly literals: CodeSet;
  readonly distances: CodeSet;
}

/** Canonical codes of a list of lengths: by length, then by symbol, counted upwards. */
function codeSet(lengths: readonly number[]): CodeSet {
  const symbols = new Map<string, number>();
  const beginnings = new Set<string>();
  let code = 0;
  for (let length = 1; length <= 15; length += 1) {
    code *= 2;
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      const text = code.toString(2).padStart(length, "0");
      symbols.set(text, symbol);
      for (let end = 1; end < length; end += 1) beginnings.add(text.slice(0, end));
      code += 1;
    });
  }
  return { symbols, beginnings };
}

/** How much of all bit sequences the codes take: 1 is complete. Exact, since lengths are at most 15. */
const shareOf = (lengths: readonly number[]): number =>
  lengths.reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0);

/** A set that is complete, has one code of one bit, or none. */
function checkedSet(lengths: readonly number[]): CodeSet {
  const used = lengths.filter((length) => length > 0);
  if (shareOf(lengths) !== 1 && !(used.length === 0 || (used.length === 1 && used[0] === 1)))
    throw new Fault("badCodeSet");
  return codeSet(lengths);
}

const FIXED: Codes = {
  literals: codeSet(
    Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
  ),
  distances: codeSet(Array(32).fill(5)),
};

const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function readCodes(bits: Bits): Codes {
  const literals = bits.number(5) + 257;
  const distances = bits.number(5) + 1;
  const written = bits.number(4) + 4;
  if (literals > 286 || distances > 30) throw new Fault("badCounts");
  const lengthLengths = Array<number>(19).fill(0);
  for (const symbol of LENGTH_ORDER.slice(0, written)) lengthLengths[symbol] = bits.number(3);
  if (shareOf(lengthLengths) !== 1) throw new Fault("badCodeSet");
  const lengths = readLengths(bits, codeSet(lengthLengths), literals + distances);
  if (lengths[256] === 0) throw new Fault("badCodeSet");
  return {
    literals: checkedSet(lengths.slice(0, literals)),
    distances: checkedSet(lengths.slice(literals)),
  };
}

function readLengths(bits: Bits, set: CodeSet, total: number): number[] {
  const lengths: number[] = [];
  while (lengths.length < total) {
    const symbol = readSymbol(bits, set);
    if (symbol < 16) {
      lengths.push(symbol);
      continue;
    }
    const last = lengths.at(-1);
    if (symbol === 16 && last === undefined) throw new Fault("badRepeat");
    const times =
      symbol === 16 ? 3 + bits.number(2) : symbol === 17 ? 3 + bits.number(3) : 11 + bits.number(7);
    if (lengths.length + times > total) throw new Fault("badRepeat");
    for (let left = times; left > 0; left -= 1) lengths.push(symbol === 16 ? (last ?? 0) : 0);
  }
  return lengths;
}

/** Reads bit by bit until the bits are a code, or the beginning of none. */
function readSymbol(bits: Bits, set: CodeSet): number {
  let code = "";
  for (;;) {
    code += bits.bit();
    const symbol = set.symbols.get(code);
    if (symbol !== undefined) return symbol;
    if (!set.beginnings.has(code)) throw new Fault("badSymbol");
  }
}

/** The least length of symbol 257 + index, and its extra bits. */
function lengthOf(symbol: number): { base: number; extra: number } {
  if (symbol === 285) return { base: 258, extra: 0 };
  let base = 3;
  for (let other = 257; other < symbol; other += 1) base += 2 ** lengthExtra(other);
  return { base, extra: lengthExtra(symbol) };
}

const lengthExtra = (symbol: number): number => Math.max(0, Math.floor((symbol - 261) / 4));
const distanceExtra = (symbol: number): number => Math.max(0, Math.floor((symbol - 2) / 2));

function distanceOf(symbol: number): { base: number; extra: number } {
  let base = 1;
  for (let other = 0; other < symbol; other += 1) base += 2 ** distanceExtra(other);
  return { base, extra: distanceExtra(symbol) };
}

function readSymbols(
  bits: Bits,
  codes: Codes,
  output: readonly number[],
  write: (byte: number) => void,
): void {
  for (;;) {
    const symbol = readSymbol(bits, codes.literals);
    if (symbol === 256) return;
    if (symbol < 256) {
      write(symbol);
      continue;
    }
    if (symbol > 285) throw new Fault("badSymbol");
    const length = lengthOf(symbol);
    const bytes = length.base + bits.number(length.extra);
    const code = readSymbol(bits, codes.distances);
    if (code > 29) throw new Fault("badSymbol");
    const distance = distanceOf(code);
    const back = distance.base + bits.number(distance.extra);
    if (back > output.length) throw new Fault("badDistance");
    for (let left = bytes; left > 0; left -= 1) write(output[output.length - back] ?? 0);
  }
}
