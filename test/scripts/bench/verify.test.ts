import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { documentDigest, resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { mergeMessage } from "../../../src/lib/bot/merge.ts";
import { publishMessage } from "../../../src/lib/bot/publish.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "../../jobs/temp-suite.ts";
import { runScript } from "../run-script.ts";

/** A project with one merged result and what was published of it, and copies of it that somebody meddled with. */
let made: TempRepository;
let document: ResultDocument;
let root: string;

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();

beforeAll(async () => {
  made = await tempRepository();
  root = made.root;
  await made.write(".gitignore", "/benchmarks/bank/workbooks/\n/published/\n");
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "-m", "A base");
  document = await honestDocument(
    root,
    { "tt-one": recipe(), "tt-two": recipe(), "tt-bank": recipe() },
    {
      model: {
        id: "google/gemini-2.5-pro",
        parameters: { temperature: null, max_tokens: null, response_format: "none" },
      },
    },
  );
  git("checkout", "--quiet", "-b", "pr");
  await made.write(resultPath(document), canonicalDocument(document));
  git("add", "--all");
  git("commit", "--quiet", "-m", "Add a result");
  const head = git("rev-parse", "HEAD");
  git("checkout", "--quiet", "main");
  git("merge", "--quiet", "--no-ff", "-m", mergeMessage(7, head), "pr");
  const feed = await runScript("feed", ["--root", root], root);
  expect(feed.code, feed.err).toBe(0);
  publish();
});
afterAll(() => made.remove());

/** Commits the folder `published/` to the branch of that name, on an index of its own. */
function publish(): void {
  const env = { ...process.env, GIT_INDEX_FILE: join(root, ".git/published.index") };
  const at = (...args: string[]): string =>
    execFileSync("git", ["-C", root, "--work-tree", join(root, "published"), ...args], {
      encoding: "utf8",
      env,
    }).trim();
  at("read-tree", "--empty");
  at("add", "--force", "--all", ".");
  const message = publishMessage(git("rev-parse", "main^{tree}"), git("rev-parse", "main"));
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  const commit = at(...who, "commit-tree", at("write-tree"), "-m", message);
  git("branch", "--force", "published", commit);
}

const verify = (...args: string[]) => runScript("../bench/main", ["verify", ...args, "--root", root], root);
const stepsOf = (out: string): Record<string, string> =>
  Object.fromEntries(
    out
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [[line.slice(6, 16).trim(), line.slice(0, 4).trim()]])),
  );

describe("bench verify", () => {
  it("follows a row back to its evidence, one line a step", async () => {
    const { code, out, err } = await verify("google/gemini-2.5-pro");
    expect(code, out + err).toBe(0);
    expect(new Set(Object.values(stepsOf(out)))).toEqual(new Set(["ok"]));
    expect(Object.keys(stepsOf(out))).toEqual([
      "published",
      "tree",
      "row",
      "document",
      "arrival",
      "suite",
      "rules",
      "evidence",
      "scores",
      "rank",
      "feed",
      "signature",
    ]);
    expect(out).toContain("pull request 7 brought it");
    expect(out).toContain("3 of 3 members recomputed");
    const byDigest = await verify(documentDigest(document).slice(7, 17));
    expect(byDigest.out).toBe(out);
  });

  it("says which rows there are none of", async () => {
    const { code, err } = await verify("nobody/nothing");
    expect(code).toBe(1);
    expect(err).toContain("verify-row");
  });

  it("leaves open what cannot be told here, and says so", async () => {
    const away = join(root, "benchmarks/bank/workbooks");
    const kept = await mkdtemp(join(tmpdir(), "assay-kept-"));
    await cp(away, kept, { recursive: true });
    await rm(away, { recursive: true });
    const { code, out, err } = await verify("google/gemini-2.5-pro");
    await cp(kept, away, { recursive: true });
    await rm(kept, { recursive: true });
    expect(code).toBe(0);
    expect(stepsOf(out)).toMatchObject({ evidence: "?", scores: "?", document: "ok" });
    expect(err).toContain("verify-evidence");
  });

  it("is no use without anything published, and says what to do", async () => {
    const tip = git("rev-parse", "published");
    git("branch", "--delete", "--force", "published");
    const { code, err } = await verify("google/gemini-2.5-pro");
    git("branch", "published", tip);
    expect(code).toBe(1);
    expect(err).toContain("git fetch origin published");
  });
});

describe("bench verify on a board that somebody changed", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-published-"));
    await cp(join(root, "published"), folder, { recursive: true });
    return () => rm(folder, { recursive: true });
  });

  const changed = async (path: string, change: (text: string) => string) => {
    const text = await readFile(join(folder, path), "utf8");
    const next = change(text);
    expect(next).not.toBe(text);
    await writeFile(join(folder, path), next);
    return verify("google/gemini-2.5-pro", "--published", folder);
  };

  it.each([
    [
      "scores",
      "board/temp-1.json",
      /"composite":1,"composite_version"/,
      '"composite":0.999,"composite_version"',
    ],
    ["rank", "board/temp-1.json", /"solved":3/, '"solved":2'],
    ["rank", "board/temp-1.json", /"rank":1/, '"rank":2'],
    ["tree", "board/temp-1.json", /"source_tree":"[0-9a-f]{40}"/, `"source_tree":"${"0".repeat(40)}"`],
    ["document", "board/temp-1.json", /"blob":"[0-9a-f]{40}"/, `"blob":"${"1".repeat(40)}"`],
    [
      "suite",
      "board/temp-1.json",
      /"suite":\{"digest":"sha256:[0-9a-f]{4}/,
      '"suite":{"digest":"sha256:0000',
    ],
    ["feed", "feed.json", /"position":1/, '"position":2'],
  ])("fails at the step %s", async (step, path, pattern, replacement) => {
    const { code, out, err } = await changed(path, (text) => text.replace(pattern, replacement));
    expect(code, out + err).toBe(1);
    expect(out + err).toContain(`verify-${step}`);
  });
});
