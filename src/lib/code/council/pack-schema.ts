import { z } from "zod";
import { digestSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { letterSchema } from "../schema/council-schema.ts";

const pathSchema = z.string().min(1).max(320);
export const seedSchema = z.string().regex(/^[A-Za-z0-9._-]{1,80}$/);

/** `pack.json`: what a pack is made of. It names no run, judge, entry or anchor. */
export const packSchema = z.strictObject({
  schema_version: z.literal(1),
  /** SHA-256 over this document's canonical JSON without this key. */
  sha256: digestSchema,
  /** What shuffle, letters and the order of criteria were drawn by. */
  seed: seedSchema,
  /** This pack's number among its judge's packs of the run, and how many there are. */
  number: z.int().positive(),
  of: z.int().positive(),
  /** Of the rubric before its criteria were put in this pack's order. */
  rubric: digestSchema,
  spec: digestSchema,
  /** In the order in which they are to be read. */
  letters: z.array(letterSchema).min(1).max(100),
  /** Every other file of the pack, by path. */
  files: z
    .array(z.strictObject({ path: pathSchema, sha256: digestSchema }))
    .min(3)
    .max(20_000),
});

/** The letters map: it stays out of the pack, and out of the judge's reach. */
export const lettersSchema = z.strictObject({
  schema_version: z.literal(1),
  pack: digestSchema,
  run: segmentSchema,
  judge: segmentSchema,
  seed: seedSchema,
  rubric: digestSchema,
  order: z
    .array(
      z.union([
        z.strictObject({
          letter: letterSchema,
          entry: segmentSchema,
          renamed: z.record(pathSchema, pathSchema),
        }),
        z.strictObject({
          letter: letterSchema,
          anchor: segmentSchema,
          renamed: z.record(pathSchema, pathSchema),
        }),
      ]),
    )
    .min(1)
    .max(100),
});

export type Pack = z.infer<typeof packSchema>;
export type Letters = z.infer<typeof lettersSchema>;
