import type { DefectData, EntryData, FindingData, RunData, Seat } from "../derive/data-schema.ts";
import type { CATEGORY_GROUPS } from "../schema/names.ts";
import { SEVERITY_WEIGHTS } from "../score/findings.ts";
import { byText } from "../score/order.ts";
import { type DataIndex, isLive, keyOf } from "./index-data.ts";

/** The groups of categories; the compiler holds it to the schema's, which a page need not load. */
const GROUPS: typeof CATEGORY_GROUPS = {
  correctness: "defects",
  robustness: "defects",
  performance: "defects",
  abi: "defects",
  tests: "under-delivery",
  docs: "under-delivery",
  "misleading-docs": "slop",
  "dead-code": "slop",
  redundancy: "slop",
  verbosity: "slop",
  style: "other",
};
export type FindingGroup = (typeof GROUPS)[keyof typeof GROUPS];

/** Everything about one entry: what the findings drawer shows. */
export interface EntryDrawer {
  readonly entry: EntryData;
  readonly run: RunData;
  readonly model_name: string;
  readonly vendor_name: string;
  readonly task_title: string;
  /** By judge. Of an entry that did not finish nobody is on the panel. */
  readonly seats: readonly DrawerSeat[];
  /** Valid ones first, the most severe first, then by place. */
  readonly findings: readonly DrawerFinding[];
  /** Verified defects that the entry has, found or not. */
  readonly defects: readonly (Omit<DefectData, "entries" | "reports"> & {
    readonly found_by: readonly string[];
  })[];
}

export interface DrawerSeat extends Seat {
  readonly judge_name: string;
  /** Whether its score is in the council score. */
  readonly on_panel: boolean;
}

export interface DrawerFinding extends FindingData {
  readonly judge_name: string;
  readonly group: FindingGroup;
  /** What it weighs in its seat's defect points; 0 for a false positive. */
  readonly weight: number;
}

/**
 * The drawer of one entry; null when there is none, or its run is excluded.
 * @param findings the entry's findings, where the data of the index have lost their texts
 */
export function entryDrawer(
  index: DataIndex,
  run: string,
  entry: string,
  findings: readonly FindingData[] | null = null,
): EntryDrawer | null {
  const result = index.byKey.get(keyOf(run, entry));
  if (result === undefined) return null;
  const { entry: data, run: head } = result;
  const nameOf = (judge: string): string => index.judges.get(judge)?.name ?? judge;
  return {
    entry: data,
    run: head,
    model_name: index.models.get(data.model)?.name ?? data.model,
    vendor_name: index.vendors.get(data.vendor)?.name ?? data.vendor,
    task_title: index.tasks.get(head.task)?.title ?? head.task,
    seats: data.seats
      .map((seat) => ({
        ...seat,
        judge_name: nameOf(seat.judge),
        on_panel: isLive(data) && head.panel.includes(seat.judge),
      }))
      .sort((a, b) => byText(a.judge, b.judge) || byText(a.session, b.session)),
    findings: (findings ?? data.findings)
      .map((finding) => ({
        ...finding,
        judge_name: nameOf(finding.judge),
        group: GROUPS[finding.category],
        weight: finding.false_positive ? 0 : SEVERITY_WEIGHTS[finding.severity],
      }))
      .sort(byGravity),
    defects: index.data.defects
      .filter(({ entries }) => entries.some((place) => place.run === run && place.entry === entry))
      .map(({ entries: _, reports, ...defect }) => ({
        ...defect,
        found_by: [
          ...new Set(
            reports
              .filter((report) => report.run === run && report.entry === entry)
              .map(({ judge }) => judge),
          ),
        ].sort(byText),
      }))
      .sort((a, b) => a.id.length - b.id.length || byText(a.id, b.id)),
  };
}

const byGravity = (a: DrawerFinding, b: DrawerFinding): number =>
  Number(a.false_positive) - Number(b.false_positive) ||
  SEVERITY_WEIGHTS[b.severity] - SEVERITY_WEIGHTS[a.severity] ||
  byText(a.file ?? "", b.file ?? "") ||
  (a.line ?? 0) - (b.line ?? 0) ||
  byText(a.judge, b.judge) ||
  byText(a.session, b.session) ||
  byText(a.id, b.id);
