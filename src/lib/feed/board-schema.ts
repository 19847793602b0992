import { z } from "zod";
import {
  COMPOSITE_VERSION,
  componentsSchema,
  METRIC_IDS,
  resultMemberSchema,
  resultSchema,
} from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema, suiteMemberSchema } from "../benchmarks/suite-schema.ts";
import { oidSchema, registrySchema } from "./schema.ts";

/**
 * The board as documents for a page: `board/index.json` names the suites, `board/<suite>.json` holds one suite's rows.
 * Every number leads back to its evidence: the document's digest, its path, and git's ids of its bytes and of the tree
 * it lies in.
 */

const count = z.int().nonnegative();
const score = z.number().min(0).max(1);
const modelId = resultSchema.shape.model.shape.id;

/** How well a number is known: executed by us, measured by our own guarded job, or said by the submitter. */
export const levelSchema = z.enum(["recomputed", "attested", "declared"]);

export const boardLevelsSchema = z.strictObject({
  scores: levelSchema,
  model: levelSchema,
  provenance: levelSchema,
  usage: levelSchema,
  cost: levelSchema,
  times: levelSchema,
});

const sources = {
  schema_version: z.literal(1),
  /** The git tree that everything was made from; null when it was no committed one. */
  source_tree: oidSchema.nullable(),
  /** Git's id of `benchmarks/results` in it; null when there are no results. */
  results_tree: oidSchema.nullable(),
};

/** A committed document: SHA-256 of its canonical bytes, its path, and git's id of the bytes. */
const documentSchema = z.strictObject({ digest: digestSchema, path: z.string(), blob: oidSchema });

const suiteHead = {
  id: segmentSchema,
  digest: digestSchema,
  title: z.string(),
  note: z.string(),
  frozen_at: instantSchema,
};

/** `board/index.json`. Suites by id. */
export const boardIndexSchema = z.strictObject({
  ...sources,
  composite_version: z.literal(COMPOSITE_VERSION),
  /** In the methodology's order; `weight` is the share in the composite. */
  metrics: z.array(
    z.strictObject({
      id: z.enum(METRIC_IDS),
      title: z.string(),
      unit: z.literal("share"),
      direction: z.literal("higher-is-better"),
      range: z.tuple([z.number(), z.number()]),
      weight: z.number(),
      definition: z.string(),
    }),
  ),
  suites: z.array(
    z.strictObject({
      ...suiteHead,
      /** Where in the published files its rows are. */
      file: z.string(),
      members: count,
      /** Models with a result that stands, and how many of them are ranked. */
      models: count,
      ranked: count,
    }),
  ),
});

/** One member of one result: its status, and its metrics as shares rounded to six decimals. Nothing else of it leaves. */
export const boardMemberSchema = z.strictObject({
  id: segmentSchema,
  status: resultMemberSchema.shape.status,
  components: componentsSchema,
});

export const boardRowSchema = z.strictObject({
  /** Position among the curated models of this suite; null for a model that the registry does not list. */
  rank: z.int().positive().nullable(),
  model: modelId,
  /** Name in the registry; null for a model that it does not list. */
  name: registrySchema.shape.models.element.shape.name.nullable(),
  result: documentSchema,
  finished_at: instantSchema,
  components: componentsSchema,
  composite: score,
  composite_version: z.literal(COMPOSITE_VERSION),
  solved: count,
  members: count,
  /** By tag of the vocabulary: passed of all suite members that carry it. */
  tags: z.record(z.string(), z.strictObject({ passed: count, total: count })),
  cost: z.strictObject({
    /** US dollars as reported; null when unknown. */
    total_usd: z.number().nonnegative().nullable(),
    /** False when the cost of any call is unknown. */
    complete: z.boolean(),
    /** Over passed members; null when none is, or when the cost is not complete. */
    per_solved_usd: z.number().nonnegative().nullable(),
  }),
  levels: boardLevelsSchema,
  /** The model's result before this one that still stands; null when there is none. */
  previous: documentSchema
    .extend({ finished_at: instantSchema, components: componentsSchema, composite: score })
    .nullable(),
  /** In the suite's order. */
  by_member: z.array(boardMemberSchema),
});

/** `board/<suite>.json`. Ranked rows best first, then the others by model id. */
export const boardSuiteSchema = z.strictObject({
  ...sources,
  /** Git's id of `benchmarks/results/<suite>`; null when the suite has no results. */
  suite_tree: oidSchema.nullable(),
  suite: z.strictObject(suiteHead),
  members: z.array(
    suiteMemberSchema
      .pick({
        id: true,
        title: true,
        source_kind: true,
        publisher: true,
        difficulty: true,
        feature_tags: true,
        published_in_bank: true,
      })
      /** Of a private member only status and rounded components are ever shown. */
      .extend({ private: z.boolean() }),
  ),
  tags: z.array(z.strictObject({ id: z.string(), definition: z.string(), members: count })),
  rows: z.array(boardRowSchema),
  /** Results taken off the board, newest withdrawal first. */
  withdrawn: z.array(
    z.strictObject({
      model: modelId,
      /** Digest of the result. */
      result: digestSchema,
      reason: z.string(),
      withdrawn_at: instantSchema,
      withdrawal: documentSchema,
    }),
  ),
});

export type BoardIndex = z.infer<typeof boardIndexSchema>;
export type BoardSuite = z.infer<typeof boardSuiteSchema>;
export type BoardRow = z.infer<typeof boardRowSchema>;

export const BOARD_INDEX_PATH = "board/index.json";
/** `index` is not free for a suite: its file would take the place of the list of suites. */
export const boardSuitePath = (suite: string): string => `board/${suite}.json`;
