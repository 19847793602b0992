import type { Suite, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { category, joined, type Question, ROOM } from "./ask.ts";
import {
  type DynamicOptions,
  distanceExtraBits,
  distanceOf,
  end,
  lengthExtraBits,
  lengthsOf,
  literals,
  match,
  neededLengths,
  plain,
  repeated,
  StreamWriter,
  type Token,
  text,
} from "./encoder.ts";
import { decode } from "./oracle.ts";
import {
  assigned,
  completeSet,
  lengthSetFor,
  pick,
  randomDynamic,
  randomStream,
  randomTokens,
  range,
} from "./random-streams.ts";

const stream = (write: (writer: StreamWriter) => void): Question => {
  const writer = new StreamWriter();
  write(writer);
  return { stream: writer.bytes() };
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A dynamic block with these sets; what it says is well said. */
const block = (options: DynamicOptions, tokens: readonly Token[]): Question =>
  stream((writer) => writer.dynamic(tokens, true, options));

/** Lengths of 257 or more symbols: those of `given`, and the end of the block. */
const own = (given: Readonly<Record<number, number>>, size = 257): number[] => lengthsOf(size, given);
const TWO = own({ 97: 1, 256: 1 });

/** A stored block to reach back into. */
const ground = (random: SuiteRandom, writer: StreamWriter, bytes: number): void => {
  writer.stored(random.bytes(bytes), false);
};

function* storedBlocks(random: SuiteRandom): Iterable<Question> {
  for (const bytes of [0, 1, 2, 7, 255, 256, 4096, 65535]) {
    yield stream((writer) => writer.stored(random.bytes(bytes), true));
    yield stream((writer) =>
      writer.fixed([...text("x"), end], false).stored(random.bytes(bytes), true, { padding: 1 }),
    );
  }
  yield stream((writer) => {
    for (const last of [false, false, true]) writer.stored(random.bytes(random.below(300)), last);
  });
  yield stream((writer) => {
    writer.stored(random.bytes(0), false).stored(random.bytes(0), false).stored(random.bytes(3), true);
  });
  // Every number of bits that can lie between a block's head and the next byte.
  for (let letters = 0; letters < 8; letters += 1)
    yield stream((writer) =>
      writer.fixed([...times(letters, () => ({ symbol: 200 })), end], false).stored(random.bytes(9), true),
    );
}

function* fixedBlocks(random: SuiteRandom): Iterable<Question> {
  yield stream((writer) => writer.fixed([end], true));
  yield stream((writer) => writer.fixed([...literals(range(0, 256)), end], true));
  yield stream((writer) => writer.fixed([...text("to be or not "), match(9, 13), end], true));
  for (const blocks of [1, 2, 3, 9])
    yield stream((writer) => {
      for (let left = blocks; left > 0; left -= 1)
        writer.fixed([...literals(random.bytes(random.below(50))), end], left === 1);
    });
  for (let index = 0; index < 6; index += 1)
    yield stream((writer) => fixedTokens(random, writer, 0, 300, true));
}

function fixedTokens(
  random: SuiteRandom,
  writer: StreamWriter,
  produced: number,
  count: number,
  isFinal: boolean,
): number {
  const all = randomTokens(random, Array(286).fill(8), Array(30).fill(5), count, produced);
  writer.fixed(all.tokens, isFinal);
  return all.produced;
}

function* dynamicBlocks(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 12; index += 1)
    yield stream((writer) => {
      const first = randomDynamic(random, writer, 0, false, { tokens: 50 + random.below(600) });
      randomDynamic(random, writer, first, true, { tokens: 50 + random.below(600) });
    });
}

/** Each length with each of its extra bits, in fixed and dynamic blocks; 258 in both ways. */
function* everyLength(random: SuiteRandom): Iterable<Question> {
  const tokens = range(257, 286).flatMap((symbol) =>
    range(0, 2 ** lengthExtraBits(symbol)).map((extra) => ({
      symbol,
      extra,
      distance: { symbol: 3, extra: 0 },
    })),
  );
  yield stream((writer) => {
    ground(random, writer, 8);
    writer.fixed([...random.shuffled(tokens), end], true);
  });
  const symbols = range(256, 286);
  const set = assigned(286, symbols, completeSet(random, symbols.length, 15));
  yield stream((writer) => {
    ground(random, writer, 8);
    writer.dynamic([...random.shuffled(tokens), end], true, { literals: set, distances: [0, 0, 0, 1] });
  });
  const longest: Token = { symbol: 284, extra: 31, distance: { symbol: 0, extra: 0 } };
  yield stream((writer) => writer.fixed([...text("a"), longest, match(258, 1), longest, end], true));
}

/** Each distance code with its least, its largest and some extra bits, also where copies overlap. */
function* everyDistance(random: SuiteRandom): Iterable<Question> {
  const reach = (symbol: number, extra: number): Token => ({
    ...match(3 + random.below(256), 1),
    distance: { symbol, extra },
  });
  const tokens = range(0, 30).flatMap((symbol) => {
    const most = 2 ** distanceExtraBits(symbol) - 1;
    return [reach(symbol, 0), reach(symbol, most), reach(symbol, random.below(most + 1))];
  });
  yield stream((writer) => {
    ground(random, writer, 32768);
    writer.fixed([...random.shuffled(tokens), end], true);
  });
  const symbols = range(0, 30);
  const set = assigned(30, symbols, completeSet(random, 30, 15));
  yield stream((writer) => {
    ground(random, writer, 32768);
    const all = assigned(286, range(0, 286), completeSet(random, 286, 15));
    writer.dynamic([...random.shuffled(tokens), end], true, { literals: all, distances: set });
  });
  // The very first byte of output is the farthest there is.
  for (const bytes of [1, 2, 5, 300, 5000])
    yield stream((writer) => {
      ground(random, writer, bytes);
      writer.fixed([match(3, bytes), match(258, bytes + 3), end], true);
    });
}

/** Copies from close by, which repeat what they have just written. */
function* overlaps(random: SuiteRandom): Iterable<Question> {
  for (let back = 1; back <= 40; back += 1)
    yield stream((writer) => {
      ground(random, writer, back);
      const lengths = [3, 7, 8, 9, 15, 16, 17, 33, 64, 258, 3 + random.below(256)];
      writer.fixed(
        [...random.shuffled(lengths).map((length) => match(length, back)), ...text("."), end],
        true,
      );
    });
}

/** Code lengths said by repetition in every way, also from the first list into the second. */
function* headers(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 20; index += 1) {
    const symbols = [
      256,
      ...random.shuffled(range(0, 286).filter((symbol) => symbol !== 256)).slice(0, 40 + index * 8),
    ];
    const size = Math.max(...symbols) + 1;
    const set = assigned(size, symbols, completeSet(random, symbols.length, 15));
    const back = assigned(30, range(0, 30), completeSet(random, 30, 15));
    const content = randomTokens(random, set, back, 60, 0);
    const said = pick(random, [plain, repeated])([...set, ...back]);
    const lengthLengths = lengthSetFor(random, said);
    const written = pick(random, [19, neededLengths(lengthLengths)]);
    yield block({ literals: set, distances: back, said, lengthLengths, written }, content.tokens);
  }
  // A run that begins in the first list and ends in the second, said at once.
  const threes = assigned(257, [0, 1, 2, 3, 4, 5, 6, 256], Array(8).fill(3));
  const back = Array<number>(8).fill(3);
  yield block(
    {
      literals: threes,
      distances: back,
      said: [...plain(threes), { symbol: 16, extra: 3 }, ...plain([3, 3])],
    },
    [...literals([6, 5]), end],
  );
  yield block(
    { literals: threes, distances: [0, 0, 0, 0], said: [...plain(threes), { symbol: 17, extra: 1 }] },
    [...literals([4, 5]), end],
  );
  const even = assigned(264, range(8, 264), Array(256).fill(8));
  const none = Array<number>(30).fill(0);
  yield block({ literals: even, distances: none, said: repeated([...even, ...none]) }, [
    ...literals(range(8, 256)),
    end,
  ]);
  // The longest runs of zeros there are, and shorter ones beside them.
  for (const first of [11, 50, 117, 138]) {
    const second = Math.min(138, 255 - first);
    const rest = plain(Array(255 - first - second).fill(0));
    const runs = [first, second].map((zeros) => ({ symbol: 18, extra: zeros - 11 }));
    yield block(
      {
        literals: own({ 0: 1, 256: 1 }),
        distances: [0],
        said: [{ symbol: 1 }, ...runs, ...rest, { symbol: 1 }, { symbol: 0 }],
      },
      [...literals([0, 0]), end],
    );
  }
}

/** Codes as long as they may be. */
function* longCodes(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 6; index += 1)
    yield stream((writer) => {
      const first = randomDynamic(random, writer, 0, false, { tokens: 300, skewed: true });
      randomDynamic(random, writer, first, true, { tokens: 300, skewed: true });
    });
  // 1, 2, 3 … 15, 15 in both sets, every code used.
  const ladder = [...range(1, 16), 15];
  const symbols = random.shuffled([256, 284, 285, ...random.shuffled(range(0, 256)).slice(0, 13)]);
  const set = assigned(286, symbols, ladder);
  const back = assigned(16, range(0, 16), random.shuffled(ladder));
  const letters = symbols.filter((symbol) => symbol < 256);
  yield stream((writer) => {
    ground(random, writer, 300);
    const copies = back.map((_, symbol): Token => ({ symbol: 285, distance: { symbol, extra: 0 } }));
    writer.dynamic(random.shuffled([...literals(letters), ...copies]).concat(end), true, {
      literals: set,
      distances: back,
    });
  });
  // The most bits that a literal and the match behind it can take: 63.
  const wide = assigned(285, [...range(0, 14), 256, 284], [...range(1, 14), 15, 14, 15]);
  const far = assigned(30, [...range(0, 14), 28, 29], [...range(1, 14), 15, 14, 15]);
  const longest = (): Token => ({
    symbol: 284,
    extra: random.below(32),
    distance: { symbol: 29, extra: random.below(8192) },
  });
  yield stream((writer) => {
    ground(random, writer, 32768);
    const tokens = times(120, () => [
      ...literals(times(1 + random.below(3), () => pick(random, [0, 1, 2, 13]))),
      longest(),
    ]);
    writer.dynamic([...tokens.flat(), end], true, { literals: wide, distances: far });
  });
  const deep = assigned(286, range(0, 286), completeSet(random, 286, 15, true));
  yield block({ literals: deep, distances: [1] }, [
    ...literals(random.shuffled(range(0, 256))),
    match(3, 1),
    end,
  ]);
}

/** Sets of one code or none, where they may be. */
function* sparseSets(random: SuiteRandom): Iterable<Question> {
  for (const distances of [[0], [1], [0, 0, 1], Array<number>(30).fill(0)]) {
    yield block({ literals: own({ 256: 1 }), distances }, [end]);
    yield block({ literals: TWO, distances }, [...text("aaaa"), end]);
  }
  for (let symbol = 0; symbol < 12; symbol += 1) {
    const distances = lengthsOf(symbol + 1, { [symbol]: 1 });
    const extra = random.below(2 ** distanceExtraBits(symbol));
    yield stream((writer) => {
      ground(random, writer, distanceOf(symbol, extra));
      writer.dynamic([{ symbol: 257, distance: { symbol, extra } }, { symbol: 97 }, end], true, {
        literals: own({ 97: 2, 256: 2, 257: 1 }, 258),
        distances,
      });
    });
  }
  // A set without codes, and the input ends before the first bit that would be read by it.
  const unary = own({ 97: 1, 256: 2, 257: 2 }, 258);
  for (let letters = 0; letters < 8; letters += 1) {
    const writer = new StreamWriter().head(2, true).sets({ literals: unary, distances: [0] });
    writer.tokens([...times(letters, () => ({ symbol: 97 })), { symbol: 257 }], unary, [0]);
    if (writer.bits % 8 === 0) yield { stream: writer.bytes() };
  }
  for (let letters = 0; letters < 8; letters += 1) {
    const writer = new StreamWriter().fixed([...times(letters, () => ({ symbol: 200 })), end], false);
    writer.head(2, true).sets({ literals: own({ 256: 1 }), distances: [0] });
    if (writer.bits % 8 === 0) yield { stream: writer.bytes() };
  }
  // The bit that is no code, in either set.
  yield stream((writer) =>
    writer
      .head(2, true)
      .sets({ literals: own({ 256: 1 }), distances: [0] })
      .number(1, 1)
      .number(0, 9),
  );
  for (const distances of [[1], [0], [0, 0, 0, 1]])
    for (const bits of [0, 1])
      yield stream((writer) => {
        ground(random, writer, 9);
        const literalSet = own({ 97: 2, 256: 2, 257: 1 }, 258);
        writer
          .head(2, true)
          .sets({ literals: literalSet, distances })
          .tokens([{ symbol: 257 }], literalSet, distances);
        writer.number(bits, 1).number(0b1011, 4).number(0, 5);
      });
}

/** Sets that are too full, or have room left. */
function* wrongSets(random: SuiteRandom): Iterable<Question> {
  const wrong = (literalSet: readonly number[], distances: readonly number[]): Question =>
    stream((writer) => writer.head(2, true).sets({ literals: literalSet, distances }).number(0, 16));
  yield wrong(own({ 97: 1, 98: 1, 256: 1 }), [0]);
  yield wrong(own({ 97: 1, 98: 1, 256: 2 }), [0]);
  yield wrong(own({ 97: 1, 256: 2 }), [0]);
  yield wrong(own({ 97: 2, 98: 2, 256: 2 }), [0]);
  yield wrong(own({ 256: 2 }), [0]);
  yield wrong(own({ 256: 15 }), [1]);
  yield wrong(own({ 97: 1, 98: 1 }), [0]);
  yield wrong(own({ 97: 1 }), [1, 1]);
  yield wrong(own({}), [0]);
  yield wrong(TWO, [1, 1, 1]);
  yield wrong(TWO, [1, 2]);
  yield wrong(TWO, [2, 2, 2]);
  yield wrong(TWO, [2]);
  yield wrong(TWO, [0, 0, 7]);
  yield wrong(TWO, Array(30).fill(4));
  for (let index = 0; index < 8; index += 1) {
    const symbols = [256, ...random.shuffled(range(0, 256)).slice(0, 20)];
    const set = completeSet(random, symbols.length, 12);
    const changed = random.below(set.length);
    set[changed] = (set[changed] ?? 0) + (index % 2 === 0 ? 1 : -1) || 15;
    yield wrong(assigned(257, symbols, set), [1]);
  }
  // The codes for code lengths must be complete, whatever is said with them.
  const lengths = (lengthLengths: readonly number[]): Question =>
    stream((writer) =>
      writer
        .head(2, true)
        .sets({ literals: TWO, distances: [0], lengthLengths, said: [] })
        .number(0, 40),
    );
  yield lengths(lengthsOf(19, { 1: 1 }));
  yield lengths(lengthsOf(19, {}));
  yield lengths(lengthsOf(19, { 0: 1, 1: 2 }));
  yield lengths(lengthsOf(19, { 0: 1, 1: 1, 18: 1 }));
  yield lengths(Array(19).fill(4));
  yield lengths(Array(19).fill(7));
}

/** Heads that are wrong before any code is made. */
function* wrongHeads(random: SuiteRandom): Iterable<Question> {
  for (const last of [true, false]) yield stream((writer) => writer.head(3, last).number(0, 13));
  yield stream((writer) =>
    writer
      .fixed([...text("abc"), end], false)
      .head(3, true)
      .number(0, 3),
  );
  for (const wrong of [0, 0xffff, 5, 0xfffa ^ 1, 0x7ffa])
    yield stream((writer) => writer.stored(random.bytes(5), true, { complement: wrong }));
  const base = { literals: TWO, distances: [0] };
  for (const count of [287, 288])
    yield stream((writer) =>
      writer
        .head(2, true)
        .sets({ ...base, counts: { literals: count } })
        .number(0, 400),
    );
  for (const count of [31, 32])
    yield stream((writer) =>
      writer
        .head(2, true)
        .sets({ ...base, counts: { distances: count } })
        .number(0, 400),
    );
  const said = (...tokens: readonly { symbol: number; extra?: number }[]): Question =>
    stream((writer) =>
      writer
        .head(2, true)
        .sets({ ...base, said: tokens })
        .number(0, 64),
    );
  const almost = plain(TWO);
  yield said({ symbol: 16, extra: 0 }, ...almost);
  yield said(...almost, { symbol: 16, extra: 0 });
  yield said(...almost, { symbol: 17, extra: 0 });
  yield said(...almost, { symbol: 18, extra: 0 });
  yield said({ symbol: 18, extra: 127 }, { symbol: 18, extra: 110 });
  yield said({ symbol: 18, extra: 127 }, { symbol: 18, extra: 127 }, { symbol: 17, extra: 0 });
  yield said(...plain(TWO.slice(0, 255)), { symbol: 16, extra: 1 });
}

/** Symbols that have codes and no meaning. */
function* meaningless(random: SuiteRandom): Iterable<Question> {
  for (const symbol of [286, 287]) {
    yield stream((writer) => writer.fixed([...literals(random.bytes(4)), { symbol }], true).number(0, 40));
    yield stream((writer) => writer.fixed([{ symbol }, ...literals(random.bytes(20)), end], true));
  }
  for (const symbol of [30, 31])
    for (const pad of [0, 300])
      yield stream((writer) => {
        ground(random, writer, 40);
        const bad: Token = { symbol: 260, distance: { symbol, extra: 0 } };
        writer.fixed([...literals(random.bytes(pad)), bad, ...literals(random.bytes(20)), end], true);
      });
}

/** Distances beyond the first byte, by one and by much, at once and late, in each kind of block. */
function* tooFar(random: SuiteRandom): Iterable<Question> {
  for (const produced of [0, 1, 2, 3, 4, 31, 32, 100, 4095, 32767])
    for (const beyond of [1, 1 + random.below(32768 - produced)]) {
      if (produced + beyond > 32768) continue;
      yield stream((writer) => {
        if (produced > 0) ground(random, writer, produced);
        writer.fixed(
          [match(3 + random.below(256), produced + beyond), ...literals(random.bytes(300)), end],
          true,
        );
      });
    }
  for (let index = 0; index < 4; index += 1)
    yield stream((writer) => {
      const set = assigned(286, range(0, 286), completeSet(random, 286, 14));
      const back = assigned(30, range(0, 30), completeSet(random, 30, 9));
      const before = random.bytes(200 + random.below(200));
      writer.dynamic(
        [...literals(before), match(9, before.length + 1), ...literals(random.bytes(300)), end],
        true,
        {
          literals: set,
          distances: back,
        },
      );
    });
}

/** Every beginning of some streams, down to none at all. */
function* truncated(random: SuiteRandom): Iterable<Question> {
  const whole = [
    stream((writer) => writer.stored(random.bytes(20), false).stored(random.bytes(12), true)),
    stream((writer) => writer.fixed([...literals(random.bytes(30)), match(90, 13), match(5, 30), end], true)),
    stream((writer) => {
      randomDynamic(random, writer, 0, true, { tokens: 60 });
    }),
    stream((writer) => {
      writer.stored(random.bytes(3), false);
      randomDynamic(random, writer, 3, true, { tokens: 40, skewed: true });
    }),
    block({ literals: own({ 97: 2, 256: 2, 257: 1 }, 258), distances: [1] }, [
      ...text("aaa"),
      ...times(40, () => match(3, 1)),
      end,
    ]),
  ];
  for (const { stream: all } of whole)
    for (let bytes = 0; bytes < all.length; bytes += 1) yield { stream: all.slice(0, bytes) };
}

/** Less room than is needed, exactly as much, and none. */
function* bounds(random: SuiteRandom): Iterable<Question> {
  const short = [
    stream((writer) => writer.stored(random.bytes(11), false).stored(random.bytes(9), true)).stream,
    stream((writer) =>
      writer.fixed([...text("abcdefg"), match(30, 5), ...text("hij"), match(40, 1), end], true),
    ).stream,
    stream((writer) => writer.fixed([end], true)).stream,
  ];
  for (const all of short) {
    const { output } = decode(all, ROOM);
    for (let bound = 0; bound <= output.length + 1; bound += 1) yield { stream: all, bound };
  }
  for (let index = 0; index < 8; index += 1) {
    const all = randomStream(random, 3, 200);
    const bytes = decode(all, ROOM).output.length;
    for (const bound of [0, bytes - 1, bytes, bytes + 1, random.below(bytes + 1), random.below(bytes + 1)])
      yield { stream: all, bound: Math.max(0, bound) };
  }
  // A copy that ends where the room does, with more input behind it.
  for (const length of [3, 8, 15, 64, 250, 251, 252, 253, 254, 255, 256, 257, 258])
    for (const back of [1, 3, 8, 20]) {
      const all = stream((writer) => {
        ground(random, writer, 20);
        writer.fixed([match(length, back), end], true);
      }).stream;
      yield { stream: joined([all, random.bytes(24)]), bound: 20 + length };
      yield { stream: joined([all, random.bytes(24)]), bound: 20 + length - 1 - random.below(2) };
    }
  // Room and input end together: what is read first is missed first.
  const cut = stream((writer) => writer.stored(random.bytes(50), true)).stream;
  for (const bytes of [0, 1, 20, 49]) {
    yield { stream: cut.slice(0, 5 + bytes), bound: bytes };
    yield { stream: cut.slice(0, 6 + bytes), bound: bytes };
  }
}

/** What lies behind the final block is not read and not counted. */
function* trailing(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 24; index += 1) {
    const all =
      index < 8
        ? stream((writer) => writer.fixed([...times(index, () => ({ symbol: 200 })), end], true)).stream
        : index < 12
          ? stream((writer) => writer.stored(random.bytes(index), true)).stream
          : randomStream(random, 2, 120);
    yield { stream: joined([all, random.bytes(1 + random.below(index % 2 === 0 ? 3 : 60))]) };
  }
  yield {
    stream: joined([stream((writer) => writer.fixed([end], true)).stream, random.bytes(5000)]),
    bound: 0,
  };
}

/** Long streams of all kinds of blocks. */
function* mixed(random: SuiteRandom): Iterable<Question> {
  for (let index = 0; index < 4; index += 1) yield { stream: randomStream(random, 12, 900) };
  yield { stream: randomStream(random, 150, 25) };
  yield stream((writer) => {
    let produced = 0;
    for (let left = 3; left > 0; left -= 1) {
      ground(random, writer, 20000);
      produced = fixedTokens(random, writer, produced + 20000, 400, left === 1);
    }
  });
}

export const suite: Suite = {
  categories: [
    category("h01", "overlapping copies", overlaps),
    category("h02", "sets that are too full or have room left", wrongSets),
    category("h03", "fixed blocks", fixedBlocks),
    category("h04", "trailing bytes", trailing),
    category("h05", "code lengths said by repetition", headers),
    category("h06", "distances that reach too far", tooFar),
    category("h07", "stored blocks", storedBlocks),
    category("h08", "every beginning of a stream", truncated),
    category("h09", "dynamic blocks", dynamicBlocks),
    category("h10", "symbols without a meaning", meaningless),
    category("h11", "every distance", everyDistance),
    category("h12", "room for the output", bounds),
    category("h13", "codes of 15 bits", longCodes),
    category("h14", "wrong heads of blocks", wrongHeads),
    category("h15", "every length", everyLength),
    category("h16", "sets of one code or none; long mixed streams", (random) => [
      ...sparseSets(random),
      ...mixed(random),
    ]),
  ],
};
