import type { Answer, Case, KitBuild, SuiteCategory, TaskKit } from "../../src/lib/task/kit.ts";
import { huffmanLengths, makeWorkload, type Shape } from "./workload.ts";

const GCC = {
  program: "gcc",
  hint: "a C compiler: the Debian package gcc, on macOS the command line tools",
} as const;
const STANDARD = ["-std=c11", "-O2"] as const;

const sh = (script: string) => ({ command: ["sh", "-c", script] }) as const;

const build = (start: KitBuild["start"]): KitBuild => ({
  tools: [GCC],
  steps: [
    sh(
      `mkdir -p out && gcc ${STANDARD.join(" ")} -I/in/driver -o out/driver /in/driver/driver.c /in/entry/*.c`,
    ),
  ],
  start,
  limits: {
    build: { wallSeconds: 60, cpuSeconds: 60 },
    run: { memoryBytes: 512 * 2 ** 20, processes: 4 },
  },
});

/** Warnings that the deliverable is held to. */
const WARNINGS = [
  "-Wall",
  "-Wextra",
  "-Wpedantic",
  "-Wshadow",
  "-Wconversion",
  "-Wstrict-prototypes",
  "-Wmissing-prototypes",
  "-Wcast-qual",
  "-Wundef",
  "-Wvla",
];

/** A question to operation 0 of the driver: a stream and the room for what it decodes to. */
interface Example {
  readonly stream: string;
  readonly bound: number;
  /** Status, consumed, produced, and the output in hexadecimal. */
  readonly answer: readonly [status: number, consumed: number, produced: number, output: string];
}

const bytesOf = (hex: string): number[] =>
  Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );

const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);

function caseOf({ stream, bound, answer }: Example): Case {
  const input = bytesOf(stream);
  const [status, consumed, produced, output] = answer;
  const expected = [status, ...little(consumed), ...little(produced), ...bytesOf(output)];
  return {
    content: Uint8Array.from([0, ...little(bound), ...little(input.length), ...input]),
    accepts: (given: Answer) =>
      given.kind === "answer" &&
      given.bytes.length === expected.length &&
      expected.every((byte, index) => given.bytes[index] === byte),
  };
}

const category = (id: string, title: string, ...examples: readonly Example[]): SuiteCategory => ({
  id,
  title,
  cases: () => examples.map(caseOf),
});

/** The examples of SPEC.md, section 9, in its order. */
const EXAMPLES: readonly SuiteCategory[] = [
  category(
    "stored",
    "stored blocks",
    { stream: "010500faff4173736179", bound: 5, answer: [0, 10, 5, "4173736179"] },
    { stream: "f90000ffff", bound: 0, answer: [0, 5, 0, ""] },
  ),
  category("fixed", "a fixed block", {
    stream: "cb48844100",
    bound: 64,
    answer: [0, 5, 10, "68616861686168616861"],
  }),
  category("dynamic", "a dynamic block", {
    stream: "0dc0810c000000c020d6fb4bbc8201",
    bound: 64,
    answer: [0, 15, 7, "61616161616161"],
  }),
  category("behind", "bytes behind the final block", {
    stream: "cbcf0600dead",
    bound: 64,
    answer: [0, 4, 2, "6f6b"],
  }),
  category(
    "cut",
    "input that ends early",
    { stream: "", bound: 64, answer: [1, 0, 0, ""] },
    { stream: "cb4884", bound: 64, answer: [1, 0, 2, "6861"] },
  ),
  category("room", "too little room", { stream: "cb48844100", bound: 6, answer: [2, 0, 6, "686168616861"] }),
  category(
    "heads",
    "wrong heads of blocks",
    { stream: "07", bound: 64, answer: [3, 0, 0, ""] },
    { stream: "01050000004173736179", bound: 64, answer: [4, 0, 0, ""] },
    { stream: "f50000", bound: 64, answer: [5, 0, 0, ""] },
    { stream: "05000224", bound: 64, answer: [6, 0, 0, ""] },
    { stream: "05000200", bound: 64, answer: [7, 0, 0, ""] },
  ),
  category(
    "symbols",
    "wrong symbols and distances",
    { stream: "4b1c03", bound: 64, answer: [8, 0, 1, "61"] },
    { stream: "4b044200", bound: 64, answer: [9, 0, 1, "61"] },
  ),
];

/** What is drawn how often: literals (which ones is drawn with the stream), the end of a block, 29 lengths. */
const weights = (literal: (index: number) => number, length: (index: number) => number): number[] => [
  ...Array.from({ length: 256 }, (_, index) => Math.ceil(literal(index))),
  1,
  ...Array.from({ length: 29 }, (_, index) => Math.ceil(length(index))),
];
const distances = (weight: (symbol: number) => number): number[] =>
  Array.from({ length: 30 }, (_, symbol) => Math.ceil(weight(symbol)));

const shape = (
  literals: readonly number[],
  back: readonly number[],
  blocks: Shape["blocks"],
  bytes: number,
): Shape => ({ literals: huffmanLengths(literals), distances: huffmanLengths(back), blocks, bytes });

const SHAPES: Readonly<Record<string, Shape>> = {
  // Seventy letters, half of the symbols copies of some eight bytes from anywhere.
  text: shape(
    weights(
      (index) => (index < 70 ? 2000 / (index + 4) : 0),
      (index) => 2600 / (index + 3) ** 1.4,
    ),
    distances((symbol) => 20 + symbol * 8),
    [{ kind: "dynamic", bytes: 24_000 }],
    192_000,
  ),
  // Nearly all of it literals of 6 to 10 bits: what a picture leaves.
  literals: shape(
    weights(
      (index) => 4000 / (index + 12),
      (index) => 120 / (index + 1),
    ),
    distances((symbol) => 10 + symbol),
    [{ kind: "dynamic", bytes: 32_000 }],
    128_000,
  ),
  // Long copies that overlap themselves.
  runs: shape(
    weights(
      (index) => (index < 32 ? 4 : 0),
      (index) => (index < 16 ? 2 : index * 6),
    ),
    distances((symbol) => (symbol < 7 ? 120 - symbol * 12 : 4)),
    [{ kind: "dynamic", bytes: 250_000 }],
    1_000_000,
  ),
  // Each block short, so that its head weighs most.
  blocks: shape(
    weights(
      (index) => 1000 / (index + 8),
      (index) => 600 / (index + 2),
    ),
    distances((symbol) => 10 + symbol),
    [
      { kind: "dynamic", bytes: 400 },
      { kind: "fixed", bytes: 200 },
      { kind: "dynamic", bytes: 600 },
      { kind: "stored", bytes: 64 },
    ],
    40_000,
  ),
};

export const kit: TaskKit = {
  task: "inflate",
  deliverable: {
    required: ["inflate.c", "inflate.h"],
    allowed: /^(?:[a-z][a-z0-9_-]*\.[ch]|README\.md|test\/[a-z][a-z0-9_-]*\.[ch])$/,
    maxFiles: 24,
    maxBytes: 256 * 1024,
  },
  builds: {
    "linux-x64": build(["/opt/built/driver"]),
    "macos-arm64": build(["/opt/built/driver"]),
  },
  lint: {
    tools: [GCC],
    steps: [sh(`gcc -std=c11 -fsyntax-only ${WARNINGS.join(" ")} /in/entry/*.c`)],
    count: (output) => output.split("\n").filter((line) => / warning: /.test(line)).length,
  },
  examples: EXAMPLES,
  perf: {
    metrics: ["text", "literals", "runs", "blocks"].map((id) => ({
      id,
      caseOf: (seed) => makeWorkload(seed, SHAPES[id] as Shape),
    })),
  },
};
