import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openProber } from "../../src/jobs/defect-prober.ts";
import { type DefectEntry, type Verified, verifyDefect } from "../../src/jobs/verify-defect.ts";
import type { Defect } from "../../src/lib/code/schema/defects-schema.ts";
import type { TaskKit } from "../../src/lib/task/kit.ts";
import { TASKS } from "../../tasks/index.ts";
import { findObstacle, makeField } from "../io/sandbox/field.ts";
import { task } from "../lib/code/facts.ts";

const obstacle = findObstacle();

/** A task in C that is as small as one can be: the driver answers with what `value()` gives, as one byte. */
const TINY = {
  "task.json": JSON.stringify(task({ id: "tiny", language: "c", hidden: { categories: ["h1"] } })),
  "driver/driver.c": `#include <unistd.h>
int value(void);
int main(void) {
  unsigned char head[5], rest[64], done[6] = {'D', 1, 0, 0, 0, 0};
  while (read(0, head, 5) == 5) {
    if (head[1] > 0) read(0, rest, head[1]);
    if (head[0] == 'C') write(1, "R\\0\\0\\0", 5);
    if (head[0] == 'G') { done[5] = value(); write(1, done, 6); }
    if (head[0] == 'E') return 0;
  }
}
`,
  "reference/tiny.c": "int value(void) { return 7; }\n",
  "probes/wrong-value.ts": `export const probe = {
  cases: [{ content: Uint8Array.of(0) }],
  look: ([answer]) => answer.kind !== "answer" ? "unclear" : answer.bytes[0] === 7 ? "absent" : "present",
};
`,
  "probes/wrong-value.sh": `printf 'int value(void); int main(void) { return value() == 7 ? 0 : value() == 8 ? 1 : 3; }' > probe.c
gcc -o probe probe.c /in/entry/tiny.c || exit 3
exec ./probe
`,
  "probes/always.sh": "exit 1\n",
  "probes/none.ts": "export const look = 1;\n",
  "probes/note.txt": "no probe\n",
  "hidden/suite.ts": `export const suite = { categories: [
  { id: "h1", title: "seven", cases: () => [{ content: Uint8Array.of(0), accepts: (a) => a.kind === "answer" && a.bytes[0] === 7 }] },
] };
`,
};
const kits: readonly TaskKit[] = [
  {
    task: "tiny",
    deliverable: { required: ["tiny.c"], allowed: /[.]c$/, maxFiles: 1, maxBytes: 1000 },
    builds: {
      "linux-x64": {
        tools: [{ program: "gcc", hint: "gcc" }],
        steps: [
          { command: ["mkdir", "out"] },
          { command: ["gcc", "-o", "out/driver", "/in/driver/driver.c", "/in/entry/tiny.c"] },
        ],
        start: ["/opt/built/driver"],
      },
    },
    examples: [],
    perf: { metrics: [] },
  },
];
const ENTRIES = {
  right: "int value(void) { return 7; }\n",
  wrong: "int value(void) { return 8; }\n",
  odd: "int value(void) { return 9; }\n",
  crash: "#include <stdlib.h>\nint value(void) { abort(); }\n",
  broken: "int value(void) {\n",
};

let scratch = "";
beforeAll(() => {
  scratch = makeField();
  const write = (path: string, text: string): void => {
    mkdirSync(join(scratch, path, ".."), { recursive: true });
    writeFileSync(join(scratch, path), text);
  };
  for (const [path, text] of Object.entries(TINY)) write(`tasks/tiny/${path}`, text);
  for (const [entry, text] of Object.entries(ENTRIES)) write(`entries/run-1/${entry}/tiny.c`, text);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const defect = (change: Partial<Defect>): Defect => ({
  id: "D-1",
  title: "A wrong value",
  category: "correctness",
  severity: "high",
  method: "probe",
  added_at: "2026-11-20T09:00:00.000Z",
  entries: [{ run: "run-1", entry: "wrong" }],
  findings: [],
  ...change,
});

const verify = (change: Partial<Defect>, listed: readonly string[], control?: string): Promise<Verified> =>
  verifyDefect({
    root: scratch,
    kits,
    env: {},
    task: "tiny",
    defect: defect(change),
    entries: [
      ...listed.map((entry): DefectEntry => ({ run: "run-1", entry, role: "judged" })),
      ...(control === undefined ? [] : [{ run: "run-1", entry: control, role: "control" } as const]),
    ],
    entriesFolder: join(scratch, "entries"),
    seed: "1",
  });
const states = ({ results }: Verified): string[] => results.map(({ entry, probe }) => `${entry} ${probe}`);

it.runIf(process.env.CI !== undefined)("can run where CI is set", () => expect(obstacle).toBeNull());

describe.skipIf(obstacle !== null)(
  `probes that build and run${obstacle === null ? "" : ` (skipped: ${obstacle})`}`,
  () => {
    it("a module asks the driver; an entry that does not build, or crashes, is neither confirmed nor not", async () => {
      const done = await verify({ probe: "wrong-value.ts" }, ["wrong", "right", "broken", "crash"]);
      expect(states(done)).toEqual([
        "wrong present",
        "right absent",
        "broken not-built",
        "crash failed",
        "reference absent",
      ]);
      expect(done.verification).toBe("partly");
      expect(done.findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
        "defect-not-built run-1/broken",
        "defect-probe-failed run-1/crash",
      ]);
    });

    it("a script answers by its exit code alone: 1 present, 0 absent, 3 nobody can tell", async () => {
      const done = await verify({ probe: "wrong-value.sh" }, ["wrong", "odd"], "right");
      expect(states(done)).toEqual(["wrong present", "odd failed", "right absent"]);
    });

    it("a probe that finds the defect on the control proves nothing", async () => {
      const done = await verify({ probe: "always.sh" }, ["wrong"]);
      expect(done.findings).toEqual([]);
      expect(states(done)).toEqual(["wrong present", "reference present"]);
      expect(done.verification).toBe("control-failed");
    });

    it("a hidden category that an entry fails shows it; of the vault, where there is one", async () => {
      const hidden = { method: "hidden-suite", hidden_category: "h1" } as const;
      expect((await verify(hidden, ["wrong"])).verification).toBe("confirmed");
      const vault = join(scratch, "vault");
      mkdirSync(join(vault, "tasks/tiny/hidden"), { recursive: true });
      writeFileSync(
        join(vault, "tasks/tiny/hidden/suite.ts"),
        'export const suite = { categories: [{ id: "h2" }] };\n',
      );
      const opened = await openProber(defect(hidden), {
        root: scratch,
        kits,
        env: { ASSAY_VAULT: vault },
        task: "tiny",
        seed: "1",
      });
      expect(opened.ok ? [] : opened.findings.map(({ code }) => code)).toEqual(["task-suite-other"]);
    });
  },
);

describe.skipIf(obstacle !== null)("the probe of inflate", () => {
  it("finds half a match in the deliverable that has it, not in another flawed one, nor in the reference", async () => {
    const flawed = join(import.meta.dirname, "../../tasks/inflate/flawed");
    for (const name of ["half-a-match", "room-left"])
      cpSync(join(flawed, name), join(scratch, "decoders/run-1", name), {
        recursive: true,
        filter: (path) => !path.endsWith(".json"),
      });
    const done = await verifyDefect({
      root: join(import.meta.dirname, "../.."),
      kits: TASKS,
      env: {},
      task: "inflate",
      defect: defect({ probe: "half-a-match.sh" }),
      entries: ["half-a-match", "room-left"].map((entry) => ({ run: "run-1", entry, role: "judged" })),
      entriesFolder: join(scratch, "decoders"),
      seed: "1",
    });
    expect(states(done)).toEqual(["half-a-match present", "room-left absent", "reference absent"]);
  });
});

describe("what cannot be run", () => {
  it.each<[string, Partial<Defect>, string, string]>([
    ["a defect found by reading", { method: "inspection" }, "refused", "defect-inspection"],
    ["a probe that is not there", { probe: "no.ts" }, "ours", "defect-probe-missing"],
    ["a file that is no program", { probe: "note.txt" }, "ours", "defect-probe-form"],
    ["a module that exports no probe", { probe: "none.ts" }, "ours", "defect-probe-form"],
    [
      "a category that no suite has",
      { method: "hidden-suite", hidden_category: "h9" },
      "ours",
      "defect-hidden-category",
    ],
  ])("%s is said to be so", async (_, change, outcome, code) => {
    const done = await verify(change, ["wrong"]);
    expect(done).toMatchObject({ outcome, results: [], verification: null });
    expect(done.findings.map((finding) => finding.code)).toEqual([code]);
  });

  it("a task without a kit is our affair", async () => {
    const opened = await openProber(defect({ method: "hidden-suite", hidden_category: "h1" }), {
      root: scratch,
      kits,
      env: {},
      task: "nothing",
      seed: "1",
    });
    expect(opened).toMatchObject({ ok: false, outcome: "ours", findings: [{ code: "task-unknown" }] });
  });

  it("an entry without files is our affair: nothing follows", async () => {
    const done = await verify({ probe: "wrong-value.ts" }, ["nowhere"]);
    expect(done).toMatchObject({ outcome: "ours", verification: null });
    expect(done.findings.map(({ code }) => code)).toEqual(["defect-entry-missing"]);
  });
});
