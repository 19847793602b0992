import { z } from "zod";
import { findingSchema } from "../findings.ts";
import { digestSchema, instantSchema, segmentSchema } from "./suite-schema.ts";

/**
 * The result document: one run of one model over one suite, as committed under
 * `benchmarks/results/<suite>/<provider>__<model-slug>-<hash8>/<finished_at>-<digest8>.json` (design, section 4.5).
 * Everything a score needs is in it; scores themselves are claims that recomputation replaces.
 */

export const STATUSES = ["passed", "partial", "failed", "skipped"] as const;
export const METRIC_IDS = [
  "deterministic_pass_rate",
  "exact_output_match",
  "cell_match_rate",
  "value_address_f1",
  "header_accuracy",
] as const;
export const COMPOSITE_VERSION = "provisional-1";
/** A non-passing member carries at most this many mismatch rows. */
export const MAX_MISMATCHES = 20;
/** Far more than a suite has; it bounds what reading a hostile document costs. */
export const MAX_MEMBERS = 1000;
/** One initial attempt and at most two structured revisions. */
export const MAX_ATTEMPTS = 3;

export type Status = (typeof STATUSES)[number];
export type MetricId = (typeof METRIC_IDS)[number];

const count = z.int().nonnegative();

/** An exact fraction: the metric of one member. `denominator` is never 0 (empty cases are written 1/1 or 0/1). */
export const fractionSchema = z.strictObject({ numerator: count, denominator: z.int().positive() });

export const memberMetricsSchema = z.strictObject({
  deterministic_pass_rate: fractionSchema,
  exact_output_match: fractionSchema,
  /** `matched` of `union` cells; the fraction is matched / union (1/1 when both tables are empty). */
  cell_match_rate: fractionSchema.extend({ matched: count, union: count }),
  /** 2·tp / (2·tp + fp + fn) over sets of value addresses (1/1 when both are empty). */
  value_address_f1: fractionSchema.extend({
    true_positives: count,
    false_positives: count,
    false_negatives: count,
  }),
  /** Reference value cells whose whole header assignment is equal, of all reference value cells. */
  header_accuracy: fractionSchema.extend({ matched: count, total: count }),
});

const score = z.number().min(0).max(1);

/** Suite components, rounded once to 6 decimals. */
export const componentsSchema = z.strictObject({
  deterministic_pass_rate: score,
  exact_output_match: score,
  cell_match_rate: score,
  value_address_f1: score,
  header_accuracy: score,
});

/**
 * One difference that explains a score. `row` counts data rows from 1 in source order; `null` sides are absent.
 * Members of a private bank hold addresses only.
 */
export const mismatchSchema = z.strictObject({
  kind: z.enum(["cell", "missing-value", "extra-value", "header"]),
  address: z.string().nullable(),
  row: z.int().positive().nullable(),
  column: z.string().nullable(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
});

export const usageSchema = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  cached_prompt_tokens: count.optional(),
  reasoning_tokens: count.optional(),
});

export const ATTEMPT_OUTCOMES = [
  "accepted",
  "invalid_json",
  "invalid_recipe",
  "execution_error",
  "refusal",
  "empty",
  "truncated",
  "transport_error",
] as const;

export const attemptSchema = z.strictObject({
  kind: z.enum(["initial", "revision"]),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  started_at: instantSchema,
  duration_ms: count,
  /** What the model was told to mend (or what ended the attempt); at most 20. */
  findings: z.array(findingSchema).max(20),
  /** Null when the provider reported none. */
  usage: usageSchema.nullable(),
  /** US dollars as reported by the provider; null when unknown, never 0 for unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  generation_id: z.string().max(200).nullable(),
  /** Digest of the answer's text as received; null when no answer arrived. */
  response_sha256: digestSchema.nullable(),
  finish_reason: z.string().max(100).nullable(),
});

export const resultMemberSchema = z.strictObject({
  id: segmentSchema,
  status: z.enum(STATUSES),
  /** Why a member failed or was skipped, and whose fault it was; null for passed and partial. */
  reason: z
    .strictObject({
      fault: z.enum(["model", "transport", "infrastructure"]),
      code: z.string().max(100),
      message: z.string().max(500),
    })
    .nullable(),
  attempts: z.array(attemptSchema).max(MAX_ATTEMPTS),
  /** The final recipe as the model wrote it (parsed, validated JSON); null unless passed or partial. */
  recipe: z.record(z.string(), z.unknown()).nullable(),
  output: z.strictObject({ sha256: digestSchema, rows: count, columns: count }).nullable(),
  metrics: memberMetricsSchema,
  mismatches: z.array(mismatchSchema).max(MAX_MISMATCHES),
});

export const resultSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: z.strictObject({ id: segmentSchema, digest: digestSchema }),
  model: z.strictObject({
    /** `<provider>/<model>`. */
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._:/-]*$/)
      .max(200),
    /** What was actually sent. */
    parameters: z.strictObject({
      temperature: z.number().nullable(),
      max_tokens: z.int().positive().nullable(),
      response_format: z.enum(["json_schema", "json_object", "none"]),
    }),
  }),
  prompt: z.strictObject({
    mode: segmentSchema,
    version: segmentSchema,
    sha256: digestSchema,
    /** Tokens of the first prompts of all members asked, by one tokenizer whatever the model's own is. */
    measured: z
      .strictObject({
        tokenizer: z.string().min(1).max(50),
        prompts: count,
        total_tokens: count,
        largest_tokens: count,
      })
      .optional(),
  }),
  pipeline_version: segmentSchema,
  started_at: instantSchema,
  finished_at: instantSchema,
  caps: z.strictObject({ calls: z.int().positive(), attempts_per_member: z.int().min(1).max(MAX_ATTEMPTS) }),
  pacing: z.strictObject({ min_interval_ms: count }),
  runner: z.strictObject({
    name: z.string().max(100),
    version: z.string().max(100),
    environment: z.string().max(200),
    transport: z.string().max(200),
    /** The command as typed, without secrets. */
    invocation: z.string().max(500),
    deterministic_components: z.array(z.string().max(100)).max(20),
  }),
  /** The declaration every run makes: model output is not deterministic. */
  model_output_deterministic: z.literal(false),
  members: z.array(resultMemberSchema).min(1).max(MAX_MEMBERS),
  totals: z.strictObject({
    members: count,
    passed: count,
    partial: count,
    failed: count,
    skipped: count,
    calls: count,
    prompt_tokens: count.nullable(),
    completion_tokens: count.nullable(),
  }),
  components: componentsSchema,
  composite: score,
  composite_version: z.literal(COMPOSITE_VERSION),
  /** Record-only. `total_usd` is the sum of known costs; `complete` is false when any call's cost is unknown. */
  cost: z.strictObject({ total_usd: z.number().nonnegative().nullable(), complete: z.boolean() }),
  /** A correction names what it replaces. */
  supersedes: z.strictObject({ digest: digestSchema, reason: z.string().min(1).max(500) }).optional(),
});

export type Fraction = z.infer<typeof fractionSchema>;
export type MemberMetrics = z.infer<typeof memberMetricsSchema>;
export type Components = z.infer<typeof componentsSchema>;
export type Mismatch = z.infer<typeof mismatchSchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type ResultMember = z.infer<typeof resultMemberSchema>;
export type ResultDocument = z.infer<typeof resultSchema>;
