import { z } from "zod";
import { digestSchema, instantSchema } from "../../benchmarks/suite-schema.ts";
import { DEFECT_METHODS } from "../schema/defects-schema.ts";
import { judgeSchema } from "../schema/judges-schema.ts";
import { modelSchema, vendorSchema } from "../schema/models-schema.ts";
import { CATEGORIES, SEVERITIES } from "../schema/names.ts";
import { LANGUAGES } from "../schema/task-schema.ts";

/**
 * `published/data.json`: the facts of the code benchmark and what follows from them for each entry by itself. Whatever
 * depends on a selection (lead, task, effort, replicate, view) is computed from it by `src/lib/code/aggregate`.
 * Numbers are unrounded; unknown is null. Each `reason` says why a number is null, for people.
 */

const count = z.int().nonnegative();
const usd = z.number().nonnegative().nullable();
const reason = z.string().nullable();

/** How well a number is known: we executed it, our guarded job measured it, or the submitter says so. */
export const CODE_LEVELS = ["recomputed", "attested", "declared"] as const;
const level = z.enum(CODE_LEVELS);

/** Sums over all requests of an agent run; `reasoning` is a part of `output`. */
export const tokensSchema = z.strictObject({
  uncached_input: count,
  cache_read: count,
  cache_write_5m: count,
  cache_write_1h: count,
  cache_write: count,
  output: count,
  reasoning: count,
});

/** Price of one agent run. */
export const costDataSchema = z.strictObject({
  /** List price at the standard tier; what is compared. */
  usd,
  reason,
  /** USD by component; their sum is `usd`. Null when that is. */
  breakdown: z
    .strictObject({
      uncached_input: z.number(),
      cache_read: z.number(),
      cache_write: z.number(),
      output: z.number(),
      /** Surcharge of peak hours, apart from the four. */
      peak: z.number(),
    })
    .nullable(),
  /** At the tier that each request ran on. */
  as_run_usd: usd,
  /** What the harness says it billed. */
  recorded_usd: usd,
  /** What had to be assumed to price it (`cache-write-lifetime-5m`, say). */
  assumptions: z.array(z.string()),
  /** Digests of the cards it was priced by. */
  cards: z.array(digestSchema),
  /** Earlier figures, oldest first, under the rules and cards of their time. */
  history: z.array(z.strictObject({ rule: z.string(), until: instantSchema, usd: z.number() })),
  tokens: tokensSchema,
  requests: count,
});

export const seatSchema = z.strictObject({
  judge: z.string(),
  session: z.string(),
  /** Whether the judge's vendor is the entry's own. */
  same_vendor: z.boolean(),
  score: z.number(),
  slop: z.number(),
  defect_points: z.number(),
  findings: count,
  false_positives: count,
});

export const findingDataSchema = z.strictObject({
  judge: z.string(),
  session: z.string(),
  id: z.string(),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  file: z.string().nullable(),
  line: z.int().positive().nullable(),
  text: z.string(),
  false_positive: z.boolean(),
  note: z.string().nullable(),
  classified_by: z.enum(["judge", "keywords", "override"]),
  /** Id of the verified defect that it reports. */
  defect: z.string().nullable(),
});

export const speedDataSchema = z.strictObject({
  /** Geometric mean of the metrics' speed-ups; null when wrong, missing or not comparable. */
  speedup: z.number().positive().nullable(),
  reason,
  /** Instruction counts: its own column, never mixed with timings. */
  proxy: z.boolean(),
  host: z.string(),
  metrics: z.array(
    z.strictObject({
      id: z.string(),
      speedup: z.number().positive(),
      candidate: z.number().positive(),
      reference: z.number().positive(),
    }),
  ),
  unit: z.enum(["ns", "instructions"]),
  flags: z.array(z.string()),
  level,
});

export const qualityDataSchema = z.strictObject({
  implementation_lines: count,
  /** Comment lines as a share of comment and code lines, 0 to 1; null without lines. */
  comment_share: z.number().min(0).max(1).nullable(),
  duplicated_share: z.number().min(0).max(1).nullable(),
  lint: count.nullable(),
  complexity: z
    .strictObject({ functions: count, mean: z.number(), max: count, above_10: count, tool: z.string() })
    .nullable(),
  /** Why there is no complexity (`cannot parse elixir`, say). */
  complexity_reason: reason,
});

export const entryDataSchema = z.strictObject({
  run: z.string(),
  id: z.string(),
  configuration: z.string(),
  model: z.string(),
  effort: z.string(),
  vendor: z.string(),
  harness: z.string(),
  harness_version: z.string().nullable(),
  fast_mode: z.boolean(),
  /** Why it did not finish; such an entry has cost and time, but no scores. */
  dnf: reason,
  /** Digest over the paths and digests of the deliverable. */
  deliverable: digestSchema,
  seats: z.array(seatSchema),
  /** Mean over the run's panel. */
  council: z.number().nullable(),
  council_reason: reason,
  /** Mean over the panel's judges of other vendors. */
  cross_vendor: z.number().nullable(),
  slop: z.number().nullable(),
  defect_points: z.number().nullable(),
  findings: z.array(findingDataSchema),
  hidden: z.strictObject({ passed: count, total: count, failed: z.array(z.string()), level }).nullable(),
  /** council × passed ÷ total − 0.5 × slop. */
  final: z.number().nullable(),
  final_reason: reason,
  cost: costDataSchema.nullable(),
  cost_level: level,
  /** First to last logged event. */
  seconds: z.number().nonnegative().nullable(),
  speed: speedDataSchema.nullable(),
  quality: qualityDataSchema.nullable(),
});

export const sessionDataSchema = z.strictObject({
  id: z.string(),
  judge: z.string(),
  /** Entries scored, anchors not counted. */
  scored: count,
  anchors: z.array(
    z.strictObject({
      anchor: z.string(),
      score: z.number(),
      /** The run of the latest earlier panel that scored it: the panel's mean, and its mean without this judge. */
      panel_run: z.string().nullable(),
      panel: z.number().nullable(),
      panel_without: z.number().nullable(),
    }),
  ),
  cost_usd: usd,
  /** From the first to the last event of its log, else from start to finish. */
  seconds: z.number().nonnegative(),
  missing: reason,
});

export const runDataSchema = z.strictObject({
  id: z.string(),
  task: z.string(),
  lead: z.string(),
  basis: z.enum(["spec", "brief"]),
  replicate: z.int().positive(),
  started_at: instantSchema,
  excluded: reason,
  /** Judges who scored every live entry. */
  panel: z.array(z.string()),
  sessions: z.array(sessionDataSchema),
  brief_cost_usd: usd,
  kit_cost_usd: usd,
  revisions: count,
});

export const taskDataSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  language: z.enum(LANGUAGES),
  position: count,
  hidden_total: count,
  metrics: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  /** Expert baselines: geometric mean over the task's metrics, null when one is missing; a note earns a `*`. */
  baselines: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      speedup: z.number().positive().nullable(),
      note: reason,
    }),
  ),
});

export const defectDataSchema = z.strictObject({
  task: z.string(),
  id: z.string(),
  title: z.string(),
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
  method: z.enum(DEFECT_METHODS),
  entries: z.array(z.strictObject({ run: z.string(), entry: z.string() })),
  /** Valid findings that report it: by whom, in which entry. */
  reports: z.array(
    z.strictObject({ run: z.string(), entry: z.string(), judge: z.string(), finding: z.string() }),
  ),
});

export const dataSchema = z.strictObject({
  schema_version: z.literal(1),
  /** True when any run was made by a generator: never results. */
  synthetic: z.boolean(),
  /** SHA-256 over the paths and digests of all files it was made from. */
  source: digestSchema,
  /** The pricing rule in force. */
  pricing_rule: z.string(),
  vendors: z.array(vendorSchema),
  models: z.array(modelSchema),
  judges: z.array(judgeSchema.extend({ vendor: z.string() })),
  tasks: z.array(taskDataSchema),
  runs: z.array(runDataSchema),
  entries: z.array(entryDataSchema),
  defects: z.array(defectDataSchema),
  /**
   * Measured times of one configuration on the fast tier against the standard one, where both exist: what replaces the
   * assumed factor 2. By configuration.
   */
  fast_factors: z.array(
    z.strictObject({ configuration: z.string(), factor: z.number().positive(), pairs: count }),
  ),
});

export type CostData = z.infer<typeof costDataSchema>;
export type Seat = z.infer<typeof seatSchema>;
export type FindingData = z.infer<typeof findingDataSchema>;
export type SpeedData = z.infer<typeof speedDataSchema>;
export type QualityData = z.infer<typeof qualityDataSchema>;
export type EntryData = z.infer<typeof entryDataSchema>;
export type SessionData = z.infer<typeof sessionDataSchema>;
export type RunData = z.infer<typeof runDataSchema>;
export type TaskData = z.infer<typeof taskDataSchema>;
export type DefectData = z.infer<typeof defectDataSchema>;
export type Data = z.infer<typeof dataSchema>;
