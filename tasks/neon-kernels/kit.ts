import type { Answer, KitBuild, KitStep, SuiteCategory, TaskKit } from "../../src/lib/task/kit.ts";

const sh = (script: string): KitStep => ({ command: ["sh", "-c", script] });
const sources = "/in/driver/driver.c /in/driver/checked.S /in/entry/*.S";

const CROSS = {
  program: "aarch64-linux-gnu-gcc",
  hint: "a compiler for AArch64: the Debian packages gcc-aarch64-linux-gnu and libc6-dev-arm64-cross",
} as const;
const QEMU = {
  program: "qemu-aarch64",
  hint: "an emulator of AArch64: the Debian package qemu-user",
} as const;

const limits: KitBuild["limits"] = {
  build: { wallSeconds: 60, cpuSeconds: 60 },
  run: { processes: 16, memoryBytes: 512 * 2 ** 20 },
};

const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);

/** The examples of SPEC.md, section 6: every sample of a block has one value. */
function example(
  id: string,
  title: string,
  kernel: number,
  buffers: readonly { readonly bytes: readonly number[]; readonly at?: number; readonly stride: number }[],
  height: number,
  expected: readonly number[],
): SuiteCategory {
  const content = [0, kernel, 2, ...little(height), buffers.length];
  for (const { bytes, at = 0, stride } of buffers)
    content.push(...little(bytes.length), ...little(at), ...little(stride), ...bytes);
  return {
    id,
    title,
    cases: () => [
      {
        content: Uint8Array.from(content),
        accepts: (answer: Answer) =>
          answer.kind === "answer" && expected.every((byte, index) => answer.bytes[index + 1] === byte),
      },
    ],
  };
}

const filled = (length: number, value: number): number[] => Array.from({ length }, () => value);

const EXAMPLES: readonly SuiteCategory[] = [
  example(
    "sad16",
    "10 against 13: 256 × 3",
    0,
    [
      { bytes: filled(256, 10), stride: 16 },
      { bytes: filled(256, 13), stride: 16 },
    ],
    0,
    little(768),
  ),
  example(
    "satd8",
    "10 against 13: one entry of 64 × 3, (192 + 2) >> 2",
    1,
    [
      { bytes: filled(64, 10), stride: 8 },
      { bytes: filled(64, 13), stride: 8 },
    ],
    0,
    little(48),
  ),
  example(
    "filter8",
    "0 to 22 with the weights 0 0 0 32 32 0 0 0: the mean of neighbours, rounded up",
    2,
    [
      { bytes: filled(16, 0), stride: 16 },
      { bytes: Array.from({ length: 23 }, (_, index) => index), at: 3, stride: 23 },
      { bytes: [0, 0, 0, 32, 32, 0, 0, 0], stride: 0 },
    ],
    1,
    [...little(0), ...Array.from({ length: 16 }, (_, index) => index + 4)],
  ),
  example(
    "add4",
    "One coefficient of 64 on 100: 101 everywhere",
    3,
    [
      { bytes: filled(16, 100), stride: 4 },
      { bytes: [64, 0, ...filled(30, 0)], stride: 0 },
    ],
    0,
    [...little(0), ...filled(16, 101)],
  ),
  example(
    "average16",
    "10 and 13: 12",
    4,
    [
      { bytes: filled(16, 0), stride: 16 },
      { bytes: filled(16, 10), stride: 16 },
      { bytes: filled(16, 13), stride: 16 },
    ],
    1,
    [...little(0), ...filled(16, 12)],
  ),
];

/** Content of a case for the clock: the kernel, and 32 bytes that its data are drawn by (a seed's own, repeated and folded). */
const work = (kernel: number) => (seed: string) => {
  const content = new Uint8Array(34);
  content.set([1, kernel]);
  for (const [index, byte] of new TextEncoder().encode(seed).entries()) {
    const at = 2 + (index % 32);
    content[at] = ((content[at] ?? 0) * 31 + byte + (index >> 5)) & 255;
  }
  return content;
};

export const kit: TaskKit = {
  task: "neon-kernels",
  deliverable: {
    required: ["kernels.S"],
    allowed: /^(?:[a-z][a-z0-9_-]{0,59}\.S|README\.md)$/,
    maxFiles: 20,
    maxBytes: 256 * 1024,
  },
  builds: {
    "macos-arm64": {
      tools: [{ program: "clang", hint: "the command line tools of Xcode" }],
      steps: [sh(`mkdir -p out && clang -std=c11 -O2 -I/in/driver -o out/driver ${sources}`)],
      start: ["/opt/built/driver"],
      limits,
    },
    proxy: {
      tools: [CROSS, QEMU],
      steps: [
        sh(
          `mkdir -p out && aarch64-linux-gnu-gcc -std=c11 -O2 -static -I/in/driver -o out/driver ${sources}`,
        ),
      ],
      start: ["qemu-aarch64", "/opt/built/driver"],
      limits,
    },
  },
  examples: EXAMPLES,
  perf: {
    metrics: ["sad16", "satd8", "filter8", "add4", "average16"].map((id, kernel) => ({
      id,
      caseOf: work(kernel),
    })),
  },
};
