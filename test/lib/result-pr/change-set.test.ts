import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ObjectReader } from "../../../src/io/git.ts";
import { readTreeChanges } from "../../../src/io/git-changes.ts";
import {
  type Change,
  compareFolders,
  isResultPath,
  parseTreeListing,
  parseTreeObject,
  type TreeEntry,
} from "../../../src/lib/result-pr/change-set.ts";

const gitDir = mkdtempSync(join(tmpdir(), "assay-changes-"));
const git = (args: string[], input = "", index?: string): string =>
  execFileSync("git", ["--git-dir", gitDir, ...args], {
    input,
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) },
  });
git(["init", "--quiet", "--bare"]);
const blobs = ["one", "two", "three"].map((text) => git(["hash-object", "-w", "--stdin"], text).trim());
let counter = 0;

type Files = Readonly<Record<string, readonly [mode: string, blob: number]>>;

function treeOf(files: Files): string {
  counter += 1;
  const index = join(gitDir, `index-${counter}`);
  const lines = Object.entries(files).map(([path, [mode, blob]]) => `${mode} ${blobs[blob]}\t${path}\0`);
  git(["update-index", "-z", "--index-info"], lines.join(""), index);
  return git(["write-tree"], "", index).trim();
}

/** Slow twin: both trees listed whole and compared name by name. */
function compareListings(before: readonly TreeEntry[], after: readonly TreeEntry[]): Change[] {
  const side = (entry: TreeEntry | undefined) =>
    entry === undefined ? null : { mode: entry.mode, oid: entry.oid };
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].sort();
  return paths.flatMap((path): Change[] => {
    const [was, now] = [before, after].map((list) => side(list.find((entry) => entry.path === path)));
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    const status = was === null ? "added" : now === null ? "deleted" : "modified";
    return [{ path, status, before: was ?? null, after: now ?? null }];
  });
}

const listing = (tree: string): TreeEntry[] => parseTreeListing(git(["ls-tree", "-r", "-z", tree]));

const files = fc.dictionary(
  fc.constantFrom("a", "b.json", "d/a", "d/e/f", "d/e/g", "h/a b", "h/ü", "h/\n::error::x", 'h/"q"', "h/-rf"),
  fc.tuple(fc.constantFrom("100644", "100755", "120000"), fc.nat(2)),
);

const FILE: readonly [string, number] = ["100644", 0];

describe("the change set", () => {
  it("is what two whole listings differ in, whatever the names", async () => {
    const reader = new ObjectReader(gitDir);
    await fc.assert(
      fc.asyncProperty(files, files, async (one, two) => {
        const [before, after] = [treeOf(one), treeOf(two)];
        const found = await readTreeChanges(reader, before, after, 1000);
        expect(found).toEqual({
          changes: compareListings(listing(before), listing(after)),
          truncated: false,
          resultsSeen: true,
        });
      }),
      { numRuns: 40 },
    );
    reader.close();
  });

  it("says that a file took a folder's place, and the other way round", async () => {
    const reader = new ObjectReader(gitDir);
    const [file, folder] = [treeOf({ x: ["100644", 0] }), treeOf({ "x/y": ["100644", 0] })];
    const names = ({ changes }: { changes: Change[] }) => changes.map(({ path, status }) => [path, status]);
    expect(names(await readTreeChanges(reader, file, folder, 10))).toEqual([
      ["x", "deleted"],
      ["x/y", "added"],
    ]);
    expect(names(await readTreeChanges(reader, folder, file, 10))).toEqual([
      ["x", "added"],
      ["x/y", "deleted"],
    ]);
    reader.close();
  });

  it("stops at its limit and says so", async () => {
    const reader = new ObjectReader(gitDir);
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`n${index}`, ["100644", 0] as const]),
    );
    const found = await readTreeChanges(reader, treeOf({}), treeOf(many), 10);
    expect(found.changes).toHaveLength(10);
    expect(found.truncated).toBe(true);
    reader.close();
  });

  it("F45: finds a result among more files than it counts, wherever and however it is spelt", async () => {
    const reader = new ObjectReader(gitDir);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`a${index}/b/c`, FILE]));
    for (const path of ["benchmarks/results/s/m/x.json", "Benchmarks/RESULTS/s/m/x.json"]) {
      const found = await readTreeChanges(reader, treeOf({}), treeOf({ ...many, [path]: FILE }), 40);
      expect(found).toMatchObject({ truncated: true, resultsSeen: true });
      expect(found.changes.map((change) => change.path)).toContain(path);
    }
    const flat = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, FILE]));
    const path = "benchmarks/results/s/m/x.json";
    const found = await readTreeChanges(reader, treeOf({}), treeOf({ ...flat, [path]: FILE }), 40);
    expect(found).toMatchObject({ changes: { length: 40 }, truncated: true, resultsSeen: true });
    expect(found.changes.map((change) => change.path)).toContain(path);
    const results = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`benchmarks/results/s/m/${index}.json`, FILE]),
    );
    expect(await readTreeChanges(reader, treeOf({}), treeOf(results), 40)).toMatchObject({
      truncated: true,
      resultsSeen: false,
    });
    reader.close();
  });

  it("stops in one folder of more entries than a call takes arguments", async () => {
    const reader = new ObjectReader(gitDir);
    const lines = Array.from({ length: 150_000 }, (_, index) => `100644 blob ${blobs[0]}\tf${index}\n`);
    const wide = git(["mktree"], lines.join("")).trim();
    const found = await readTreeChanges(reader, treeOf({}), wide, 10);
    expect(found).toMatchObject({ changes: { length: 10 }, truncated: true });
    reader.close();
  }, 60_000);

  it("stops among folders that unfold without holding a file", async () => {
    const reader = new ObjectReader(gitDir);
    let tree = git(["mktree"]).trim();
    for (let level = 0; level < 6; level += 1)
      tree = git(
        ["mktree"],
        Array.from({ length: 40 }, (_, index) => `040000 tree ${tree}\tf${index}\n`).join(""),
      ).trim();
    let asked = 0;
    const counting = {
      info: (name: string) => reader.info(name),
      tree: (name: string, maxBytes: number) => {
        asked += 1;
        return reader.tree(name, maxBytes);
      },
    } as ObjectReader;
    expect(await readTreeChanges(counting, treeOf({}), tree, 100)).toEqual({
      changes: [],
      truncated: true,
      resultsSeen: true,
    });
    // Three levels of forty wait by then: it does not go on collecting.
    expect(asked).toBeLessThanOrEqual(8);
    reader.close();
  });

  it("takes for a folder what git takes for one, however its mode is written", () => {
    const entry = (mode: string) => [...Buffer.from(`${mode} a\0`), ...Buffer.alloc(20, 1)];
    const modes = (mode: string) => parseTreeObject(Uint8Array.from(entry(mode)))[0]?.mode;
    for (const folder of ["40000", "040000", "0040000", "40755"]) expect(modes(folder)).toBe("040000");
    expect(modes("0100644")).toBe("100644");
    expect(modes("100664")).toBe("100664");
    expect(modes("160000")).toBe("160000");
  });

  it("keeps both of two entries with one name: a broken tree hides nothing", () => {
    const item = (oid: string) => ({ name: "a", mode: "100644", oid });
    const { changes } = compareFolders("d", [], [item("1"), item("2")]);
    expect(changes.map(({ path, after }) => [path, after!.oid])).toEqual([
      ["d/a", "1"],
      ["d/a", "2"],
    ]);
  });

  it("refuses what is no tree and no listing", () => {
    expect(() => parseTreeObject(new TextEncoder().encode("100644 a\0short"))).toThrow(SyntaxError);
    expect(() => parseTreeListing("100644 blob zz\ta\0")).toThrow(SyntaxError);
    expect(() => parseTreeListing("100644 blob")).toThrow(SyntaxError);
    expect(parseTreeListing("")).toEqual([]);
  });
});

describe("the folder of results", () => {
  it.each([
    ["benchmarks/results/a/b/c.json", true],
    ["benchmarks/results", true],
    ["Benchmarks/RESULTS/a", true],
    ["benchmarks/reſults/a", true],
    ["ｂenchmarks/results/a", true],
    ["bench\u200cmarks/results/a", true],
    ["benchmarks/results./a", true],
    ["benchmarks/results .", true],
    ["benchmarks/results.md", false],
    ["benchmarks", false],
    ["benchmarks/suites/a.json", false],
    ["x/benchmarks/results/a", false],
  ])("%s: %s", (path, expected) => expect(isResultPath(path)).toBe(expected));
});
