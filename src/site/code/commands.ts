import type { EntryData, FindingData, RunData } from "../../lib/code/derive/data-schema.ts";
import { shellWord } from "./view-command.ts";

/** A command that a reader can paste into a clone of the repository, and what it shows. */
export interface Check {
  /** What it computes, in a few words. */
  readonly of: string;
  readonly command: string;
  /** The number that its `result:` line gives, unrounded; null when it is unknown. */
  readonly gives: number | null;
}

/** The check of the score that ranks. */
export const FINAL_CHECK = "final score";

/** Works one formula with its input on standard input; `printf` leaves backslashes as they are, which `echo` may not. */
export const formulaCommand = (name: string, input: unknown): string =>
  `printf '%s' ${shellWord(JSON.stringify(input))} | npm run -s bench -- formula ${name} --input -`;

/** Derives every number again from the committed facts, costs from each request's tokens among them. */
export const BUILD_COMMAND = "npm run -s bench -- data build";

/** Measures an entry's committed files again: lines, duplication and complexity. */
export const qualityCommand = (run: string, entry: string): string =>
  `npm run -s bench -- run quality ${shellWord(run)} --entry ${shellWord(entry)} --check`;

type Findings = readonly Pick<
  FindingData,
  "judge" | "session" | "severity" | "category" | "false_positive"
>[];

/**
 * One command for each number of an entry that follows from others, the final score first.
 * @param findings every finding of the entry; null while they are not loaded, and then what follows from them is left out
 */
export const entryChecks = (entry: EntryData, run: RunData, findings: Findings | null): Check[] => [
  ...finalChecks(entry),
  ...councilChecks(entry, run),
  ...(findings === null ? [] : findingChecks(entry, findings)),
  ...speedChecks(entry),
];

function councilChecks({ seats, council, cross_vendor, dnf }: EntryData, { panel }: RunData): Check[] {
  if (dnf !== null || seats.length === 0) return [];
  const scores = seats.map(({ judge, score }) => ({ judge, score }));
  const same_vendor = [...new Set(seats.flatMap((seat) => (seat.same_vendor ? [seat.judge] : [])))];
  return [
    {
      of: "council score",
      command: formulaCommand("council-score", { seats: scores, panel }),
      gives: council,
    },
    {
      of: "cross-vendor score",
      command: formulaCommand("cross-vendor-score", { seats: scores, panel, same_vendor }),
      gives: cross_vendor,
    },
  ];
}

function findingChecks({ seats, slop, defect_points, dnf }: EntryData, findings: Findings): Check[] {
  if (dnf !== null || seats.length === 0) return [];
  const input = {
    seats: seats.map(({ judge, session }) => ({
      judge,
      findings: findings
        .filter((each) => each.judge === judge && each.session === session)
        .map(({ severity, category, false_positive }) => ({ severity, category, false_positive })),
    })),
  };
  return [
    { of: "slop", command: formulaCommand("slop", input), gives: slop },
    { of: "defect points", command: formulaCommand("defect-points", input), gives: defect_points },
  ];
}

function finalChecks({ council, hidden, slop, final, dnf }: EntryData): Check[] {
  const count = hidden === null ? null : { passed: hidden.passed, total: hidden.total };
  const command = formulaCommand("final-score", { council, hidden: count, slop });
  return dnf === null ? [{ of: FINAL_CHECK, command, gives: final }] : [];
}

function speedChecks({ speed }: EntryData): Check[] {
  if (speed === null || speed.speedup === null || speed.metrics.length === 0) return [];
  const metrics = speed.metrics.map(({ id, speedup }) => ({ id, speedup }));
  const task_metrics = metrics.map(({ id }) => id);
  return [
    ...speed.metrics.map(({ id, candidate, reference, speedup }) => ({
      of: `speed-up of ${id}`,
      command: formulaCommand("speed-up", { reference: [reference], candidate: [candidate] }),
      gives: speedup,
    })),
    {
      of: "speed",
      command: formulaCommand("task-speed", { task_metrics, output_correct: true, metrics }),
      gives: speed.speedup,
    },
  ];
}
