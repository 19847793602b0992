import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { announce, printUntrusted, scratchFolder, workspace } from "../io/action.ts";
import { readEngine } from "../io/engine.ts";
import { writeFilesWhole } from "../io/files.ts";
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
  preview: z.string(),
  suites: z.string(),
});

type Inputs = z.output<typeof recomputeInputs>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Recomputes on normalised evidence: one part of it (`part`), what the parts give together (`join`), or both in one
 * step (`all`). Needs no git, no token and no network.
 * @param client the folder of the site's scripts and styles, for the preview
 */
export async function recomputeScores(
  inputs: Inputs,
  client: string,
  env: Environment = process.env,
): Promise<Readonly<Record<string, string>>> {
  const suites = inputs.suites === "" ? workspace() : inputs.suites;
  const grader: Grader = {
    suites,
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
  const preview = await writePreview(inputs, folder, report, { root: suites, client, env });
  return { report: file, verdict: report.verdict, preview };
}

/** Verdicts whose result could come on a board as it is. */
const SHOWN: ReadonlySet<Report["verdict"]> = new Set(["valid", "needs-review"]);

/**
 * Pages as they would be with the pull request merged; gives their folder, empty when there are none. A look at pages
 * decides nothing, so whatever goes wrong with it is said in the log and changes no verdict.
 */
async function writePreview(
  inputs: Inputs,
  folder: string,
  report: Report,
  { root, client, env }: { readonly root: string; readonly client: string; readonly env: Environment },
): Promise<string> {
  const { pull_request: pull, head_sha: head } = report;
  if (inputs.mode !== "join" || pull === null || head === null) return "";
  if (!SHOWN.has(report.verdict) || report.results.length === 0) return "";
  const out = inputs.preview === "" ? scratchFolder("assay-preview") : inputs.preview;
  try {
    const { makePreview } = await import("./site-preview.ts");
    const made = await makePreview({
      root,
      evidence: await readEvidence(folder),
      env,
      base: report.base_sha,
      pull,
      head,
      client,
    });
    if (made.files === null) {
      printUntrusted([`No preview of pages: ${made.reason}`]);
      return "";
    }
    await writeFilesWhole(out, made.files);
    return out;
  } catch (error) {
    printUntrusted([`No preview of pages: ${error instanceof Error ? error.message : "it cannot be made"}`]);
    return "";
  }
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
