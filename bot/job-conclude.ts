import type { JobCheck } from "../src/lib/bot/jobs.ts";
import type { RunFacts } from "../src/lib/bot/trust.ts";
import type { JobEnd } from "../src/lib/job/progress.ts";
import type { JobReport } from "../src/lib/job/report-schema.ts";
import type { CheckConclusion } from "../src/lib/result-pr/words-check.ts";
import { defectWords } from "../src/lib/result-pr/words-defects.ts";
import { renderJobReport } from "../src/lib/result-pr/words-job-report.ts";
import { type JobCheckWords, renderPlainEnd } from "../src/lib/result-pr/words-jobs.ts";
import { repositoryUrlOf } from "../src/lib/result-pr/words-links.ts";
import type { BotContext } from "./context.ts";
import { readLevel } from "./job-level.ts";
import { readRecallChange } from "./job-recall.ts";
import { loadJobReport } from "./job-report.ts";
import { openFactsPull } from "./run-facts.ts";

/** How a job ended whose runs are over. */

export interface Concluded {
  readonly words: JobCheckWords;
  readonly end: JobEnd;
  readonly run: number | null;
  readonly conclusion: CheckConclusion;
}

export async function concludeJob(
  context: BotContext,
  job: JobCheck,
  runs: readonly RunFacts[],
  known: string | null,
): Promise<Concluded> {
  const taken = await loadJobReport(context, job, runs);
  if ("end" in taken)
    return { words: renderPlainEnd(taken), end: taken.end, run: runs[0]?.id ?? null, conclusion: "neutral" };
  const { report, run } = taken;
  const brought =
    report.kind === "run" && report.outcome === "measured"
      ? await openFactsPull(context, job, taken)
      : { pull: null, problem: null };
  const words = renderJobReport(report, {
    level: await readLevel(context, report),
    run: run.id,
    factsPull: brought.pull,
    factsProblem: brought.problem,
    verification: await verificationWords(context, job, report),
    repositoryUrl: repositoryUrlOf(run.url) ?? known,
  });
  return { words, end: report.outcome, run: run.id, conclusion: conclusionOf(report) };
}

/** What a verification says, and how it moves judge recall; empty for other reports. */
async function verificationWords(context: BotContext, job: JobCheck, report: JobReport): Promise<string> {
  if (report.kind !== "verify" || report.outcome !== "measured") return "";
  const { results, verification = null } = report;
  return defectWords({ results, verification, recall: await readRecallChange(context, job, report) });
}

/** A defect that was looked for and not found, or of which nobody can tell, is no success to be shown in green. */
function conclusionOf({ outcome, kind, verification }: JobReport): CheckConclusion {
  if (outcome === "candidate") return "failure";
  if (outcome !== "measured") return "neutral";
  return kind === "verify" && verification !== "confirmed" ? "neutral" : "success";
}
