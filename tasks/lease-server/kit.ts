import type { Case, KitBuild, SuiteCategory, TaskKit } from "../../src/lib/task/kit.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An example of SPEC.md: steps on the left, what they give on the right. */
const example = (
  id: string,
  title: string,
  steps: readonly string[],
  answer: readonly string[],
): SuiteCategory => {
  const right = utf8(answer.join("\n"));
  const one: Case = {
    content: utf8(`S${steps.join("\n")}`),
    accepts: (given) =>
      given.kind === "answer" &&
      given.bytes.length === right.length &&
      right.every((byte, index) => given.bytes[index] === byte),
  };
  return { id, title, cases: () => [one] };
};

const build: KitBuild = {
  tools: [
    { program: "elixirc", hint: "the Debian packages elixir and erlang-base" },
    { program: "erl", hint: "the Debian package erlang-base" },
  ],
  // The driver last: whatever a deliverable calls its modules, the driver's are ours.
  steps: [
    { command: ["elixirc", "-o", "/job/out", "/in/entry"] },
    { command: ["elixirc", "--ignore-module-conflict", "-pa", "/job/out", "-o", "/job/out", "/in/driver"] },
  ],
  start: ["sh", "/in/driver/start.sh"],
  limits: {
    build: { wallSeconds: 60, cpuSeconds: 60, memoryBytes: 2 ** 30, processes: 64 },
    run: { memoryBytes: 2 ** 30, processes: 64 },
  },
};

/** The first byte says which work (`driver/work.ex`), the rest is what its data are drawn by. */
const work =
  (kind: "U" | "L" | "C") =>
  (seed: string): Uint8Array =>
    utf8(`${kind}${seed}`);

export const kit: TaskKit = {
  task: "lease-server",
  deliverable: {
    required: ["lease_server.ex"],
    allowed: /^[a-z][a-z0-9_]{0,59}\.ex$/,
    maxFiles: 20,
    maxBytes: 2 ** 20,
  },
  builds: { "linux-x64": build, "macos-arm64": build },
  lint: {
    tools: build.tools,
    steps: [{ command: ["elixirc", "-o", "/job/out", "/in/entry"] }],
    count: (output) => output.split("\n").filter((line) => /^\s*warning: /.test(line)).length,
  },
  examples: [
    example(
      "order",
      "Waiting, renewing, expiry and stale tokens",
      [
        "c1 acquire a 10",
        "c2 request a 20 inf",
        "c3 request a 5 30",
        "c1 renew a 1 15",
        "advance 15",
        "c1 release a 1",
        "c1 release a 2",
        "snapshot",
        "advance 15",
        "c2 release a 2",
        "c3 acquire a 5",
      ],
      [
        "c1 = ok 1",
        "c2 = queued r1",
        "c3 = queued r2",
        "c1 = ok 15",
        "now = 15",
        "  c1 < expired a 1",
        "  c2 < granted r1 2",
        "c1 = error stale",
        "c1 = error not_holder",
        "now = 15",
        "  a c2 2 35 [c3]",
        "now = 30",
        "  c3 < timeout r2",
        "c2 = ok",
        "c3 = ok 3",
      ],
    ),
    example(
      "chain",
      "Leases that follow one another in one advance, and a process that dies",
      [
        "c1 acquire a 10",
        "c2 request a 10 inf",
        "c3 request a 10 inf",
        "advance 25",
        "snapshot",
        "kill c3",
        "c1 acquire a 1",
      ],
      [
        "c1 = ok 1",
        "c2 = queued r1",
        "c3 = queued r2",
        "now = 25",
        "  c1 < expired a 1",
        "  c2 < granted r1 2",
        "  c2 < expired a 2",
        "  c3 < granted r2 3",
        "now = 25",
        "  a c3 3 30 []",
        "c3 = ended",
        "c1 = ok 4",
      ],
    ),
  ],
  perf: {
    metrics: [
      { id: "alone", caseOf: work("U") },
      { id: "lines", caseOf: work("L") },
      { id: "crowd", caseOf: work("C") },
    ],
  },
};
