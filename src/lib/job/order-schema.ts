import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { defectSchema } from "../code/schema/defects-schema.ts";
import { configurationSchema, deliverablePathSchema, textSchema } from "../code/schema/names.ts";

/** What is done on guarded hosts. Each has a workflow of its own. */
export const JOB_KINDS = ["perf", "run", "verify"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_WORKFLOWS: Readonly<Record<JobKind, string>> = {
  perf: ".github/workflows/perf.yml",
  run: ".github/workflows/run.yml",
  verify: ".github/workflows/defect.yml",
};

/** The check run that stands for a job on the judged commit; its id is the nonce. `target` tells several of one kind apart. */
export const jobCheckName = (kind: JobKind, target: string, host: string): string =>
  `assay/${kind} ${target} on ${host}`;

export const shaSchema = z.string().regex(/^[0-9a-f]{40}$/);

/** `<run>/<entry>` for `perf` and `run`, `<task>/<defect>` for `verify`. */
export const targetSchema = z
  .string()
  .max(200)
  .regex(/^[a-z0-9][a-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/);

/** The inputs of the three workflows, as the App dispatches them: strings, all of them. */
export const jobInputsSchema = z.strictObject({
  pull_request: z.string().regex(/^[1-9][0-9]{0,9}$/),
  head_sha: shaSchema,
  /** Id of the check run. */
  nonce: z.string().regex(/^[1-9][0-9]{0,19}$/),
  target: targetSchema,
  /** `data/hosts.json` id. */
  host: segmentSchema,
});
export type JobInputs = z.infer<typeof jobInputsSchema>;

/** A deliverable that goes along with the order, in `entries/<run>/<entry>/`. */
const orderEntrySchema = z.strictObject({
  run: segmentSchema,
  entry: segmentSchema,
  /** `judged`: measured, or said to have the defect. `control`: must not show it. */
  role: z.enum(["judged", "control"]),
  files: z.array(
    z.strictObject({ path: deliverablePathSchema, sha256: digestSchema, bytes: z.int().nonnegative() }),
  ),
});

/**
 * What a guard on a hosted runner hands to a host, after it looked at everything (`assay-order/order.json`). The host gets this and the
 * deliverables as data: no git, no token.
 */
export const orderSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.enum(JOB_KINDS),
  repository_id: z.int().positive(),
  pull_request: z.int().positive(),
  head_sha: shaSchema,
  /** Commit of the default branch whose code and registries hold. */
  base_sha: shaSchema,
  nonce: jobInputsSchema.shape.nonce,
  asked_by: z.strictObject({ id: z.int().positive(), login: z.string().max(60), role: z.string().max(60) }),
  target: targetSchema,
  host: segmentSchema,
  task: segmentSchema,
  made_at: instantSchema,
  entries: z.array(orderEntrySchema).max(200),
  /** For `verify`: the defect as it stands on the head. */
  defect: defectSchema.optional(),
  /** For `run`: which contestant is to write the deliverable anew. */
  contestant: z
    .strictObject({
      configuration: configurationSchema,
      lead: configurationSchema,
      brief_sha256: digestSchema,
      replicate: z.int().positive(),
      harness: textSchema(60),
    })
    .optional(),
});
export type Order = z.infer<typeof orderSchema>;
