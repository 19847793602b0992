import { mean, rangeOf } from "../../stats/describe.ts";

/** A judge's score of an anchor entry, and what the earlier panel that published the entry had given it. */
export interface AnchorScore {
  readonly score: number;
  /** The latest earlier panel's mean; null when none scored it. */
  readonly panel: number | null;
  /** That panel's mean without this judge; null when it sat alone. Equal to `panel` when the judge was no part of it. */
  readonly panel_without: number | null;
}

export interface CalibrationOffset {
  /** Mean over the anchors; positive is more generous than the earlier panels. Null without anchors. */
  readonly offset: number | null;
  readonly n: number;
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * Calibration by anchors: offset = mean over anchors of (score in this session − earlier panel's mean), once against the
 * panel that published, and once against it without the judge itself, since otherwise part of a difference cancels.
 * Reported, never applied. (Methodology, "Council", "Calibration".)
 */
export const calibrationOffset = (
  anchors: readonly AnchorScore[],
): { readonly against_panel: CalibrationOffset; readonly against_others: CalibrationOffset } => ({
  against_panel: offsetOf(anchors.map(({ score, panel }) => [score, panel])),
  against_others: offsetOf(anchors.map(({ score, panel_without }) => [score, panel_without])),
});

function offsetOf(pairs: readonly (readonly [number, number | null])[]): CalibrationOffset {
  const differences = pairs.flatMap(([score, panel]) => (panel === null ? [] : [score - panel]));
  const range = rangeOf(differences);
  return {
    offset: mean(differences),
    n: differences.length,
    min: range?.min ?? null,
    max: range?.max ?? null,
  };
}
