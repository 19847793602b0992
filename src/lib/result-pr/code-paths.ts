import type { Growing } from "../code/append-only/shape.ts";
import { type Change, foldPath, isResultPath } from "./change-set.ts";

/** Which files of a pull request are facts of the code benchmark, and which kind of fact. Pure. */

/** The folder of facts. */
export const DATA_FOLDER = "data/";
/** Where deliverables lie: `data/entries/<run>/<entry>/<path>`. */
export const ENTRIES_FOLDER = "data/entries/";
/**
 * Lies in the folder and is none: the keys in it decide which measurements are believed, so it changes like code, in a
 * pull request of its own that people read.
 */
export const HOSTS_PATH = "data/hosts.json";

const topOf = (path: string): string => foldPath(path.split("/", 1)[0] ?? "");

/** True of whatever lies in the folder of facts, or takes its place, in any spelling a file system lets land there. */
export const isDataPath = (path: string): boolean => path !== HOSTS_PATH && topOf(path) === "data";

/** True of derived documents: the App alone writes them, to a branch of their own. */
export const isPublishedPath = (path: string): boolean =>
  topOf(path) === "published" || ["data.json", "pricing.json", "data/data.json"].includes(foldPath(path));

/** True when the code benchmark's part of this office has to judge a pull request. */
export const touchesData = (changes: readonly Pick<Change, "path">[]): boolean =>
  changes.some(({ path }) => isDataPath(path)) ||
  // Beside results these are other files, and said to be so.
  (changes.some(({ path }) => topOf(path) === "published") &&
    !changes.some(({ path }) => isResultPath(path)));

/** A document of facts, or a file of a deliverable. */
export type DataFile =
  | { readonly kind: "document"; readonly document: Growing }
  | { readonly kind: "deliverable"; readonly run: string; readonly entry: string; readonly file: string };

const SINGLE = /^data\/(models|judges|pricing)\.json$/;
const LISTED = /^data\/(runs|defects|anchors)\/[a-z0-9][a-z0-9._-]*\.json$/;
const DELIVERABLE = /^data\/entries\/([a-z0-9][a-z0-9._-]*)\/([a-z0-9][a-z0-9._-]*)\/(.+)$/;

/** What a path is by its name; null when no fact has such a name. */
export function dataFileOf(path: string): DataFile | null {
  const document = SINGLE.exec(path)?.[1] ?? LISTED.exec(path)?.[1];
  if (document !== undefined) return { kind: "document", document: document as Growing };
  const [, run, entry, file] = DELIVERABLE.exec(path) ?? [];
  if (run === undefined || entry === undefined || file === undefined) return null;
  return { kind: "deliverable", run, entry, file };
}
