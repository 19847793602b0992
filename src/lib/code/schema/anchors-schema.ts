import { z } from "zod";
import { instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";

export const anchorSchema = z.strictObject({
  id: segmentSchema,
  run: segmentSchema,
  entry: segmentSchema,
  /** Where it lies in the range of scores: anchors of a run cover all three. */
  level: z.enum(["low", "middle", "high"]),
  added_at: instantSchema,
});

/** `data/anchors/<task>.json`: entries of earlier runs that later sessions judge again. */
export const anchorsSchema = z.strictObject({
  schema_version: z.literal(1),
  task: segmentSchema,
  anchors: z.array(anchorSchema).max(200),
});

export type Anchor = z.infer<typeof anchorSchema>;
export type Anchors = z.infer<typeof anchorsSchema>;
