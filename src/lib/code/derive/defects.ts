import type { Defect, DefectRevision, Defects } from "../schema/defects-schema.ts";
import type { DefectData, EntryData } from "./data-schema.ts";

/** The defects that stand, and the entries with the ids of the defects that their findings report. */
export function deriveDefects(
  documents: ReadonlyMap<string, Defects>,
  entries: readonly EntryData[],
): { defects: DefectData[]; withDefects: EntryData[] } {
  /** Which entry a finding is about, and whether it counts. */
  const findings = new Map<string, { entry: EntryData; judge: string; counts: boolean }>();
  for (const entry of entries)
    for (const { session, id, judge, false_positive } of entry.findings)
      findings.set(`${entry.run}/${session}/${id}`, { entry, judge, counts: !false_positive });

  const defects: DefectData[] = [];
  const defectOf = new Map<string, string>();
  for (const { task, defects: listed, revisions } of documents.values())
    for (const raw of listed) {
      const defect = revised(raw, revisions);
      if (defect === null) continue;
      const reports: DefectData["reports"] = [];
      for (const { run, session, finding } of defect.findings) {
        const key = `${run}/${session}/${finding}`;
        const found = findings.get(key);
        const has = defect.entries.some((place) => place.run === run && place.entry === found?.entry.id);
        if (found === undefined || !found.counts || !has) continue;
        defectOf.set(key, defect.id);
        reports.push({ run, entry: found.entry.id, judge: found.judge, finding: `${session}/${finding}` });
      }
      const { id, title, category, severity, method } = defect;
      defects.push({ task, id, title, category, severity, method, entries: defect.entries, reports });
    }
  const withDefects = entries.map((entry) =>
    entry.findings.some(({ session, id }) => defectOf.has(`${entry.run}/${session}/${id}`))
      ? {
          ...entry,
          findings: entry.findings.map((finding) => ({
            ...finding,
            defect: defectOf.get(`${entry.run}/${finding.session}/${finding.id}`) ?? null,
          })),
        }
      : entry,
  );
  return { defects: defects.toSorted(byTaskAndNumber), withDefects };
}

const numberOf = (id: string): number => Number(id.slice(2));
const byTaskAndNumber = (a: DefectData, b: DefectData): number =>
  a.task !== b.task ? (a.task < b.task ? -1 : 1) : numberOf(a.id) - numberOf(b.id);

/** The defect with its revisions applied; null when it was withdrawn, or no entry is left that has it. */
function revised(defect: Defect, revisions: readonly DefectRevision[]): Defect | null {
  let result = defect;
  for (const revision of revisions) {
    if (revision.defect !== defect.id) continue;
    if (revision.kind === "withdraw") return null;
    if (revision.kind === "entry") {
      const { run, entry } = revision.remove;
      result = {
        ...result,
        entries: result.entries.filter((place) => place.run !== run || place.entry !== entry),
      };
    } else {
      const { run, session, finding } = revision.remove;
      result = {
        ...result,
        findings: result.findings.filter(
          (place) => place.run !== run || place.session !== session || place.finding !== finding,
        ),
      };
    }
  }
  return result.entries.length === 0 ? null : result;
}
