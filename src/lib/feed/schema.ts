import { z } from "zod";
import { documentDigest } from "../benchmarks/result-path.ts";
import {
  COMPOSITE_VERSION,
  componentsSchema,
  type ResultDocument,
  resultSchema,
} from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { locateFindings } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";

/** Where the curated models are committed. */
export const REGISTRY_PATH = "benchmarks/registry/openrouter.json";

const count = z.int().nonnegative();
const modelIdSchema = resultSchema.shape.model.shape.id;
/** Git's id of an object. */
export const oidSchema: z.ZodString = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);

/** The curated models: only these are ranked, and only these are in the feed. */
export const registrySchema = z.strictObject({
  schema_version: z.literal(1),
  models: z.array(z.strictObject({ id: modelIdSchema, name: z.string().min(1).max(200) })),
});

/** What the feed, the index and a rank need to know of a committed result document. */
export const resultEntrySchema = z.strictObject({
  path: z.string(),
  /** SHA-256 of the canonical document. */
  digest: digestSchema,
  suite: z.strictObject({ id: segmentSchema, digest: digestSchema }),
  model: modelIdSchema,
  finished_at: instantSchema,
  components: componentsSchema,
  composite: z.number(),
  composite_version: z.literal(COMPOSITE_VERSION),
  /** Ids of the members that were passed, in the document's order. */
  passed: z.array(segmentSchema),
  members: count,
  cost: resultSchema.shape.cost,
  supersedes: digestSchema.nullable(),
});

/** One model in one suite: the block that a model picker shows. */
export const benchmarkSchema = z.strictObject({
  suite: segmentSchema,
  suite_digest: digestSchema,
  /** Digest of the canonical result document, and where it lies in the source tree. */
  result: digestSchema,
  path: z.string(),
  finished_at: instantSchema,
  components: componentsSchema,
  composite: z.number(),
  composite_version: z.literal(COMPOSITE_VERSION),
  /** Among the curated models with a latest result in this very suite. */
  rank: z.strictObject({ position: z.int().positive(), of: z.int().positive() }),
  solved: count,
  members: count,
  /** Complete reported cost over solved (passed) members, in US dollars to nine decimals; null when unknown or none is solved. */
  cost_per_solved_usd: z.number().nonnegative().nullable(),
  /** By tag of the vocabulary: passed of all suite members that carry it. */
  tags: z.record(z.string(), z.strictObject({ passed: count, total: count })),
});

/** The model-picker feed: `published/feed.json`. Models by id; those without a result have no `benchmark`. */
export const feedSchema = z.strictObject({
  schema_version: z.literal(1),
  source_tree: oidSchema.nullable(),
  suites: z.array(
    z.strictObject({
      id: segmentSchema,
      digest: digestSchema,
      title: z.string(),
      note: z.string(),
      frozen_at: instantSchema,
      members: count,
      /** Curated models with a latest result. */
      ranked: count,
    }),
  ),
  models: z.array(
    z.strictObject({
      id: modelIdSchema,
      name: z.string(),
      benchmark: z.array(benchmarkSchema).min(1).optional(),
    }),
  ),
});

export type Registry = z.infer<typeof registrySchema>;
export type ResultEntry = z.infer<typeof resultEntrySchema>;
export type Benchmark = z.infer<typeof benchmarkSchema>;
export type Feed = z.infer<typeof feedSchema>;

/** Reads the registry; ids are unique. Finding codes `registry-…`. */
export function parseRegistry(bytes: Uint8Array | string, path: string = REGISTRY_PATH): Outcome<Registry> {
  const parsed = parseLocated(bytes, registrySchema, { path, code: "registry" });
  if (!parsed.ok) return parsed;
  const { value: registry, json } = parsed.value;
  const seen = new Set<string>();
  const twice = registry.models.flatMap(({ id }, index): Finding[] => {
    const known = seen.has(id);
    seen.add(id);
    if (!known) return [];
    const message = `The model ${id} is listed twice.`;
    return [{ code: "registry-duplicate", severity: "error", message, path, pointer: `/models/${index}/id` }];
  });
  const findings = locateFindings(twice, json.position);
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: registry, findings };
}

/** The entry of a document that was read and judged. `digest` may be passed when it is known. */
export function entryOf(
  document: ResultDocument,
  path: string,
  digest: string = documentDigest(document),
): ResultEntry {
  return {
    path,
    digest,
    suite: document.suite,
    model: document.model.id,
    finished_at: document.finished_at,
    components: document.components,
    composite: document.composite,
    composite_version: document.composite_version,
    passed: document.members.filter(({ status }) => status === "passed").map(({ id }) => id),
    members: document.members.length,
    cost: document.cost,
    supersedes: document.supersedes?.digest ?? null,
  };
}
