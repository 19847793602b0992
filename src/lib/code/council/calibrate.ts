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

interface Offsets {
  readonly against_panel: CalibrationOffset;
  readonly against_others: CalibrationOffset;
}

export interface JudgeCalibration extends Offsets {
  readonly judge: string;
  /** The same for the sessions of each run. */
  readonly runs: readonly (Offsets & { readonly run: string; readonly panels: readonly string[] })[];
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
    .map(([judge, scores]) => ({ judge, ...calibrationOffset(scores), runs: byRun(scores), scores }));
  return { task, judges };
}

function byRun(scores: readonly CalibrationScore[]): JudgeCalibration["runs"] {
  return [...new Set(scores.map(({ run }) => run))].sort().map((run) => {
    const own = scores.filter((score) => score.run === run);
    const panels = [
      ...new Set(own.flatMap(({ panel_run }) => (panel_run === null ? [] : [panel_run]))),
    ].sort();
    return { run, ...calibrationOffset(own), panels };
  });
}

/** The calibration for a terminal; single scores are for JSON. */
export function calibrationText({ task, judges }: Calibration): string {
  const head = `Calibration of ${task}: a judge's scores of anchors minus the means of earlier panels. Reported, never applied.`;
  if (judges.length === 0) return `${head}\n\nNo judge has scored an anchor of this task.\n`;
  const blocks = judges.map(({ judge, against_panel, against_others, runs }) =>
    [
      judge,
      `  against the panel  ${offsetText(against_panel)}`,
      `  without the judge  ${offsetText(against_others)}`,
      ...runs.map(
        (each) =>
          `    ${each.run}: ${offsetText(each.against_panel)}${each.panels.length === 0 ? "" : `; panel of ${each.panels.join(", ")}`}`,
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
