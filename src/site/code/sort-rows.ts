import type { RankedRow } from "../../lib/code/aggregate/shown.ts";
import type { Sorting } from "../ui/table.tsx";

const NUMBERS: Readonly<Record<string, (row: RankedRow) => number | null>> = {
  rank: ({ rank }) => rank,
  final: ({ final }) => final.value,
  council: ({ council }) => council.value,
  "cross-vendor": ({ cross_vendor }) => cross_vendor.value,
  hidden: ({ hidden }) => (hidden === null || hidden.total === 0 ? null : hidden.passed / hidden.total),
  speed: ({ speed }) => speed.value,
  cost: ({ comparable_cost }) => comparable_cost,
  time: ({ time }) => time.value,
  slop: ({ slop }) => slop.value,
  defects: ({ defect_points }) => defect_points.value,
  coverage: ({ coverage }) => coverage.tasks,
};

/** Rows by a column's numbers; ties stay in order of rank, and what has no number comes last whichever way. */
export function sortRows(rows: readonly RankedRow[], sorting: Sorting | null): readonly RankedRow[] {
  const numberOf = NUMBERS[sorting?.column ?? ""];
  if (numberOf === undefined || sorting === null) return rows;
  const sign = sorting.direction === "high" ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [numberOf(a), numberOf(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}
