import type { Answer, Case, KitBuild, SuiteCategory, TaskKit } from "../../src/lib/task/kit.ts";
import { type Kind, makeWorkload } from "./workload.ts";

const NODE = { program: "node", hint: "Node.js 20.20 or later, below /usr" } as const;
const MODULES = {
  program: "node",
  hint: "what `npm ci` installs",
  mount: { to: "/opt/node_modules", rootOf: "node-modules" },
} as const;

const TSC = "node /opt/node_modules/typescript/bin/tsc";
const BIOME = "node /opt/node_modules/@biomejs/biome/bin/biome";

/** Also where `@ts-nocheck` kept the compiler from looking. */
const FOREIGN_IMPORT = `(^|[^A-Za-z0-9_$.])(from|import)[[:space:]]*[(]?[[:space:]]*["'"'"'\`][^.]`;

const sh = (...commands: readonly string[]) => ({ command: ["sh", "-c", commands.join(" && ")] }) as const;

/** The deliverable is held to its types, without those of Node.js; the driver is ours. */
const build: KitBuild = {
  tools: [NODE, MODULES],
  steps: [
    sh(
      "mkdir -p src out",
      "cp -r /in/entry src/entry",
      "cp /in/driver/driver.ts /in/driver/tsconfig.json src/",
      'echo \'{"type":"module"}\' | tee src/package.json > out/package.json',
      `${TSC} -p src`,
      `if grep -nE '${FOREIGN_IMPORT}' out/entry/*.js >&2; then echo 'imports may only name files of the deliverable' >&2; exit 1; fi`,
      `${TSC} --ignoreConfig --noCheck --outDir out --target es2023 --module nodenext --allowImportingTsExtensions --rewriteRelativeImportExtensions src/driver.ts`,
    ),
  ],
  start: ["node", "/opt/built/driver.js"],
  limits: {
    build: { wallSeconds: 60, cpuSeconds: 60, memoryBytes: 2 ** 31, processes: 64 },
    run: { memoryBytes: 2 ** 30, processes: 32 },
  },
};

/** A document in chunks, and the log of what happens. */
interface Example {
  readonly id: string;
  readonly title: string;
  readonly chunks: readonly string[];
  readonly maxDepth?: number;
  readonly log: readonly string[];
}

const bytesOf = (words: string): Uint8Array => new TextEncoder().encode(words);
const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);
const DEFAULT_DEPTH = 0xffffffff;

function caseOf({ chunks, maxDepth = DEFAULT_DEPTH, log }: Example): Case {
  const parts = chunks.map(bytesOf);
  const head = [maxDepth, parts.length, ...parts.map(({ length }) => length)].flatMap(little);
  const expected = bytesOf(JSON.stringify([log]));
  return {
    content: Uint8Array.from([0, ...head, ...parts.flatMap((part) => [...part])]),
    accepts: (given: Answer) =>
      given.kind === "answer" &&
      given.bytes.length === expected.length &&
      expected.every((byte, index) => given.bytes[index] === byte),
  };
}

/** The examples of SPEC.md, section 7, in its order. */
const EXAMPLES: readonly Example[] = [
  {
    id: "tree",
    title: "an object with a list, cut within a word",
    chunks: ['{"a": [1.50, tr', "ue]}"],
    log: ["{", "ka", "[", "n1.50", "|", "true", "]", "}", "|", "|", "!closed@19", "!closed@19"],
  },
  {
    id: "number",
    title: "a number that ends with the document",
    chunks: ["-0", "e+7"],
    log: ["|", "|", "n-0e+7", "|", "!closed@5", "!closed@5"],
  },
  {
    id: "escapes",
    title: "escapes and a character of four bytes",
    chunks: ['["\\ud83d\\ude00\\u00e9\\n😀"]'],
    log: ["[", "s😀é\n😀", "]", "|", "|", "!closed@28", "!closed@28"],
  },
  {
    id: "empty",
    title: "containers without members",
    chunks: ["[{ },[]]\n"],
    log: ["[", "{", "}", "[", "]", "]", "|", "|", "!closed@9", "!closed@9"],
  },
  {
    id: "nothing",
    title: "white space only",
    chunks: ["  "],
    log: ["|", "!unexpected-end@2", "!unexpected-end@2", "!unexpected-end@2"],
  },
  {
    id: "cut",
    title: "a document that ends early",
    chunks: ['[1,"a'],
    log: ["[", "n1", "|", "!unexpected-end@5", "!unexpected-end@5", "!unexpected-end@5"],
  },
  {
    id: "behind",
    title: "data behind the value",
    chunks: ["1 2"],
    log: ["n1", "!trailing-data@2", "!trailing-data@2", "!trailing-data@2", "!trailing-data@2"],
  },
  {
    id: "comma",
    title: "a comma too many",
    chunks: ['["x", ]'],
    log: ["[", "sx", "!unexpected-byte@6", "!unexpected-byte@6", "!unexpected-byte@6", "!unexpected-byte@6"],
  },
  {
    id: "zero",
    title: "a digit behind a leading zero",
    chunks: ["[01]"],
    log: ["[", "n0", "!unexpected-byte@2", "!unexpected-byte@2", "!unexpected-byte@2", "!unexpected-byte@2"],
  },
  {
    id: "point",
    title: "a point without digits",
    chunks: ["[1.]"],
    log: ["[", "!bad-number@3", "!bad-number@3", "!bad-number@3", "!bad-number@3"],
  },
  {
    id: "escape",
    title: "an escape that there is not",
    chunks: ['"\\x"'],
    log: ["!bad-escape@2", "!bad-escape@2", "!bad-escape@2", "!bad-escape@2"],
  },
  {
    id: "control",
    title: "a line feed in a string",
    chunks: ['"\n"'],
    log: ["!control-character@1", "!control-character@1", "!control-character@1", "!control-character@1"],
  },
  {
    id: "surrogate",
    title: "half of a pair",
    chunks: ['"\\ud83d!"'],
    log: ["!lone-surrogate@7", "!lone-surrogate@7", "!lone-surrogate@7", "!lone-surrogate@7"],
  },
  {
    id: "low",
    title: "the second half of a pair",
    chunks: ['"\\udc00"'],
    log: ["!lone-surrogate@4", "!lone-surrogate@4", "!lone-surrogate@4", "!lone-surrogate@4"],
  },
  {
    id: "twice",
    title: "a key that comes twice",
    chunks: ['{"a":1,"\\u0061":2}'],
    log: [
      "{",
      "ka",
      "n1",
      "!duplicate-key@14",
      "!duplicate-key@14",
      "!duplicate-key@14",
      "!duplicate-key@14",
    ],
  },
  {
    id: "deep",
    title: "deeper than allowed",
    chunks: ["[[[1]]]"],
    maxDepth: 2,
    log: ["[", "[", "!too-deep@2", "!too-deep@2", "!too-deep@2", "!too-deep@2"],
  },
];

export const kit: TaskKit = {
  task: "json-stream",
  deliverable: {
    required: ["json-stream.ts"],
    allowed: /^(?:[a-z][a-z0-9-]*\.ts|README\.md|test\/[a-z][a-z0-9-]*(?:\.test)?\.ts)$/,
    maxFiles: 24,
    maxBytes: 256 * 1024,
  },
  builds: { "linux-x64": build, "macos-arm64": build },
  lint: {
    tools: [NODE, MODULES],
    steps: [
      sh("cp -r /in/entry entry", `(${BIOME} lint --reporter=github --max-diagnostics=none entry || true)`),
    ],
    count: (output) => output.split("\n").filter((line) => /^::(?:error|warning|notice) /.test(line)).length,
  },
  examples: EXAMPLES.map(
    (example): SuiteCategory => ({ id: example.id, title: example.title, cases: () => [caseOf(example)] }),
  ),
  perf: {
    metrics: (["numbers", "strings", "unicode", "records"] satisfies Kind[]).map((id) => ({
      id,
      caseOf: (seed) => makeWorkload(seed, id),
    })),
  },
};
