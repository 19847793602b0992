import { describe, expect, it } from "vitest";
import { calibrateTask, calibrationText } from "../../../../src/lib/code/council/calibrate.ts";
import type { RunData, SessionData } from "../../../../src/lib/code/derive/data-schema.ts";

const anchor = (id: string, score: number, panel: number | null, without: number | null = panel) => ({
  ...{ anchor: id, score, panel, panel_without: without },
  panel_run: panel === null ? null : "old",
});
const session = (id: string, judge: string, anchors: SessionData["anchors"]): SessionData => ({
  ...{ id, judge, anchors, scored: 8, cost_usd: null, seconds: 1, missing: null },
});
const run = (id: string, sessions: SessionData[], change: Partial<RunData> = {}): RunData => ({
  ...{ id, task: "coder", lead: "a@b", basis: "spec", replicate: 1, started_at: "2026-11-05T09:00:00.000Z" },
  ...{ excluded: null, panel: [], sessions, brief_cost_usd: null, kit_cost_usd: null, revisions: 0 },
  ...change,
});

describe("Methodology: Council, calibration by anchors", () => {
  it("is the mean of score minus earlier panel: the worked example of −0.1, with n and range", () => {
    const runs = [run("new", [session("s", "j", [anchor("a", 8.1, 7.8, 8), anchor("b", 6.4, 6.9, 6.5)])])];
    const { judges } = calibrateTask({ runs }, "coder");
    expect(judges).toHaveLength(1);
    expect(judges[0]?.against_panel.offset).toBeCloseTo(-0.1, 12);
    expect(judges[0]?.against_panel).toMatchObject({ n: 2 });
    expect(judges[0]?.against_panel.min).toBeCloseTo(-0.5, 12);
    expect(judges[0]?.against_panel.max).toBeCloseTo(0.3, 12);
    // Without the judge itself nothing of the difference cancels.
    expect(judges[0]?.against_others.offset).toBeCloseTo(0, 12);
  });
  it("pools sessions and runs of the task, and leaves out other tasks, excluded runs and anchors nobody scored before", () => {
    const runs = [
      run("r1", [session("s", "j", [anchor("a", 8, 7)]), session("s2", "j", [anchor("a", 9, 7)])]),
      run("r2", [session("s", "j", [anchor("a", 7, 7), anchor("new", 1, null)])]),
      run("r3", [session("s", "j", [anchor("a", 0, 7)])], { task: "other" }),
      run("r4", [session("s", "j", [anchor("a", 0, 7)])], { excluded: "pilot" }),
      run("r5", [session("s", "quiet", [])]),
    ];
    const { judges } = calibrateTask({ runs }, "coder");
    expect(judges.map(({ judge }) => judge)).toEqual(["j"]);
    expect(judges[0]?.against_panel).toEqual({ offset: 1, n: 3, min: 0, max: 2 });
    expect(judges[0]?.scores).toHaveLength(4);
    expect(
      judges[0]?.runs.map(({ run: id, against_panel, panels }) => [id, against_panel.offset, panels]),
    ).toEqual([
      ["r1", 1.5, ["old"]],
      ["r2", 0, ["old"]],
    ]);
  });
  it("says which panel each anchor is set against", () => {
    const runs = [run("new", [session("s", "j", [anchor("a", 8.1, 7.8), anchor("b", 5, null)])])];
    const text = calibrationText(calibrateTask({ runs }, "coder"));
    expect(text).toContain("never applied");
    expect(text).toContain("new: +0.30, n = 1, from +0.30 to +0.30; panel of old");
    const unknown = calibrationText(
      calibrateTask({ runs: [run("new", [session("s", "j", [anchor("b", 5, null)])])] }, "coder"),
    );
    expect(unknown).toContain("new: unknown: no earlier panel scored these anchors");
    expect(calibrationText(calibrateTask({ runs: [] }, "coder"))).toContain("No judge has scored an anchor");
  });
});
