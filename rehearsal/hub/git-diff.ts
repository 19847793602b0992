import { EMPTY_TREE, type GitRepo, type TreeEntry, ZERO_SHA } from "./git-repo.ts";
import { DIFF_FILES, DIFF_LINES } from "./limits.ts";

export interface FileChange {
  readonly filename: string;
  readonly previousFilename?: string;
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed";
  /** Blob on the head side, on the base side when the file was removed. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch?: string;
}

export interface PathChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

/** Files that differ between two trees or commits, without renames: a rename is one gone and one come. */
export async function changedPaths(git: GitRepo, base: string, head: string): Promise<PathChange[]> {
  if (base === head) return [];
  const [before, after] = await Promise.all([git.entries(base), git.entries(head)]);
  const olds = new Map(before.map((entry) => [entry.path, entry]));
  const news = new Map(after.map((entry) => [entry.path, entry]));
  const changes: PathChange[] = [];
  for (const name of new Set([...olds.keys(), ...news.keys()])) {
    const [old, fresh] = [olds.get(name), news.get(name)];
    if (old?.sha === fresh?.sha && old?.mode === fresh?.mode) continue;
    if (old?.type === "tree" || fresh?.type === "tree") {
      const inner = await changedPaths(git, folderOf(old), folderOf(fresh));
      changes.push(...inner.map((change) => ({ ...change, path: `${name}/${change.path}` })));
    }
    const [left, right] = [fileOf(old), fileOf(fresh)];
    if (left !== null || right !== null) changes.push({ path: name, before: left, after: right });
  }
  return changes;
}

const folderOf = (entry: TreeEntry | undefined): string => (entry?.type === "tree" ? entry.sha : EMPTY_TREE);
const fileOf = (entry: TreeEntry | undefined): TreeEntry | null =>
  entry === undefined || entry.type === "tree" ? null : entry;

/** How many files changed, as GitHub counts: a rename is one. */
export async function countChanges(git: GitRepo, base: string, head: string): Promise<number> {
  const changes = await changedPaths(git, base, head);
  const come = changes.some(({ before }) => before === null);
  const gone = changes.some(({ after }) => after === null);
  if (!come || !gone) return changes.length;
  const names = await git.run(["diff-tree", "-r", "-M", "-z", "--name-only", base, head]);
  return names.toString("utf8").split("\0").length - 1;
}

const STATUS: Record<string, FileChange["status"]> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed",
};

/** What differs between two commits, as GitHub lists it: by path, renames detected. `null` is the empty tree. */
export function fileChanges(git: GitRepo, base: string | null, head: string): Promise<readonly FileChange[]> {
  return git.changes.of(`${base} ${head}`, () => readChanges(git, base, head));
}

async function readChanges(git: GitRepo, base: string | null, head: string): Promise<readonly FileChange[]> {
  const range = [base ?? EMPTY_TREE, head];
  const common = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff"];
  const listing = (await git.run([...common, "-z", "--raw", "--numstat", "--abbrev=40", ...range])).toString(
    "utf8",
  );
  const changes = parseListing(listing.split("\0"));
  const patches = await git.run([...common, "-p", ...range]);
  const sections = patches
    .toString("utf8")
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== "");
  let lines = 0;
  let next = 0;
  return changes.map((change) => {
    // A change of type is one row, but two sections: the old file goes, the new one comes.
    const own = sections.slice(next, next + (change.status === "changed" ? 2 : 1)).join("");
    next += change.status === "changed" ? 2 : 1;
    const hunk = own.search(/^@@/m);
    const patch = hunk === -1 ? undefined : own.slice(hunk).replace(/\n$/, "");
    lines += patch === undefined ? 0 : patch.split("\n").length;
    if (lines > DIFF_LINES) return { ...change, additions: 0, deletions: 0 };
    return patch === undefined ? change : { ...change, patch };
  });
}

function parseListing(tokens: readonly string[]): FileChange[] {
  const raw: { status: string; sha: string; path: string; previous?: string }[] = [];
  const counts: { additions: number; deletions: number }[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] ?? "";
    if (token.startsWith(":")) {
      const [, , before = "", after = "", status = ""] = token.split(" ");
      const moved = status.startsWith("R") || status.startsWith("C");
      const path = tokens[index + (moved ? 2 : 1)] ?? "";
      const sha = after === ZERO_SHA ? before : after;
      const previous = tokens[index + 1] ?? "";
      raw.push({ status: status[0] ?? "M", sha, path, ...(moved ? { previous } : {}) });
      index += moved ? 3 : 2;
    } else if (token === "") {
      index += 1;
    } else {
      const [added = "-", deleted = "-", path = ""] = token.split("\t");
      const number = (value: string): number => (value === "-" ? 0 : Number(value));
      counts.push({ additions: number(added), deletions: number(deleted) });
      index += path === "" ? 3 : 1;
    }
  }
  return raw.map((row, index) => ({
    filename: row.path,
    ...(row.previous === undefined ? {} : { previousFilename: row.previous }),
    status: STATUS[row.status] ?? "modified",
    sha: row.sha,
    additions: counts[index]?.additions ?? 0,
    deletions: counts[index]?.deletions ?? 0,
  }));
}

/** Three-dot diff text, or the number of files and lines that forbid it (GitHub: 300 files, 20,000 lines). */
export async function diffText(git: GitRepo, base: string, head: string): Promise<Buffer | "too-large"> {
  if ((await countChanges(git, base, head)) > DIFF_FILES) return "too-large";
  const diff = await git.run(["diff-tree", "-r", "-M", "-p", "--no-color", "--no-ext-diff", base, head]);
  let lines = 0;
  for (const byte of diff) if (byte === 10) lines += 1;
  return lines > DIFF_LINES ? "too-large" : diff;
}
