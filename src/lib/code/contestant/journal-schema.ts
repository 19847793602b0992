import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { configurationSchema, textSchema } from "../schema/names.ts";

/**
 * The journal of one contestant, beside its folder. A record is on the disk before anything acts on it, so that after a crash it is known
 * whether something was paid for. Only `recorded` means that facts were written.
 */
export const contestantRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("contestant-started"),
    at: instantSchema,
    plan: z.strictObject({
      run: segmentSchema,
      entry: segmentSchema,
      task: segmentSchema,
      configuration: configurationSchema,
      lead: configurationSchema,
      brief: digestSchema,
      replicate: z.int().positive(),
    }),
    harness: textSchema(60),
    limits: z.record(z.string(), z.number()),
  }),
  z.strictObject({
    type: z.literal("contestant-ended"),
    at: instantSchema,
    outcome: z.string().max(60),
    /** What came of it: `finished`, `dnf`, `ours`; and why, for the last two. */
    kind: z.enum(["finished", "dnf", "ours"]),
    reason: textSchema(500).nullable(),
    requests: z.int().nonnegative(),
    answered: z.int().nonnegative(),
    refused: z.int().nonnegative(),
  }),
  z.strictObject({
    type: z.literal("contestant-recorded"),
    at: instantSchema,
    /** Paths of the facts that were written. */
    files: z.array(z.string().max(500)).max(300),
  }),
]);

export type ContestantRecord = z.infer<typeof contestantRecordSchema>;
