import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY_TREE, type GitRepo, ZERO_SHA } from "./git-repo.ts";

export interface TreeChange {
  readonly path: string;
  readonly mode: string;
  /** Null removes the path. */
  readonly sha: string | null;
}

async function withIndex<T>(work: (folder: string, env: Record<string, string>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "hub-index-"));
  try {
    return await work(folder, { GIT_INDEX_FILE: join(folder, "index") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the tree that is `base` with these changes. @throws GitError when git refuses a path or object. */
export function writeTree(
  git: GitRepo,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  return withIndex(async (_folder, env) => {
    await git.run(["read-tree", base ?? EMPTY_TREE], { env });
    const rows: string[] = [];
    for (const change of changes) {
      if (change.mode !== "040000") rows.push(indexRow(change.mode, change.sha, change.path));
      else rows.push(...(await subtreeRows(git, env, change)));
    }
    if (rows.length > 0) {
      await git.run(["update-index", "--replace", "-z", "--index-info"], { env, input: rows.join("") });
    }
    return git.line(["write-tree"], { env });
  });
}

/** A line of `update-index --index-info`; null removes the path. */
const indexRow = (mode: string, sha: string | null, path: string): string =>
  sha === null ? `0 ${ZERO_SHA}\t${path}\0` : `${mode} ${sha}\t${path}\0`;

/** A folder gives way to a whole tree: an index holds files only, so both are spelt out. */
async function subtreeRows(git: GitRepo, env: Record<string, string>, change: TreeChange): Promise<string[]> {
  const old = (await git.run(["--literal-pathspecs", "ls-files", "-z", "--", change.path], { env })).toString(
    "utf8",
  );
  const rows = old
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => indexRow("", null, path));
  if (change.sha === null) return rows;
  for (const entry of await git.tree(change.sha, true)) {
    if (entry.type !== "tree") rows.push(indexRow(entry.mode, entry.sha, `${change.path}/${entry.path}`));
  }
  return rows;
}

interface Stage {
  readonly mode: string;
  readonly sha: string;
}

/**
 * The tree of merging two commits, or null when they conflict. A plain three-way merge over the first merge base,
 * file by file, without rename detection: it needs no newer git than the rest, and results are never renamed.
 */
export async function mergeTrees(git: GitRepo, ours: string, theirs: string): Promise<string | null> {
  const base = await git.mergeBase(ours, theirs);
  if (base === null) return null;
  return withIndex(async (folder, env) => {
    const read = await git.try(["read-tree", "-i", "-m", "--aggressive", base, ours, theirs], { env });
    if (read.code !== 0) return null;
    const unmerged = (await git.run(["ls-files", "-u", "-z"], { env })).toString("utf8").split("\0");
    const byPath = new Map<string, Map<string, Stage>>();
    for (const row of unmerged.filter((entry) => entry !== "")) {
      const tab = row.indexOf("\t");
      const [mode = "", sha = "", stage = ""] = row.slice(0, tab).split(" ");
      const path = row.slice(tab + 1);
      const stages = byPath.get(path) ?? new Map<string, Stage>();
      byPath.set(path, stages.set(stage, { mode, sha }));
    }
    for (const [path, stages] of byPath) {
      const merged = await mergeFile(git, folder, stages);
      if (merged === null) return null;
      await git.run(["update-index", "-z", "--index-info"], {
        env,
        input: indexRow("", null, path) + indexRow(merged.mode, merged.sha, path),
      });
    }
    const written = await git.try(["write-tree"], { env });
    return written.code === 0 ? written.stdout.toString("utf8").trim() : null;
  });
}

async function mergeFile(
  git: GitRepo,
  folder: string,
  stages: ReadonlyMap<string, Stage>,
): Promise<Stage | null> {
  const [base, ours, theirs] = ["1", "2", "3"].map((stage) => stages.get(stage));
  // Added on both sides, removed on one and changed on the other, or not plain files: people decide.
  if (base === undefined || ours === undefined || theirs === undefined) return null;
  if (ours.mode !== theirs.mode || !ours.mode.startsWith("100")) return null;
  const paths: string[] = [];
  for (const [index, stage] of [ours, base, theirs].entries()) {
    const path = join(folder, `side-${index}`);
    await writeFile(path, await git.blob(stage.sha));
    paths.push(path);
  }
  const merged = await git.try(["merge-file", "-q", ...paths]);
  if (merged.code !== 0) return null;
  return { mode: ours.mode, sha: await git.writeBlob(await readFile(paths[0] ?? "")) };
}
