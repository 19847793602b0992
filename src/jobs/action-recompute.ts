import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { announce, scratchFolder, workspace } from "../io/action.ts";
import { readEngine } from "../io/engine.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { failedReport } from "../lib/result-pr/report.ts";
import type { Report } from "../lib/result-pr/report-schema.ts";
import { commitInputs } from "./action-inputs.ts";
import { EvidenceError, readEvidence, readParts, writePart } from "./result-pr-evidence.ts";
import { type Grader, joinParts, recomputePart, type Shard } from "./result-pr-recompute.ts";
import { vaultFindings } from "./vault.ts";

const shard = z
  .string()
  .regex(/^[1-8]\/[1-8]$/, "expected <part>/<parts>, at most 8")
  .transform((text): Shard => ({ index: Number(text[0]), of: Number(text[2]) }))
  .refine(({ index, of }) => index <= of, "the part is not one of the parts");

export const recomputeInputs = z.object({
  ...commitInputs,
  "base-sha": z.union([z.literal(""), commitInputs["base-sha"]]),
  mode: z.enum(["part", "join", "all"]),
  shard: z.union([z.literal("").transform((): Shard => ({ index: 1, of: 1 })), shard]),
  evidence: z.string(),
  parts: z.string(),
  report: z.string(),
  suites: z.string(),
});

type Inputs = z.output<typeof recomputeInputs>;

/**
 * Recomputes on normalised evidence: one part of it (`part`), what the parts give together (`join`), or both in one
 * step (`all`). Needs no git, no token and no network.
 */
export async function recomputeScores(
  inputs: Inputs,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Readonly<Record<string, string>>> {
  const grader: Grader = {
    suites: inputs.suites === "" ? workspace() : inputs.suites,
    // The base's policy says whether the bank is open. A runner can keep it closed all the same, and never open it.
    ...(env.ASSAY_OPEN_BANK === "false" ? { openBank: false } : {}),
  };
  const missing = await vaultFindings(env);
  if (missing.length > 0) announce(missing);
  const folder = inputs.evidence === "" ? scratchFolder("assay-evidence") : inputs.evidence;
  const parts = inputs.parts === "" ? scratchFolder("assay-parts") : inputs.parts;
  if (inputs.mode !== "join") {
    const evidence = await readEvidence(folder);
    const part = await writePart(parts, await recomputePart(evidence, grader, inputs.shard));
    if (inputs.mode === "part") return { part };
  }
  const report = await joinOrFail(inputs, folder, parts, grader);
  const file = inputs.report === "" ? `${scratchFolder("assay-report")}/report.json` : inputs.report;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, canonicalDocument(report));
  announce(report.findings);
  return { report: file, verdict: report.verdict };
}

/** Without usable evidence there is no verdict about the result, and the report says that. */
async function joinOrFail(inputs: Inputs, folder: string, parts: string, grader: Grader): Promise<Report> {
  const engine = await readEngine();
  try {
    return await joinParts(await readEvidence(folder), await readParts(parts), grader, engine);
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
    const judged = inputs["merge-sha"] ?? inputs["head-sha"];
    return failedReport(
      {
        mode: inputs["merge-sha"] === null ? "head" : "merge",
        pull_request: inputs["pull-request"],
        head_sha: inputs["head-sha"] ?? judged,
        base_sha: inputs["base-sha"] === "" ? null : inputs["base-sha"],
        merge_base_sha: null,
        commit_sha: judged,
        tree_sha: null,
      },
      engine,
      [
        {
          code: "grader-no-evidence",
          severity: "error",
          message: "The pull request could not be read, so nothing was judged.",
          hint: "See the log of the job that plans and validates; /assay validate tries again.",
        },
      ],
    );
  }
}
