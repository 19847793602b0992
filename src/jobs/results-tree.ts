import type { Stats } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { folderSource } from "../io/files.ts";
import { GitError, type ObjectReader } from "../io/git.ts";
import { gitBlobId, gitTreeId } from "../io/git-ids.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result-path.ts";
import { parseTreeObject, type TreeItem } from "../lib/result-pr/change-set.ts";

/** One folder of committed results: folders and files in it, each sorted by name. */
export interface Level {
  readonly folders: readonly { readonly name: string; readonly tree: string }[];
  readonly files: readonly { readonly name: string; readonly blob: string; readonly mode: string }[];
}

/** A file of the tree, by path and git's id of its bytes. */
export interface FileId {
  readonly path: string;
  readonly blob: string;
}

/** The folder `benchmarks/results` of a tree, looked into one level at a time. */
export interface ResultsTree {
  /** Git's id of the folder; null when there is none. */
  readonly tree: string | null;
  /** What lies in the folder, or below it: `level("suite", "model-folder")`. Empty where there is no such folder. */
  level(...below: readonly string[]): Promise<Level>;
  /** Bytes of files of the tree, in order; null for one that is not there or too large. */
  read(files: readonly FileId[]): Promise<(Uint8Array | null)[]>;
}

/** No result document is larger (`LIMITS.documentBytes`), with room for what was committed under other limits. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A folder of a hundred thousand files is about 4 MB. */
const MAX_TREE_BYTES = 64 * 1024 * 1024;
const EMPTY: Level = { folders: [], files: [] };
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

const levelOf = (items: readonly TreeItem[]): Level => {
  const isFolder = ({ mode }: TreeItem): boolean => mode === "040000";
  return {
    folders: items
      .filter(isFolder)
      .map(({ name, oid }) => ({ name, tree: oid }))
      .sort(byName),
    files: items
      .filter((item) => !isFolder(item))
      .map(({ name, oid, mode }) => ({ name, blob: oid, mode }))
      .sort(byName),
  };
};

/** Entries of a tree object by its id; null when it is not there. @throws GitError when it is too large to be ours. */
export async function readItems(reader: ObjectReader, tree: string): Promise<TreeItem[] | null> {
  const bytes = await reader.tree(tree, MAX_TREE_BYTES);
  return bytes === null ? null : parseTreeObject(bytes);
}

/** Entry of a path below a tree, found by git's own objects; null when there is none. */
export async function readTreeItem(
  reader: ObjectReader,
  tree: string,
  path: string,
): Promise<TreeItem | null> {
  let at: TreeItem | null = { name: "", mode: "040000", oid: tree };
  for (const segment of path.split("/")) {
    if (at?.mode !== "040000") return null;
    at = (await readItems(reader, at.oid))?.find(({ name }) => name === segment) ?? null;
  }
  return at;
}

/** `benchmarks/results` of a commit or tree, as git objects. `bring` fetches contents that are not here yet. */
export async function gitResults(
  reader: ObjectReader,
  treeish: string,
  bring: (oids: readonly string[]) => Promise<void> = async () => {},
): Promise<ResultsTree> {
  const top = await readTreeItem(reader, treeish, RESULTS_FOLDER);
  const tree = top?.mode === "040000" ? top.oid : null;
  const levels = new Map<string, Promise<Level>>();
  const read = async (below: readonly string[]): Promise<Level> => {
    if (tree === null) return EMPTY;
    const last = below.at(-1);
    if (last === undefined) return levelOf((await readItems(reader, tree)) ?? []);
    const parent = await level(...below.slice(0, -1));
    const folder = parent.folders.find(({ name }) => name === last);
    if (folder === undefined) return EMPTY;
    const items = await readItems(reader, folder.tree);
    if (items === null) throw new GitError(`tree ${folder.tree} is not in the repository`);
    return levelOf(items);
  };
  const level = (...below: readonly string[]): Promise<Level> => {
    // The upper levels are asked for again and again; the lowest hold most, and are asked for once.
    if (below.length > 1) return read(below);
    const key = below.join("/");
    const known = levels.get(key) ?? read(below);
    levels.set(key, known);
    return known;
  };
  return {
    tree,
    level,
    async read(files) {
      const oids = files.map(({ blob }) => blob);
      await bring(oids);
      return reader.blobs(oids, MAX_BYTES);
    },
  };
}

/**
 * `benchmarks/results` of a working folder, with the ids that git would give. Reads every file to compute them, so it
 * is for folders that no commit describes.
 */
export async function folderResults(root: string): Promise<ResultsTree> {
  const levels = new Map<string, Level>();
  const visit = async (path: string): Promise<string> => {
    const items: TreeItem[] = [];
    for (const name of await readdir(join(root, path))) {
      const full = join(root, path, name);
      const stat = await lstat(full);
      if (!stat.isDirectory()) items.push({ name, mode: modeOf(stat), oid: await blobOf(full, stat) });
      else {
        const oid = await visit(`${path}/${name}`);
        // Git knows no empty folders.
        if (oid !== EMPTY_TREE) items.push({ name, mode: "040000", oid });
      }
    }
    levels.set(path, levelOf(items));
    return gitTreeId(items);
  };
  const there = await lstat(join(root, RESULTS_FOLDER)).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  const tree = there ? await visit(RESULTS_FOLDER) : EMPTY_TREE;
  const source = folderSource(root);
  return {
    tree: tree === EMPTY_TREE ? null : tree,
    level: async (...below) => levels.get([RESULTS_FOLDER, ...below].join("/")) ?? EMPTY,
    read: (files) => Promise.all(files.map(({ path }) => source(path))),
  };
}

/**
 * `benchmarks/results` of a working folder without a look into its files: ids are the paths, which name the files as
 * well but say nothing about their bytes. `without`: paths that are left out.
 */
export async function listedResults(root: string, without: ReadonlySet<string>): Promise<ResultsTree> {
  const source = folderSource(root);
  return {
    tree: null,
    async level(...below) {
      const folder = [RESULTS_FOLDER, ...below].join("/");
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      const items = entries.map((entry): TreeItem => {
        const oid = `${folder}/${entry.name}`;
        const mode = entry.isDirectory() ? "040000" : entry.isFile() ? "100644" : "120000";
        return { name: entry.name, mode, oid };
      });
      return levelOf(items.filter(({ oid }) => !without.has(oid)));
    },
    read: (files) => Promise.all(files.map(({ path }) => source(path))),
  };
}

const EMPTY_TREE = gitTreeId([]);
const modeOf = (stat: Stats): string =>
  !stat.isFile() && !stat.isSymbolicLink()
    ? "000000"
    : stat.isSymbolicLink()
      ? "120000"
      : (stat.mode & 0o100) !== 0
        ? "100755"
        : "100644";
const blobOf = async (full: string, stat: Stats): Promise<string> =>
  gitBlobId(
    stat.isSymbolicLink()
      ? Buffer.from(await readlink(full))
      : // A pipe or device is no file of a tree; its mode already keeps it from being read as one.
        stat.isFile()
        ? await readFile(full)
        : new Uint8Array(),
  );
