import { type FileSource, folderSource, listFiles } from "../files.ts";

/** Where the code benchmark's files are read from: a working folder, or a commit's tree. */
export interface DataSource {
  /** Paths of all files under `data/` and of every `tasks/<task>/task.json`, sorted by code units. */
  list(): Promise<readonly string[]>;
  readonly read: FileSource;
}

/** The files of a folder that has `data/` and `tasks/`: a checkout, or a synthetic round. */
export const folderData = (root: string): DataSource => ({
  list: async () => [
    ...(await listFiles(root, "data")),
    ...(await listFiles(root, "tasks")).filter((path) => TASK_FILE.test(path)),
  ],
  read: folderSource(root),
});

/** `tasks/<task>/task.json`. */
export const TASK_FILE = /^tasks\/([^/]+)\/task\.json$/;
