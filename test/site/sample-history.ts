import { digestOf } from "../../src/lib/digest.ts";
import type { CodeChange, History, SheetChange } from "../../src/lib/feed/history.ts";

/** Changes of both benchmarks, to be rendered. */

export const sheetChange = (at: number, more: Partial<SheetChange> = {}): SheetChange => ({
  commit: at.toString(16).padStart(40, "0"),
  at: `2026-12-01T10:${String(at % 60).padStart(2, "0")}:00.000Z`,
  pull: at,
  suite: "gold-1",
  kind: "overtakes",
  model: "a/one",
  name: "One",
  path: "benchmarks/results/gold-1/a__one/x.json",
  digest: digestOf(String(at)),
  before: { rank: 2, composite: 0.5 },
  after: { rank: 1, composite: 0.75 },
  passed: ["b/two"],
  passedCount: 1,
  reason: null,
  ...more,
});

export const codeChange: CodeChange = {
  commit: "c".repeat(40),
  at: "2026-12-01T11:30:00.000Z",
  pull: null,
  runs: [
    {
      run: "r-1",
      task: "coder",
      arrived: true,
      entries: 2,
      unfinished: 1,
      reviews: 0,
      findings: 0,
      judges: [],
      revisions: 0,
    },
  ],
  defects: [{ task: "coder", added: 2, revised: 0 }],
  judges: [],
  others: [],
};

export const historyOf = (sheet: readonly SheetChange[], more: Partial<History> = {}): History => ({
  at: "2026-12-01T12:00:00.000Z",
  sheet,
  code: [],
  complete: true,
  ...more,
});
