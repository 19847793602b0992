import { z } from "zod";
import {
  componentsSchema,
  memberMetricsSchema,
  mismatchSchema,
  STATUSES,
} from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema } from "../benchmarks/suite-schema.ts";
import { findingSchema } from "../findings.ts";
import { codePartSchema } from "./code-report-schema.ts";

/**
 * The report: the contract between workflows, bot and command line. One file, `report.json`, in the artifact
 * `assay-report`; the same bytes come from `npm run bench:validate -- --report` on a submitter's machine.
 */

const sha = z.string().regex(/^[0-9a-f]{40}$/);
const count = z.int().nonnegative();

export const VERDICTS = ["valid", "invalid", "incomplete", "needs-review", "error"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How well a number is known (design, section 2). */
export const LEVELS = ["recomputed", "attested", "declared"] as const;

const standingSchema = z.strictObject({ model: z.string(), composite: z.number(), rank: z.int().positive() });

export const reportMemberSchema = z.strictObject({
  id: z.string(),
  /** Private members show status and rounded components only. */
  private: z.boolean(),
  claimed_status: z.enum(STATUSES),
  /** `unverified`: this grader lacks the workbook; it blocks merge and rank. */
  recomputed_status: z.enum([...STATUSES, "unverified"]),
  fault: z.enum(["model", "transport", "infrastructure"]).nullable(),
  claimed: memberMetricsSchema,
  recomputed: memberMetricsSchema.nullable(),
  /** Status in the model's previous result of this suite, if there is one. */
  previous_status: z.enum(STATUSES).nullable(),
  mismatches: z.array(mismatchSchema).max(20),
});

export const reportResultSchema = z.strictObject({
  path: z.string(),
  document: digestSchema,
  suite: z.strictObject({ id: z.string(), digest: digestSchema }),
  model: z.string(),
  finished_at: instantSchema,
  supersedes: digestSchema.nullable(),
  claimed: z.strictObject({ components: componentsSchema, composite: z.number() }),
  /** Null when recomputation could not be completed; findings say why. */
  recomputed: z.strictObject({ components: componentsSchema, composite: z.number() }).nullable(),
  members: z.array(reportMemberSchema),
  cost: z.strictObject({
    total_usd: z.number().nullable(),
    complete: z.boolean(),
    per_solved_usd: z.number().nullable(),
  }),
  /** The model's latest result of this suite on the base, if any. */
  previous: z
    .strictObject({
      document: digestSchema,
      components: componentsSchema,
      composite: z.number(),
      finished_at: instantSchema,
    })
    .nullable(),
  tags: z.array(
    z.strictObject({
      tag: z.string(),
      passed: count,
      total: count,
      previous_passed: count.nullable(),
    }),
  ),
  /** Rank on the base commit's board before and after this result; null where it is not ranked, with the reason. */
  rank: z.strictObject({
    before: z.int().positive().nullable(),
    after: z.int().positive().nullable(),
    of: count,
    neighbours: z.array(standingSchema),
    reason: z.string().nullable(),
  }),
  /** Digest of suite and recipes, whoever sends them and whatever they cost; null when there is no recipe. */
  evidence: digestSchema.nullable(),
  /** Committed results with the same evidence. */
  duplicates: z.array(z.strictObject({ path: z.string(), document: digestSchema })),
  /** Which level each kind of number has. */
  levels: z.record(z.string(), z.enum(LEVELS)),
});

export const reportSchema = z.strictObject({
  schema_version: z.literal(1),
  /** `head`: the pull request's head merged with nothing; `merge`: exactly the tree of `commit_sha`; `local`: a working copy. */
  mode: z.enum(["head", "merge", "local"]),
  pull_request: z.int().positive().nullable(),
  /** Null only in `local` mode. */
  head_sha: sha.nullable(),
  base_sha: sha.nullable(),
  merge_base_sha: sha.nullable(),
  /** The commit that was judged (head, or merge commit) and its tree. */
  commit_sha: sha.nullable(),
  tree_sha: sha.nullable(),
  engine: z.strictObject({ version: z.string(), digest: digestSchema }),
  verdict: z.enum(VERDICTS),
  /** At most 500, most severe first; `findings_total` counts all. */
  findings: z.array(findingSchema).max(500),
  findings_total: count,
  changed_files: count,
  results: z.array(reportResultSchema),
  /** What changes of the code benchmark's facts, and what that moves; absent when nothing does. */
  code: codePartSchema.optional(),
});

export type ReportMember = z.infer<typeof reportMemberSchema>;
export type ReportResult = z.infer<typeof reportResultSchema>;
export type Report = z.infer<typeof reportSchema>;
