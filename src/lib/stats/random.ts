/** A reproducible stream of pseudo-random numbers; the same seed gives the same stream on every machine. */
export interface Random {
  /** A whole number, 0 … 2³² − 1. */
  uint32(): number;
  /** A number from 0 (included) to 1 (excluded), in steps of 2⁻⁵³. */
  float(): number;
  /** A whole number from 0 to `bound` − 1, each equally likely; `bound` is 1 … 2³². */
  below(bound: number): number;
  /** A copy in random order (Fisher–Yates). */
  shuffled<T>(items: readonly T[]): T[];
  /** A standard normal deviate (Box–Muller). */
  normal(): number;
}

const UINT32 = 2 ** 32;

/**
 * xoshiro128** 1.1 (Blackman & Vigna, ACM Transactions on Mathematical Software 47 (2021) 36), seeded by a text or number.
 * Word i of the state, i = 0 … 3, is MurmurHash3's finalizer over the 32-bit FNV-1a of the seed's UTF-8 followed by byte
 * i; a number stands for its decimal text. For reproducible samples, not for secrets.
 */
export function randomFrom(seed: string | number): Random {
  return randomFromState(stateOf(String(seed)));
}

/** The generator from a given state of four 32-bit words that are not all 0. */
export function randomFromState(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state;
  const uint32 = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
  const float = (): number => ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53;
  const below = (bound: number): number => {
    // Numbers past the last whole multiple of the bound are drawn again: the others are equally likely.
    const limit = UINT32 - (UINT32 % bound);
    for (;;) {
      const drawn = uint32();
      if (drawn < limit) return drawn % bound;
    }
  };
  return {
    uint32,
    float,
    below,
    shuffled(items) {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [result[last], result[other]] = [result[other] as never, result[last] as never];
      }
      return result;
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float()),
  };
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

function stateOf(seed: string): [number, number, number, number] {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193);
  const word = (index: number): number => mix(Math.imul(hash ^ index, 0x01000193));
  // The four words differ before mixing, and mixing is one to one: they are never all 0.
  return [word(0), word(1), word(2), word(3)];
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
