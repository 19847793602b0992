import {
  byPath,
  type Change,
  compareFolders,
  type FolderPair,
  parseTreeObject,
  type TreeItem,
} from "../lib/result-pr/change-set.ts";
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
}

/**
 * The files in which two trees differ, rename detection off. It walks both trees together and looks only into folders
 * that differ, so it costs what differs rather than what the trees hold, and a tree that unfolds without end (the same
 * folder inside itself, many times over) stops at `limit` changes.
 */
export async function readTreeChanges(
  reader: ObjectReader,
  before: string,
  after: string,
  limit: number,
): Promise<TreeChanges> {
  /** Null for a folder that is too large to be read. */
  const items = async (oid: string | null): Promise<TreeItem[] | null> => {
    if (oid === null) return [];
    const info = await reader.info(`${oid}^{tree}`);
    if (info === null) throw new GitError(`tree ${oid} is not in the repository`);
    if (info.bytes > MAX_TREE_BYTES) return null;
    return parseTreeObject((await reader.tree(oid, MAX_TREE_BYTES)) ?? new Uint8Array());
  };
  const stopped = (): TreeChanges => ({ changes: changes.sort(byPath).slice(0, limit), truncated: true });
  const changes: Change[] = [];
  const waiting: FolderPair[] = [{ path: "", before, after }];
  let looked = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    looked += 1;
    if (changes.length > limit || looked + waiting.length > limit || next.path.length > MAX_PATH)
      return stopped();
    if (next.before === next.after) continue;
    const [old, now] = [await items(next.before), await items(next.after)];
    if (old === null || now === null) return stopped();
    const found = compareFolders(next.path, old, now);
    // One folder may hold a million entries: never as arguments of a call, and no more of them than can be used.
    for (const change of found.changes.slice(0, limit + 1)) changes.push(change);
    for (const folder of found.deeper.slice(0, limit + 1)) waiting.push(folder);
  }
  return { changes: changes.sort(byPath).slice(0, limit), truncated: changes.length > limit };
}
