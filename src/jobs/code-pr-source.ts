import { type DataSource, TASK_FILE } from "../io/code/data-source.ts";
import { type Change, foldPath, type TreeItem } from "../lib/result-pr/change-set.ts";
import { CODE_LIMITS } from "../lib/result-pr/code-facts.ts";
import { isDataPath } from "../lib/result-pr/code-paths.ts";
import type { GitObjects } from "./result-pr-source.ts";

/** The facts of two trees, as git objects: what a pull request is compared with, and what it makes of that. */

const FOLDER = "040000";
/** No committed document is larger, with room for what was committed under other limits. */
const MAX_BYTES = 2 * CODE_LIMITS.documentBytes;

/** Paths of documents and of tasks, with the ids of their contents; deliverables are left out. */
export type DataFiles = ReadonlyMap<string, TreeItem>;

/** The documents under `data/` and every `tasks/<task>/task.json` of a commit. */
export async function listData(objects: GitObjects, commit: string): Promise<DataFiles> {
  const files = new Map<string, TreeItem>();
  const visit = async (path: string, items: readonly TreeItem[]): Promise<void> => {
    for (const item of items) {
      const below = `${path}/${item.name}`;
      if (below === "data/entries") continue;
      if (item.mode === FOLDER) await visit(below, await objects.folder(commit, below));
      else files.set(below, item);
    }
  };
  await visit("data", await objects.folder(commit, "data"));
  for (const { name, mode } of await objects.folder(commit, "tasks")) {
    if (mode !== FOLDER) continue;
    const file = (await objects.folder(commit, `tasks/${name}`)).find((each) => each.name === "task.json");
    if (file !== undefined) files.set(`tasks/${name}/task.json`, file);
  }
  return files;
}

/** The same files with a pull request's changes of facts made to them. */
export function withChanges(files: DataFiles, changes: readonly Change[]): DataFiles {
  const changed = new Map(files);
  for (const { path, after } of changes) {
    if (!isDataPath(path) || foldPath(path).startsWith("data/entries/")) continue;
    if (after === null) changed.delete(path);
    else changed.set(path, { name: path.slice(path.lastIndexOf("/") + 1), ...after });
  }
  return changed;
}

/** Files as a source of documents; contents are fetched all at once, before the first is read. */
export function dataSource(objects: GitObjects, files: DataFiles): DataSource {
  const plain = [...files].filter(([, { mode }]) => mode === "100644");
  const oids = new Map(plain.map(([path, { oid }]) => [path, oid]));
  let brought: Promise<void> | null = null;
  return {
    list: async () => [...files.keys()].filter((path) => isDataPath(path) || isKnown(path)).sort(),
    async read(path) {
      const oid = oids.get(path);
      if (oid === undefined) return null;
      brought ??= objects.bring([...oids.values()]);
      await brought;
      return objects.blob(oid, MAX_BYTES);
    },
  };
}

const isKnown = (path: string): boolean => path === "data/hosts.json" || TASK_FILE.test(path);
