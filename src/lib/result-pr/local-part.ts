import { z } from "zod";
import { digestSchema } from "../benchmarks/suite-schema.ts";
import type { Finding } from "../findings.ts";
import { partSchema } from "./plan-schema.ts";

/**
 * One shard's share of a local recomputation, as `bench:validate --shard i/n --part F` writes it. It carries the judged
 * document, so that parts made on several machines are joined without anything else but the same checkout.
 */
export const localPartSchema = z.strictObject({
  schema_version: z.literal(1),
  /** The scorer that made it. */
  engine: z.strictObject({ version: z.string(), digest: digestSchema }),
  /** Whether details of bank members were shown. */
  open_bank: z.boolean(),
  /** Repository path that the document is meant for. */
  path: z.string(),
  /** Its bytes as given, in base64: a document that is no valid text is judged too. */
  document: z.base64(),
  part: partSchema,
});

export type LocalPart = z.infer<typeof localPartSchema>;

/** More machines than that share no suite. */
export const MAX_LOCAL_SHARDS = 64;

/** `i/n`, with 1 ≤ i ≤ n; null for anything else. */
export function parseShard(text: string): { readonly index: number; readonly of: number } | null {
  const found = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text);
  if (found === null) return null;
  const [index, of] = [Number(found[1]), Number(found[2])];
  return index <= of && of <= MAX_LOCAL_SHARDS ? { index, of } : null;
}

/** Why parts do not make one recomputation; empty when they do. `names` are their files, in the same order. */
export function partsFindings(
  parts: readonly LocalPart[],
  names: readonly string[],
  engine: { readonly digest: string },
): Finding[] {
  const [first] = parts;
  if (first === undefined) return [];
  const findings: Finding[] = [];
  const error = (code: string, at: number, message: string, hint: string): void => {
    findings.push({ code, severity: "error", path: names[at] ?? "", message, hint });
  };
  const seen = new Map<number, number>();
  for (const [at, each] of parts.entries()) {
    if (each.engine.digest !== engine.digest)
      error(
        "shard-engine-differs",
        at,
        "This part was made by another version of the scorer than the one that joins.",
        "Make all parts and join them from one commit.",
      );
    const same =
      each.path === first.path && each.document === first.document && each.open_bank === first.open_bank;
    if (!same || each.part.of !== first.part.of || each.part.plan !== first.part.plan)
      error(
        "shard-parts-differ",
        at,
        `This part does not go with ${names[0] ?? "the first one"}: another document, split, option or base.`,
        "Give the parts of one document, made with the same n and the same options from one commit.",
      );
    const earlier = seen.get(each.part.shard);
    if (earlier !== undefined)
      error(
        "shard-part-twice",
        at,
        `Part ${each.part.shard} is also in ${names[earlier] ?? "an earlier file"}.`,
        "Give each part once.",
      );
    seen.set(each.part.shard, at);
  }
  const missing = Array.from({ length: first.part.of }, (_, index) => index + 1).filter(
    (index) => !seen.has(index),
  );
  if (missing.length > 0)
    findings.push({
      code: "shard-part-missing",
      severity: "error",
      message: `Parts ${missing.join(", ")} of ${first.part.of} are missing.`,
      hint: `npm run bench:validate -- --shard ${missing[0]}/${first.part.of} --part <file> <result.json>`,
    });
  return findings;
}
