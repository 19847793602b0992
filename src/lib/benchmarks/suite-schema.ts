import { z } from "zod";
import { DIGEST_PATTERN } from "../digest.ts";

/** `sha256:` and 64 hex digits. */
export const digestSchema = z.string().regex(DIGEST_PATTERN, "expected sha256:<64 hex digits>");

/** A path or id segment of ours: `[a-z0-9._-]`, no leading dot or dash. */
export const segmentSchema = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/);

/** ISO 8601 UTC with milliseconds: `2026-11-30T10:15:00.000Z`. */
export const instantSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

export const SOURCE_KINDS = ["bank_asset", "conformance"] as const;
export const DIFFICULTIES = ["easy", "medium", "hard"] as const;
export const PUBLISHERS = ["abs", "aihw", "synthetic"] as const;

export const suiteMemberSchema = z.strictObject({
  id: segmentSchema,
  title: z.string().min(1).max(300),
  source_kind: z.enum(SOURCE_KINDS),
  publisher: z.enum(PUBLISHERS),
  difficulty: z.enum(DIFFICULTIES),
  feature_tags: z.array(z.string()).min(1),
  published_in_bank: z.boolean(),
  /** What the contestant is asked for: the sheet (or sheets) and the table wanted, in words. */
  task: z.string().min(1).max(2000),
  workbook: z.strictObject({ sha256: digestSchema, bytes: z.int().positive() }),
  /** Reference recipe, committed at `benchmarks/members/<member>/recipe.json` for every kind. */
  recipe: z.strictObject({ sha256: digestSchema }),
  /** Reference table: canonical CSV. `rows` and `columns` count data rows (without the header row) and columns. */
  reference: z.strictObject({
    sha256: digestSchema,
    rows: z.int().nonnegative(),
    columns: z.int().nonnegative(),
  }),
  /** How the reference table was checked without this project's engine. */
  checked_by: z.string().min(1),
  /** The published layout that a conformance member follows, when it follows one. */
  derived_from: z.string().optional(),
});

export const suiteSchema = z.strictObject({
  schema_version: z.literal(1),
  id: segmentSchema,
  title: z.string().min(1),
  /** What the suite is and is not; shown wherever its scores are. */
  note: z.string().min(1),
  /** SHA-256 of `benchmarks/vocabulary/structure-features.json` as committed. */
  vocabulary: digestSchema,
  frozen_at: instantSchema,
  members: z.array(suiteMemberSchema).min(1),
  /** Digest of the canonical JSON of this document without this key. */
  digest: digestSchema,
});

export type SuiteMember = z.infer<typeof suiteMemberSchema>;
export type Suite = z.infer<typeof suiteSchema>;
