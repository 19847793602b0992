import { z } from "zod";
import { segmentSchema } from "../../benchmarks/suite-schema.ts";
import { textSchema } from "./names.ts";

/** Languages whose deliverables are known; `complexity` says which of them the code metrics can parse. */
export const LANGUAGES = ["rust", "c", "typescript", "python", "go", "elixir", "aarch64-assembly"] as const;
export type Language = (typeof LANGUAGES)[number];

/** `tasks/<task>/task.json`. */
export const taskSchema = z.strictObject({
  schema_version: z.literal(1),
  id: segmentSchema,
  title: textSchema(100),
  language: z.enum(LANGUAGES),
  /** What the contestant is to deliver, in a sentence. */
  summary: textSchema(500),
  /** Where the task lies on the page; lower is earlier, equal goes by id. */
  position: z.int().nonnegative(),
  /** Categories of the hidden suite: opaque ids. */
  hidden: z.strictObject({ categories: z.array(segmentSchema).min(1).max(64) }),
  perf: z.strictObject({
    /** `data/hosts.json` id of the host that times it. */
    host: segmentSchema,
    metrics: z
      .array(z.strictObject({ id: segmentSchema, title: textSchema(60) }))
      .min(1)
      .max(50),
    /** What expert implementations reach, as speed-ups over the reference by metric. */
    baselines: z
      .array(
        z.strictObject({
          id: segmentSchema,
          title: textSchema(60),
          speedups: z.record(segmentSchema, z.number().positive()),
        }),
      )
      .max(10),
    /** By baseline: why it does not meet the contestant's contract. Shown as `*`. */
    baseline_notes: z.record(segmentSchema, textSchema(500)),
  }),
});

export type Task = z.infer<typeof taskSchema>;
