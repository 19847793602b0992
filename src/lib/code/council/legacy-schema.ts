import { z } from "zod";
import { instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { scoreSchema } from "../schema/council-schema.ts";
import { CATEGORIES, SEVERITIES, textSchema } from "../schema/names.ts";
import { usageSchema } from "../schema/usage-schema.ts";

/** Reviews of the time before categories, by judge and entry. */
export const legacySchema = z.strictObject({
  schema_version: z.literal(1),
  sessions: z
    .array(
      z.strictObject({
        judge: segmentSchema,
        started_at: instantSchema,
        finished_at: instantSchema,
        reviews: z
          .array(
            z.strictObject({
              entry: segmentSchema,
              score: scoreSchema,
              summary: textSchema(4000).optional(),
              findings: z
                .array(
                  z.strictObject({
                    /** Default: the entry's id, a dash and the number of the finding in it, from 1. */
                    id: segmentSchema.optional(),
                    severity: z.enum(SEVERITIES),
                    text: textSchema(4000),
                    file: textSchema(300).optional(),
                    line: z.int().positive().optional(),
                    /** Shown to be wrong, and how. */
                    false_positive: textSchema(2000).optional(),
                  }),
                )
                .max(200),
            }),
          )
          .min(1)
          .max(100),
        usage: usageSchema.optional(),
      }),
    )
    .min(1)
    .max(100),
});

/** Categories that a person gave, each with the reason; by judge and finding. */
export const overridesSchema = z.strictObject({
  schema_version: z.literal(1),
  overrides: z
    .array(
      z.strictObject({
        judge: segmentSchema,
        finding: segmentSchema,
        category: z.enum(CATEGORIES),
        reason: textSchema(1000),
      }),
    )
    .max(5000),
});

export type Legacy = z.infer<typeof legacySchema>;
export type Overrides = z.infer<typeof overridesSchema>;
