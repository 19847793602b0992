import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { attestationSchema } from "./hosts-schema.ts";
import { textSchema } from "./names.ts";

/** One sample: nanoseconds, or instructions of a proxy. */
const sampleSchema = z.number().positive().finite();

/** What a perf job measured for one entry: all raw samples; medians and speed-ups are derived. */
export const perfSchema = z.strictObject({
  at: instantSchema,
  host: segmentSchema,
  /** SHA-256 of the host's fingerprint as read by the job. */
  fingerprint: digestSchema,
  /** Instruction counts of an emulator instead of timings: never mixed with them. */
  proxy: z.boolean(),
  /** False when any sample's output was wrong: speed is then not scored. */
  output_ok: z.boolean(),
  unit: z.enum(["ns", "instructions"]),
  seed: z.string().max(100).optional(),
  metrics: z
    .array(
      z.strictObject({
        id: segmentSchema,
        candidate: z.array(sampleSchema).max(1000),
        reference: z.array(sampleSchema).max(1000),
      }),
    )
    .max(50),
  /** The reference against itself, in the same manner and on the same day. */
  noise: z
    .array(
      z.strictObject({
        id: segmentSchema,
        first: z.array(sampleSchema).max(1000),
        second: z.array(sampleSchema).max(1000),
      }),
    )
    .max(50)
    .optional(),
  flags: z.array(z.enum(["noisy", "disturbed", "inconclusive"])).max(3),
  note: textSchema(500).optional(),
  attestation: attestationSchema.optional(),
});

/** What a hidden suite said of one entry: pass or fail per category, never more. */
export const hiddenSchema = z.strictObject({
  at: instantSchema,
  /** Digest of the suite that ran. */
  suite: digestSchema,
  categories: z
    .array(z.strictObject({ id: segmentSchema, passed: z.boolean() }))
    .min(1)
    .max(64),
  host: segmentSchema.optional(),
  attestation: attestationSchema.optional(),
});

export type Perf = z.infer<typeof perfSchema>;
export type Hidden = z.infer<typeof hiddenSchema>;
