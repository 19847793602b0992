import { z } from "zod";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { parseWithSchema } from "../strict-json/schema.ts";
import { DIFFICULTIES } from "./suite-schema.ts";

/** Where the vocabulary of structure features is committed. */
export const VOCABULARY_PATH = "benchmarks/vocabulary/structure-features.json";

const tagSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/),
  definition: z.string().min(1).max(500),
});

/** The closed vocabulary that suite members are described with. */
export const vocabularySchema = z.strictObject({
  schema_version: z.literal(1),
  difficulties: z
    .array(z.strictObject({ id: z.enum(DIFFICULTIES), definition: z.string().min(1).max(500) }))
    .length(DIFFICULTIES.length),
  tags: z.array(tagSchema).min(1).max(50),
});

export type Vocabulary = z.infer<typeof vocabularySchema>;

/** Reads the vocabulary; ids are unique. Finding codes `vocabulary-…`. */
export function parseVocabulary(
  bytes: Uint8Array | string,
  path: string = VOCABULARY_PATH,
): Outcome<Vocabulary> {
  const parsed = parseWithSchema(bytes, vocabularySchema, { path, code: "vocabulary" });
  if (!parsed.ok) return parsed;
  const findings: Finding[] = [...parsed.findings];
  for (const list of ["difficulties", "tags"] as const) {
    const seen = new Set<string>();
    for (const [index, { id }] of parsed.value[list].entries()) {
      if (seen.has(id))
        findings.push({
          code: "vocabulary-duplicate",
          severity: "error",
          message: `The id ${id} is defined twice.`,
          path,
          pointer: `/${list}/${index}/id`,
        });
      seen.add(id);
    }
  }
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: parsed.value, findings };
}
