import type { z } from "zod";
import { type DataSource, TASK_FILE } from "../io/code/data-source.ts";
import { fastDigest } from "../io/git-ids.ts";
import type { Finding } from "../lib/findings.ts";
import { locateFindings, parseStrictJson } from "../lib/strict-json/parse.ts";
import { parseLocated } from "../lib/strict-json/schema.ts";

/** No file of facts is larger: a run of a thousand entries with all its samples and reviews has about 10 MB. */
export const MAX_BYTES = 64 * 1024 * 1024;

const SINGLES = ["models", "judges", "hosts", "pricing"] as const;
export type Single = (typeof SINGLES)[number];
export const singlePath = (name: Single): string => `data/${name}.json`;

const FOLDER_FILE = /^data\/(runs|defects|anchors)\/([^/]+)\.json$/;
const DELIVERABLE = /^data\/entries\/[^/]+\/[^/]+\/.+$/;

/** The files of a data folder by what they are; the ids are the names of files or folders. */
export interface DataPaths {
  readonly singles: ReadonlySet<Single>;
  readonly tasks: readonly string[];
  readonly runs: readonly string[];
  readonly defects: readonly string[];
  readonly anchors: readonly string[];
  readonly deliverables: readonly string[];
  readonly unknown: readonly string[];
}

export function sortPaths(paths: readonly string[]): DataPaths {
  const singles = new Set<Single>();
  const sorted = {
    tasks: [] as string[],
    runs: [] as string[],
    defects: [] as string[],
    anchors: [] as string[],
    deliverables: [] as string[],
    unknown: [] as string[],
  };
  for (const path of paths) {
    const single = SINGLES.find((name) => singlePath(name) === path);
    const [, folder, id] = FOLDER_FILE.exec(path) ?? [];
    const [, task] = TASK_FILE.exec(path) ?? [];
    if (single !== undefined) singles.add(single);
    else if (folder !== undefined && id !== undefined) sorted[folder as "runs"].push(id);
    else if (task !== undefined) sorted.tasks.push(task);
    else if (DELIVERABLE.test(path)) sorted.deliverables.push(path);
    else sorted.unknown.push(path);
  }
  // By id: a path's `.json` would put `a-b` before `a`.
  for (const ids of Object.values(sorted)) ids.sort();
  return { singles, ...sorted };
}

export const unknownFile = (path: string): Finding => ({
  code: "code-data-unknown-file",
  severity: "error",
  message: "No file of facts has this name.",
  path,
  expected: `data/{${SINGLES.join(",")}}.json, data/{runs,defects,anchors}/<id>.json or data/entries/<run>/<entry>/<path>`,
  hint: "Move or remove it.",
});

/** Reads documents, collects their findings with places, and remembers what the whole was made from. */
export class DocumentReader {
  readonly findings: Finding[] = [];
  readonly #digests: string[] = [];
  readonly #source: DataSource;

  constructor(source: DataSource) {
    this.#source = source;
  }

  /** The document, or null when it is not there or not of its form (which is a finding). */
  async read<T>(
    path: string,
    schema: z.ZodType<T>,
    check: (value: T) => readonly Finding[],
  ): Promise<T | null> {
    const bytes = await this.#source.read(path);
    if (bytes === null) {
      this.findings.push({
        code: "code-data-missing-file",
        severity: "error",
        message: "This file is needed and is not there, or is no plain file.",
        path,
      });
      return null;
    }
    this.#digests.push(`${path} ${fastDigest(bytes)}\n`);
    const parsed = parseLocated(bytes, schema, { path, code: "code-data", maxBytes: MAX_BYTES });
    if (!parsed.ok) {
      this.findings.push(...parsed.findings);
      return null;
    }
    const { value, json } = parsed.value;
    this.findings.push(...locateFindings(check(value), json.position, path));
    return value;
  }

  /** Adds findings that were made later than the file was read; it is read again only when there are any. */
  async place(path: string, findings: readonly Finding[]): Promise<void> {
    if (findings.length === 0) return;
    const bytes = await this.#source.read(path);
    const json = bytes === null ? null : parseStrictJson(bytes, { maxBytes: MAX_BYTES });
    this.findings.push(
      ...(json?.ok === true
        ? locateFindings(findings, json.value.position, path)
        : findings.map((finding) => ({ ...finding, path }))),
    );
  }

  /** SHA-256 over the paths and digests of all documents read. */
  digest(): string {
    return fastDigest(this.#digests.toSorted().join(""));
  }
}
