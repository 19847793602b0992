import { detached } from "../../strict-json/detached.ts";
import type { Defect, DefectRevision, Defects } from "../schema/defects-schema.ts";
import type { DefectData, EntryData } from "./data-schema.ts";

/** Links findings to the verified defects that they report, one entry after the other. */
export interface DefectLinks {
  /** The entry with the ids of the defects that its valid findings report. */
  link(entry: EntryData): EntryData;
  /** The defects that stand, with the reports that were met. */
  finish(): DefectData[];
}

/** Begins with the defects as their logs of revisions leave them. */
export function startDefects(documents: ReadonlyMap<string, Defects>): DefectLinks {
  const defects: DefectData[] = [];
  const byFinding = new Map<string, DefectData>();
  for (const { task, defects: listed, revisions } of documents.values())
    for (const raw of listed) {
      const defect = effectiveDefect(raw, revisions);
      if (defect === null) continue;
      const { id, title, category, severity, method, entries } = defect;
      const data: DefectData = { task, id, title, category, severity, method, entries, reports: [] };
      defects.push(data);
      for (const { run, session, finding } of defect.findings)
        byFinding.set(`${run}/${session}/${finding}`, data);
    }
  return {
    link(entry) {
      let linked = false;
      const findings = entry.findings.map((finding) => {
        const defect = byFinding.get(`${entry.run}/${finding.session}/${finding.id}`);
        const has = defect?.entries.some((place) => place.run === entry.run && place.entry === entry.id);
        if (defect === undefined || has !== true || finding.false_positive) return finding;
        linked = true;
        defect.reports.push(
          detached({
            run: entry.run,
            entry: entry.id,
            judge: finding.judge,
            finding: `${finding.session}/${finding.id}`,
          }),
        );
        return { ...finding, defect: defect.id };
      });
      return linked ? { ...entry, findings } : entry;
    },
    finish: () =>
      defects
        .map((defect) => ({ ...defect, reports: defect.reports.toSorted(byPlace) }))
        .toSorted(byTaskAndNumber),
  };
}

const byPlace = (a: DefectData["reports"][number], b: DefectData["reports"][number]): number => {
  const [left, right] = [a, b].map(({ run, entry, finding }) => `${run} ${entry} ${finding}`);
  return (left ?? "") < (right ?? "") ? -1 : 1;
};
const numberOf = (id: string): number => Number(id.slice(2));
const byTaskAndNumber = (a: DefectData, b: DefectData): number =>
  a.task !== b.task ? (a.task < b.task ? -1 : 1) : numberOf(a.id) - numberOf(b.id);

/** The defect with its revisions applied; null when it was withdrawn, or no entry is left that has it. */
export function effectiveDefect(defect: Defect, revisions: readonly DefectRevision[]): Defect | null {
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
