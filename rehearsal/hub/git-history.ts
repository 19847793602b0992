import type { Commit } from "./git-repo.ts";

/** Reads a commit; null when it is not here (the edge of a shallow history). */
export type ReadCommit = (sha: string) => Promise<Commit | null>;

/** The commit and everything it descends from. */
export async function ancestors(read: ReadCommit, start: string): Promise<Set<string>> {
  const seen = new Set([start]);
  const open = [start];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    for (const parent of (await read(sha))?.parents ?? []) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return seen;
}

export async function isAncestor(read: ReadCommit, ancestor: string, descendant: string): Promise<boolean> {
  if (ancestor === descendant) return true;
  const seen = new Set([descendant]);
  const open = [descendant];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    for (const parent of (await read(sha))?.parents ?? []) {
      if (parent === ancestor) return true;
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return false;
}

/**
 * The common ancestors at which lines from `right` first meet the history of `left`. One of them: it is the merge base.
 * Several: some may be ancestors of others, which git sorts out.
 */
export async function meetings(read: ReadCommit, left: string, right: string): Promise<string[]> {
  const known = await ancestors(read, left);
  if (known.has(right)) return [right];
  const found = new Set<string>();
  const seen = new Set([right]);
  const open = [right];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    for (const parent of (await read(sha))?.parents ?? []) {
      if (known.has(parent)) found.add(parent);
      else if (!seen.has(parent)) {
        seen.add(parent);
        open.push(parent);
      }
    }
  }
  return [...found];
}

export interface ListOptions {
  readonly reverse?: boolean;
  /** The newest so many. */
  readonly max?: number;
  readonly firstParent?: boolean;
}

/** Commits reachable from `include` but from none of `exclude`, newest first, a child before its parents. */
export async function list(
  read: ReadCommit,
  include: string,
  exclude: readonly string[],
  options: ListOptions = {},
): Promise<string[]> {
  const hidden = new Set<string>();
  for (const sha of exclude) for (const old of await ancestors(read, sha)) hidden.add(old);
  const found: string[] = [];
  const seen = new Set([include]);
  const open: { sha: string; when: number }[] = [];
  const push = async (sha: string): Promise<void> => {
    const commit = hidden.has(sha) ? null : await read(sha);
    if (commit === null) return;
    const when = Number(commit.committer.when.split(" ")[0]);
    const later = open.findIndex((entry) => entry.when < when);
    open.splice(later === -1 ? open.length : later, 0, { sha, when });
  };
  await push(include);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (found.length === options.max) break;
    found.push(next.sha);
    const parents = (await read(next.sha))?.parents ?? [];
    for (const parent of options.firstParent ? parents.slice(0, 1) : parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      await push(parent);
    }
  }
  return options.reverse ? found.reverse() : found;
}
