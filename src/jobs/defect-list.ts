import type { DataSource } from "../io/code/data-source.ts";
import type { Data } from "../lib/code/derive/data-schema.ts";
import { effectiveDefect } from "../lib/code/derive/defects.ts";
import { type Defect, defectsSchema } from "../lib/code/schema/defects-schema.ts";
import { noSuchDefect } from "../lib/defects/findings.ts";
import { recallChange } from "../lib/defects/recall-change.ts";
import type { RecallChange } from "../lib/defects/report-schema.ts";
import { confirmedPlaces } from "../lib/defects/verification.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import type { JobResult } from "../lib/job/report-schema.ts";
import { readCodeData } from "./code-data.ts";
import { DocumentReader, sortPaths } from "./code-data-files.ts";

export interface StandingDefect {
  readonly task: string;
  /** With its revisions applied. */
  readonly defect: Defect;
}

/**
 * Defects as they stand: one (`task`, `id`), all of a task, or all that there are. That the one asked for does not stand is a finding.
 */
export async function readDefects(
  source: DataSource,
  { task, id }: { readonly task?: string | undefined; readonly id?: string | undefined },
): Promise<Outcome<StandingDefect[]>> {
  const reader = new DocumentReader(source);
  const tasks = task === undefined ? sortPaths(await source.list()).defects : [task];
  const standing: StandingDefect[] = [];
  for (const name of tasks) {
    const document = await reader.read(`data/defects/${name}.json`, defectsSchema, () => []);
    for (const listed of document?.defects ?? []) {
      const defect = effectiveDefect(listed, document?.revisions ?? []);
      if (defect !== null && (id === undefined || defect.id === id)) standing.push({ task: name, defect });
    }
  }
  const { findings } = reader;
  if (task !== undefined && id !== undefined && standing.length === 0 && !hasErrors(findings))
    findings.push(noSuchDefect(task, id));
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: standing, findings };
}

/** How judge recall moves with a verification: nothing counts but entries that showed the defect. */
export const recallOf = (
  data: Data,
  { task, defect }: StandingDefect,
  results: readonly JobResult[],
): RecallChange => recallChange(data, { task, defect: defect.id }, confirmedPlaces(results));

/**
 * The facts that judge recall comes from; null when they do not hold, and findings say why. Runs that a generator made are read too: whoever
 * looks at such a folder knows it.
 */
export async function readRecallData(
  source: DataSource,
): Promise<{ data: Data | null; findings: Finding[] }> {
  const { data, findings } = await readCodeData(source, { synthetic: true, deliverables: false });
  return { data, findings: [...findings] };
}
