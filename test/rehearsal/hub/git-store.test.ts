import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeTrees, type TreeChange, writeTree } from "../../../rehearsal/hub/git-merge.ts";
import { GitRepo } from "../../../rehearsal/hub/git-repo.ts";

/** What the hub does with git's files itself, held against git. */

let dir: string;
let git: GitRepo;
let random: () => number;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hub-git-"));
  const env = { PATH: process.env.PATH ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1" };
  git = new GitRepo(dir, env);
  await git.run(["init", "--quiet", "--bare", dir]);
  let state = 20_261_201;
  random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 2 ** 31;
  };
});
afterAll(async () => {
  git.close();
  await rm(dir, { recursive: true, force: true });
});

const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
/** Names whose order differs by whether they are files or folders, and that are each other's folders. */
const PATHS = ["a", "a.b", "a-b", "a0", "a/b", "a/b/c", "a/z", "b", "b/é", "c d", "Z"];

async function changes(count: number): Promise<TreeChange[]> {
  const made: TreeChange[] = [];
  for (let index = 0; index < count; index += 1) {
    const gone = random() < 0.3;
    const text = `${pick(["one", "two", "three"])}\n`;
    const mode = pick(["100644", "100644", "100755"]);
    made.push({ path: pick(PATHS), mode, sha: gone ? null : await git.writeBlob(Buffer.from(text)) });
  }
  return made;
}

/** The same by git's index. */
async function byIndex(base: string | null, rows: readonly TreeChange[]): Promise<string> {
  const env = { GIT_INDEX_FILE: join(dir, "test-index") };
  await git.run(base === null ? ["read-tree", "--empty"] : ["read-tree", base], { env });
  for (const { path, mode, sha } of rows) {
    const row = sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`;
    await git.run(["update-index", "--replace", "-z", "--index-info"], { env, input: row });
  }
  return git.line(["write-tree"], { env });
}

async function commit(tree: string, parents: readonly string[], second: number): Promise<string> {
  const person = { name: "Someone", email: "someone@localhost", when: `${1_700_000_000 + second} +0000` };
  return git.writeCommit({ tree, parents, author: person, committer: person, message: `At ${second}` });
}

describe("trees", () => {
  it("are written as git's index writes them", async () => {
    let base: string | null = null;
    for (let round = 0; round < 40; round += 1) {
      const rows = await changes(1 + Math.floor(random() * 4));
      const written = await writeTree(git, base, rows);
      expect(written, JSON.stringify(rows)).toBe(await byIndex(base, rows));
      base = random() < 0.1 ? null : written;
    }
    expect((await git.try(["fsck", "--strict", "--no-dangling"])).code).toBe(0);
  }, 60_000);

  it("are merged as git merges them, or not at all where git would ask", async () => {
    let merged = 0;
    let refused = 0;
    for (let round = 0; round < 30; round += 1) {
      const base = await writeTree(git, null, await changes(6));
      const [left, right] = [
        await writeTree(git, base, await changes(2)),
        await writeTree(git, base, await changes(2)),
      ];
      const root = await commit(base, [], round);
      const ours = await commit(left, [root], 100 + round);
      const theirs = await commit(right, [root], 200 + round);
      const tree = await mergeTrees(git, ours, theirs);
      const env = { GIT_INDEX_FILE: join(dir, "merge-index") };
      await rm(join(dir, "merge-index"), { force: true });
      const read = await git.try(["read-tree", "-i", "-m", "--aggressive", root, ours, theirs], { env });
      const open = read.code === 0 ? (await git.line(["ls-files", "-u"], { env })) !== "" : true;
      if (!open) expect(tree).toBe(await git.line(["write-tree"], { env }));
      if (tree === null) expect(open).toBe(true);
      if (tree === null) refused += 1;
      else merged += 1;
    }
    expect(Math.min(merged, refused)).toBeGreaterThan(3);
  }, 60_000);

  it("merge two edits of one file that lie apart", async () => {
    const text = (first: string, last: string): Buffer => Buffer.from(`${first}\n2\n3\n4\n5\n6\n${last}\n`);
    const file = async (content: Buffer): Promise<string> =>
      writeTree(git, null, [{ path: "f", mode: "100644", sha: await git.writeBlob(content) }]);
    const root = await commit(await file(text("1", "7")), [], 1);
    const ours = await commit(await file(text("one", "7")), [root], 2);
    const theirs = await commit(await file(text("1", "seven")), [root], 3);
    expect(await mergeTrees(git, ours, theirs)).toBe(await file(text("one", "seven")));
    const clash = await commit(await file(text("uno", "7")), [root], 3);
    expect(await mergeTrees(git, ours, clash)).toBeNull();
  });
});

describe("history", () => {
  it("is walked as git walks it", async () => {
    const tree = await writeTree(git, null, []);
    const commits: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      const parents = index === 0 ? [] : [...new Set([pick(commits.slice(-6)), pick(commits.slice(-6))])];
      commits.push(await commit(tree, parents, index));
    }
    for (let round = 0; round < 40; round += 1) {
      const [left, right] = [pick(commits), pick(commits)];
      const code = (await git.try(["merge-base", "--is-ancestor", left, right])).code;
      expect(await git.isAncestor(left, right)).toBe(code === 0);
      const bases = (await git.line(["merge-base", "--all", left, right])).split("\n");
      expect(bases).toContain(await git.mergeBase(left, right));
      const listed = await git.line(["rev-list", left, `^${right}`]);
      expect(await git.revList(left, [right])).toEqual(listed === "" ? [] : listed.split("\n"));
      expect([...(await git.arrived(right, left))].sort()).toEqual(
        listed === "" ? [] : listed.split("\n").sort(),
      );
      const line = await git.line(["rev-list", "--first-parent", left]);
      expect(await git.revList(left, [], { firstParent: true, max: 5 })).toEqual(
        line.split("\n").slice(0, 5),
      );
    }
  }, 60_000);

  it("is read from packs as well, also what is packed later", async () => {
    const blob = await git.writeBlob(Buffer.from("in a pack\0with a zero"));
    const tree = await writeTree(git, null, [{ path: "p", mode: "100644", sha: blob }]);
    await git.setRef("refs/heads/packed", await commit(tree, [], 5));
    await git.run(["repack", "-a", "-d", "--quiet"]);
    await git.run(["prune-packed"]);
    const other = new GitRepo(dir, { PATH: process.env.PATH ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1" });
    try {
      expect((await other.blob(blob)).toString()).toBe("in a pack\0with a zero");
      expect(await other.entry(tree, "p")).toMatchObject({ sha: blob, size: 21, mode: "100644" });
      const big = await git.writeBlob(Buffer.alloc(300_000, "big "));
      await git.setRef("refs/tags/big", big);
      await git.run(["repack", "-a", "-d", "--quiet"]);
      expect((await other.blob(big)).length).toBe(300_000);
      expect(await other.typeOf("1".repeat(40))).toBeNull();
    } finally {
      other.close();
    }
  });
});

describe("refs", () => {
  it("move under git's own rules, packed or not", async () => {
    const tree = await writeTree(git, null, []);
    const [one, two] = [await commit(tree, [], 11), await commit(tree, [], 12)];
    const name = "refs/heads/x/y";
    expect(await git.moveRef(name, one, two)).toBe(false);
    expect(await git.moveRef(name, null, one)).toBe(true);
    expect(await git.moveRef(name, null, two)).toBe(false);
    expect(await git.line(["rev-parse", name])).toBe(one);
    await git.run(["pack-refs", "--all"]);
    expect(await git.ref(name)).toBe(one);
    expect(await git.moveRef("refs/heads/x", null, one)).toBe(false);
    expect(await git.moveRef(`${name}/z`, null, one)).toBe(false);
    expect(await git.moveRef(name, one, two)).toBe(true);
    expect(await git.line(["rev-parse", name])).toBe(two);
    expect(await git.moveRef(name, two, null)).toBe(true);
    expect(await git.ref(name)).toBeNull();
    expect((await git.try(["rev-parse", "--verify", "--quiet", name])).code).not.toBe(0);
    expect(await git.moveRef("refs/heads/x", null, one)).toBe(true);
  });

  it.each([
    ["refs/heads/ok-1.x", true],
    ["refs/heads/.x", false],
    ["refs/heads/x.lock", false],
    ["refs/heads/a..b", false],
    ["refs/heads/a b", false],
    ["refs/heads/a~1", false],
    ["refs/heads/x.", false],
    ["refs/heads//x", false],
    ["refs/heads/x/", false],
    ["refs/heads/a@{b", false],
    ["refs/heads/../../config", false],
    ["main", false],
  ])("%s is a name: %s", async (name, valid) => {
    expect(git.validRef(name)).toBe(valid);
    expect((await git.try(["check-ref-format", name])).code === 0).toBe(valid);
  });
});
