import { describe, expect, it } from "vitest";
import type { Data, EntryData, RunData } from "../../../../src/lib/code/derive/data-schema.ts";
import { moveEntries } from "../../../../src/lib/code/movement/entries.ts";
import { gainsOf } from "../../../../src/lib/code/movement/gains.ts";
import { type Board, moveData } from "../../../../src/lib/code/movement/move.ts";
import { LISTED, movementSchema } from "../../../../src/lib/code/movement/movement-schema.ts";
import { distance, hasMoved } from "../../../../src/lib/code/movement/moves.ts";
import { revisionsOf } from "../../../../src/lib/code/movement/revisions.ts";
import {
  type JudgeStanding,
  moveAgreement,
  moveJudges,
  moveView,
  type ViewStanding,
} from "../../../../src/lib/code/movement/standings.ts";

const entry = (id: string, change: Partial<EntryData> = {}): EntryData => ({
  run: "r1",
  id,
  configuration: `${id}@high`,
  model: id,
  effort: "high",
  vendor: "acme",
  harness: "x",
  harness_version: null,
  fast_mode: false,
  dnf: null,
  deliverable: `sha256:${"0".repeat(64)}`,
  seats: [],
  council: 8,
  council_reason: null,
  cross_vendor: 8,
  slop: 0.5,
  defect_points: 1,
  findings: [],
  hidden: { passed: 3, total: 4, failed: ["h4"], level: "declared" },
  final: 5.75,
  final_reason: null,
  cost: null,
  cost_level: "declared",
  seconds: 60,
  speed: null,
  quality: null,
  ...change,
});
const run = (id: string, change: Partial<RunData> = {}): RunData => ({
  id,
  task: "coder",
  lead: "sol@max",
  basis: "spec",
  replicate: 1,
  started_at: "2026-11-01T00:00:00.000Z",
  excluded: null,
  panel: [],
  sessions: [],
  brief_cost_usd: null,
  kit_cost_usd: null,
  revisions: 0,
  ...change,
});
const data = (entries: EntryData[], change: Partial<Data> = {}): Data => ({
  schema_version: 1,
  synthetic: false,
  source: `sha256:${"a".repeat(64)}`,
  pricing_rule: "x",
  vendors: [],
  models: [],
  judges: [],
  tasks: [],
  runs: [run("r1")],
  entries,
  defects: [],
  fast_factors: [],
  ...change,
});

describe("numbers that move", () => {
  it("move when they appear, go, or change by more than arithmetic does", () => {
    expect(hasMoved({ before: null, after: 0 })).toBe(true);
    expect(hasMoved({ before: 1, after: null })).toBe(true);
    expect(hasMoved({ before: null, after: null })).toBe(false);
    expect(hasMoved({ before: 0.1 + 0.2, after: 0.3 })).toBe(false);
    expect(hasMoved({ before: 0.3, after: 0.300001 })).toBe(true);
    expect(distance({ before: null, after: 1 })).toBeGreaterThan(distance({ before: 0, after: 1e6 }));
  });
});

describe("entries", () => {
  it("are listed with what moved of them only, new ones first, then by how far the final score moved", () => {
    const before = data([entry("a"), entry("b"), entry("c"), entry("same")]);
    const after = data([
      entry("a", { final: 5.8 }),
      entry("b", { final: 7, council: 9 }),
      entry("c", { hidden: { passed: 4, total: 4, failed: [], level: "declared" }, slop: null }),
      entry("same"),
      entry("z", { final: null, final_reason: "no panel" }),
    ]);
    const { rows, total } = moveEntries(before, after);
    expect(total).toBe(4);
    expect(rows.map(({ entry, state }) => [entry, state])).toEqual([
      ["z", "new"],
      ["b", "changed"],
      ["a", "changed"],
      ["c", "changed"],
    ]);
    expect(rows[1]?.values).toEqual({ final: { before: 5.75, after: 7 }, council: { before: 8, after: 9 } });
    expect(rows[3]).toMatchObject({
      values: { slop: { before: 0.5, after: null } },
      hidden: { before: { passed: 3, total: 4 }, after: { passed: 4, total: 4 } },
    });
    expect(rows[0]?.reason).toBe("no panel");
    expect(moveEntries(before, data([entry("a")])).rows.map(({ state }) => state)).toEqual([
      "gone",
      "gone",
      "gone",
    ]);
  });

  it("come from nothing all new, and nothing moves against itself", () => {
    const some = data([entry("a"), entry("b")]);
    expect(moveEntries(null, some).rows.map(({ state }) => state)).toEqual(["new", "new"]);
    expect(moveEntries(some, structuredClone(some))).toEqual({ rows: [], total: 0 });
  });

  it("are cut, and counted", () => {
    const many = Array.from({ length: LISTED.entries + 50 }, (_, index) => entry(`e${index}`));
    const moved = moveEntries(data(many), data(many.map((each) => ({ ...each, final: 1 }))));
    expect([moved.rows.length, moved.total]).toEqual([LISTED.entries, LISTED.entries + 50]);
  });
});

describe("what is new", () => {
  it("is runs, sessions of runs that were there, defects, configurations and judges", () => {
    const session = (id: string) => ({
      id,
      judge: "j1",
      scored: 2,
      anchors: [],
      cost_usd: null,
      seconds: 1,
      missing: null,
    });
    const defect = (id: string) => ({
      task: "coder",
      id,
      title: "Overflow",
      category: "correctness" as const,
      severity: "high" as const,
      method: "probe" as const,
      entries: [{ run: "r1", entry: "a" }],
      reports: [],
    });
    const before = data([entry("a")], {
      runs: [run("r1", { sessions: [session("s1")] })],
      defects: [defect("D-1")],
    });
    const after = data([entry("a"), entry("b", { run: "r2" })], {
      runs: [
        run("r1", { sessions: [session("s1"), session("s2")] }),
        run("r2", { replicate: 2, sessions: [session("s1")] }),
      ],
      defects: [defect("D-1"), defect("D-2")],
    });
    expect(gainsOf(before, after)).toEqual({
      runs: {
        rows: [{ id: "r2", task: "coder", lead: "sol@max", replicate: 2, entries: 1, excluded: false }],
        total: 1,
      },
      sessions: { rows: [{ run: "r1", id: "s2", judge: "j1", scored: 2 }], total: 1 },
      defects: {
        rows: [
          {
            task: "coder",
            id: "D-2",
            title: "Overflow",
            severity: "high",
            category: "correctness",
            method: "probe",
            entries: 1,
            reports: 0,
          },
        ],
        total: 1,
      },
      configurations: { rows: ["b@high"], total: 1 },
      judges: { rows: [], total: 0 },
    });
  });

  it("is every correction, with what it corrects and why", () => {
    const value = {
      council: {
        revisions: [
          { id: "v0", kind: "score", session: "s1", letter: "A", from: 1, to: 2, by: "w", reason: "old" },
          {
            id: "v1",
            kind: "status",
            session: "s1",
            finding: "f1",
            from: "valid",
            to: "false_positive",
            by: "w",
            reason: "It does not happen.",
          },
        ],
      },
      revisions: [{ id: "v2", kind: "perf", entry: "a", to: { at: "x" }, by: "w", reason: "noisy" }],
    };
    const found = revisionsOf([
      { path: "data/runs/r1.json", value, gained: ["/council/revisions/1", "/revisions/0"] },
    ]);
    expect(found.rows.map(({ id, target, from, to, reason }) => [id, target, from, to, reason])).toEqual([
      ["v1", "session s1, finding f1", "valid", "false_positive", "It does not happen."],
      ["v2", "entry a", null, null, "noisy"],
    ]);
    const withdrawn = {
      revisions: [
        { id: "v", kind: "entry", defect: "D-1", remove: { run: "r", entry: "a" }, by: "w", reason: "x" },
      ],
    };
    expect(
      revisionsOf([{ path: "data/defects/t.json", value: withdrawn, gained: [""] }]).rows[0]?.target,
    ).toBe("defect D-1, without run r, entry a");
  });
});

const standing = (scores: Record<string, number>, change: Partial<ViewStanding> = {}): ViewStanding => ({
  ranked: Object.entries(scores).map(([configuration, score], index) => ({
    configuration,
    rank: index + 1,
    score,
  })),
  picks: [],
  leads: [],
  ...change,
});
const overall = { task: null, lead: null };

describe("standings", () => {
  it("ranks move when one comes between, by places and scores", () => {
    const moved = moveView(overall, standing({ a: 9, b: 8, c: 7 }), standing({ a: 9, c: 8.5, b: 8, d: 1 }));
    expect(moved?.of).toEqual({ before: 3, after: 4 });
    expect(moved?.ranks.rows).toEqual([
      { configuration: "d", rank: { before: null, after: 4 }, score: { before: null, after: 1 } },
      { configuration: "c", rank: { before: 3, after: 2 }, score: { before: 7, after: 8.5 } },
      { configuration: "b", rank: { before: 2, after: 3 }, score: { before: 8, after: 8 } },
    ]);
  });

  it("a view in which nothing moved is none", () => {
    const still = standing(
      { a: 9 },
      { picks: [{ configuration: "a", value: 1 }], leads: [{ lead: "l", median: 9 }] },
    );
    expect(moveView(overall, still, structuredClone(still))).toBeNull();
    const pick = { ...still, picks: [{ configuration: "a", value: 1.5 }] };
    expect(moveView(overall, still, pick)?.picks).toEqual({
      before: [{ configuration: "a", value: 1 }],
      after: [{ configuration: "a", value: 1.5 }],
    });
    const lead = {
      ...still,
      leads: [
        { lead: "l", median: 8 },
        { lead: "m", median: 7 },
      ],
    };
    expect(moveView(overall, still, lead)?.leads.rows).toEqual([
      { lead: "m", median: { before: null, after: 7 } },
      { lead: "l", median: { before: 9, after: 8 } },
    ]);
  });

  it("judges are listed when any of their numbers moved", () => {
    const judge = (id: string, change: Partial<JudgeStanding> = {}): JudgeStanding => ({
      judge: id,
      scored: 4,
      mean: 7,
      offset: 0.1,
      r: 0.9,
      recall: null,
      ...change,
    });
    const moved = moveJudges([judge("a"), judge("b")], [judge("a", { recall: 0.5 }), judge("b"), judge("c")]);
    expect(moved.rows.map(({ judge, state }) => [judge, state])).toEqual([
      ["a", "changed"],
      ["c", "new"],
    ]);
    expect(moved.rows[0]).toMatchObject({
      recall: { before: null, after: 0.5 },
      r: { before: 0.9, after: 0.9 },
    });
    expect(moveAgreement({ single: 0.6, average: 0.8 }, { single: 0.6, average: 0.8 })).toBeNull();
    expect(moveAgreement(null, { single: 0.6, average: null })?.single).toEqual({ before: null, after: 0.6 });
  });
});

describe("a whole movement", () => {
  const board = (scores: Record<string, number>): Board & { asked: unknown[] } => {
    const asked: unknown[] = [];
    return {
      asked,
      view(selection) {
        asked.push(selection);
        return standing(scores);
      },
      judges: [],
      agreement: null,
    };
  };

  it("looks at the whole, at the tasks that are touched, and at the leads that are touched in them", () => {
    const runs = [run("r1"), run("r2", { task: "parser" }), run("r3", { lead: "ada@max" })];
    const before = data([entry("a"), entry("b", { run: "r2" }), entry("c", { run: "r3" })], { runs });
    const after = structuredClone(before);
    for (const each of after.entries) if (each.id !== "b") each.final = 6;
    const now = board({ a: 6 });
    const moved = moveData({
      before,
      after,
      boards: { before: board({ a: 5.75 }), after: now },
      documents: [],
    });
    expect(now.asked).toEqual([
      { task: null, lead: null },
      { task: "coder", lead: null },
      { task: "coder", lead: "ada@max" },
      { task: "coder", lead: "sol@max" },
    ]);
    expect(moved.views).toHaveLength(4);
    expect(movementSchema.parse(moved)).toEqual(moved);
  });

  it("from nothing, everything is new; against itself, nothing moves", () => {
    const some = data([entry("a")]);
    const from = { before: null, after: board({ a: 1 }) };
    const first = moveData({ before: null, after: some, boards: from, documents: [] });
    expect(first.source).toEqual({ before: null, after: some.source });
    expect(movementSchema.parse(first)).toEqual(first);
    const boards = { before: board({ a: 1 }), after: board({ a: 1 }) };
    const still = moveData({ before: some, after: some, boards, documents: [] });
    expect([still.entries.total, still.views, still.judges.total, still.agreement]).toEqual([0, [], 0, null]);
  });
});
