import type { EntryData, RunData } from "../derive/data-schema.ts";

/** One number of an entry, and what its formula takes to give it. */
export interface EntryFormula {
  readonly formula: string;
  readonly input: unknown;
  /** What `data.json` says, unrounded. */
  readonly value: number;
}

/**
 * The numbers of one entry that follow from what `data.json` holds, each with the input of its formula. Numbers that are
 * unknown are left out, and so are those that follow from facts which only the run's document has (cost, speed-ups of metrics).
 */
export function entryFormulas(entry: EntryData, run: RunData): EntryFormula[] {
  const seats = entry.seats.map(({ judge, score }) => ({ judge, score }));
  const own = entry.seats.filter((seat) => seat.same_vendor).map(({ judge }) => judge);
  const judged = {
    seats: entry.seats.map(({ judge, session }) => ({
      judge,
      findings: entry.findings
        .filter((finding) => finding.judge === judge && finding.session === session)
        .map(({ severity, category, false_positive }) => ({ severity, category, false_positive })),
    })),
  };
  const { council, slop, defect_points, speed } = entry;
  const hidden = entry.hidden === null ? null : { passed: entry.hidden.passed, total: entry.hidden.total };
  const metrics = speed?.metrics.map(({ id, speedup }) => ({ id, speedup })) ?? [];
  const all: readonly (readonly [string, unknown, number | null])[] = [
    ["council-score", { seats, panel: run.panel }, council],
    ["cross-vendor-score", { seats, panel: run.panel, same_vendor: own }, entry.cross_vendor],
    ["slop", judged, slop],
    ["defect-points", judged, defect_points],
    ["final-score", { council, hidden, slop }, entry.final],
    [
      "task-speed",
      { task_metrics: metrics.map(({ id }) => id), output_correct: true, metrics },
      speed?.speedup ?? null,
    ],
  ];
  return all.flatMap(([formula, input, value]) => (value === null ? [] : [{ formula, input, value }]));
}
