import { z } from "zod";
import { digestSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { hiddenSchema } from "../code/schema/perf-schema.ts";
import { findingSchema } from "../findings.ts";
import { perfReportSchema } from "../perf/report-schema.ts";

/** What `bin/check`, `bin/hidden` and `bin/perf` write to `--json`. The exit code says whose fault it is: 0 nobody's, 2 the candidate's, 3 ours. */

const head = {
  schema_version: z.literal(1),
  task: segmentSchema,
  /** SHA-256 of the canonical list of the deliverable's files; null when it could not be read. */
  deliverable: digestSchema.nullable(),
  /** Why there is no more than this; empty when there is. */
  findings: z.array(findingSchema),
};

/** Whether the deliverable is complete, builds, and answers the examples of SPEC.md. */
export const checkOutcomeSchema = z.strictObject({
  ...head,
  kind: z.literal("check"),
  built: z.boolean(),
  examples: z.array(z.strictObject({ id: segmentSchema, passed: z.boolean() })),
  /** Warnings of the language's linter; null where the task has none or it could not be run. */
  lint_warnings: z.int().nonnegative().nullable(),
});

/** Pass or fail by category, and nothing else of what happened. */
export const hiddenOutcomeSchema = z.strictObject({
  ...head,
  kind: z.literal("hidden"),
  /** Digest of the suite that ran; null when none did. */
  suite: digestSchema.nullable(),
  categories: hiddenSchema.shape.categories.or(z.tuple([])),
});

const { host, iterations, attempts, failure, perf, started_at, finished_at } = perfReportSchema.shape;

/** What `bin/perf` measured: as an entry of a run takes it, and every sample that it comes from. */
export const perfOutcomeSchema = z.strictObject({
  ...head,
  kind: z.literal("perf"),
  /** Null when there is no speed. */
  facts: perf,
  /** Null when nothing was timed. */
  raw: z
    .strictObject({
      started_at,
      finished_at,
      /** Digests of what was built, by which identical programs are known. */
      candidate: digestSchema,
      reference: digestSchema,
      host,
      iterations,
      attempts,
      failure,
    })
    .nullable(),
});

export type CheckOutcome = z.infer<typeof checkOutcomeSchema>;
export type HiddenOutcome = z.infer<typeof hiddenOutcomeSchema>;
export type PerfOutcome = z.infer<typeof perfOutcomeSchema>;
