import { randomFrom } from "../../src/lib/stats/random.ts";
import type { KitBuild, TaskKit } from "../../src/lib/task/kit.ts";
import { EXAMPLES } from "./examples.ts";

const RUST = {
  program: "rustc",
  hint: "Rust by rustup (https://rustup.rs), which also brings clippy",
  mount: { to: "/opt/rust", rootOf: "rustc" },
} as const;
/** Rust links by it. */
const LINKER = {
  program: "cc",
  hint: "a C compiler: the Debian package gcc, on macOS the command line tools",
} as const;
const TOOLS = [RUST, LINKER];

const FLAGS = ["--edition", "2021", "-C", "opt-level=3", "-C", "codegen-units=1"];
const LIBRARY = ["--crate-type", "rlib", "--crate-name", "range_coder", "/in/entry/src/lib.rs"];

const build: KitBuild = {
  tools: TOOLS,
  steps: [
    { command: ["mkdir", "-p", "out"] },
    { command: ["/opt/rust/bin/rustc", ...FLAGS, "-F", "unsafe_code", ...LIBRARY] },
    {
      command: [
        "/opt/rust/bin/rustc",
        ...FLAGS,
        "--extern",
        "range_coder=librange_coder.rlib",
        "-o",
        "out/driver",
        "/in/driver/driver.rs",
      ],
    },
  ],
  start: ["/opt/built/driver"],
  limits: {
    build: { wallSeconds: 90, cpuSeconds: 90 },
    run: { memoryBytes: 256 * 2 ** 20, processes: 4 },
  },
};

const SEED_BYTES = 8;
const OPERATION = { encode: 4, decode: 5 } as const;

/** driver/driver.rs makes the work from it. */
function caseOf(operation: number, seed: string): Uint8Array {
  const random = randomFrom(seed);
  return Uint8Array.from({ length: 1 + SEED_BYTES }, (_, index) =>
    index === 0 ? operation : random.below(256),
  );
}

export const kit: TaskKit = {
  task: "range-coder",
  deliverable: {
    required: ["src/lib.rs"],
    allowed: /^(?:src\/[a-z][a-z0-9_]*\.rs|tests\/[a-z][a-z0-9_]*\.rs|Cargo\.toml|README\.md)$/,
    maxFiles: 24,
    maxBytes: 256 * 1024,
  },
  builds: { "linux-x64": build, "macos-arm64": build },
  lint: {
    tools: TOOLS,
    steps: [
      {
        // Without clippy the compiler's own warnings are what can be had, and that is another count: there is none then.
        command: [
          "/opt/rust/bin/clippy-driver",
          "--edition",
          "2021",
          "--emit=metadata",
          "--error-format=short",
          "-W",
          "clippy::all",
          ...LIBRARY,
        ],
      },
    ],
    count: (output) => output.split("\n").filter((line) => /^[^ ]+:\d+:\d+: warning/.test(line)).length,
  },
  examples: EXAMPLES,
  perf: {
    metrics: (["encode", "decode"] as const).map((id) => ({
      id,
      caseOf: (seed) => caseOf(OPERATION[id], seed),
    })),
  },
};
