/** Writes DEFLATE streams of every kind, also such as no compressor would write and such as are wrong. */

/** What a block says: a symbol with its extra bits; a length symbol also has a distance. */
export interface Token {
  readonly symbol: number;
  readonly extra?: number;
  readonly distance?: { readonly symbol: number; readonly extra: number };
}

export const LITERALS_END = 256;
export const end: Token = { symbol: LITERALS_END };
export const literals = (bytes: Iterable<number>): Token[] => Array.from(bytes, (symbol) => ({ symbol }));
export const text = (words: string): Token[] => literals(new TextEncoder().encode(words));

const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_EXTRAS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRAS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

export const lengthExtraBits = (symbol: number): number => LENGTH_EXTRAS[symbol - 257] ?? 0;
export const distanceExtraBits = (symbol: number): number => DISTANCE_EXTRAS[symbol] ?? 0;

export const lengthOf = (symbol: number, extra: number): number => (LENGTH_BASES[symbol - 257] ?? 0) + extra;
export const distanceOf = (symbol: number, extra: number): number => (DISTANCE_BASES[symbol] ?? 0) + extra;

/** A copy of 3 to 258 bytes from 1 to 32768 bytes back. */
export function match(length: number, back: number): Token {
  const symbol = LENGTH_BASES.findLastIndex((base) => base <= length);
  const code = DISTANCE_BASES.findLastIndex((base) => base <= back);
  return {
    symbol: symbol + 257,
    extra: length - (LENGTH_BASES[symbol] ?? 0),
    distance: { symbol: code, extra: back - (DISTANCE_BASES[code] ?? 0) },
  };
}

/** Lengths of codes by symbol; 0 has none. */
export type Lengths = readonly number[];

export const FIXED_LITERALS: Lengths = Array.from({ length: 288 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
export const FIXED_DISTANCES: Lengths = Array<number>(32).fill(5);

/** A list of lengths with these at their symbols. */
export function lengthsOf(size: number, given: Readonly<Record<number, number>>): number[] {
  const lengths = Array<number>(size).fill(0);
  for (const [symbol, length] of Object.entries(given)) lengths[Number(symbol)] = length;
  return lengths;
}

/** How the code lengths of a dynamic block are said: a symbol 0 to 18 with its extra bits. */
export interface LengthToken {
  readonly symbol: number;
  readonly extra?: number;
}

export interface DynamicOptions {
  readonly literals: Lengths;
  readonly distances: Lengths;
  /** The code lengths as they are said; default: each by itself. */
  readonly said?: readonly LengthToken[];
  /** Lengths of the codes for code lengths, by symbol; default: whatever is said takes 5 bits, the rest fills up. */
  readonly lengthLengths?: Lengths;
  /** How many of them are written, 4 to 19; default: 19. */
  readonly written?: number;
  /** The counts as they stand in the header, when they are to be others than those of the lists. */
  readonly counts?: { readonly literals?: number; readonly distances?: number };
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** A complete set of 13 codes of 4 bits and 6 of 5. */
const EVERY_LENGTH: Lengths = Array.from({ length: 19 }, (_, symbol) => (symbol < 13 ? 4 : 5));

export const plain = (lengths: Lengths): LengthToken[] => lengths.map((symbol) => ({ symbol }));

/** Runs said by repetition wherever one fits, the longest first. */
export function repeated(lengths: Lengths): LengthToken[] {
  const said: LengthToken[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0;
    let run = 1;
    while (at + run < lengths.length && lengths[at + run] === length) run += 1;
    if (length === 0 && run >= 3) {
      const times = Math.min(run, 138);
      said.push(times < 11 ? { symbol: 17, extra: times - 3 } : { symbol: 18, extra: times - 11 });
      at += times;
    } else if (at > 0 && lengths[at - 1] === length && run >= 3) {
      const times = Math.min(run, 6);
      said.push({ symbol: 16, extra: times - 3 });
      at += times;
    } else {
      said.push({ symbol: length });
      at += 1;
    }
  }
  return said;
}

const SAID_EXTRAS: Readonly<Record<number, number>> = { 16: 2, 17: 3, 18: 7 };

/** Codes of a list of lengths; also of one that is too full, whose codes then collide. */
function codesOf(lengths: Lengths): number[] {
  const codes = Array<number>(lengths.length).fill(0);
  let code = 0;
  for (let length = 1; length <= 15; length += 1) {
    code <<= 1;
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = code++;
    });
  }
  return codes;
}

export class StreamWriter {
  readonly #bits: number[] = [];

  get bits(): number {
    return this.#bits.length;
  }

  /** The lowest bit first. */
  number(value: number, count: number): this {
    for (let index = 0; index < count; index += 1) this.#bits.push((value >> index) & 1);
    return this;
  }

  /** Fills the byte up with bits of this value. */
  align(bit: 0 | 1 = 0): this {
    while (this.#bits.length % 8 !== 0) this.#bits.push(bit);
    return this;
  }

  head(type: number, isFinal: boolean): this {
    return this.number(isFinal ? 1 : 0, 1).number(type, 2);
  }

  stored(
    content: Uint8Array,
    isFinal: boolean,
    { padding = 0, complement = content.length ^ 0xffff }: { padding?: 0 | 1; complement?: number } = {},
  ): this {
    this.head(0, isFinal).align(padding).number(content.length, 16).number(complement, 16);
    for (const byte of content) this.number(byte, 8);
    return this;
  }

  fixed(tokens: readonly Token[], isFinal: boolean): this {
    return this.head(1, isFinal).tokens(tokens, FIXED_LITERALS, FIXED_DISTANCES);
  }

  dynamic(tokens: readonly Token[], isFinal: boolean, options: DynamicOptions): this {
    return this.head(2, isFinal).sets(options).tokens(tokens, options.literals, options.distances);
  }

  /** The header of a dynamic block, behind its type. */
  sets(options: DynamicOptions): this {
    const { literals: own, distances, counts = {}, lengthLengths = EVERY_LENGTH, written = 19 } = options;
    this.number((counts.literals ?? own.length) - 257, 5);
    this.number((counts.distances ?? distances.length) - 1, 5);
    this.number(written - 4, 4);
    for (const symbol of ORDER.slice(0, written)) this.number(lengthLengths[symbol] ?? 0, 3);
    const codes = codesOf(lengthLengths);
    for (const { symbol, extra = 0 } of options.said ?? plain([...own, ...distances])) {
      this.#code(codes[symbol] ?? 0, lengthLengths[symbol] ?? 0);
      this.number(extra, SAID_EXTRAS[symbol] ?? 0);
    }
    return this;
  }

  tokens(tokens: readonly Token[], own: Lengths, distances: Lengths): this {
    const codes = codesOf(own);
    const distanceCodes = codesOf(distances);
    for (const { symbol, extra = 0, distance } of tokens) {
      this.#code(codes[symbol] ?? 0, own[symbol] ?? 0).number(extra, lengthExtraBits(symbol));
      if (distance === undefined) continue;
      this.#code(distanceCodes[distance.symbol] ?? 0, distances[distance.symbol] ?? 0);
      this.number(distance.extra, distanceExtraBits(distance.symbol));
    }
    return this;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, index) => {
      bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
    });
    return bytes;
  }

  /** The highest bit of a code comes first. */
  #code(code: number, length: number): this {
    for (let index = length - 1; index >= 0; index -= 1) this.#bits.push((code >> index) & 1);
    return this;
  }
}

/** How many of these written lengths of the code for code lengths are needed: 4 to 19. */
export const neededLengths = (lengthLengths: Lengths): number =>
  Math.max(4, ORDER.findLastIndex((symbol) => (lengthLengths[symbol] ?? 0) > 0) + 1);
