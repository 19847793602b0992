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

const LISTING_LINE = /^(\d{6}) (?:blob|commit|tree) ([0-9a-f]{40,64})\t([\s\S]+)$/;
const FOLDER = "040000";

/** One entry of a git tree object. */
export interface TreeItem extends Side {
  readonly name: string;
}

/**
 * Reads a git tree object: `<mode> <name>\0<20 bytes of id>` again and again. Names may hold anything but NUL and `/`;
 * bytes that are no UTF-8 become U+FFFD, which no rule lets through.
 * @throws SyntaxError when the bytes are no tree (our fault, not the submitter's).
 */
export function parseTreeObject(bytes: Uint8Array): TreeItem[] {
  const decoder = new TextDecoder("utf-8");
  const items: TreeItem[] = [];
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(0x20, start);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw new SyntaxError("not a tree object");
    const mode = modeOf(decoder.decode(bytes.subarray(start, space)));
    const name = decoder.decode(bytes.subarray(space + 1, end));
    items.push({ name, mode, oid: hexOf(bytes.subarray(end + 1, end + 21)) });
    start = end + 21;
  }
  return items;
}

/** Six octal digits, however many zeros lead; whatever git takes for a folder (its type bits say so) is one. */
function modeOf(written: string): string {
  if (!/^[0-7]{1,11}$/.test(written)) return written;
  const mode = Number.parseInt(written, 8);
  return (mode & 0o170000) === 0o040000 ? FOLDER : mode.toString(8).padStart(6, "0");
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Two folders of the same path, to be compared next; null on the side that has none. */
export interface FolderPair {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Compares one folder on both sides: the files that differ, and the folders to look into. Folders with the same id are
 * the same to the last byte and cost nothing. A file in a folder's place is a deletion and additions.
 */
export function compareFolders(
  path: string,
  before: readonly TreeItem[],
  after: readonly TreeItem[],
): { changes: Change[]; deeper: FolderPair[] } {
  const changes: Change[] = [];
  const deeper: FolderPair[] = [];
  const keyOf = ({ name, mode }: TreeItem): string => `${mode === FOLDER ? "folder" : "file"} ${name}`;
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const seen = new Set<string>();
  const add = (name: string, was: TreeItem | null, now: TreeItem | null): void => {
    const full = path === "" ? name : `${path}/${name}`;
    if ((was ?? now)?.mode === FOLDER) {
      deeper.push({ path: full, before: was?.oid ?? null, after: now?.oid ?? null });
      return;
    }
    const side = (item: TreeItem | null): Side | null =>
      item === null ? null : { mode: item.mode, oid: item.oid };
    const status = was === null ? "added" : now === null ? "deleted" : "modified";
    changes.push({ path: full, status, before: side(was), after: side(now) });
  };
  for (const item of after) {
    const key = keyOf(item);
    const was = old.get(key) ?? null;
    seen.add(key);
    if (was === null || was.oid !== item.oid || was.mode !== item.mode) add(item.name, was, item);
  }
  for (const [key, item] of old) if (!seen.has(key)) add(item.name, item, null);
  return { changes, deeper };
}

/** By path, in code unit order: the order in which changes are judged. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

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

/** The folder of committed results. */
export const RESULTS_FOLDER = "benchmarks/results/";

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Looked for from where a run begins, so that a long one inside a name costs its length once. */
const AT_THE_END = /(?<![. ])[. ]+(?=\/|$)/g;

/**
 * How a file system sees a name that ignores case, width and composition, and characters that show nothing (as some on
 * Macs do), and dots and spaces at its end (as Windows does).
 */
export const foldPath = (path: string): string =>
  path.replace(IGNORED, "").normalize("NFKC").toLowerCase().replace(AT_THE_END, "");

/**
 * True when a path lies in the folder of results, in whatever spelling a file system would let it land there; also
 * for something that takes the folder's own place.
 */
export function isResultPath(path: string): boolean {
  // Only the first names decide: paths can be long, and are many.
  const [top, folder] = path.split("/", 2);
  return folder !== undefined && `${foldPath(`${top}/${folder}`)}/`.startsWith(RESULTS_FOLDER);
}
