import { type Random, randomFrom } from "../../src/lib/stats/random.ts";

/**
 * Makes what `bin/perf` has decoded, in the layout that driver/driver.c describes. All by hand, so that one seed gives the same bytes
 * with every version of every library. Symbols are drawn as often as their codes are short: every stream looks like the output of a
 * compressor, and all streams of one shape cost alike.
 */

/** One kind of stream. */
export interface Shape {
  /** Lengths of the codes in dynamic blocks, of 286 and 30 symbols; which literals have which is drawn. */
  readonly literals: readonly number[];
  readonly distances: readonly number[];
  /** Blocks in their order, again and again until there are enough. */
  readonly blocks: readonly { readonly kind: "stored" | "fixed" | "dynamic"; readonly bytes: number }[];
  /** What all of it decodes to, in bytes; the last block may end a little behind. */
  readonly bytes: number;
}

/** How many texts each place can be given. */
const CHOICES = 16;
const FIRST_BYTES = 512;
const END = 256;

interface Spot {
  readonly offset: number;
  readonly texts: Uint8Array[];
}

export function makeWorkload(seed: string, shape: Shape): Uint8Array {
  const random = randomFrom(seed);
  const stream = new Stream(random);
  // Something for the first matches to reach back to.
  stream.stored(FIRST_BYTES);
  for (let index = 0; stream.produced < shape.bytes; index += 1) {
    const { kind, bytes } = shape.blocks[index % shape.blocks.length] ?? { kind: "stored", bytes: 1 };
    if (kind === "stored") stream.stored(bytes);
    else if (kind === "fixed") stream.fixed(bytes);
    else stream.dynamic(bytes, shape);
  }
  stream.finish();
  return contentOf(stream);
}

function contentOf(stream: Stream): Uint8Array {
  const bytes = stream.writer.bytes();
  const parts = [Uint8Array.of(1), numbers(bytes.length, stream.produced, stream.spots.length), bytes];
  for (const { offset, texts } of stream.spots)
    parts.push(numbers(offset, texts[0]?.length ?? 0, texts.length), ...texts);
  const content = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    content.set(part, at);
    at += part.length;
  }
  return content;
}

function numbers(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => {
    view.setUint32(index * 4, value, true);
  });
  return bytes;
}

/** A set of codes, and a table that draws each symbol as often as its code is short. */
interface CodeSet {
  readonly lengths: readonly number[];
  /** Bits in the order in which they are written, the first one lowest. */
  readonly codes: readonly number[];
  readonly drawn: Uint16Array;
}

const LONGEST = 15;

function codeSet(lengths: readonly number[]): CodeSet {
  const codes = Array<number>(lengths.length).fill(0);
  const drawn = new Uint16Array(1 << LONGEST);
  let code = 0;
  for (let length = 1; length <= LONGEST; length += 1) {
    code <<= 1;
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      codes[symbol] = reversed(code, length);
      drawn.fill(symbol, code << (LONGEST - length), (code + 1) << (LONGEST - length));
      code += 1;
    });
  }
  return { lengths, codes, drawn };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let index = 0; index < length; index += 1) result |= ((code >> index) & 1) << (length - 1 - index);
  return result;
}

/** Lengths of Huffman's code; weights are so even that none is too long. */
export function huffmanLengths(weights: readonly number[]): number[] {
  const lengths = Array<number>(weights.length).fill(0);
  const trees = weights.flatMap((weight, symbol) => (weight > 0 ? [{ weight, symbols: [symbol] }] : []));
  while (trees.length > 1) {
    trees.sort((a, b) => b.weight - a.weight);
    const last = trees.splice(-2);
    const symbols = last.flatMap((tree) => tree.symbols);
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    trees.push({ weight: last.reduce((sum, { weight }) => sum + weight, 0), symbols });
  }
  return lengths;
}

const FIXED_LITERALS = codeSet(
  Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const FIXED_DISTANCES = codeSet(Array<number>(32).fill(5));
/** 13 codes of 4 bits and 6 of 5: every length can be said. */
const LENGTH_CODES = codeSet(Array.from({ length: 19 }, (_, symbol) => (symbol < 13 ? 4 : 5)));
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const lengthExtra = (symbol: number): number => (symbol === 285 ? 0 : Math.max(0, (symbol - 261) >> 2));
const distanceExtra = (symbol: number): number => Math.max(0, (symbol - 2) >> 1);
const bases = (symbols: number, first: number, extra: (symbol: number) => number): number[] => {
  const result: number[] = [];
  for (let symbol = 0, base = first; symbol < symbols; symbol += 1) {
    result.push(base);
    base += 1 << extra(symbol);
  }
  return result;
};
const LENGTH_BASES = [...bases(28, 3, (index) => lengthExtra(index + 257)), 258];
const DISTANCE_BASES = bases(30, 1, distanceExtra);

class Writer {
  #bytes = new Uint8Array(1 << 16);
  #at = 0;

  /** Up to 16 bits, the lowest first. */
  bits(value: number, count: number): void {
    if ((this.#at >> 3) + 4 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    for (let word = value << (this.#at & 7), byte = this.#at >> 3; word > 0; word >>>= 8, byte += 1)
      this.#bytes[byte] = (this.#bytes[byte] ?? 0) | (word & 255);
    this.#at += count;
  }

  align(): void {
    this.#at = this.size * 8;
  }

  /** Bytes that have been begun. */
  get size(): number {
    return (this.#at + 7) >> 3;
  }

  bytes(from = 0, to = this.size): Uint8Array {
    return this.#bytes.slice(from, to);
  }
}

class Stream {
  readonly writer = new Writer();
  readonly spots: Spot[] = [];
  produced = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Its bytes are chosen by the state. */
  stored(bytes: number): void {
    const { writer } = this;
    this.#storedHead(bytes, false);
    const texts = Array.from({ length: CHOICES }, () =>
      Uint8Array.from({ length: bytes }, () => this.#random.below(256)),
    );
    this.spots.push({ offset: writer.size, texts });
    for (const byte of texts[0] ?? []) writer.bits(byte, 8);
    this.produced += bytes;
  }

  fixed(bytes: number): void {
    this.writer.bits(0b010, 3);
    this.#tokens(bytes, FIXED_LITERALS, FIXED_DISTANCES);
  }

  /** Which literals have which lengths of codes is chosen by the state: the bits behind the head then stand for other bytes. */
  dynamic(bytes: number, shape: Shape): void {
    const { writer } = this;
    // An empty stored block ends with a whole byte.
    this.#storedHead(0, false);
    const offset = writer.size;
    const choices = Array.from({ length: CHOICES }, () => [
      ...this.#random.shuffled(shape.literals.slice(0, END)),
      ...shape.literals.slice(END),
    ]);
    const [literals = []] = choices;
    const bits = writeHead(writer, literals, shape.distances);
    const end = writer.size;
    this.#tokens(bytes, codeSet(literals), codeSet(shape.distances));
    // The last byte of the head holds the first bits of what follows.
    const behind = (writer.bytes(end - 1, end)[0] ?? 0) >> (bits % 8 || 8);
    const texts = choices.map((lengths) => {
      const head = new Writer();
      writeHead(head, lengths, shape.distances);
      if (bits % 8 !== 0) head.bits(behind, 8 - (bits % 8));
      return head.bytes();
    });
    this.spots.push({ offset, texts });
  }

  /** The final block: empty. */
  finish(): void {
    this.#storedHead(0, true);
  }

  #storedHead(bytes: number, isFinal: boolean): void {
    const { writer } = this;
    writer.bits(isFinal ? 1 : 0, 3);
    writer.align();
    writer.bits(bytes, 16);
    writer.bits(bytes ^ 0xffff, 16);
  }

  /** Symbols until they stand for so many bytes, and the end of the block. */
  #tokens(bytes: number, literals: CodeSet, distances: CodeSet): void {
    const { writer } = this;
    for (const end = this.produced + bytes; this.produced < end; ) {
      const symbol = this.#draw(literals, (drawn) => drawn !== END && drawn < 286);
      writer.bits(literals.codes[symbol] ?? 0, literals.lengths[symbol] ?? 0);
      if (symbol < END) {
        this.produced += 1;
        continue;
      }
      const more = this.#random.below(1 << lengthExtra(symbol));
      writer.bits(more, lengthExtra(symbol));
      const code = this.#draw(
        distances,
        (drawn) => drawn < 30 && (DISTANCE_BASES[drawn] ?? 0) + (1 << distanceExtra(drawn)) <= this.produced,
      );
      writer.bits(distances.codes[code] ?? 0, distances.lengths[code] ?? 0);
      writer.bits(this.#random.below(1 << distanceExtra(code)), distanceExtra(code));
      this.produced += (LENGTH_BASES[symbol - END - 1] ?? 0) + more;
    }
    writer.bits(literals.codes[END] ?? 0, literals.lengths[END] ?? 0);
  }

  #draw({ drawn }: CodeSet, fits: (symbol: number) => boolean): number {
    for (;;) {
      const symbol = drawn[this.#random.below(drawn.length)] ?? 0;
      if (fits(symbol)) return symbol;
    }
  }
}

/** Block type, counts and code lengths, each said by itself; returns how many bits they take, which hangs on the set of lengths only. */
function writeHead(writer: Writer, literals: readonly number[], distances: readonly number[]): number {
  writer.bits(0b100, 3);
  writer.bits(literals.length - 257, 5);
  writer.bits(distances.length - 1, 5);
  writer.bits(LENGTH_ORDER.length - 4, 4);
  let bits = 17;
  for (const symbol of LENGTH_ORDER) {
    writer.bits(LENGTH_CODES.lengths[symbol] ?? 0, 3);
    bits += 3;
  }
  for (const length of [...literals, ...distances]) {
    const said = LENGTH_CODES.lengths[length] ?? 0;
    writer.bits(LENGTH_CODES.codes[length] ?? 0, said);
    bits += said;
  }
  return bits;
}
