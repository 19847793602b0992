import type { SuiteRandom } from "../../../src/lib/task/kit.ts";
import {
  distanceExtraBits,
  distanceOf,
  end,
  FIXED_DISTANCES,
  FIXED_LITERALS,
  type Lengths,
  type LengthToken,
  LITERALS_END,
  lengthExtraBits,
  lengthOf,
  plain,
  repeated,
  StreamWriter,
  type Token,
} from "./encoder.ts";

/** A complete set of so many codes in random order, none longer than `longest`. */
export function completeSet(random: SuiteRandom, codes: number, longest: number, skewed = false): number[] {
  if (codes === 1) return [1];
  const leaves = [1, 1];
  while (leaves.length < codes) {
    // Skewed: mostly the leaf that came last, so that some codes get as long as they may.
    const last = leaves.length - 1;
    const index =
      skewed && (leaves[last] ?? 0) < longest && random.below(8) > 0 ? last : random.below(leaves.length);
    const depth = (leaves[index] ?? 0) + 1;
    if (depth > longest) continue;
    leaves[index] = depth;
    leaves.push(depth);
  }
  return random.shuffled(leaves);
}

/** The lengths of `set` given to these symbols of an alphabet. */
export function assigned(size: number, symbols: readonly number[], set: readonly number[]): number[] {
  const lengths = Array<number>(size).fill(0);
  symbols.forEach((symbol, index) => {
    lengths[symbol] = set[index] ?? 0;
  });
  return lengths;
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

const some = (random: SuiteRandom, symbols: readonly number[], count: number): number[] =>
  random.shuffled(symbols).slice(0, count);

/** Tokens of the symbols that have codes, never reaching back beyond what was produced; with the end of the block. */
export function randomTokens(
  random: SuiteRandom,
  literals: Lengths,
  distances: Lengths,
  count: number,
  produced: number,
): { tokens: Token[]; produced: number } {
  const symbols = literals.flatMap((length, symbol) => (length > 0 && symbol < 286 ? [symbol] : []));
  const bytes = symbols.filter((symbol) => symbol < LITERALS_END);
  const lengths = symbols.filter((symbol) => symbol > LITERALS_END);
  const back = distances.flatMap((length, symbol) => (length > 0 && symbol < 30 ? [symbol] : []));
  const tokens: Token[] = [];
  let at = produced;
  for (let left = count; left > 0; left -= 1) {
    const near = back.filter((symbol) => distanceOf(symbol, 0) <= at);
    if (lengths.length > 0 && near.length > 0 && (bytes.length === 0 || random.below(3) === 0)) {
      const symbol = pick(random, lengths);
      const code = pick(random, near);
      const extra = random.below(2 ** lengthExtraBits(symbol));
      const most = Math.min(2 ** distanceExtraBits(code), at - distanceOf(code, 0) + 1);
      tokens.push({ symbol, extra, distance: { symbol: code, extra: random.below(most) } });
      at += lengthOf(symbol, extra);
    } else if (bytes.length > 0) {
      tokens.push({ symbol: pick(random, bytes) });
      at += 1;
    }
  }
  tokens.push(end);
  return { tokens, produced: at };
}

export const pick = <T>(random: SuiteRandom, items: readonly T[]): T =>
  items[random.below(items.length)] as T;

/** Code lengths said in one of the many ways: runs by repetition where a coin says so. */
export function saidSomehow(random: SuiteRandom, lengths: Lengths): LengthToken[] {
  const way = random.below(3);
  return way === 0 ? plain(lengths) : repeated(lengths);
}

/** Codes for the code lengths that are said: a complete random set of them and sometimes of others. */
export function lengthSetFor(random: SuiteRandom, said: readonly LengthToken[]): number[] {
  const used = [...new Set(said.map(({ symbol }) => symbol))];
  const unused = range(0, 19).filter((symbol) => !used.includes(symbol));
  const symbols = [...used, ...some(random, unused, used.length < 2 ? 1 : random.below(3))];
  return assigned(19, symbols, completeSet(random, symbols.length, 7, random.below(2) === 0));
}

export interface BlockOptions {
  readonly tokens: number;
  readonly longest?: number;
  readonly skewed?: boolean;
}

/** Adds a dynamic block with random sets of codes; returns what has been produced with it. */
export function randomDynamic(
  random: SuiteRandom,
  writer: StreamWriter,
  produced: number,
  isFinal: boolean,
  { tokens: count, longest = 15, skewed = false }: BlockOptions,
): number {
  const own = [
    LITERALS_END,
    ...some(random, range(0, 256), 2 + random.below(skewed ? 40 : 200)),
    ...some(random, range(257, 286), 1 + random.below(29)),
  ];
  const size = Math.max(257 + random.below(30), Math.max(...own) + 1);
  const literals = assigned(size, own, completeSet(random, own.length, longest, skewed));
  const back = some(random, range(0, 30), 2 + random.below(28));
  const distances = assigned(Math.max(...back) + 1, back, completeSet(random, back.length, longest, skewed));
  const content = randomTokens(random, literals, distances, count, produced);
  const said = saidSomehow(random, [...literals, ...distances]);
  const lengthLengths = lengthSetFor(random, said);
  writer.dynamic(content.tokens, isFinal, { literals, distances, said, lengthLengths });
  return content.produced;
}

/** Adds a block of any type. */
export function randomBlock(
  random: SuiteRandom,
  writer: StreamWriter,
  produced: number,
  isFinal: boolean,
  tokens: number,
): number {
  const kind = random.below(4);
  if (kind === 0) {
    const content = random.bytes(random.below(tokens * 2));
    writer.stored(content, isFinal, { padding: random.below(2) === 0 ? 0 : 1 });
    return produced + content.length;
  }
  if (kind === 1) {
    const content = randomTokens(random, FIXED_LITERALS, FIXED_DISTANCES, tokens, produced);
    writer.fixed(content.tokens, isFinal);
    return content.produced;
  }
  return randomDynamic(random, writer, produced, isFinal, { tokens, skewed: kind === 3 });
}

/** A whole stream of so many blocks. */
export function randomStream(random: SuiteRandom, blocks: number, tokens: number): Uint8Array {
  const writer = new StreamWriter();
  let produced = 0;
  for (let left = blocks; left > 0; left -= 1)
    produced = randomBlock(random, writer, produced, left === 1, tokens);
  return writer.bytes();
}
