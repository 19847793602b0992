import { z } from "zod";
import { COMPOSITE_VERSION, componentsSchema, resultSchema } from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { oidSchema } from "./schema.ts";

/**
 * The index of all committed results, on the branch `published`:
 *
 *     index.json                       which suites there are, and the tree everything was made from
 *     index/<suite>.json               which models have results, the newest of each, and where evidence is looked up
 *     index/<suite>/<model folder>.json   every result of one model
 *     index/<suite>/evidence<hex>.json   which results rest on which recipes
 *
 * Each level pins the next by SHA-256, and names the git tree that it describes. A tree id proves that a listing is
 * about exactly these bytes and that none is left out; it says nothing about the numbers copied from them. Those are
 * bound by who may write (`published` takes commits from the App alone, which takes files only from a run of main's own
 * code), by every reader looking once more into each document that it relies on, and by the feed job, which derives all
 * of it again from the documents (a share of them on a push, everything when it is started by hand).
 */

const count = z.int().nonnegative();

/** What became of a committed result. */
export const RESULT_STATES = ["latest", "older", "superseded", "withdrawn"] as const;
export type ResultState = (typeof RESULT_STATES)[number];

/** One committed result, as its document says it. */
export const indexEntrySchema = z.strictObject({
  /** Name of the file in its model's folder. */
  file: z.string(),
  /** Git's id of its bytes. */
  blob: oidSchema,
  /** SHA-256 of the canonical document. */
  digest: digestSchema,
  suite_digest: digestSchema,
  finished_at: instantSchema,
  components: componentsSchema,
  composite: z.number(),
  composite_version: z.literal(COMPOSITE_VERSION),
  solved: count,
  members: count,
  cost: resultSchema.shape.cost,
  supersedes: digestSchema.nullable(),
  /** Digest of suite and recipes; null when there is no recipe. */
  evidence: digestSchema.nullable(),
});

export const indexWithdrawalSchema = z.strictObject({
  file: z.string(),
  blob: oidSchema,
  digest: digestSchema,
  suite_digest: digestSchema,
  withdraws: digestSchema,
  reason: z.string(),
  withdrawn_at: instantSchema,
});

/** `index/<suite>/<model folder>.json`. Results by file name, which begins with the time. */
export const modelIndexSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: segmentSchema,
  folder: z.string(),
  /** Git's id of `benchmarks/results/<suite>/<folder>`. */
  tree: oidSchema,
  model: resultSchema.shape.model.shape.id,
  results: z.array(indexEntrySchema.extend({ state: z.enum(RESULT_STATES) })),
  withdrawals: z.array(indexWithdrawalSchema),
});

/** `index/<suite>/evidence<hex>.json`: results whose evidence digest begins with these hex digits. */
export const evidenceIndexSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: segmentSchema,
  prefix: z.string().regex(/^[0-9a-f]{0,2}$/),
  /** By digest, then path; of one digest the first twenty. */
  results: z.array(z.strictObject({ evidence: digestSchema, path: z.string(), blob: oidSchema })),
});

/** One model of `index/<suite>.json`. */
export const modelRowSchema = z.strictObject({
  folder: z.string(),
  model: resultSchema.shape.model.shape.id,
  tree: oidSchema,
  /** SHA-256 of the model's file. */
  sha256: digestSchema,
  results: count,
  /** The newest result that is neither superseded nor withdrawn, and the one before it. */
  latest: indexEntrySchema.nullable(),
  previous: indexEntrySchema.nullable(),
  withdrawals: z.array(indexWithdrawalSchema),
});

/** `index/<suite>.json`. Models by folder. */
export const suiteIndexSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: segmentSchema,
  /** Git's id of `benchmarks/results/<suite>`. */
  tree: oidSchema,
  evidence: z.strictObject({
    /** How many hex digits of a digest choose its file. */
    digits: z.int().min(0).max(2),
    files: z.array(z.strictObject({ prefix: z.string(), sha256: digestSchema })),
  }),
  models: z.array(modelRowSchema),
});

/** `index.json`. Suites by id. */
export const indexSchema = z.strictObject({
  schema_version: z.literal(3),
  /** The git tree that all was made from; null when it was no committed one. */
  source_tree: oidSchema.nullable(),
  /** Git's id of `benchmarks/results`; null when there is no such folder. */
  results_tree: oidSchema.nullable(),
  /** The scorer that executed the newest results once more; null when nothing was executed. */
  engine: digestSchema.nullable(),
  suites: z.array(
    z.strictObject({
      id: segmentSchema,
      tree: oidSchema,
      sha256: digestSchema,
      models: count,
      results: count,
      withdrawals: count,
    }),
  ),
});

export type IndexEntry = z.infer<typeof indexEntrySchema>;
export type IndexWithdrawal = z.infer<typeof indexWithdrawalSchema>;
export type ModelIndex = z.infer<typeof modelIndexSchema>;
export type ModelRow = z.infer<typeof modelRowSchema>;
export type EvidenceIndex = z.infer<typeof evidenceIndexSchema>;
export type EvidenceEntry = EvidenceIndex["results"][number];
export type SuiteIndex = z.infer<typeof suiteIndexSchema>;
export type ResultIndex = z.infer<typeof indexSchema>;

/** Where the parts of the index lie in `published/`. */
export const INDEX_PATH = "index.json";
export const INDEX_FOLDER = "index/";
export const suiteIndexPath = (suite: string): string => `${INDEX_FOLDER}${suite}.json`;
export const modelIndexPath = (suite: string, folder: string): string =>
  `${INDEX_FOLDER}${suite}/${folder}.json`;
/** Model folders hold `__`, so that no model's file has this name. */
export const evidenceIndexPath = (suite: string, prefix: string): string =>
  `${INDEX_FOLDER}${suite}/evidence${prefix}.json`;
