import { execFile } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommittedTree } from "../../../src/io/committed-tree.ts";
import { RESULTS_FOLDER } from "../../../src/lib/benchmarks/result.ts";
import { feedSchema } from "../../../src/lib/feed/schema.ts";
import {
  commit,
  honestDocument,
  recipe,
  type TempRepository,
  tempRepository,
} from "../../jobs/temp-suite.ts";
import { runScript, type ScriptRun } from "../run-script.ts";

let repository: TempRepository;
const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> => {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  return (await run("git", ["-C", repository.root, ...identity, ...args])).stdout.trim();
};
const feed = (...args: string[]): Promise<ScriptRun> =>
  runScript("feed", ["--root", ".", ...args], repository.root);
const published = (name: string): string => join(repository.root, "published", name);

beforeAll(async () => {
  repository = await tempRepository();
  await git("init", "-q", "-b", "main");
  await repository.write(".gitignore", "/published/\n/benchmarks/bank/workbooks/\n");
  await git("add", ".");
  await git("commit", "-qm", "suite");
});
afterAll(() => repository.remove());

describe("npm run bench:feed", () => {
  it("names the committed tree, and gives the same bytes from the same tree", async () => {
    const model = {
      id: "openai/gpt-4o",
      parameters: { temperature: 0, max_tokens: 1, response_format: "none" as const },
    };
    await commit(repository, await honestDocument(repository.root, { "tt-one": recipe() }, { model }));
    await git("add", ".");
    await git("commit", "-qm", "result");
    const first = await feed();
    expect(first).toMatchObject({ code: 0, err: "" });
    const bytes = await readFile(published("feed.json"), "utf8");
    const value = feedSchema.parse(JSON.parse(bytes));
    expect(value.source_tree).toBe(await git("rev-parse", "HEAD^{tree}"));
    expect(first.out).toContain("1 results, 1 suites, 1 of");
    const second = await feed("--out", "elsewhere");
    expect(second.code).toBe(0);
    expect(await readFile(join(repository.root, "elsewhere/feed.json"), "utf8")).toBe(bytes);
  });

  it("says so when a file is where its folder has to be", async () => {
    await repository.write("published-file", "x");
    const refused = await feed("--out", "published-file");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/file-missing .*a file, not a folder/);
    expect(refused.err).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    await rm(join(repository.root, "published-file"));
  });

  it("stands for no tree when the folder differs from it", async () => {
    await repository.write("benchmarks/registry/note.txt", "x");
    const changed = await readCommittedTree(repository.root, ["benchmarks"]);
    expect(changed.tree).toBeNull();
    expect(await changed.mergeOrder([RESULTS_FOLDER])).toHaveLength(1);
    await run("rm", [join(repository.root, "benchmarks/registry/note.txt")]);
    expect((await readCommittedTree(repository.root, ["benchmarks"])).tree).toMatch(/^[0-9a-f]{40}$/);
    const outside = await readCommittedTree("/", ["benchmarks"]);
    expect(outside).toMatchObject({ tree: null, gitDir: null });
    expect(await outside.mergeOrder([RESULTS_FOLDER])).toEqual([]);
  });

  it("knows the order in which merges brought results to main", async () => {
    const add = async (branch: string, path: string): Promise<void> => {
      await git("checkout", "-q", "-b", branch, "main~0");
      await repository.write(path, "{}");
      await git("add", path);
      await git("commit", "-qm", branch);
      await git("checkout", "-q", "main");
    };
    const [late, early] = [`${RESULTS_FOLDER}/temp-1/a/late.json`, `${RESULTS_FOLDER}/temp-1/b/early.json`];
    await add("one", late);
    await add("two", early);
    for (const branch of ["two", "one"]) await git("merge", "-q", "--no-ff", "-m", branch, branch);
    const { mergeOrder } = await readCommittedTree(repository.root, ["benchmarks"]);
    expect((await mergeOrder([RESULTS_FOLDER])).slice(-2)).toEqual([early, late]);
    expect(await mergeOrder([late])).toEqual([late]);
    await git("reset", "-q", "--hard", "main~2");
  });

  it("writes nothing when a result does not hold, and leaves what was there", async () => {
    const before = await readFile(published("feed.json"), "utf8");
    await repository.write(`${RESULTS_FOLDER}/temp-1/x/broken.json`, "{");
    const failed = await feed();
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/broken\.json:1:\d+ json-/);
    expect(failed.err).toContain("Nothing was written");
    expect(await readFile(published("feed.json"), "utf8")).toBe(before);
    const nowhere = await feed("--out", "fresh");
    expect(nowhere.code).toBe(1);
    await expect(stat(join(repository.root, "fresh"))).rejects.toThrow("ENOENT");
  });

  it("refuses a tree id that is none", async () => {
    const wrong = await feed("--tree", "main");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("--tree takes a full git object id");
  });
});
