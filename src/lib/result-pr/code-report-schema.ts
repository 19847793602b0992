import { z } from "zod";
import { digestSchema } from "../benchmarks/suite-schema.ts";
import { movementSchema } from "../code/movement/movement-schema.ts";

/** The part of a report about facts of the code benchmark: what a pull request brings, and what it moves. */

const count = z.int().nonnegative();

/** Documents that are listed; a pull request with more is refused. */
const MAX_DOCUMENTS = 200;
/** Deliverables that are told apart. */
export const MAX_EVIDENCE = 100;

export const codePartSchema = z.strictObject({
  schema_version: z.literal(1),
  /**
   * What numbers are compared with: the base as it is now, or (`merge-base`) the state that the branch started from, when
   * the base has changed the same documents since. The merge is judged against the base in any case.
   */
  against: z.enum(["base", "merge-base"]),
  documents: z
    .array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(["runs", "defects", "anchors", "judges", "models", "pricing"]),
        status: z.enum(["added", "modified"]),
        bytes: count,
      }),
    )
    .max(MAX_DOCUMENTS),
  /** Added files of deliverables. */
  deliverables: z.strictObject({ files: count, bytes: count }),
  /** How well each kind of new number is known. */
  levels: z.record(z.string(), z.enum(["recomputed", "attested", "declared"])),
  /** Digests of what new entries deliver, by which copies in other pull requests are found. */
  evidence: z.array(digestSchema).max(MAX_EVIDENCE),
  /** What moves; null when the facts do not hold, so that nothing was derived from them. */
  movement: movementSchema.nullable(),
});

export type CodePart = z.infer<typeof codePartSchema>;
