import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitRepo, TreeEntry } from "./git-repo.ts";
import { EMPTY_TREE } from "./sha.ts";

export interface TreeChange {
  readonly path: string;
  readonly mode: string;
  /** Null removes the path. */
  readonly sha: string | null;
}

type Leaf = Pick<TreeEntry, "mode" | "type" | "sha" | "path">;

const typeOfMode = (mode: string): string =>
  mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";

/** git's order: bytes of the name, where a folder counts as if it ended in a slash. */
const sortKey = (entry: Leaf): Buffer => Buffer.from(entry.type === "tree" ? `${entry.path}/` : entry.path);

/** Writes one tree; null when it would be empty, since git keeps no empty folders. */
function writeEntries(git: GitRepo, entries: readonly Leaf[]): string | null {
  if (entries.length === 0) return null;
  const sorted = entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .sort((left, right) => Buffer.compare(left.key, right.key));
  const parts = sorted.flatMap(({ entry }) => [
    Buffer.from(`${entry.mode.replace(/^0/, "")} ${entry.path}\0`),
    Buffer.from(entry.sha, "hex"),
  ]);
  return git.objects.write("tree", Buffer.concat(parts));
}

/** A change of one entry of a folder, or one further down. */
type Step = { readonly set: Leaf } | { readonly remove: "file" | "folder" } | { readonly below: TreeChange };

/**
 * Writes the tree that is `base` with these changes, later ones on top of earlier ones. A file gives way to a folder and
 * the other way round; removing what is not there changes nothing.
 */
export async function writeTree(
  git: GitRepo,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  const sha = (await apply(git, base, changes)) ?? EMPTY_TREE;
  if (sha === EMPTY_TREE) git.objects.write("tree", Buffer.alloc(0));
  return sha;
}

async function apply(
  git: GitRepo,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string | null> {
  const entries = new Map<string, Leaf>();
  if (base !== null) for (const entry of await git.entries(base)) entries.set(entry.path, entry);
  const steps = new Map<string, Step[]>();
  for (const change of changes) {
    const slash = change.path.indexOf("/");
    const name = slash === -1 ? change.path : change.path.slice(0, slash);
    const rows = steps.get(name) ?? [];
    steps.set(name, rows);
    if (slash === -1) rows.push(stepOf(name, change));
    else rows.push({ below: { ...change, path: change.path.slice(slash + 1) } });
  }
  for (const [name, rows] of steps) {
    const entry = await applySteps(git, name, entries.get(name), rows);
    if (entry === null) entries.delete(name);
    else entries.set(name, entry);
  }
  return writeEntries(git, [...entries.values()]);
}

function stepOf(name: string, { mode, sha }: TreeChange): Step {
  if (sha === null) return { remove: mode === "040000" ? "folder" : "file" };
  if (sha === EMPTY_TREE) return { remove: "folder" };
  return { set: { mode, type: typeOfMode(mode), sha, path: name } };
}

async function applySteps(
  git: GitRepo,
  name: string,
  before: Leaf | undefined,
  steps: readonly Step[],
): Promise<Leaf | null> {
  let entry: Leaf | null = before ?? null;
  let open: TreeChange[] = [];
  const settle = async (): Promise<void> => {
    if (open.length === 0) return;
    const folder = entry?.type === "tree" ? entry.sha : null;
    // Removing below a file leaves the file.
    if (folder === null && entry !== null && open.every((change) => change.sha === null)) return;
    const sha = await apply(git, folder, open);
    entry = sha === null ? null : { mode: "040000", type: "tree", sha, path: name };
    open = [];
  };
  for (const step of steps) {
    if ("below" in step) {
      open.push(step.below);
      continue;
    }
    await settle();
    open = [];
    if ("set" in step) entry = step.set;
    // A folder goes only when it is named as one.
    else if (step.remove === "folder" || entry?.type !== "tree") entry = null;
  }
  await settle();
  return entry;
}

class Conflict extends Error {}

/**
 * The tree of merging two commits, or null when they conflict. A plain three-way merge over the first merge base,
 * file by file, without rename detection: results are never renamed.
 */
export async function mergeTrees(git: GitRepo, ours: string, theirs: string): Promise<string | null> {
  const base = await git.mergeBase(ours, theirs);
  if (base === null) return null;
  const tree = async (commit: string): Promise<string> => (await git.commit(commit)).tree;
  try {
    return (await mergeFolders(git, await tree(base), await tree(ours), await tree(theirs))) ?? EMPTY_TREE;
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}

/** Merges three folders; null stands for one that is not there. @throws Conflict */
async function mergeFolders(
  git: GitRepo,
  base: string | null,
  ours: string | null,
  theirs: string | null,
): Promise<string | null> {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const [olds, lefts, rights] = await Promise.all(
    [base, ours, theirs].map(async (sha) => {
      const entries = sha === null ? [] : await git.entries(sha);
      return new Map(entries.map((entry): [string, Leaf] => [entry.path, entry]));
    }),
  );
  const merged: Leaf[] = [];
  for (const name of new Set([
    ...(olds?.keys() ?? []),
    ...(lefts?.keys() ?? []),
    ...(rights?.keys() ?? []),
  ])) {
    const entry = await mergeEntry(git, name, olds?.get(name), lefts?.get(name), rights?.get(name));
    if (entry !== null) merged.push(entry);
  }
  return writeEntries(git, merged);
}

const same = (left: Leaf | undefined, right: Leaf | undefined): boolean =>
  left?.sha === right?.sha && left?.mode === right?.mode;

const folder = (entry: Leaf | undefined): string | null => (entry?.type === "tree" ? entry.sha : null);

async function mergeEntry(
  git: GitRepo,
  name: string,
  base: Leaf | undefined,
  ours: Leaf | undefined,
  theirs: Leaf | undefined,
): Promise<Leaf | null> {
  if (same(ours, theirs) || same(base, theirs)) return ours ?? null;
  if (same(base, ours)) return theirs ?? null;
  const folders = [ours, theirs].every((entry) => entry === undefined || entry.type === "tree");
  if (folders) {
    const sha = await mergeFolders(git, folder(base), folder(ours), folder(theirs));
    return sha === null ? null : { mode: "040000", type: "tree", sha, path: name };
  }
  return mergeFile(git, base, ours, theirs);
}

/** @throws Conflict when people must decide. */
async function mergeFile(
  git: GitRepo,
  base: Leaf | undefined,
  ours: Leaf | undefined,
  theirs: Leaf | undefined,
): Promise<Leaf> {
  // Added on both sides, removed on one and changed on the other, or not plain files.
  if (base === undefined || ours === undefined || theirs === undefined) throw new Conflict();
  if (ours.mode !== theirs.mode || !ours.mode.startsWith("100") || base.type !== "blob") throw new Conflict();
  const scratch = await mkdtemp(join(tmpdir(), "hub-merge-"));
  try {
    const paths: string[] = [];
    for (const [index, side] of [ours, base, theirs].entries()) {
      const path = join(scratch, `side-${index}`);
      await writeFile(path, await git.blob(side.sha));
      paths.push(path);
    }
    const merged = await git.try(["merge-file", "-q", ...paths]);
    if (merged.code !== 0) throw new Conflict();
    return { ...ours, sha: await git.writeBlob(await readFile(paths[0] ?? "")) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
