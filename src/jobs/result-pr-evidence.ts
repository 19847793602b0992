import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { type ResultDocument, resultSchema } from "../lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { digestOf, sha256Hex } from "../lib/digest.ts";
import { codePartSchema } from "../lib/result-pr/code-report-schema.ts";
import { type Part, type Plan, partSchema, planSchema } from "../lib/result-pr/plan-schema.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import type { PlannedEvidence } from "./result-pr-plan.ts";

/** The folder of normalised evidence that the jobs of one assay hand each other. */

const PLAN_FILE = "plan.json";
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The evidence is not what our own earlier job wrote: the grader's failure. */
export class EvidenceError extends Error {
  override readonly name = "EvidenceError";
}

/** Digest that ties a part to its plan. */
export const planDigest = (plan: Plan): string => digestOf(canonicalDocument(plan));

/** Writes `plan.json`, and each document and the registry under its digest. */
export async function writeEvidence(folder: string, evidence: PlannedEvidence): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, document] of evidence.documents)
    await writeFile(join(folder, file), canonicalDocument(document));
  if (evidence.plan.registry !== null && evidence.registry !== null)
    await writeFile(join(folder, evidence.plan.registry), evidence.registry);
  if (evidence.plan.code !== undefined && evidence.code !== null)
    await writeFile(join(folder, evidence.plan.code), canonicalDocument(evidence.code));
  await writeFile(join(folder, PLAN_FILE), canonicalDocument(evidence.plan));
}

/** Reads what `writeEvidence` wrote; every file is held to its digest. @throws EvidenceError */
export async function readEvidence(folder: string): Promise<PlannedEvidence> {
  const plan = parse(planSchema, await readPlain(folder, PLAN_FILE), PLAN_FILE);
  const documents = new Map<string, ResultDocument>();
  for (const { file } of plan.submissions)
    documents.set(file, parse(resultSchema, await readDigested(folder, file), file));
  const registry = plan.registry === null ? null : await readDigested(folder, plan.registry);
  const code =
    plan.code === undefined ? null : parse(codePartSchema, await readDigested(folder, plan.code), plan.code);
  return { plan, documents, registry, code };
}

/** Writes one shard's outcome as `part-<i>.json` and gives its path. */
export async function writePart(folder: string, part: Part): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `part-${part.shard}.json`);
  await writeFile(path, canonicalDocument(part));
  return path;
}

/** Every `part-<i>.json` of a folder, by shard; none when the folder does not exist. @throws EvidenceError */
export async function readParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^part-[1-9]\.json$/.test(name)).sort();
  return Promise.all(files.map(async (name) => parse(partSchema, await readPlain(folder, name), name)));
}

async function readPlain(folder: string, name: string): Promise<Uint8Array> {
  const path = join(folder, name);
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) throw new EvidenceError(`${name} is too large`);
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if (error instanceof EvidenceError) throw error;
    throw new EvidenceError(`${name} cannot be read`, { cause: error });
  }
}

async function readDigested(folder: string, name: string): Promise<Uint8Array> {
  const bytes = await readPlain(folder, name);
  if (`${sha256Hex(bytes)}.json` !== name) throw new EvidenceError(`${name} is not what its name says`);
  return bytes;
}

function parse<T>(schema: z.ZodType<T>, bytes: Uint8Array, name: string): T {
  const parsed = parseWithSchema(bytes, schema, {
    path: name,
    code: "grader-evidence",
    maxBytes: MAX_FILE_BYTES,
  });
  if (!parsed.ok) throw new EvidenceError(`${name}: ${parsed.findings[0]?.message ?? "not as written"}`);
  return parsed.value;
}
