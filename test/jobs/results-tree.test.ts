import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObjectReader } from "../../src/io/git.ts";
import { folderResults, gitResults, type ResultsTree } from "../../src/jobs/results-tree.ts";

let root = "";
let reader: ObjectReader;
let committed: ResultsTree;
let folder: ResultsTree;
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
    encoding: "utf8",
  }).trim();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "assay-tree-"));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  git("init", "-q", "-b", "main");
  // Names that git orders otherwise than text does: a folder counts as if it ended with a slash.
  for (const path of ["s/m/a.json", "s/m.x/b.json", "s/m-x/c.json", "s/m0/d.json", "s/é/e.json", "README.md"])
    await write(`benchmarks/results/${path}`, `{"path":"${path}"}`);
  await write("benchmarks/results/s/m/run.json", "{}");
  await chmod(join(root, "benchmarks/results/s/m/run.json"), 0o755);
  await symlink("a.json", join(root, "benchmarks/results/s/m/link.json"));
  await mkdir(join(root, "benchmarks/results/empty/deeper"), { recursive: true });
  git("add", ".");
  git("commit", "-qm", "results");
  reader = new ObjectReader(join(root, ".git"));
  committed = await gitResults(reader, git("rev-parse", "HEAD"));
  folder = await folderResults(root);
});
afterAll(async () => {
  reader.close();
  await rm(root, { recursive: true, force: true });
});

describe("the folder of results", () => {
  it("has the ids that git gives, whether git is asked or the files are read", async () => {
    expect(folder.tree).toBe(committed.tree);
    expect(folder.tree).toBe(git("rev-parse", "HEAD:benchmarks/results"));
    const levels = [[], ["s"], ...(await folder.level("s")).folders.map(({ name }) => ["s", name])];
    for (const below of levels) expect(await folder.level(...below)).toEqual(await committed.level(...below));
    expect((await committed.level("s", "m")).files).toMatchObject([
      { name: "a.json", mode: "100644" },
      { name: "link.json", mode: "120000" },
      { name: "run.json", mode: "100755" },
    ]);
  });

  it("gives bytes by blob, and nothing for what is not there", async () => {
    const path = "benchmarks/results/s/m/a.json";
    const blob = git("rev-parse", `HEAD:${path}`);
    for (const tree of [folder, committed]) {
      const [bytes] = await tree.read([{ path, blob }]);
      expect(new TextDecoder().decode(bytes ?? new Uint8Array())).toBe('{"path":"s/m/a.json"}');
    }
    expect(await committed.read([{ path, blob: "0".repeat(40) }])).toEqual([null]);
    expect(await committed.level("s", "nobody")).toEqual({ folders: [], files: [] });
  });

  it("may not be there at all", async () => {
    const none = await gitResults(reader, git("commit-tree", "-m", "x", git("mktree", "--missing")));
    expect(none.tree).toBeNull();
    expect(await none.level()).toEqual({ folders: [], files: [] });
    expect((await folderResults(join(root, ".git"))).tree).toBeNull();
  });
});
