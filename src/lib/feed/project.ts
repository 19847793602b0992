import { z } from "zod";
import { modelFolder, RESULTS_FOLDER } from "../benchmarks/result-path.ts";
import { resultMemberSchema, resultSchema } from "../benchmarks/result-schema.ts";

const { id, status, recipe } = resultMemberSchema.shape;

/** What the index needs of a result document; whatever else it holds is not looked at. */
const projectedSchema = z.object({
  suite: resultSchema.shape.suite,
  model: z.object({ id: resultSchema.shape.model.shape.id }),
  finished_at: resultSchema.shape.finished_at,
  members: z.array(z.object({ id, status, recipe })).min(1),
  components: resultSchema.shape.components,
  composite: resultSchema.shape.composite,
  composite_version: resultSchema.shape.composite_version,
  cost: resultSchema.shape.cost,
  supersedes: resultSchema.shape.supersedes,
});

export type ProjectedResult = z.infer<typeof projectedSchema>;

/**
 * Reads what the index needs out of a document that was judged when it was merged. Null when it is none, or when it
 * does not lie where its content says (`digest` is that of its bytes): whoever asks then has it judged by every rule.
 */
export function projectResult(bytes: Uint8Array, path: string, digest: string): ProjectedResult | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return null;
  }
  const parsed = projectedSchema.safeParse(value);
  if (!parsed.success) return null;
  const { suite, model, finished_at } = parsed.data;
  const time = finished_at
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")
    .toLowerCase();
  const name = `${time}-${digest.slice("sha256:".length, "sha256:".length + 8)}.json`;
  return path === `${RESULTS_FOLDER}/${suite.id}/${modelFolder(model.id)}/${name}` ? parsed.data : null;
}
