import { readEngine } from "../io/engine.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { type LocalPart, localPartSchema, partsFindings } from "../lib/result-pr/local-part.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import type { LocalInput } from "./result-pr.ts";
import { planDigest } from "./result-pr-evidence.ts";
import { type PlannedEvidence, planPullRequest } from "./result-pr-plan.ts";
import { type Grader, isOpenBank, joinParts, recomputePart, type Shard } from "./result-pr-recompute.ts";
import { openLocal } from "./result-pr-source.ts";

/** A part holds a document and what some of its members came to. */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** What judging in parts needs: one document, and what `judgeLocal` takes. */
export type ShardInput = Omit<LocalInput, "arrivedAt" | "files"> & {
  readonly file: LocalInput["files"][number];
};

const graderOf = ({ root, bank, openBank }: Omit<ShardInput, "file">): Grader => ({
  suites: root,
  ...(bank === undefined ? {} : { bank }),
  ...(openBank === undefined ? {} : { openBank }),
});

/**
 * The plan that ties parts together. It takes no time of arrival, so that parts made at different times agree; what a
 * time decides is decided when they are joined.
 */
async function planShards(input: ShardInput, of: number, arrivedAt: string | null): Promise<PlannedEvidence> {
  const evidence = await planPullRequest(await openLocal(input.root, [input.file]), arrivedAt);
  return { ...evidence, plan: { ...evidence.plan, shards: of, vault_shards: 0 } };
}

/** Recomputes shard `index` of `of` of one document's members. */
export async function judgeShard(input: ShardInput, shard: Shard): Promise<LocalPart> {
  const evidence = await planShards(input, shard.of, null);
  return {
    schema_version: 1,
    engine: await readEngine(),
    open_bank: await isOpenBank(graderOf(input)),
    path: input.file.path,
    document: Buffer.from(input.file.bytes).toString("base64"),
    part: await recomputePart(evidence, graderOf(input), shard),
  };
}

/** Reads a part from its file's bytes. */
export const parseLocalPart = (bytes: Uint8Array, path: string): Outcome<LocalPart> =>
  parseWithSchema(bytes, localPartSchema, { path, code: "grader-evidence", maxBytes: MAX_PART_BYTES });

export interface JoinInput {
  readonly root: string;
  readonly bank?: string;
  /** As for `judgeLocal`. */
  readonly arrivedAt: string | null;
  readonly parts: readonly { readonly name: string; readonly part: LocalPart }[];
}

/** The report that a straight recomputation of the parts' document gives, or why they do not make one. */
export async function joinShards(input: JoinInput): Promise<Outcome<{ report: Report; path: string }>> {
  const parts = input.parts.map(({ part }) => part);
  const names = input.parts.map(({ name }) => name);
  const engine = await readEngine();
  const findings = partsFindings(parts, names, engine);
  const [first] = parts;
  if (first === undefined || findings.length > 0) return { ok: false, findings };
  const { root, bank } = input;
  const shardInput: ShardInput = {
    root,
    ...(bank === undefined ? {} : { bank }),
    openBank: first.open_bank,
    file: { path: first.path, bytes: new Uint8Array(Buffer.from(first.document, "base64")) },
  };
  const { of } = first.part;
  if (planDigest((await planShards(shardInput, of, null)).plan) !== first.part.plan)
    return { ok: false, findings: [baseDiffers(names[0] ?? "")] };
  const evidence = await planShards(shardInput, of, input.arrivedAt);
  const plan = planDigest(evidence.plan);
  const report = await joinParts(
    evidence,
    parts.map(({ part }) => ({ ...part, plan })),
    graderOf(shardInput),
    engine,
  );
  return { ok: true, value: { report, path: first.path }, findings: [] };
}

const baseDiffers = (path: string): Finding => ({
  code: "shard-base-differs",
  severity: "error",
  path,
  message: "The parts were made against other committed results or another registry than those here.",
  hint: "Make all parts and join them from one commit.",
});
