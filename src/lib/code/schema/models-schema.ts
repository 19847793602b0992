import { z } from "zod";
import { segmentSchema } from "../../benchmarks/suite-schema.ts";
import { effortSchema, modelIdSchema, textSchema } from "./names.ts";

/** `#rrggbb`. */
const colourSchema = z.string().regex(/^#[0-9a-f]{6}$/);

/** The shapes that tell vendors apart where colour cannot. */
export const MARKERS = [
  "circle",
  "square",
  "triangle",
  "diamond",
  "cross",
  "star",
  "pentagon",
  "hexagon",
  "ring",
] as const;

export const vendorSchema = z.strictObject({
  id: segmentSchema,
  name: textSchema(60),
  /** Fixed per vendor; never depends on rank. */
  colour: z.strictObject({ light: colourSchema, dark: colourSchema }),
  marker: z.enum(MARKERS),
  /** The lab's mark beside a model's name: one to three characters. */
  mark: textSchema(3),
});

export const modelSchema = z.strictObject({
  id: modelIdSchema,
  name: textSchema(200),
  vendor: segmentSchema,
  efforts: z.array(effortSchema).min(1).max(20),
  /** The card of `data/pricing.json` that its own price is on; null when none is known. */
  price_card: z.string().max(200).nullable(),
  /** The card it is priced by instead, and why (a preview priced at its successor's rate, say). */
  priced_as: z.strictObject({ card: z.string().max(200), reason: textSchema(500) }).optional(),
  /** How harness logs write it. */
  log_names: z.array(z.string().min(1).max(200)).max(50),
});

/** `data/models.json`. */
export const modelsSchema = z.strictObject({
  schema_version: z.literal(1),
  vendors: z.array(vendorSchema).max(200),
  models: z.array(modelSchema).max(5000),
});

export type Vendor = z.infer<typeof vendorSchema>;
export type CodeModel = z.infer<typeof modelSchema>;
export type Models = z.infer<typeof modelsSchema>;
