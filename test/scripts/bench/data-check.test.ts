import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeRun } from "../../../src/lib/code/schema/run-schema.ts";
import { committedRuns, dataFiles, pretty, runPath } from "../../jobs/data-folder.ts";
import { session } from "../../lib/code/facts.ts";
import { runScript } from "../run-script.ts";

/** A clone of a repository with facts, in which somebody adds some. */

let root: string;
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    encoding: "utf8",
  }).trim();
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "assay-data-check-"));
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", root]);
  for (const [path, { data }] of Object.entries(dataFiles({ runs: committedRuns() })))
    put(path, String(data));
  git("add", "--all");
  git("commit", "--quiet", "-m", "facts");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const check = (...args: string[]) =>
  runScript("../bench/main", ["data", "check", "--root", root, ...args], root);
const path = runPath("run-2");
const edit = (change: (run: CodeRun) => void): void => {
  const run = JSON.parse(readFileSync(join(root, path), "utf8")) as CodeRun;
  change(run);
  put(path, pretty(run));
};

describe("bench data check", () => {
  it("checks the folder by itself", async () => {
    expect(await check()).toMatchObject({ code: 0, out: "2 runs hold.\n" });
  });

  it("with a base, says of what lies in the working copy what the pull request would be told, and writes nothing", async () => {
    expect((await check("--base", "main")).out).toContain("Nothing under data/ differs.");
    edit((run) => run.council.sessions.push(session("s3", "j-gamma", [5, 8])));
    const before = git("status", "--porcelain");
    const { code, out, err } = await check("--base", "main");
    expect(code, err).toBe(0);
    expect(out).toContain("Verdict: needs-review");
    expect(out).toContain("Brings 1 review session to the code benchmark. **It moves 2 committed entries");
    expect(err).toContain("code-pr-declared (warning)");
    expect(git("status", "--porcelain")).toBe(before);
  });

  it("F22: shows where an old score was edited", async () => {
    edit((run) => Object.assign(run.council.sessions[0]?.reviews[0] ?? {}, { score: 10 }));
    const { code, out, err } = await check("--base", "main");
    expect([code, out]).toEqual([1, expect.stringContaining("Verdict: invalid")]);
    expect(err).toMatch(/data\/runs\/run-2\.json:\d+:\d+ code-pr-edited/);
    git("checkout", "--quiet", "--", ".");
  });

  it("shows what moves in a synthetic round too, and only when told that it is one", async () => {
    edit((run) => Object.assign(run, { synthetic: { generator: "g", seed: 1 } }));
    git("commit", "--quiet", "--all", "-m", "synthetic");
    edit((run) => run.council.sessions.push(session("s3", "j-gamma", [5, 8])));
    expect(await check("--base", "main")).toMatchObject({
      code: 1,
      err: expect.stringContaining("code-data-synthetic"),
    });
    const { code, out, err } = await check("--base", "main", "--synthetic");
    expect(code, err).toBe(0);
    expect(out).toContain("a pull request with them is refused");
    expect(out).toContain("It moves 2 committed entries");
    git("reset", "--quiet", "--hard", "HEAD~1");
  });

  it("a folder without facts does not pass as one in which all holds", async () => {
    const nowhere = join(root, "slip");
    for (const words of [["check"], ["check", "--base", "main"], ["build"]])
      expect(
        await runScript("../bench/main", ["data", ...words, "--root", nowhere], root),
        words.join(" "),
      ).toMatchObject({ code: 1, err: expect.stringContaining("code-data-root") });
  });

  it("says which base it does not know", async () => {
    expect(await check("--base", "nowhere")).toMatchObject({
      code: 1,
      err: expect.stringContaining("submit-base"),
    });
  });

  it("is where bench:validate sends whoever names a file of facts", async () => {
    const sent = await runScript("validate", ["--root", root, join(root, path)], root);
    expect(sent).toMatchObject({ code: 2, err: expect.stringContaining("data check --base") });
  });
});
