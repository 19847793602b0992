import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { parseWithSchema } from "../../src/lib/strict-json/schema.ts";

const root = join(import.meta.dirname, "../..");

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Starts a door of the rehearsal as npm does, in an environment with or without `CI`. */
function start(script: string, words: readonly string[], ci: boolean): Promise<Ended> {
  const { CI: _, NO_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", script, ...words], {
    cwd: root,
    env: ci ? { ...env, CI: "true" } : env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

describe("npm start plays the whole path with the parts that ship", () => {
  let ended: Ended;
  beforeAll(async () => {
    ended = await start("rehearsal/start.ts", [], true);
  }, 120_000);

  it("ends well, and says so line by line", () => {
    expect(ended.code, ended.output).toBe(0);
    expect(ended.output).not.toContain("  NO  ");
  });

  it("merges the honest result and shows it in the feed", () => {
    expect(ended.output).toMatch(/yes +the honest result is on main, byte for byte/);
    expect(ended.output).toMatch(/yes +the feed on the branch published shows it/);
    expect(ended.output).toMatch(/assay\[bot\] +moves main from/);
  });

  it("blocks the raised score with both numbers, and no command merges it", () => {
    expect(ended.output).toMatch(/yes +#2 is blocked/);
    // Composite as claimed, and as recomputed from the same recipes.
    expect(ended.output).toMatch(/0\.9\d+.*0\.859646/);
  });

  it("blocks the edit of a committed result and names it", () => {
    expect(ended.output).toMatch(/yes +#3 is blocked/);
    expect(ended.output).toContain("pr-result-edited");
  });

  it("leaves each conversation as a page", () => {
    for (const number of [1, 2, 3]) {
      expect(existsSync(join(root, `rehearsal/.out/pull-request-${number}.html`))).toBe(true);
    }
  });
});

describe("npm run rehearse", () => {
  it("says what is wrong with its words", async () => {
    expect((await start("rehearsal/rehearse.ts", [], true)).code).toBe(2);
    const missing = await start("rehearsal/rehearse.ts", ["no-such-result.json"], true);
    expect(missing.code).toBe(1);
    expect(missing.output).toContain("file-");
    expect(missing.output).not.toContain("    at ");
  });

  it("plays a person's own result to its end", async () => {
    const own = await start("rehearsal/rehearse.ts", ["rehearsal/fixtures/honest-result.json"], false);
    expect(own.code, own.output).toBe(0);
    expect(own.output).toContain("It would land as it is.");
    // The fork-equal promise: what the workflow left, the bot's comment, and this machine say the same, byte for byte.
    expect(own.output).toMatch(
      /yes +judging the same commits without a workflow gives the same verdict document/,
    );
    const report = parseWithSchema(readFileSync(join(root, "rehearsal/.out/report.json")), reportSchema, {
      path: "report.json",
      code: "report",
    });
    if (!report.ok) throw new Error(JSON.stringify(report.findings));
    expect(report.value).toMatchObject({ verdict: "valid", mode: "head", pull_request: 1 });
    const comment = readFileSync(join(root, "rehearsal/.out/comment.md"), "utf8");
    expect(comment).toContain(`head=${report.value.head_sha}`);
  }, 120_000);
});
