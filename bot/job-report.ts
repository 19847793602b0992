import {
  ArtifactError,
  type ArtifactFiles,
  type ArtifactLimits,
  readArtifact,
} from "../src/io/github/artifacts.ts";
import { readFileText } from "../src/io/github/contents.ts";
import { decideJobReport, type JobCheck } from "../src/lib/bot/jobs.ts";
import type { RunFacts } from "../src/lib/bot/trust.ts";
import { hostsSchema } from "../src/lib/code/schema/hosts-schema.ts";
import {
  JOB_ARTIFACT,
  JOB_REPORT_FILE,
  type JobReport,
  jobReportSchema,
} from "../src/lib/job/report-schema.ts";
import { HOSTS_PATH } from "../src/lib/result-pr/code-paths.ts";
import type { PlainEnd } from "../src/lib/result-pr/words-jobs.ts";
import { parseWithSchema } from "../src/lib/strict-json/schema.ts";
import type { BotContext } from "./context.ts";

/** From the runs of a job to the one report that counts, or why there is none. */

/** Raw samples of every attempt lie beside the report, and for a run of a contestant its facts. */
export const JOB_LIMITS: ArtifactLimits = { zipBytes: 64 * 2 ** 20, files: 600, bytes: 320 * 2 ** 20 };
const REPORT_BYTES = 32 * 2 ** 20;

export interface TakenReport {
  readonly run: RunFacts;
  readonly report: JobReport;
  readonly files: ArtifactFiles;
}

type Lost = Extract<PlainEnd, { end: "cancelled" | "ours" }>;

/**
 * The report of a job. Of several runs of one order the guard lets only one do anything; the others refuse, so theirs counts only where
 * there is nothing else. `runs`: trusted ones that have ended, newest first.
 */
export async function loadJobReport(
  context: BotContext,
  job: JobCheck,
  runs: readonly RunFacts[],
): Promise<TakenReport | Lost> {
  let refused: TakenReport | null = null;
  let lost: Lost | null = null;
  for (const run of runs) {
    const read = await readJobReport(context, job, run);
    if ("end" in read) lost ??= read;
    else if (read.report.outcome !== "refused") return read;
    else refused ??= read;
  }
  return refused ?? lost ?? { end: "ours", why: "no-report" };
}

async function readJobReport(
  { repository, log }: BotContext,
  job: JobCheck,
  run: RunFacts,
): Promise<TakenReport | Lost> {
  try {
    const files = await readArtifact(repository, run.id, JOB_ARTIFACT, JOB_LIMITS);
    const bytes = files?.get(JOB_REPORT_FILE);
    if (files === null || bytes === undefined)
      return run.conclusion === "cancelled"
        ? { end: "cancelled", by: null }
        : { end: "ours", why: "no-report" };
    const parsed = parseWithSchema(bytes, jobReportSchema, {
      path: JOB_REPORT_FILE,
      code: "report",
      maxBytes: REPORT_BYTES,
    });
    if (parsed.ok) {
      const trust = decideJobReport(parsed.value, job);
      if (trust.trusted) return { run, report: parsed.value, files };
      log.warn({ run: run.id, reason: trust.reason }, "the report of a job disagrees with its order");
      return { end: "ours", why: "untrusted" };
    }
    const codes = parsed.findings.slice(0, 3).map(({ code }) => code);
    log.warn({ run: run.id, codes }, "the report of a job does not fit its schema");
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    log.warn({ run: run.id, reason: error.message }, "the report of a job could not be unpacked");
  }
  return { end: "ours", why: "unreadable" };
}

/** The hosts of the default branch; null where they cannot be read. */
export async function readHosts({ repository }: BotContext) {
  const text = await readFileText(repository, HOSTS_PATH, repository.defaultBranch);
  if (text === null) return null;
  const parsed = parseWithSchema(new TextEncoder().encode(text), hostsSchema, {
    path: HOSTS_PATH,
    code: "code-data",
  });
  return parsed.ok ? parsed.value.hosts : null;
}
