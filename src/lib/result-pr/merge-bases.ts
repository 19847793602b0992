import { byPath, type Change, type Side } from "./change-set.ts";

/**
 * Where two histories have merged each other before, they have several best common ancestors, and none of them alone is
 * what a branch started from: against one of them, what the base did in between looks like the branch's doing (F14). Git
 * merges such ancestors into one that exists nowhere, and so does this, file by file, without looking into files.
 */

const sameSide = (a: Side | null, b: Side | null): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

/**
 * What a branch changed against the merge of two ancestors.
 * `changes`: from the first ancestor to the branch. `first`, `second`: from the ancestors' own common ancestor to each of
 * them. A file that both changed differently has no merged state; the first ancestor's stands.
 */
export function changesFromBoth(
  changes: readonly Change[],
  first: readonly Change[],
  second: readonly Change[],
): Change[] {
  const byName = new Map(changes.map((change) => [change.path, change]));
  const alsoFirst = new Set(first.map(({ path }) => path));
  for (const { path, before, after } of second) {
    if (alsoFirst.has(path)) continue;
    // The first ancestor has the file as their common ancestor had it, and the merge has it as the second has it.
    const change = byName.get(path);
    const now = change === undefined ? before : change.after;
    if (sameSide(now, after)) byName.delete(path);
    else
      byName.set(path, {
        path,
        status: after === null ? "added" : now === null ? "deleted" : "modified",
        before: after,
        after: now,
      });
  }
  return [...byName.values()].sort(byPath);
}
