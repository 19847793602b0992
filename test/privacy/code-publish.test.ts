import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dataSchema } from "../../src/lib/code/derive/data-schema.ts";
import { defects, entry, finding, perf, review, run, session, usage } from "../lib/code/facts.ts";
import { factFiles, writeFacts } from "../lib/code/write-facts.ts";

const root = join(import.meta.dirname, "../..");
const CANARY = "canary-7f3a";
let planted = 0;
/** A string that is nowhere else. */
const canary = (): string => `${CANARY}-${++planted}`;

/** A repository in which every private place holds a string of its own. */
function repository(): string {
  const document = run({
    entries: [
      entry("e1", "alpha-1@high", {
        usage: usage({ logs: [{ name: `/home/${canary()}.jsonl`, sha256: ZERO, bytes: 1 }] }),
        perf: perf({ seed: canary(), note: canary() }),
      }),
      entry("e2", "beta-2@high"),
    ],
    council: {
      sessions: [
        session("s1", "j-alpha", [9, 7], {
          pack: { sha256: ZERO, seed: canary(), rubric: ZERO },
          reviews: [
            { ...review("A", 9, [finding("f1", { text: "Public words." })]), summary: canary() },
            review("B", 7),
          ],
        }),
      ],
      revisions: [],
    },
    revisions: [
      {
        kind: "perf",
        id: "r1",
        at: "2026-11-08T00:00:00.000Z",
        by: canary(),
        entry: "e2",
        reason: canary(),
        to: perf(),
      },
    ],
  });
  const files = factFiles([document], {
    "data/defects/coder.json": defects({
      defects: [
        {
          id: "D-1",
          title: "Overflow.",
          category: "correctness",
          severity: "high",
          method: "probe",
          probe: `${canary()}.rs`,
          note: canary(),
          added_at: "2026-11-10T00:00:00.000Z",
          entries: [{ run: "run-1", entry: "e1" }],
          findings: [],
        },
      ],
    }),
  });
  for (const path of [
    "tasks/coder/SPEC.md",
    "tasks/coder/hidden/h1.rs",
    "tasks/coder/bin/hidden",
    "tasks/coder/probes/p.rs",
    "data/entries/run-1/e1/src/lib.rs",
    "briefs/coder/alpha.md",
    ".env",
  ])
    files.set(path, canary());
  files.set("METHODOLOGY.md", "# Methodology\n");
  return writeFacts(files);
}
const ZERO = `sha256:${"0".repeat(64)}`;

const publish = (folder: string, out: string) =>
  spawnSync(join(root, "tools/bench"), ["publish", "--root", folder, "--out", out], { encoding: "utf8" });

describe("the public tree of the code benchmark", () => {
  const folder = repository();

  it("holds three files and nothing private", () => {
    const out = join(mkdtempSync(join(tmpdir(), "assay-public-")), "tree");
    const { status, stderr, stdout } = publish(folder, out);
    expect(stderr + stdout).not.toContain(CANARY);
    expect(status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["METHODOLOGY.md", "data.json", "pricing.json"]);
    const texts = readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"));
    expect(planted).toBeGreaterThan(12);
    expect(texts.filter((text) => text.includes(CANARY))).toEqual([]);
    const data = dataSchema.parse(JSON.parse(readFileSync(join(out, "data.json"), "utf8")));
    // What is public did get there.
    expect(data.entries[0]?.findings[0]?.text).toBe("Public words.");
    expect(publish(folder, out).status).toBe(0);
  });

  it("is not written into a folder that holds anything else", () => {
    const out = mkdtempSync(join(tmpdir(), "assay-public-"));
    writeFileSync(join(out, "brief.md"), "private");
    const { status, stderr, stdout } = publish(folder, out);
    expect(status).toBe(1);
    expect(stderr + stdout).toContain("code-publish-folder");
    expect(readdirSync(out)).toEqual(["brief.md"]);
  });

  it("is not written from facts that do not hold, nor from none", () => {
    const out = join(mkdtempSync(join(tmpdir(), "assay-public-")), "tree");
    const wrong = writeFacts(factFiles([run({ task: "decoder" })]));
    expect(publish(wrong, out)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("code-data-unknown-task"),
    });
    const nowhere = writeFacts(new Map([["METHODOLOGY.md", "# Methodology\n"]]));
    expect(publish(nowhere, out).stderr).toContain("code-data-root");
    const none = writeFacts(factFiles([]));
    expect(publish(none, out).stderr).toContain("code-publish-empty");
    const synthetic = writeFacts(factFiles([run({ synthetic: { seed: 1, generator: "test" } })]));
    expect(publish(synthetic, out).stderr).toContain("code-data-synthetic");
    expect(readdirSync(join(out, "..")).length).toBe(0);
  });
});
