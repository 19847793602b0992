import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { letterSchema, scoreSchema } from "../schema/council-schema.ts";
import { CATEGORIES, SEVERITIES, textSchema } from "../schema/names.ts";
import { usageSchema } from "../schema/usage-schema.ts";

/**
 * A session before it is imported: what a judge said about a pack, by letter. `council review` writes it; for a judge that
 * was run by hand a person does. Who stands behind the letters is in the letters map alone.
 */
export const sessionFileSchema = z.strictObject({
  schema_version: z.literal(1),
  judge: segmentSchema,
  /** The pack's digest, as its pack.json has it. */
  pack: digestSchema,
  started_at: instantSchema,
  finished_at: instantSchema,
  /** Digest of the first question, where it was asked by program. */
  prompt: digestSchema.optional(),
  reviews: z
    .array(
      z.strictObject({
        letter: letterSchema,
        score: scoreSchema,
        summary: textSchema(4000).optional(),
        findings: z
          .array(
            z.strictObject({
              severity: z.enum(SEVERITIES),
              category: z.enum(CATEGORIES),
              file: textSchema(300).optional(),
              line: z.int().positive().optional(),
              text: textSchema(4000),
            }),
          )
          .max(200),
      }),
    )
    .max(100),
  /** Why letters have no review. */
  missing: z.strictObject({ reason: textSchema(500) }).optional(),
  usage: usageSchema.optional(),
});

export type SessionFile = z.infer<typeof sessionFileSchema>;
