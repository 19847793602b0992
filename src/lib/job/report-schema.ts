import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { attestationSchema } from "../code/schema/hosts-schema.ts";
import { hiddenSchema, perfSchema } from "../code/schema/perf-schema.ts";
import { findingSchema } from "../findings.ts";
import { JOB_KINDS, jobInputsSchema, shaSchema, targetSchema } from "./order-schema.ts";

/** Name of the artifact that the App reads, and of the file in it. */
export const JOB_ARTIFACT = "assay-job";
export const JOB_REPORT_FILE = "report.json";

/**
 * How a job ended. Only `measured` says anything about a deliverable.
 * `refused`: a guard said no, before anything of a deliverable was run. `candidate`: the deliverable is at fault. `ours`: the office or its host failed.
 */
export const JOB_OUTCOMES = ["measured", "refused", "candidate", "ours"] as const;

/** What was read of a host, and what it should be. */
export const hostReadingSchema = z.strictObject({
  /** By name as in `data/hosts.json`; null: not readable here. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  at: instantSchema,
  /** Those of `values` that are there and could not be read; the others without a value are not there. */
  unreadable: z.array(z.string()).optional(),
});

export const hostFactsSchema = z.strictObject({
  id: segmentSchema,
  class: z.enum(["board", "rehearsal"]),
  /** SHA-256 of the canonical JSON of `fingerprint`. */
  fingerprint_digest: digestSchema,
  /** What it is: CPU, cores, OS, kernel, microcode, memory … */
  fingerprint: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** What it did: load, temperature, governor …, before and after. */
  before: hostReadingSchema,
  after: hostReadingSchema.nullable(),
});

/** What a probe, or the hidden category, said of one entry: the defect is there, is not there, or nobody can tell. */
export const PROBE_STATES = ["present", "absent", "not-built", "failed"] as const;

/** What came of one entry. */
export const jobResultSchema = z.strictObject({
  run: segmentSchema,
  entry: segmentSchema,
  role: z.enum(["judged", "control"]),
  /** Kind `perf`: as an entry of `data/runs/<run>.json` takes them. */
  hidden: hiddenSchema.optional(),
  perf: perfSchema.optional(),
  /** Kind `verify`. */
  probe: z.enum(PROBE_STATES).optional(),
});

/** What the host signs: everything but the signature. */
export const jobReportSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.enum(JOB_KINDS),
  outcome: z.enum(JOB_OUTCOMES),
  pull_request: z.int().positive(),
  head_sha: shaSchema,
  nonce: jobInputsSchema.shape.nonce,
  target: targetSchema,
  /** SHA-256 of `order.json`; null when no order was made. */
  order: digestSchema.nullable(),
  findings: z.array(findingSchema).max(100),
  host: hostFactsSchema.nullable(),
  started_at: instantSchema.nullable(),
  finished_at: instantSchema.nullable(),
  results: z.array(jobResultSchema).max(200),
  /** SHA-256 of `raw.json` beside this file, which holds every sample of every attempt; null when there is none. */
  raw: digestSchema.nullable(),
  /** Kind `verify`: what follows. `control-failed` proves nothing about the listed entries. */
  verification: z.enum(["confirmed", "not-reproduced", "partly", "control-failed"]).optional(),
  /** Kind `run`: digest of the bundle of raw facts (`facts/` beside this file) that a pull request is made of. */
  facts: digestSchema.optional(),
  attestation: attestationSchema.optional(),
});

export type HostReading = z.infer<typeof hostReadingSchema>;
export type HostFacts = z.infer<typeof hostFactsSchema>;
export type JobResult = z.infer<typeof jobResultSchema>;
export type JobReport = z.infer<typeof jobReportSchema>;
