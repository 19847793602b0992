import type { z } from "zod";
import type { FileSource } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import {
  type EvidenceIndex,
  evidenceIndexPath,
  evidenceIndexSchema,
  INDEX_PATH,
  indexSchema,
  type ModelIndex,
  type ModelRow,
  modelIndexPath,
  modelIndexSchema,
  type ResultIndex,
  type SuiteIndex,
  suiteIndexPath,
  suiteIndexSchema,
} from "../lib/feed/index-schema.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";

/** The published index is not what it says it is. Whoever meets this derives everything from the documents. */
export class IndexError extends Error {
  override readonly name = "IndexError";
}

/** The published index of results, read part by part. Every part is held to the digest that the one above it names. */
export interface PublishedIndex {
  readonly manifest: ResultIndex;
  /** Null when the index knows no results of this suite. */
  suite(id: string): Promise<SuiteIndex | null>;
  model(suite: string, row: ModelRow): Promise<ModelIndex>;
  /** Null when no result has evidence of this prefix. */
  evidence(suite: SuiteIndex, prefix: string): Promise<EvidenceIndex | null>;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens the index in a folder or tree of published files; null when there is none, or one of an older form.
 * @throws IndexError from here or any of its methods when a part is broken or is not the one that was named.
 */
export async function openIndex(source: FileSource): Promise<PublishedIndex | null> {
  const bytes = await source(INDEX_PATH);
  if (bytes === null) return null;
  const manifest = parsePart(bytes, indexSchema, INDEX_PATH);
  const part = async <T>(path: string, sha256: string, schema: z.ZodType<T>): Promise<T> => {
    const content = await source(path);
    if (content === null) throw new IndexError(`${path} is missing`);
    if (fastDigest(content) !== sha256) throw new IndexError(`${path} is not the file that was named`);
    return parsePart(content, schema, path);
  };
  return {
    manifest,
    async suite(id) {
      const row = manifest.suites.find((suite) => suite.id === id);
      if (row === undefined) return null;
      const suite = await part(suiteIndexPath(id), row.sha256, suiteIndexSchema);
      if (suite.suite !== id || suite.tree !== row.tree)
        throw new IndexError(`${suiteIndexPath(id)} is about another tree`);
      return suite;
    },
    async model(suite, row) {
      const path = modelIndexPath(suite, row.folder);
      const model = await part(path, row.sha256, modelIndexSchema);
      if (model.suite !== suite || model.folder !== row.folder || model.tree !== row.tree)
        throw new IndexError(`${path} is about another tree`);
      return model;
    },
    async evidence(suite, prefix) {
      const row = suite.evidence.files.find((file) => file.prefix === prefix);
      if (row === undefined) return null;
      const path = evidenceIndexPath(suite.suite, prefix);
      const evidence = await part(path, row.sha256, evidenceIndexSchema);
      if (evidence.suite !== suite.suite || evidence.prefix !== prefix)
        throw new IndexError(`${path} is about something else`);
      return evidence;
    },
  };
}

function parsePart<T>(bytes: Uint8Array, schema: z.ZodType<T>, path: string): T {
  const json = parseStrictJson(bytes, { path, maxBytes: MAX_BYTES });
  const parsed = json.ok ? schema.safeParse(json.value.value) : null;
  if (parsed?.success !== true) throw new IndexError(`${path} has not the form of the index`);
  return parsed.data;
}
