import { z } from "zod";
import { digestSchema } from "../../benchmarks/suite-schema.ts";

/**
 * What a change of the facts moves: scores, ranks, picks, leads, judges. Numbers are unrounded; null is unknown or not
 * there. Lists are cut to `LISTED`, the largest changes first, and say how many there are in all.
 */

/** How much of each list a movement holds. */
export const LISTED = {
  runs: 50,
  sessions: 100,
  defects: 50,
  configurations: 100,
  judges: 50,
  revisions: 50,
  entries: 200,
  views: 16,
  ranks: 60,
  picks: 6,
  leads: 50,
} as const;

const count = z.int().nonnegative();
const number = z.number().nullable();
const moved = z.strictObject({ before: number, after: number });
const cut = <T extends z.ZodType>(item: T, most: number) =>
  z.strictObject({ rows: z.array(item).max(most), total: count });

/** Values of one entry that can move, in the order in which they are shown. */
export const ENTRY_VALUES = [
  "final",
  "council",
  "cross_vendor",
  "slop",
  "defect_points",
  "cost_usd",
  "seconds",
] as const;

const hiddenCount = z.strictObject({ passed: count, total: count }).nullable();

export const entryMoveSchema = z.strictObject({
  run: z.string(),
  entry: z.string(),
  configuration: z.string(),
  /** `gone`: it was there and is not derived any more. */
  state: z.enum(["new", "changed", "gone"]),
  /** Only what differs; of a new entry whatever is known. */
  values: z.partialRecord(z.enum(ENTRY_VALUES), moved),
  /** Null when it did not move. */
  hidden: z.strictObject({ before: hiddenCount, after: hiddenCount }).nullable(),
  /** Why there is no score now, where there is none. */
  reason: z.string().nullable(),
});

const rankMoveSchema = z.strictObject({
  configuration: z.string(),
  /** Places in the ranking by final score; null where it is not ranked. */
  rank: moved,
  score: moved,
});

const pickSchema = z.strictObject({ configuration: z.string(), value: z.number() });

/** One selection of the board: all tasks or one, all leads or one; every effort level. */
export const viewMoveSchema = z.strictObject({
  /** Null: overall. */
  task: z.string().nullable(),
  /** Null: all leads. */
  lead: z.string().nullable(),
  /** Configurations that are ranked. */
  of: z.strictObject({ before: count, after: count }),
  /** Those whose place or score moved. */
  ranks: cut(rankMoveSchema, LISTED.ranks),
  /** The picks, best first; empty lists where there are none. */
  picks: z.strictObject({
    before: z.array(pickSchema).max(LISTED.picks),
    after: z.array(pickSchema).max(LISTED.picks),
  }),
  /** Medians of final scores by lead: those that moved. */
  leads: cut(z.strictObject({ lead: z.string(), median: moved }), LISTED.leads),
});

export const judgeMoveSchema = z.strictObject({
  judge: z.string(),
  state: z.enum(["new", "changed", "gone"]),
  scored: moved,
  mean: moved,
  offset: moved,
  r: moved,
  recall: moved,
});

export const defectGainSchema = z.strictObject({
  task: z.string(),
  id: z.string(),
  title: z.string(),
  severity: z.string(),
  category: z.string(),
  method: z.string(),
  /** Entries that have it, and how often it was reported. */
  entries: count,
  reports: count,
});

/** One item that was added to a log of corrections. */
export const revisionSchema = z.strictObject({
  path: z.string(),
  id: z.string(),
  kind: z.string(),
  /** What it corrects: `session s1, letter A`; `entry alpha`; `defect D-7`. */
  target: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  by: z.string(),
  reason: z.string(),
});

export const movementSchema = z.strictObject({
  /** Digests of the facts that were compared; null where there are none. */
  source: z.strictObject({ before: digestSchema.nullable(), after: digestSchema.nullable() }),
  added: z.strictObject({
    runs: cut(
      z.strictObject({
        id: z.string(),
        task: z.string(),
        lead: z.string(),
        replicate: count,
        entries: count,
        excluded: z.boolean(),
      }),
      LISTED.runs,
    ),
    sessions: cut(
      z.strictObject({ run: z.string(), id: z.string(), judge: z.string(), scored: count }),
      LISTED.sessions,
    ),
    defects: cut(defectGainSchema, LISTED.defects),
    /** Configurations that had no entry before. */
    configurations: cut(z.string(), LISTED.configurations),
    judges: cut(z.string(), LISTED.judges),
  }),
  revisions: cut(revisionSchema, LISTED.revisions),
  entries: cut(entryMoveSchema, LISTED.entries),
  views: z.array(viewMoveSchema).max(LISTED.views),
  judges: cut(judgeMoveSchema, LISTED.judges),
  /** Agreement of judges over everything: one judge's score, and the panel's mean. Null when it did not move. */
  agreement: z.strictObject({ single: moved, average: moved }).nullable(),
});

export type Moved = z.infer<typeof moved>;
export type EntryMove = z.infer<typeof entryMoveSchema>;
export type ViewMove = z.infer<typeof viewMoveSchema>;
export type JudgeMove = z.infer<typeof judgeMoveSchema>;
export type DefectGain = z.infer<typeof defectGainSchema>;
export type Revision = z.infer<typeof revisionSchema>;
export type Movement = z.infer<typeof movementSchema>;
