import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { CATEGORIES, SEVERITIES, textSchema } from "./names.ts";
import { usageSchema } from "./usage-schema.ts";

/** One to three capital letters: what a judge sees instead of an entry. */
export const letterSchema = z.string().regex(/^[A-Z]{1,3}$/);

/** Whether a finding holds: `false_positive` stays in the data and counts in no metric. */
export const FINDING_STATUSES = ["valid", "false_positive"] as const;

/** The score of a seat: 0 to 10. */
export const scoreSchema = z.number().min(0).max(10);

export const seatFindingSchema = z.strictObject({
  /** Unique in its session. */
  id: segmentSchema,
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  /** File of the deliverable and 1-based line, where the judge named one. */
  file: textSchema(300).optional(),
  line: z.int().positive().optional(),
  text: textSchema(4000),
  status: z.enum(FINDING_STATUSES),
  /** Why it is a false positive, or how it was verified. */
  note: textSchema(2000).optional(),
  /** How a legacy finding got its category; absent when the judge chose it. */
  classified_by: z.enum(["keywords", "override"]).optional(),
});

export const reviewSchema = z.strictObject({
  letter: letterSchema,
  score: scoreSchema,
  summary: textSchema(4000).optional(),
  findings: z.array(seatFindingSchema).max(200),
});

/** What stands behind a letter: an entry of this run, or an anchor of the task. */
const letterOfSchema = z.union([
  z.strictObject({ letter: letterSchema, entry: segmentSchema }),
  z.strictObject({ letter: letterSchema, anchor: segmentSchema }),
]);

/** One fresh session of one judge over one pack. */
export const sessionSchema = z.strictObject({
  id: segmentSchema,
  judge: segmentSchema,
  started_at: instantSchema,
  finished_at: instantSchema,
  pack: z.strictObject({
    sha256: digestSchema,
    /** What the shuffle and the letters were drawn by. */
    seed: z.string().min(1).max(100),
    rubric: digestSchema,
    prompt: digestSchema.optional(),
  }),
  /** Letters in the order in which the judge saw them. */
  order: z.array(letterOfSchema).min(1).max(100),
  /** At most one a letter; a letter without one is a missing seat, never a zero. */
  reviews: z.array(reviewSchema).max(100),
  /** Why the session, or part of it, gave no reviews. */
  missing: z.strictObject({ reason: textSchema(500) }).optional(),
  usage: usageSchema.optional(),
});

const revisionHead = {
  id: segmentSchema,
  at: instantSchema,
  by: textSchema(100),
  session: segmentSchema,
  reason: textSchema(2000),
};

/** A change of what a judge said, in the order of the log; the words of the session itself stay as they were. */
export const councilRevisionSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("score"),
    ...revisionHead,
    letter: letterSchema,
    from: scoreSchema,
    to: scoreSchema,
  }),
  z.strictObject({
    kind: z.literal("status"),
    ...revisionHead,
    finding: segmentSchema,
    from: z.enum(FINDING_STATUSES),
    to: z.enum(FINDING_STATUSES),
  }),
  z.strictObject({
    kind: z.literal("category"),
    ...revisionHead,
    finding: segmentSchema,
    from: z.enum(CATEGORIES),
    to: z.enum(CATEGORIES),
  }),
  z.strictObject({
    kind: z.literal("severity"),
    ...revisionHead,
    finding: segmentSchema,
    from: z.enum(SEVERITIES),
    to: z.enum(SEVERITIES),
  }),
]);

export const councilSchema = z.strictObject({
  sessions: z.array(sessionSchema).max(500),
  revisions: z.array(councilRevisionSchema).max(5000),
});

export type SeatFinding = z.infer<typeof seatFindingSchema>;
export type Review = z.infer<typeof reviewSchema>;
export type Session = z.infer<typeof sessionSchema>;
export type CouncilRevision = z.infer<typeof councilRevisionSchema>;
export type Council = z.infer<typeof councilSchema>;
