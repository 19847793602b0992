import {
  byPath,
  type Change,
  compareFolders,
  type FolderPair,
  foldPath,
  isResultPath,
  parseTreeObject,
  RESULTS_FOLDER,
  type TreeItem,
} from "../lib/result-pr/change-set.ts";
import { isDataPath } from "../lib/result-pr/code-paths.ts";
import type { ObjectReader } from "./git-blobs.ts";
import { GitError } from "./git-process.ts";

/** A folder with a hundred thousand files is about 4 MB. */
const MAX_TREE_BYTES = 64 * 1024 * 1024;
/** Longer paths fit no file system; they only make a walk expensive. */
const MAX_PATH = 4096;

export interface TreeChanges {
  /** Sorted by path. */
  readonly changes: Change[];
  /** The trees differ in more than the limit, and `changes` holds only some of it. */
  readonly truncated: boolean;
  /** Whatever differs in the folders of results and of facts is among `changes`, however much else there is. */
  readonly resultsSeen: boolean;
}

/**
 * The files in which two trees differ, rename detection off. It walks both trees together and looks only into folders
 * that differ, so it costs what differs rather than what the trees hold, and a tree that unfolds without end (the same
 * folder inside itself, many times over) stops at `limit` changes. The folders of results and of facts are looked
 * into first, so that it is known of a change of any size whether it touches them.
 */
export async function readTreeChanges(
  reader: ObjectReader,
  before: string,
  after: string,
  limit: number,
): Promise<TreeChanges> {
  const results: Change[] = [];
  const others: Change[] = [];
  const first: FolderPair[] = [];
  const later: FolderPair[] = [];
  const give = (truncated: boolean, resultsSeen: boolean): TreeChanges => ({
    // Results are never cut off for the sake of others.
    changes: [...results, ...others].slice(0, limit).sort(byPath),
    truncated,
    resultsSeen,
  });
  let looked = 0;
  let next: FolderPair | undefined = { path: "", before, after };
  for (; next !== undefined; next = first.pop() ?? later.pop()) {
    const seen = first.length === 0 && !isOnTheWay(next.path);
    looked += 1;
    const full = results.length > limit || (seen && others.length > limit);
    const waiting = seen ? later.length : first.length;
    if (full || looked + waiting > limit || next.path.length > MAX_PATH) return give(true, seen);
    if (next.before === next.after) continue;
    const [old, now] = [await readItems(reader, next.before), await readItems(reader, next.after)];
    if (old === null || now === null) return give(true, seen);
    const found = compareFolders(next.path, old, now);
    // One folder may hold a million entries: never as arguments of a call, and no more of them than can be used.
    for (const change of found.changes) {
      const into = isJudged(change.path) ? results : others;
      if (into.length <= limit) into.push(change);
    }
    for (const folder of found.deeper) {
      const into = isOnTheWay(folder.path) ? first : later;
      if (into.length <= limit) into.push(folder);
    }
  }
  return give(results.length + others.length > limit, results.length <= limit);
}

/** True of what this office judges: results of the one benchmark, facts of the other. */
const isJudged = (path: string): boolean => isResultPath(path) || isDataPath(path);

/** True of the folder of results, of what lies in it, and of what it lies in, in any spelling; and so for facts. */
const isOnTheWay = (path: string): boolean =>
  isJudged(path) || RESULTS_FOLDER.startsWith(path === "" ? "" : `${foldPath(path)}/`);

/** A folder's entries: none when there is no folder, null when it is too large to be read. */
async function readItems(reader: ObjectReader, oid: string | null): Promise<TreeItem[] | null> {
  if (oid === null) return [];
  const info = await reader.info(`${oid}^{tree}`);
  if (info === null) throw new GitError(`tree ${oid} is not in the repository`);
  if (info.bytes > MAX_TREE_BYTES) return null;
  return parseTreeObject((await reader.tree(oid, MAX_TREE_BYTES)) ?? new Uint8Array());
}
