import type { Data, FindingData } from "../../lib/code/derive/data-schema.ts";

/** Texts of one run's findings, by entry: loaded when a drawer opens. */
export type RunFindings = Readonly<Record<string, readonly FindingData[]>>;

/**
 * `data.json` without what only a drawer shows: the findings keep who raised them, how grave they are and whether they are
 * true, and lose their words and places. Views of it are those of the whole.
 */
export const slimData = (data: Data): Data => ({
  ...data,
  entries: data.entries.map((entry) => ({
    ...entry,
    findings: entry.findings.map((finding) => ({
      ...finding,
      id: "",
      session: "",
      file: null,
      line: null,
      text: "",
      note: null,
    })),
  })),
});

/** The findings of each run, by run. */
export function findingsByRun(data: Data): ReadonlyMap<string, RunFindings> {
  const runs = new Map<string, Record<string, readonly FindingData[]>>();
  for (const { run, id, findings } of data.entries) {
    const entries = runs.get(run) ?? {};
    entries[id] = findings;
    runs.set(run, entries);
  }
  return runs;
}

export const BOARD_DATA_PATH = "code/board.json";
export const findingsPath = (run: string): string => `code/findings/${run}.json`;
