import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSchema } from "../../../src/lib/code/schema/run-schema.ts";
import { usageSchema } from "../../../src/lib/code/schema/usage-schema.ts";
import { committedRuns, pretty } from "../../jobs/data-folder.ts";
import { CLAUDE, CODEX } from "../../lib/code/usage/logs.ts";
import { runScript } from "../run-script.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-import-"));
  for (const { name, bytes } of CLAUDE) put(`claude/-home-somebody-work/${name}`, bytes);
  put("claude/-home-somebody-work/.credentials.json", '{"token": "secret"}');
  for (const { bytes } of CODEX) {
    put("codex/sessions/2026/11/05/rollout-th1.jsonl", bytes);
    put("codex/archived_sessions/2026/11/05/rollout-th1.jsonl", bytes);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, data: Uint8Array | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), data);
}
const at = (path: string): string => readFileSync(join(folder, path), "utf8");
const bench = (...args: string[]) => runScript("../bench/main", ["run", "import-usage", ...args], folder);

describe("bench run import-usage", () => {
  it("reads whole folders, prints a table, and writes the document", async () => {
    const { code, out, err } = await bench("claude/-home-somebody-work", "--out", "usage.json");
    expect(code, err).toBe(0);
    expect(out).toMatch(/^claude-opus-5-5 +standard +3 +12 +20,000 +3,000 +21,500 +0 +565 +0$/m);
    expect(out).toContain("wall clock 40.25 s");
    expect(err, "credentials beside the logs are not even looked at").toBe("");
    const usage = usageSchema.parse(JSON.parse(at("usage.json")));
    expect(usage.logs.map(({ name }) => name)).toEqual(["s1.jsonl", "s1/subagents/agent-1.jsonl"]);
    expect(at("usage.json")).not.toContain("somebody");
  });

  it("leaves out archived copies, also where both folders are named one by one", async () => {
    for (const folders of [["codex"], ["codex/archived_sessions", "codex/sessions"]]) {
      const { code, out, err } = await bench(...folders);
      expect(code, err).toBe(0);
      const usage = usageSchema.parse(JSON.parse(out.trimEnd().split("\n").at(-1) ?? ""));
      expect(usage.requests).toHaveLength(2);
    }
  });

  it("puts usage into a run once, and changes nothing else of the file", async () => {
    const [first] = committedRuns();
    const run = structuredClone(first!);
    for (const entry of run.entries) delete entry.usage;
    const before = pretty(run);
    put("data/runs/r.json", before);
    const into = ["--run", "data/runs/r.json", "--entry", run.entries[1]!.id];
    const { code, err } = await bench("codex", ...into);
    expect(code, err).toBe(0);
    const after = at("data/runs/r.json");
    expect(runSchema.parse(JSON.parse(after)).entries.map(({ usage }) => usage?.harness)).toEqual(
      run.entries.map((_, index) => (index === 1 ? "codex" : undefined)),
    );
    expect(after.replace(/,\n *"usage": \{"harness":"codex".*\}(?=\n)/, "")).toBe(before);
    const again = await bench("claude/-home-somebody-work", ...into);
    expect(again.code).toBe(1);
    expect(again.err).toContain("code-usage-present");
    expect(at("data/runs/r.json")).toBe(after);
  });

  it("writes nothing where the logs cannot be read, and says what is wrong", async () => {
    put(
      "bad/s.jsonl",
      '{"type":"turn_context","payload":{"model":"m"}}\n{"type":"token_usage_record","payload":{}}\n',
    );
    const { code, err } = await bench("bad", "--out", "usage.json");
    expect(code).toBe(1);
    expect(err).toContain("code-usage-thread");
    expect(() => at("usage.json")).toThrow();
    const missing = await bench("nowhere.jsonl");
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("file-missing");
  });

  it("wants to know whose usage it is, and refuses wrong words", async () => {
    const vague = await bench("codex", "--run", "data/runs/r.json");
    expect(vague.err).toContain("code-usage-target");
    const idle = await bench("codex", "--entry", "e1");
    expect(idle.err).toContain("code-usage-target");
    expect((await bench("codex", "--harness", "vim")).code).toBe(2);
    expect((await bench()).code).toBe(2);
  });

  it("shows what a log calls a model without letting it move the cursor", async () => {
    const [file] = CODEX;
    const text = new TextDecoder().decode(file?.bytes).replaceAll("gpt-6.1-sol", "gpt\\u001b[2J");
    put("evil/rollout.jsonl", text);
    const { out } = await bench("evil", "--out", "usage.json");
    expect(out).not.toContain("\u001b");
    expect(out).toContain("gpt\\u001b[2J");
  });
});
