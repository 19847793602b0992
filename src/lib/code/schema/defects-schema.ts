import { z } from "zod";
import { instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { CATEGORIES, deliverablePathSchema, SEVERITIES, textSchema } from "./names.ts";

/** How a defect was confirmed: by a program that shows it, by a failing hidden category, or (documents, tests) by reading. */
export const DEFECT_METHODS = ["probe", "hidden-suite", "inspection"] as const;

const placeSchema = z.strictObject({ run: segmentSchema, entry: segmentSchema });

export const defectSchema = z.strictObject({
  id: z.string().regex(/^D-[1-9][0-9]{0,5}$/),
  title: textSchema(300),
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
  method: z.enum(DEFECT_METHODS),
  /** For `probe`: the program under `tasks/<task>/probes/`. */
  probe: deliverablePathSchema.optional(),
  /** For `hidden-suite`: the category that fails. */
  hidden_category: segmentSchema.optional(),
  /** An entry that must not show it; a probe that finds it there proves nothing. */
  control: placeSchema.optional(),
  added_at: instantSchema,
  note: textSchema(2000).optional(),
  /** The entries that have it. */
  entries: z.array(placeSchema).min(1).max(5000),
  /** The judges' findings that report it. */
  findings: z
    .array(z.strictObject({ run: segmentSchema, session: segmentSchema, finding: segmentSchema }))
    .max(5000),
});

/** A defect that turned out to be none, or in which an entry or finding was named wrongly. */
export const defectRevisionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("withdraw"), ...revisionHead() }),
  z.strictObject({ kind: z.literal("entry"), ...revisionHead(), remove: placeSchema }),
  z.strictObject({
    kind: z.literal("finding"),
    ...revisionHead(),
    remove: z.strictObject({ run: segmentSchema, session: segmentSchema, finding: segmentSchema }),
  }),
]);

function revisionHead() {
  return {
    id: segmentSchema,
    at: instantSchema,
    by: textSchema(100),
    defect: z.string().regex(/^D-[1-9][0-9]{0,5}$/),
    reason: textSchema(2000),
  };
}

/** `data/defects/<task>.json`. */
export const defectsSchema = z.strictObject({
  schema_version: z.literal(1),
  task: segmentSchema,
  defects: z.array(defectSchema).max(2000),
  revisions: z.array(defectRevisionSchema).max(5000),
});

export type Defect = z.infer<typeof defectSchema>;
export type DefectRevision = z.infer<typeof defectRevisionSchema>;
export type Defects = z.infer<typeof defectsSchema>;
