import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { councilSchema } from "./council-schema.ts";
import { configurationSchema, deliverablePathSchema, textSchema } from "./names.ts";
import { hiddenSchema, perfSchema } from "./perf-schema.ts";
import { qualitySchema } from "./quality-schema.ts";
import { usageSchema } from "./usage-schema.ts";

/** One configuration's deliverable in one run. */
export const entrySchema = z.strictObject({
  id: segmentSchema,
  configuration: configurationSchema,
  /** Counts the batches that shared this run; 1 when absent. */
  batch: z.int().positive().optional(),
  harness: z.strictObject({
    name: textSchema(60),
    version: textSchema(60).nullable(),
    /** Ran on a faster service tier. */
    fast_mode: z.boolean(),
  }),
  usage: usageSchema.optional(),
  /** Did not finish: cost and time, but no score. */
  dnf: z.strictObject({ reason: textSchema(500) }).optional(),
  /** Files of `data/entries/<run>/<entry>/`, by path. */
  deliverable: z
    .array(
      z.strictObject({ path: deliverablePathSchema, sha256: digestSchema, bytes: z.int().nonnegative() }),
    )
    .max(200),
  hidden: hiddenSchema.optional(),
  perf: perfSchema.optional(),
  quality: qualitySchema.optional(),
});

/** A measured fact that was replaced; the earlier one stays where it is. */
export const runRevisionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("hidden"), ...revisionHead(), to: hiddenSchema }),
  z.strictObject({ kind: z.literal("perf"), ...revisionHead(), to: perfSchema }),
  z.strictObject({ kind: z.literal("quality"), ...revisionHead(), to: qualitySchema }),
  z.strictObject({ kind: z.literal("usage"), ...revisionHead(), to: usageSchema }),
  z.strictObject({
    kind: z.literal("dnf"),
    ...revisionHead(),
    to: z.strictObject({ reason: textSchema(500) }).nullable(),
  }),
]);

function revisionHead() {
  return {
    id: segmentSchema,
    at: instantSchema,
    by: textSchema(100),
    entry: segmentSchema,
    reason: textSchema(2000),
  };
}

/** `data/runs/<run>.json`: one lead's brief of one task, given once (one replicate) to each configuration. */
export const runSchema = z.strictObject({
  schema_version: z.literal(1),
  id: segmentSchema,
  task: segmentSchema,
  /** The contract that was judged against. */
  spec: z.strictObject({ sha256: digestSchema }),
  /** Who wrote the brief. */
  lead: configurationSchema,
  /** What the judges judged against: the task's contract, or (before that rule) the brief. */
  basis: z.enum(["spec", "brief"]),
  brief: z.strictObject({ sha256: digestSchema, usage: usageSchema.optional() }),
  /** Who built the task's contract, scaffold and suites. */
  kit: z.strictObject({ builder: configurationSchema, usage: usageSchema.optional() }).optional(),
  replicate: z.int().positive(),
  started_at: instantSchema,
  /** Left out of all results, and why (the pilot). */
  excluded: z.strictObject({ reason: textSchema(1000) }).optional(),
  /** Made by a generator: never a result. */
  synthetic: z.strictObject({ seed: z.int().nonnegative(), generator: textSchema(60) }).optional(),
  entries: z.array(entrySchema).min(1).max(1000),
  council: councilSchema,
  revisions: z.array(runRevisionSchema).max(5000),
});

export type Entry = z.infer<typeof entrySchema>;
export type RunRevision = z.infer<typeof runRevisionSchema>;
export type CodeRun = z.infer<typeof runSchema>;
