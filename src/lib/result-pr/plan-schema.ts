import { z } from "zod";
import { memberMetricsSchema, mismatchSchema, STATUSES } from "../benchmarks/result-schema.ts";
import { digestSchema } from "../benchmarks/suite-schema.ts";
import { resultEntrySchema } from "../feed/schema.ts";
import { findingSchema } from "../findings.ts";
import { reportSchema } from "./report-schema.ts";

/**
 * Normalised evidence: what the jobs of one assay hand each other, as files named by digest and two manifests. Data
 * only: no git, no token, nothing of the pull request that has not been parsed.
 */

const count = z.int().nonnegative();

/** How many findings a manifest carries; the report shows fewer. */
export const MAX_PLAN_FINDINGS = 2000;
/** Shards of one recomputation, on hosted machines, and as many again beside the vault. */
export const MAX_SHARDS = 4;

/** Which commits were judged: the first part of a report. */
export const identitySchema = reportSchema.pick({
  mode: true,
  pull_request: true,
  head_sha: true,
  base_sha: true,
  merge_base_sha: true,
  commit_sha: true,
  tree_sha: true,
});

/** A result that is already committed, as far as board and rules need it. */
export const committedSchema = resultEntrySchema.extend({
  statuses: z.record(z.string(), z.enum(STATUSES)),
  evidence: digestSchema.nullable(),
});

/** A file of the evidence folder: `<64 hex digits of its SHA-256>.json`. */
const evidenceFile = z.string().regex(/^[0-9a-f]{64}\.json$/);

/** `plan.json`: what was found without executing anything, and what remains to be executed. */
export const planSchema = z.strictObject({
  schema_version: z.literal(1),
  identity: identitySchema,
  changed_files: count,
  /** Findings of the rules and of the documents, most severe first. */
  findings: z.array(findingSchema).max(MAX_PLAN_FINDINGS),
  findings_total: count,
  submissions: z.array(
    z.strictObject({
      path: z.string(),
      /** SHA-256 of the committed bytes. */
      digest: digestSchema,
      /** The document, canonical, in the evidence folder. */
      file: evidenceFile,
      duplicates: z.array(z.strictObject({ path: z.string(), document: digestSchema })),
    }),
  ),
  /** What a rank is computed from: the newest standing results of curated models and of the submitted one. */
  committed: z.array(committedSchema),
  /** Paths of `committed` in the order in which the base got them, where only that tells their age; oldest first. */
  merge_order: z.array(z.string()),
  /** Curated registry of the base, in the evidence folder; null when the base has none. */
  registry: evidenceFile.nullable(),
  /** Parts of the recomputation, numbered from 1. */
  shards: z
    .int()
    .min(0)
    .max(2 * MAX_SHARDS),
  /** How many of them, the last ones, hold the bank's members and run beside the vault; 0 when hosted machines do all. */
  vault_shards: z.int().min(0).max(MAX_SHARDS),
  /** What changes of the code benchmark's facts, in the evidence folder; absent when nothing does. */
  code: evidenceFile.optional(),
});

/** `part-<i>.json`: one shard's members. */
export const partSchema = z.strictObject({
  schema_version: z.literal(1),
  shard: z.int().positive(),
  of: z.int().positive(),
  /** Digest of the plan it belongs to. */
  plan: digestSchema,
  submissions: z.array(
    z.strictObject({
      path: z.string(),
      members: z.array(
        z.strictObject({
          id: z.string(),
          status: z.enum([...STATUSES, "unverified"]),
          metrics: memberMetricsSchema.nullable(),
          mismatches: z.array(mismatchSchema),
          output: z.strictObject({ sha256: digestSchema, rows: count, columns: count }).nullable(),
          findings: z.array(findingSchema),
        }),
      ),
    }),
  ),
});

export type Identity = z.infer<typeof identitySchema>;
export type Plan = z.infer<typeof planSchema>;
export type Part = z.infer<typeof partSchema>;
