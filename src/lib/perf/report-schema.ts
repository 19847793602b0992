import { z } from "zod";
import { segmentSchema } from "../benchmarks/suite-schema.ts";
import { perfSchema } from "../code/schema/perf-schema.ts";

const estimate = {
  ratio: z.number().positive(),
  interval: z.strictObject({ low: z.number().positive(), high: z.number().positive() }),
};

const analysisSchema = z.strictObject({
  pairs: z.int().positive(),
  metrics: z.array(
    z.strictObject({
      id: segmentSchema,
      ...estimate,
      check: z.number().positive(),
      noise: z.strictObject(estimate),
      cv: z.strictObject({ candidate: z.number(), reference: z.number() }),
      outliers: z.int().nonnegative(),
    }),
  ),
  speed: z.strictObject(estimate),
  floor: z.strictObject(estimate),
  verdict: z.enum(["faster", "slower", "same", "inconclusive"]),
  flags: perfSchema.shape.flags,
  reasons: z.array(z.string()),
});

const programSchema = z.strictObject({ argv: z.array(z.string()), digest: z.string().nullable() });

/** What `bench perf compare --json` writes: every raw sample in its order, and what follows from them. */
export const perfReportSchema = z.strictObject({
  schema_version: z.literal(1),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  seed: z.string(),
  candidate: programSchema,
  reference: programSchema,
  host: z.strictObject({
    cpu: z.string(),
    threads: z.int().positive(),
    memory_bytes: z.number().positive(),
    kernel: z.string(),
    clock: z.string().nullable(),
    node: z.string(),
    /** Load of the last minute before the run and after it. */
    load: z.strictObject({ before: z.number(), after: z.number() }),
    /** The core that samples were pinned to; null with the reason when they were not. */
    core: z.int().nonnegative().nullable(),
    not_pinned: z.string().nullable(),
  }),
  /** Of a batch, by metric. */
  iterations: z.record(segmentSchema, z.int().positive()),
  attempts: z.array(
    z.strictObject({
      warm: z.boolean(),
      analysis: analysisSchema.nullable(),
      samples: z.array(
        z.strictObject({
          metric: segmentSchema,
          part: z.enum(["warm-up", "judged", "noise"]),
          round: z.int().nonnegative(),
          role: z.enum(["candidate", "reference", "again"]),
          ns: z.number().positive(),
          switches: z.int().nonnegative().nullable(),
        }),
      ),
    }),
  ),
  /** Why there is no speed; null when there is one. */
  failure: z
    .strictObject({
      whose: z.enum(["candidate", "ours"]),
      kind: z.string(),
      metric: segmentSchema,
      message: z.string(),
    })
    .nullable(),
  /** The last attempt as `perf` of an entry holds it; null when there is no speed. */
  perf: perfSchema
    .pick({
      proxy: true,
      output_ok: true,
      unit: true,
      seed: true,
      metrics: true,
      noise: true,
      flags: true,
      note: true,
    })
    .nullable(),
});

export type PerfReport = z.infer<typeof perfReportSchema>;
