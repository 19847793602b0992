import type { Data } from "../derive/data-schema.ts";
import { type CalibrationOffset, calibrationOffset } from "../judges/calibration.ts";
import { roundHalfUp } from "../round.ts";

/** One score that a judge gave an anchor, and the earlier panel that it is set against. */
export interface CalibrationScore {
  readonly run: string;
  readonly session: string;
  readonly anchor: string;
  readonly score: number;
  /** The run whose panel is the latest earlier one that scored the anchor; null when none did. */
  readonly panel_run: string | null;
  readonly panel: number | null;
  readonly panel_without: number | null;
}

export interface JudgeCalibration {
  readonly judge: string;
  readonly against_panel: CalibrationOffset;
  readonly against_others: CalibrationOffset;
  readonly scores: readonly CalibrationScore[];
}

export interface Calibration {
  readonly task: string;
  readonly judges: readonly JudgeCalibration[];
}

/**
 * What anchors say about each judge of a task: how its scores of them differ from the latest earlier panel that published
 * one, and from that panel without the judge itself. Every score of an anchor counts once, in whichever pack it was given.
 * Runs that are left out of results are left out here. Reported, never applied. (Methodology, "Council", "Calibration".)
 */
export function calibrateTask({ runs }: Pick<Data, "runs">, task: string): Calibration {
  const byJudge = new Map<string, CalibrationScore[]>();
  for (const run of runs) {
    if (run.task !== task || run.excluded !== null) continue;
    for (const { id, judge, anchors } of run.sessions) {
      const scores = byJudge.get(judge) ?? [];
      scores.push(...anchors.map((anchor) => ({ run: run.id, session: id, ...anchor })));
      byJudge.set(judge, scores);
    }
  }
  const judges = [...byJudge]
    .filter(([, scores]) => scores.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([judge, scores]) => ({ judge, ...calibrationOffset(scores), scores }));
  return { task, judges };
}

/** The calibration for a terminal. */
export function calibrationText({ task, judges }: Calibration): string {
  const head = `Calibration of ${task}: a judge's scores of anchors minus the means of earlier panels. Reported, never applied.`;
  if (judges.length === 0) return `${head}\n\nNo judge has scored an anchor of this task.\n`;
  const blocks = judges.map(({ judge, against_panel, against_others, scores }) =>
    [
      judge,
      `  against the panel          ${offsetText(against_panel)}`,
      `  against it without ${judge}  ${offsetText(against_others)}`,
      ...scores.map(
        ({ run, anchor, score, panel, panel_run }) =>
          `    ${run}: ${anchor} ${roundHalfUp(score, 2)} against ${panel === null || panel_run === null ? "no earlier panel" : `${roundHalfUp(panel, 2)} (panel of ${panel_run})`}`,
      ),
    ].join("\n"),
  );
  return `${[head, ...blocks].join("\n\n")}\n`;
}

function offsetText({ offset, n, min, max }: CalibrationOffset): string {
  if (offset === null || min === null || max === null)
    return "unknown: no earlier panel scored these anchors";
  return `${signed(offset)}, n = ${n}, from ${signed(min)} to ${signed(max)}`;
}

const signed = (value: number): string => {
  const text = roundHalfUp(value, 2);
  return value > 0 && text !== "0.00" ? `+${text}` : text;
};
