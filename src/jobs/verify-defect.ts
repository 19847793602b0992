import { join } from "node:path";
import type { Defect } from "../lib/code/schema/defects-schema.ts";
import { stateFindings } from "../lib/defects/findings.ts";
import { decideVerification, referenceControl, type Verification } from "../lib/defects/verification.ts";
import type { Finding } from "../lib/findings.ts";
import type { JobReport, JobResult } from "../lib/job/report-schema.ts";
import { openProber, type ProberOptions } from "./defect-prober.ts";

/** An entry to look at. Its files lie in `<entriesFolder>/<run>/<entry>/`. */
export interface DefectEntry {
  readonly run: string;
  readonly entry: string;
  readonly role: JobResult["role"];
}

/** One seed serves all entries, so that a hidden suite asks each the same. */
export interface VerifyOptions extends ProberOptions {
  /** As it stands, its revisions applied. */
  readonly defect: Defect;
  /** Those that are said to have it, and the control; without a control the task's reference is it. */
  readonly entries: readonly DefectEntry[];
  readonly entriesFolder: string;
  /** Told before each entry is looked at. */
  readonly progress?: (entry: DefectEntry) => void;
}

export interface Verified {
  /** `refused`: the method is one that nothing can run. `ours`: there is no such probe, or this host failed. */
  readonly outcome: Extract<JobReport["outcome"], "measured" | "refused" | "ours">;
  /** By entry as asked, the control last. */
  readonly results: readonly JobResult[];
  /** Null when nothing follows: findings say why. */
  readonly verification: Verification | null;
  readonly findings: readonly Finding[];
}

/**
 * Looks for a defect in the entries listed and in a control that must not show it: builds each in the sandbox, and runs the probe, or the
 * hidden category, on it. Nothing of what they write leaves but the state of each (`PROBE_STATES`).
 */
export async function verifyDefect(options: VerifyOptions): Promise<Verified> {
  const opened = await openProber(options.defect, options);
  if (!opened.ok)
    return { outcome: opened.outcome, results: [], verification: null, findings: opened.findings };
  const results: JobResult[] = [];
  const findings: Finding[] = [];
  for (const { folder, run, entry: id, role } of placesOf(options)) {
    // An order's entries hold more than that: a report takes none of it.
    const entry = { run, entry: id, role };
    options.progress?.(entry);
    const seen = await opened.prober(folder);
    if (seen.ours.length > 0)
      return { outcome: "ours", results, verification: null, findings: [...findings, ...seen.ours] };
    const result: JobResult = { ...entry, probe: seen.state };
    results.push(result);
    findings.push(...stateFindings(result, seen.why));
  }
  return { outcome: "measured", results, verification: decideVerification(results), findings };
}

function placesOf({
  root,
  task,
  entries,
  entriesFolder,
}: VerifyOptions): (DefectEntry & { folder: string })[] {
  const given = entries.map((each) => ({ ...each, folder: join(entriesFolder, each.run, each.entry) }));
  const controls = given.filter(({ role }) => role === "control");
  const reference = {
    ...referenceControl(task),
    role: "control" as const,
    folder: join(root, "tasks", task, "reference"),
  };
  return [
    ...given.filter(({ role }) => role === "judged"),
    ...(controls.length === 0 ? [reference] : controls),
  ];
}
