/**
 * What a pull request changes, from git's own listings of trees (merge base to head, rename detection off, so that
 * a rename is a deletion and an addition). Never from a diff or an API listing: those stop counting.
 */

/** One side of a change. Modes are git's: `100644` file, `100755` executable, `120000` link, `160000` submodule. */
export interface Side {
  readonly mode: string;
  readonly oid: string;
}

export interface Change {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  /** Null for an addition. */
  readonly before: Side | null;
  /** Null for a deletion. */
  readonly after: Side | null;
}

export interface TreeEntry extends Side {
  readonly path: string;
}

const NO_OBJECT = /^0+$/;
const RAW_HEADER = /^:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])\d*$/;
const LISTING_LINE = /^(\d{6}) (?:blob|commit|tree) ([0-9a-f]{40,64})\t([\s\S]+)$/;

const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

/**
 * Reads `git diff-tree -r -z --raw --full-index --no-renames`. Names may hold anything but NUL.
 * @throws SyntaxError when the text is not such a listing (our fault, not the submitter's).
 */
export function parseTreeDifference(raw: string): Change[] {
  const fields = raw.split("\0");
  if (fields.pop() !== "") throw new SyntaxError("a raw tree difference ends with NUL");
  if (fields.length % 2 !== 0) throw new SyntaxError("a raw tree difference pairs headers and paths");
  const changes: Change[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const header = RAW_HEADER.exec(fields[index] ?? "");
    const path = fields[index + 1];
    if (header === null || path === undefined || path === "")
      throw new SyntaxError(`not a raw tree difference at field ${index}`);
    const [, oldMode = "", newMode = "", oldOid = "", newOid = ""] = header;
    const before = NO_OBJECT.test(oldOid) ? null : { mode: oldMode, oid: oldOid };
    const after = NO_OBJECT.test(newOid) ? null : { mode: newMode, oid: newOid };
    const status = before === null ? "added" : after === null ? "deleted" : "modified";
    changes.push({ path, status, before, after });
  }
  return changes.sort(byPath);
}

/** Reads `git ls-tree -r -z`. @throws SyntaxError when the text is not such a listing. */
export function parseTreeListing(raw: string): TreeEntry[] {
  if (raw === "") return [];
  const lines = raw.split("\0");
  if (lines.pop() !== "") throw new SyntaxError("a tree listing ends with NUL");
  return lines.map((line) => {
    const [, mode, oid, path] = LISTING_LINE.exec(line) ?? [];
    if (mode === undefined || oid === undefined || path === undefined)
      throw new SyntaxError("not a line of a tree listing");
    return { mode, oid, path };
  });
}

/** The change set of two whole listings: what `parseTreeDifference` must agree with, and what a working copy gives. */
export function compareListings(before: readonly TreeEntry[], after: readonly TreeEntry[]): Change[] {
  const old = new Map(before.map((entry) => [entry.path, entry]));
  const changes: Change[] = [];
  for (const { path, mode, oid } of after) {
    const was = old.get(path);
    old.delete(path);
    if (was === undefined) changes.push({ path, status: "added", before: null, after: { mode, oid } });
    else if (was.mode !== mode || was.oid !== oid)
      changes.push({
        path,
        status: "modified",
        before: { mode: was.mode, oid: was.oid },
        after: { mode, oid },
      });
  }
  for (const { path, mode, oid } of old.values())
    changes.push({ path, status: "deleted", before: { mode, oid }, after: null });
  return changes.sort(byPath);
}

/** The folder of committed results. */
export const RESULTS_FOLDER = "benchmarks/results/";

/** How a file system that ignores case, width and composition sees a name. */
export const foldPath = (path: string): string => path.normalize("NFKC").toLowerCase();

/**
 * True when a path lies in the folder of results, in whatever spelling a file system would let it land there; also
 * for something that takes the folder's own place.
 */
export function isResultPath(path: string): boolean {
  const folded = foldPath(path);
  return folded.startsWith(RESULTS_FOLDER) || `${folded}/` === RESULTS_FOLDER;
}
