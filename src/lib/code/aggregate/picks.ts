import { type HiddenCount, isEligible } from "../score/hidden.ts";
import { DEFECT_COST, DOUBLING_COST, MOST_PICKS, pickValue, topPicks } from "../score/value.ts";
import type { Row } from "./row.ts";
import type { EffortView } from "./selection.ts";
import { keyOfRow } from "./shown.ts";

/** One of the top picks, with the parts that its value is made of. */
export interface TopPick {
  readonly configuration: string;
  readonly value: number;
  readonly council: number;
  /** USD: mean over replicates, leads and tasks. */
  readonly cost: number;
  readonly defect_points: number;
  readonly hidden: HiddenCount;
  /** Finished runs whose hidden suite was not run: the count is without them. */
  readonly hidden_missing: number;
  /** value = council + price + liability. */
  readonly parts: {
    readonly council: number;
    /** −0.2 · log2(cost). */
    readonly price: number;
    /** −0.5 · defect points. */
    readonly liability: number;
  };
}

export interface Picks {
  /** At most six, by value. */
  readonly picks: readonly TopPick[];
  readonly considered: number;
  /** Of those, with at least 98% of the hidden categories. */
  readonly eligible: number;
  /** Why there are fewer than six; null when there are six. */
  readonly fewer: string | null;
  /** Everyone who could not be picked, and why. */
  readonly left_out: readonly { readonly configuration: string; readonly reason: string }[];
}

/**
 * The top picks over every effort level; under best per model or lab each appears once, at its best-value effort level.
 * Always by the council score. (Methodology, "Top overall picks".)
 */
export function picksOf(rows: readonly Row[], efforts: EffortView): Picks {
  const keyOf = keyOfRow(efforts);
  const candidates = rows.map((row) => ({
    row,
    configuration: row.configuration,
    council: row.council.value,
    cost: row.comparable_cost,
    defect_points: row.defect_points.value,
    hidden: row.hidden,
  }));
  const picked = topPicks(candidates, ({ row }) => keyOf(row));
  const left_out = candidates.flatMap((candidate) => {
    const reason = reasonOf(candidate);
    return reason === null ? [] : [{ configuration: candidate.configuration, reason }];
  });
  return {
    picks: picked.flatMap(
      ({ candidate: { row, configuration, council, cost, defect_points, hidden }, value }) =>
        council === null || cost === null || defect_points === null || hidden === null
          ? []
          : {
              configuration,
              value,
              council,
              cost,
              defect_points,
              hidden,
              hidden_missing: row.hidden_missing,
              parts: {
                council,
                price: -DOUBLING_COST * Math.log2(cost),
                liability: -DEFECT_COST * defect_points,
              },
            },
    ),
    considered: rows.length,
    eligible: candidates.filter(({ hidden }) => isEligible(hidden)).length,
    fewer: picked.length < MOST_PICKS ? fewerBecause(candidates, efforts) : null,
    left_out,
  };
}

interface Candidate {
  readonly row: Row;
  readonly council: number | null;
  readonly cost: number | null;
  readonly defect_points: number | null;
  readonly hidden: HiddenCount | null;
}

/** Why a configuration has no chance; null when it has a value and passes. */
function reasonOf({ row, council, cost, defect_points, hidden }: Candidate): string | null {
  if (row.coverage.finished === 0) return "did not finish";
  if (hidden === null || hidden.total === 0) return "the hidden suite was not run";
  if (!isEligible(hidden)) return `passes ${hidden.passed}/${hidden.total} hidden categories, less than 98%`;
  return pickValue(council, cost, defect_points).reason;
}

function fewerBecause(candidates: readonly Candidate[], efforts: EffortView): string {
  if (candidates.length === 0) return "no configuration ran";
  const eligible = candidates.filter(({ hidden }) => isEligible(hidden));
  const unvalued = eligible.filter((candidate) => reasonOf(candidate) !== null).length;
  const parts = [
    `${eligible.length} of ${candidates.length} ${candidates.length === 1 ? "configuration passes" : "configurations pass"} at least 98% of the hidden categories`,
  ];
  if (unvalued > 0) parts.push(`${unvalued} of them without a value, since a part of it is unknown`);
  const once = efforts === "best-per-model" ? "model" : efforts === "best-per-lab" ? "lab" : null;
  if (once !== null && eligible.length - unvalued >= 2) parts.push(`each ${once} appears once`);
  return parts.join("; ");
}
