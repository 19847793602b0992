import { z } from "zod";
import { digestSchema, instantSchema, segmentSchema } from "../../benchmarks/suite-schema.ts";
import { textSchema } from "./names.ts";

/** What a sensor of a host must show: a value, a list of them, or that there is none. */
const expectationSchema = z.union([
  z.strictObject({ equals: z.union([z.string().max(200), z.number()]) }),
  z.strictObject({ at_most: z.number() }),
  z.strictObject({ at_least: z.number() }),
  z.literal("absent"),
]);

export const hostSchema = z.strictObject({
  id: segmentSchema,
  name: textSchema(100),
  /** `board` hosts measure for the board; a `rehearsal` host is any machine and never reaches it. */
  class: z.enum(["board", "rehearsal"]),
  labels: z.array(z.string().min(1).max(60)).max(20),
  fingerprint: z.strictObject({
    cpu: textSchema(200),
    cores: z.int().positive(),
    threads: z.int().positive(),
    arch: z.enum(["x64", "arm64"]),
    os: textSchema(60),
    virtual: z.boolean(),
    /** The following pin a host closer. What is not pinned is a part of its fingerprint all the same, by which series are told apart. */
    model: textSchema(100).optional(),
    os_version: textSchema(60).optional(),
    kernel: textSchema(200).optional(),
    microcode: textSchema(60).optional(),
    memory_gib: z.int().positive().optional(),
    boost: z.int().min(0).max(1).optional(),
    smt: z.int().min(0).max(1).optional(),
    isolated: z.string().max(200).optional(),
  }),
  /** What is looked at before, during and after a job, by the sensor's name. */
  guards: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,59}$/), expectationSchema),
  /** Public keys (Ed25519, 64 hex digits) that sign what it measured. */
  keys: z
    .array(
      z.strictObject({
        id: segmentSchema,
        ed25519: z.string().regex(/^[0-9a-f]{64}$/),
        valid_from: instantSchema,
        revoked_at: instantSchema.optional(),
      }),
    )
    .max(50),
});

/** `data/hosts.json`. */
export const hostsSchema = z.strictObject({
  schema_version: z.literal(1),
  hosts: z.array(hostSchema).max(100),
});

/** The signed statement of a guarded job that a measurement is its own. */
export const attestationSchema = z.strictObject({
  host: segmentSchema,
  key: segmentSchema,
  fingerprint: digestSchema,
  /** Id of the check run that the App made for this job on the judged commit. */
  nonce: z.string().min(1).max(100),
  /** SHA-256 of the canonical JSON of what was measured: of which kind, which entry, which files. */
  subject: digestSchema,
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** SHA-256 of the canonical JSON of the measurement without this key. */
  measurement: digestSchema,
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});

export type Host = z.infer<typeof hostSchema>;
export type Hosts = z.infer<typeof hostsSchema>;
export type Attestation = z.infer<typeof attestationSchema>;
