import type { DefectData } from "../derive/data-schema.ts";
import { byText } from "../score/order.ts";
import { type DataIndex, keyOf, type Scope } from "./index-data.ts";

/** A verified defect, in the entries of the selection that have it. */
export interface DefectRow extends Omit<DefectData, "entries" | "reports"> {
  readonly entries: readonly DefectEntry[];
  /** Judges who reported it in at least one of them, by id. */
  readonly found_by: readonly string[];
}

export interface DefectEntry {
  readonly run: string;
  readonly entry: string;
  readonly configuration: string;
  readonly lead: string;
  readonly replicate: number;
  /** Judges who reviewed the entry, and of those who reported the defect, by id. */
  readonly reviewed_by: readonly string[];
  readonly found_by: readonly string[];
}

/** In page order of tasks, then as listed. (Methodology, "Verified defects".) */
export function defectRows(scope: Scope, index: DataIndex): DefectRow[] {
  const inScope = new Map(scope.results.map((result) => [result.key, result]));
  return index.data.defects
    .flatMap(({ entries, reports, ...defect }): DefectRow[] => {
      const there = entries.flatMap(({ run, entry }): DefectEntry[] => {
        const result = inScope.get(keyOf(run, entry));
        if (result === undefined) return [];
        const found = reports.filter((report) => report.run === run && report.entry === entry);
        return [
          {
            run,
            entry,
            configuration: result.entry.configuration,
            lead: result.run.lead,
            replicate: result.run.replicate,
            reviewed_by: idsOf(result.entry.seats),
            found_by: idsOf(found),
          },
        ];
      });
      if (there.length === 0) return [];
      there.sort((a, b) => byText(a.run, b.run) || byText(a.entry, b.entry));
      return [
        {
          ...defect,
          entries: there,
          found_by: [...new Set(there.flatMap(({ found_by }) => found_by))].sort(byText),
        },
      ];
    })
    .sort(
      (a, b) =>
        (index.taskPlace.get(a.task) ?? 0) - (index.taskPlace.get(b.task) ?? 0) ||
        a.id.length - b.id.length ||
        byText(a.id, b.id),
    );
}

const idsOf = (from: readonly { readonly judge: string }[]): string[] =>
  [...new Set(from.map(({ judge }) => judge))].sort(byText);
