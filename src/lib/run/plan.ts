import { modelFolder } from "../benchmarks/result-path.ts";
import { canonicalJson } from "../canonical-json.ts";
import { sha256Hex } from "../digest.ts";
import type { Finding } from "../findings.ts";
import type { RunPlan } from "./journal.ts";

/** Version of the whole path from workbook to score; raised when the same answers could score differently. */
export const PIPELINE_VERSION = "1";

/** The parts of a run whose result nobody's chance decides. */
export const DETERMINISTIC_COMPONENTS: readonly string[] = [
  "workbook reader",
  "cell listing",
  "prompt",
  "recipe validation",
  "recipe execution",
  "metrics",
  "composite",
];

/**
 * Folder-name stem shared by all runs of the same question: same suite digest, model, parameters, prompt, pipeline and
 * address. Runs of one stem are numbered.
 */
export function runStem(plan: RunPlan): string {
  const { suite, model, prompt, pipeline_version, transport } = plan;
  const key = sha256Hex(canonicalJson({ suite, model, prompt, pipeline_version, transport })).slice(0, 8);
  return `${suite.id}__${modelFolder(model.id)}__${key}`;
}

/** Folder name of the run with this number, from 1. */
export const runId = (stem: string, number: number): string => `${stem}-${String(number).padStart(3, "0")}`;

/** The number in a folder name of this stem, or null when it is another's. */
export function runNumber(stem: string, folder: string): number | null {
  const match = folder.startsWith(`${stem}-`) ? /^[0-9]{3,9}$/.exec(folder.slice(stem.length + 1)) : null;
  return match === null ? null : Number(match[0]);
}

/** An unfinished run goes on only under the caps and pacing it was started with: the document states one set. */
export function resumeFindings(started: RunPlan, now: RunPlan): Finding[] {
  const compare = (option: string, before: number, after: number): Finding[] =>
    before === after
      ? []
      : [
          {
            code: "run-resume-differs",
            severity: "error",
            message: `An unfinished run of this model and suite was started with another ${option}.`,
            expected: String(before),
            actual: String(after),
            hint: `Give ${option} ${before} to go on with it, or --fresh to start a new run.`,
          },
        ];
  return [
    ...compare("--max-calls", started.caps.calls, now.caps.calls),
    ...compare("--max-attempts", started.caps.attempts_per_member, now.caps.attempts_per_member),
    ...compare("--min-interval-ms", started.pacing.min_interval_ms, now.pacing.min_interval_ms),
  ];
}
