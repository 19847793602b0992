import { z } from "zod";
import { instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { DEFECT_METHODS, defectSchema } from "../code/schema/defects-schema.ts";
import { textSchema } from "../code/schema/names.ts";
import { findingSchema } from "../findings.ts";
import { jobReportSchema, jobResultSchema } from "../job/report-schema.ts";

const countSchema = z.strictObject({ found: z.int().nonnegative(), of: z.int().nonnegative() });

const judgeRecallSchema = z.strictObject({
  judge: segmentSchema,
  name: textSchema(100),
  /** Verified defects found, of those in entries that it reviewed: without this defect, and with it. */
  before: countSchema,
  after: countSchema,
});

/** How judge recall moves when a defect counts in the entries that showed it; judges whose counts stay are left out. */
export const recallChangeSchema = z.strictObject({
  /** Over the defect's task, all leads and replicates. */
  task: z.array(judgeRecallSchema).max(1000),
  /** Over all tasks. */
  overall: z.array(judgeRecallSchema).max(1000),
});

/** What `bench defects verify --json` writes. */
export const defectsReportSchema = z.strictObject({
  schema_version: z.literal(1),
  started_at: instantSchema,
  finished_at: instantSchema,
  verifications: z.array(
    z.strictObject({
      task: segmentSchema,
      defect: defectSchema.shape.id,
      method: z.enum(DEFECT_METHODS),
      /** By entry, the control last. */
      results: z.array(jobResultSchema),
      /** Null when nothing follows: findings say why. */
      verification: jobReportSchema.shape.verification.unwrap().nullable(),
      recall: recallChangeSchema.nullable(),
      findings: z.array(findingSchema),
    }),
  ),
});

export type JudgeRecall = z.infer<typeof judgeRecallSchema>;
export type RecallChange = z.infer<typeof recallChangeSchema>;
export type DefectsReport = z.infer<typeof defectsReportSchema>;
