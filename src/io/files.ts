import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";

/**
 * Reads one file of a tree (a working folder, a git tree) by its repository path. Null when there is no such regular
 * file, or when the path is not a plain relative one.
 */
export type FileSource = (path: string) => Promise<Uint8Array | null>;

/** True for `a/b/c.json`: relative, `/`-separated, without empty, `.` or `..` segments, backslashes or control characters. */
export function isPlainPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses.
  if (path === "" || path.length > 1000 || /[\u0000-\u001f\\:]/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/**
 * The files of a folder as a source. A path that leaves the folder, by its text or through a symbolic link, does not
 * exist for it.
 */
export function folderSource(root: string): FileSource {
  let realRoot: Promise<string> | undefined;
  return async (path) => {
    if (!isPlainPath(path)) return null;
    try {
      realRoot ??= realpath(root);
      const [base, file] = [await realRoot, await realpath(join(root, path))];
      if (!file.startsWith(base.endsWith(sep) ? base : base + sep)) return null;
      if (!(await stat(file)).isFile()) return null;
      return new Uint8Array(await readFile(file));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  };
}

/** Files at hand as a source. */
export function filesSource(
  files: readonly { readonly path: string; readonly data: string | Uint8Array }[],
): FileSource {
  const known = new Map(files.map(({ path, data }) => [path, data]));
  return async (path) => {
    const data = known.get(path);
    return data === undefined ? null : typeof data === "string" ? new TextEncoder().encode(data) : data;
  };
}

/** The repository path of a file of this machine that lies in `root`, links resolved; null when it lies elsewhere. */
export async function pathInside(root: string, file: string): Promise<string | null> {
  const inside = relative(await realpath(root), await realpath(file))
    .split(sep)
    .join("/");
  return isPlainPath(inside) && !isAbsolute(inside) ? inside : null;
}

/** Repository paths of everything below `under` that is not a folder, sorted by code units; empty when it does not exist. */
export async function listFiles(root: string, under: string): Promise<string[]> {
  if (!isPlainPath(under)) return [];
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else found.push(path);
    }
  };
  try {
    if ((await lstat(join(root, under))).isDirectory()) await walk(under);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return found.sort();
}

/** More files than this below one folder, or deeper levels, are not what a person meant to search. */
const MAX_SEARCHED_FILES = 100_000;
const MAX_SEARCHED_DEPTH = 8;

/**
 * Regular files below any folder with their sizes in bytes, in name order, links not followed. Null when it is no
 * folder. Stops at 100,000 files and eight levels.
 */
export async function filesBelow(folder: string): Promise<{ path: string; size: number }[] | null> {
  const found: { path: string; size: number }[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MAX_SEARCHED_FILES) return;
      const path = join(at, entry.name);
      if (entry.isFile()) found.push({ path, size: (await stat(path)).size });
      else if (entry.isDirectory() && depth < MAX_SEARCHED_DEPTH) await walk(path, depth + 1);
    }
  };
  try {
    await walk(folder, 0);
    return found;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** A whole file by its path on this machine. */
export const readWhole = async (path: string): Promise<Uint8Array> => new Uint8Array(await readFile(path));

/**
 * Writes several files so that each is there whole or not at all: everything goes to temporary names in the target
 * folders first, and names are changed only when all of it is on the disk.
 */
export async function writeFilesWhole(
  root: string,
  files: readonly { path: string; data: Uint8Array | string }[],
): Promise<void> {
  const renames: [from: string, to: string][] = [];
  try {
    for (const { path, data } of files) {
      const target = join(root, path);
      const temporary = `${target}.${process.pid}.tmp`;
      await mkdir(dirname(target), { recursive: true });
      renames.push([temporary, target]);
      await writeFile(temporary, data, { flush: true });
    }
    for (const [from, to] of renames) await rename(from, to);
  } finally {
    for (const [from] of renames) await rm(from, { force: true });
  }
}

/** Removes files of a folder that may be gone already. */
export async function removeFiles(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) if (isPlainPath(path)) await rm(join(root, path), { force: true });
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP");
