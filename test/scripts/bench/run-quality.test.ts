import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSchema } from "../../../src/lib/code/schema/run-schema.ts";
import type { Language } from "../../../src/lib/code/schema/task-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { committedRuns, dataFiles, runPath } from "../../jobs/data-folder.ts";
import { task } from "../../lib/code/facts.ts";
import { writeFacts } from "../../lib/code/write-facts.ts";
import { runScript } from "../run-script.ts";

let root = "";
beforeEach(() => {
  root = writeFacts(
    new Map(
      Object.entries(dataFiles({ runs: committedRuns() })).map(([path, { data }]) => [path, String(data)]),
    ),
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const RUN = committedRuns()[0]!.id;
const file = () => join(root, runPath(RUN));
const text = (): string => readFileSync(file(), "utf8");
const committed = () => runSchema.parse(JSON.parse(text()));
const quality = (...args: string[]) => runScript("../bench/main", ["run", "quality", ...args], root);
const onRun = (...args: string[]) => quality(RUN, "--root", root, ...args);
const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

describe("bench run quality", () => {
  it("adds metrics to the entries that have none, and changes nothing else of the file", async () => {
    const before = text();
    const { code, out, err } = await onRun();
    expect(code, err).toBe(0);
    expect(out).toMatch(/^e1 alpha-1@high +1 +50\.0% +0\.0% +1 +1\.00 +1 +0 +– +measured$/m);
    for (const entry of committed().entries) {
      expect(entry.quality).toMatchObject({
        tool: { name: "tree", version: "1", grammar: expect.stringMatching(/ \d+\.\d+\.\d+$/) },
        files: [{ path: "src/lib.rs", sha256: entry.deliverable[0]?.sha256 }],
        lines: { implementation: 1, comment: 1, significant: 1, duplicated: 0 },
        complexity: { functions: [[0, 2, 1, "encode"]], syntax_errors: 0 },
      });
    }
    expect(text().replace(/,\n *"quality": \{.*\}(?=\n)/g, "")).toBe(before);
  });

  it("never overwrites what is committed, and checks it on request", async () => {
    await onRun();
    const once = text();
    expect((await onRun()).out).toMatch(/as committed$/m);
    expect(text()).toBe(once);
    expect(await onRun("--check")).toMatchObject({ code: 0, err: "" });
    writeFileSync(file(), once.replace('"implementation":1', '"implementation":7'));
    const { code, err, out } = await onRun("--check");
    expect(code).toBe(1);
    expect(err).toContain("code-quality-changed");
    expect(err).toMatch(/expected: 1\n.*(?:found|actual): 7/);
    expect(out).toMatch(/changed$/m);
    expect(await onRun()).toMatchObject({ code: 0 });
    expect(text()).toContain('"implementation":7');
  });

  it("measures no deliverable that is not the one its run lists; the others it does", async () => {
    put(`data/entries/${RUN}/e1/src/lib.rs`, "fn other() {}\n");
    unlinkSync(join(root, `data/entries/${RUN}/e2/src/lib.rs`));
    const { code, err } = await onRun();
    expect(code).toBe(1);
    expect(err.match(/code-entry-digest/g)).toHaveLength(2);
    expect(committed().entries.map((entry) => entry.quality !== undefined)).toEqual([false, false, true]);
  });

  it("writes nothing for a deliverable with more functions than a run can hold", async () => {
    const source = "fn f() {}\n".repeat(20_001);
    put(`data/entries/${RUN}/e1/src/lib.rs`, source);
    const changed = committed();
    Object.assign(changed.entries[0]!.deliverable[0]!, { sha256: digestOf(source), bytes: source.length });
    put(runPath(RUN), JSON.stringify(changed));
    const { code, err } = await onRun("--entry", "e1");
    expect(code).toBe(1);
    expect(err).toContain("code-quality-too-many");
    expect(text()).toBe(JSON.stringify(changed));
  });

  it("takes the linter's counts, also for entries measured before, once", async () => {
    await onRun("--entry", "e1");
    expect(committed().entries.map((entry) => entry.quality !== undefined)).toEqual([true, false, false]);
    const lint = { tool: "cargo clippy", version: "1.92.0" };
    const counts = (e1: number) =>
      put(
        "lint.json",
        JSON.stringify({
          ...lint,
          entries: [
            { id: "e1", warnings: e1 },
            { id: "e2", warnings: 0 },
          ],
        }),
      );
    counts(3);
    const { code, err } = await onRun("--lint", "lint.json");
    expect(code, err).toBe(0);
    const warnings = () => committed().entries.map((entry) => entry.quality?.lint?.warnings);
    expect(warnings()).toEqual([3, 0, undefined]);
    counts(9);
    await onRun("--lint", "lint.json");
    expect(warnings()).toEqual([3, 0, undefined]);
    expect(await onRun("--check")).toMatchObject({ code: 0 });
  });

  it("says what it does not know", async () => {
    put("lint.json", JSON.stringify({ tool: "x", version: "1", entries: [{ id: "e9", warnings: 3 }] }));
    expect((await onRun("--lint", "lint.json")).err).toContain("code-quality-unknown-entry");
    put("lint.json", JSON.stringify({ tool: "x", entries: [] }));
    expect((await onRun("--lint", "lint.json")).err).toContain("code-data-missing-key");
    expect((await onRun("--entry", "e9")).err).toContain("code-quality-unknown-entry");
    expect((await quality("nope", "--root", root)).err).toContain("code-data-missing-file");
    expect((await quality()).err).toContain("code-quality-target");
    expect((await quality("--folder", root)).err).toContain("code-quality-language");
    expect((await quality("--folder", "nope", "--language", "c")).err).toContain("file-missing");
  });

  it.each<[Language, string]>([
    ["elixir", "cannot parse elixir"],
    ["aarch64-assembly", "cannot parse aarch64-assembly"],
  ])("shows a dash and why for %s", async (language, reason) => {
    put("tasks/coder/task.json", JSON.stringify(task({ language })));
    const { out } = await onRun("--entry", "e1");
    expect(out).toMatch(new RegExp(`– +– +– +– +– +measured, without 1 other-language; ${reason}$`, "m"));
    expect(committed().entries[0]?.quality?.complexity).toEqual({ unsupported: reason });
  });

  it("measures a folder and names what it leaves out", async () => {
    put("code/src/lib.rs", "fn f() { if a {} }\n#[cfg(test)]\nmod tests { fn t() {} }\n");
    put("code/tests/a.rs", "fn t() {}\n");
    const { code, out, err } = await quality("--folder", "code", "--language", "rust");
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /^code +1 +0\.0% +0\.0% +1 +2\.00 +2 +0 +– +measured, without 1 test, 1 #\[cfg\(test\)\]$/m,
    );
    expect(out).toContain("left out: tests/a.rs (test)\n");
    expect(out).toContain("left out: 1 #[cfg(test)] in src/lib.rs\n");
  });
});
