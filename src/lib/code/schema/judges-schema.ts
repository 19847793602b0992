import { z } from "zod";
import { instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { configurationSchema, textSchema } from "./names.ts";

export const judgeSchema = z.strictObject({
  /** Stable: a judge that changes its model or effort is another judge. */
  id: segmentSchema,
  name: textSchema(100),
  configuration: configurationSchema,
  harness: textSchema(60),
  joined_at: instantSchema,
  retired_at: instantSchema.optional(),
});

/** `data/judges.json`. The vendor is its model's. */
export const judgesSchema = z.strictObject({
  schema_version: z.literal(1),
  judges: z.array(judgeSchema).max(500),
});

export type Judge = z.infer<typeof judgeSchema>;
export type Judges = z.infer<typeof judgesSchema>;
