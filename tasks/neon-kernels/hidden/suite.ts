import type { Answer, Case, Suite, SuiteCategory, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { add4, average16, filter8, type Plane, sad16, satd8 } from "./oracle.ts";

/** Kernels by the numbers that the driver knows them by. */
const KERNEL = { sad16: 0, satd8: 1, filter8: 2, add4: 3, average16: 4 } as const;
/** Where buffers lie: their end, or their start, at memory that must not be touched; or with room around. */
const PLACE = { end: 0, start: 1, roomy: 2 } as const;
type Place = (typeof PLACE)[keyof typeof PLACE];

const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);
const signed = (values: Int16Array): Uint8Array => new Uint8Array(values.buffer.slice(0));

/** One call, and what must come of it. */
interface Call {
  readonly kernel: number;
  readonly buffers: readonly Plane[];
  readonly height?: number;
  readonly value?: number;
  /** The first buffer afterwards. */
  readonly written: Uint8Array;
}

/** @param keeps whether registers are looked at, too */
function caseOf(
  { kernel, buffers, height = 0, value = 0, written }: Call,
  place: Place,
  keeps: boolean,
): Case {
  const content = [0, kernel, place, ...little(height), buffers.length];
  for (const { bytes, at, stride } of buffers)
    content.push(...little(bytes.length), ...little(at), ...little(stride), ...bytes);
  const expected = Uint8Array.from([...little(value), ...written]);
  return {
    content: Uint8Array.from(content),
    accepts: (answer: Answer) =>
      answer.kind === "answer" &&
      answer.bytes.length === expected.length + 1 &&
      (!keeps || answer.bytes[0] === 0) &&
      expected.every((byte, index) => answer.bytes[index + 1] === byte),
  };
}

/** Makes the samples of a plane. */
type Fill = (random: SuiteRandom) => number;
const anything: Fill = (random) => random.below(256);
const extremes: Fill = (random) => 255 * random.below(2);
const dark: Fill = () => 0;
const bright: Fill = () => 255;

interface Shape {
  readonly width: number;
  readonly height: number;
  /** Samples that are read before each row, and behind it. */
  readonly before?: number;
  readonly behind?: number;
}

/** A plane that has just the samples that may be touched, rows apart by a stride of its own, upside down now and then. */
function plane(random: SuiteRandom, { width, height, before = 0, behind = 0 }: Shape, fill: Fill): Plane {
  const row = before + width + behind;
  const gap = row + random.below(40);
  const bytes = Uint8Array.from({ length: gap * (height - 1) + row }, () => fill(random));
  const down = random.below(4) > 0;
  return down ? { bytes, at: before, stride: gap } : { bytes, at: gap * (height - 1) + before, stride: -gap };
}

/** Eight taps that sum to 64, their magnitudes to at most 128. */
function tapsOf(random: SuiteRandom): Int8Array {
  const outer = random.below(8);
  const inner = random.below(8);
  const lean = random.below(13) - 6;
  const rest = 66 + 2 * outer - 2 * inner;
  const left = (rest >> 1) + lean;
  return Int8Array.from([-1, inner, -outer, left, rest - left, -outer, inner, -1]);
}

const block16 = { width: 16, height: 16 };
const block8 = { width: 8, height: 8 };

function sadCall(random: SuiteRandom, left: Fill, right: Fill): Call {
  const [a, b] = [plane(random, block16, left), plane(random, block16, right)];
  return { kernel: KERNEL.sad16, buffers: [a, b], value: sad16(a, b), written: a.bytes };
}

function satdCall(random: SuiteRandom, left: Fill, right: Fill): Call {
  const [a, b] = [plane(random, block8, left), plane(random, block8, right)];
  return { kernel: KERNEL.satd8, buffers: [a, b], value: satd8(a, b), written: a.bytes };
}

function filterCall(random: SuiteRandom, fill: Fill, height: number, taps = tapsOf(random)): Call {
  const out = plane(random, { width: 16, height }, anything);
  const input = plane(random, { width: 16, height, before: 3, behind: 4 }, fill);
  const bytes = new Uint8Array(taps.buffer.slice(0));
  return {
    kernel: KERNEL.filter8,
    height,
    buffers: [out, input, { bytes, at: 0, stride: 0 }],
    written: filter8(out, input, taps, height),
  };
}

function addCall(random: SuiteRandom, fill: Fill, coefficient: () => number): Call {
  const out = plane(random, { width: 4, height: 4 }, fill);
  const coefficients = Int16Array.from({ length: 16 }, coefficient);
  return {
    kernel: KERNEL.add4,
    buffers: [out, { bytes: signed(coefficients), at: 0, stride: 0 }],
    written: add4(out, coefficients),
  };
}

function averageCall(random: SuiteRandom, left: Fill, right: Fill, height: number): Call {
  const out = plane(random, { width: 16, height }, anything);
  const [a, b] = [plane(random, { width: 16, height }, left), plane(random, { width: 16, height }, right)];
  return {
    kernel: KERNEL.average16,
    height,
    buffers: [out, a, b],
    written: average16(out, a, b, height),
  };
}

/** A category whose calls have room around them, so that it is about their results alone. */
const results = (
  id: string,
  title: string,
  calls: (random: SuiteRandom) => readonly Call[],
): SuiteCategory => ({
  id,
  title,
  cases: (random) => calls(random).map((call) => caseOf(call, PLACE.roomy, false)),
});

const small = (random: SuiteRandom) => (): number => random.below(401) - 200;
const large = (random: SuiteRandom) => (): number => (random.below(2) === 0 ? -2048 : 2047);

/** One call of every kernel with random data. */
const everyKernel = (random: SuiteRandom): Call[] => [
  sadCall(random, anything, anything),
  satdCall(random, anything, anything),
  filterCall(random, anything, 1 + random.below(20)),
  addCall(random, anything, small(random)),
  averageCall(random, anything, anything, 1 + random.below(20)),
];

export const suite: Suite = {
  categories: [
    results("h07", "SAD of random blocks", (random) => [
      sadCall(random, anything, anything),
      sadCall(random, anything, anything),
    ]),
    results("h02", "SAD at its ends: nothing differs, everything by 255", (random) => [
      sadCall(random, bright, dark),
      sadCall(random, dark, bright),
      sadCall(random, dark, dark),
      sadCall(random, extremes, extremes),
    ]),
    results("h11", "SATD of random blocks", (random) => [
      satdCall(random, anything, anything),
      satdCall(random, anything, anything),
    ]),
    results("h04", "SATD at its ends", (random) => [
      satdCall(random, bright, dark),
      satdCall(random, dark, bright),
      satdCall(random, extremes, extremes),
      satdCall(random, bright, bright),
    ]),
    results("h05", "The filter on random rows", (random) => [
      filterCall(random, anything, 8),
      filterCall(random, anything, 16),
    ]),
    results("h13", "The filter clips on both sides", (random) => [
      filterCall(random, extremes, 16, Int8Array.of(-4, 11, -20, 45, 45, -20, 8, -1)),
      filterCall(random, extremes, 16, Int8Array.of(-16, -16, 0, 96, 0, 0, 0, 0)),
      // As much weight as taps may have.
      filterCall(random, extremes, 16, Int8Array.of(64, 64, -32, -32, 0, 0, 0, 0)),
      filterCall(random, bright, 1, Int8Array.of(-64, 127, 1, 0, 0, 0, 0, 0)),
    ]),
    results("h09", "The filter at heights of 1, odd ones and 64; all weight on one tap", (random) => [
      filterCall(random, anything, 1),
      filterCall(random, anything, 7),
      filterCall(random, anything, 64),
      filterCall(random, anything, 3, Int8Array.of(64, 0, 0, 0, 0, 0, 0, 0)),
      filterCall(random, anything, 3, Int8Array.of(0, 0, 0, 0, 0, 0, 0, 64)),
    ]),
    results("h01", "The transform of small coefficients", (random) => [
      addCall(random, anything, small(random)),
      addCall(random, anything, small(random)),
      addCall(random, anything, () => 0),
    ]),
    results("h12", "The transform of large coefficients, clipped on both sides", (random) => [
      addCall(random, anything, large(random)),
      addCall(random, extremes, large(random)),
      addCall(random, bright, () => 2047),
      addCall(random, dark, () => -2048),
    ]),
    results("h03", "The mean of random rows", (random) => [
      averageCall(random, anything, anything, 8),
      averageCall(random, anything, anything, 16),
    ]),
    results("h10", "The mean at its ends, and at heights of 1, odd ones and 64", (random) => [
      averageCall(random, bright, bright, 1),
      averageCall(random, bright, dark, 5),
      averageCall(random, anything, extremes, 64),
    ]),
    {
      id: "h06",
      title: "Registers that a caller counts on",
      cases: (random) => everyKernel(random).map((call) => caseOf(call, PLACE.roomy, true)),
    },
    {
      id: "h08",
      title: "No byte outside of what may be touched",
      cases: (random) =>
        [PLACE.end, PLACE.start].flatMap((place) =>
          everyKernel(random).map((call) => caseOf(call, place, false)),
        ),
    },
  ],
};
