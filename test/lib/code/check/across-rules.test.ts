import { describe, expect, it } from "vitest";
import {
  checkAnchors,
  checkBriefs,
  checkDefects,
  checkReplicates,
  outlineOf as outlineWith,
  reportedFindings,
} from "../../../../src/lib/code/check/across-rules.ts";
import type { Defect } from "../../../../src/lib/code/schema/defects-schema.ts";
import type { CodeRun } from "../../../../src/lib/code/schema/run-schema.ts";
import { anchors, DIGEST, defects, entry, finding, review, run, session, task } from "../facts.ts";

/** Names findings that are there, and some that are not. */
const REPORTED = defects({
  defects: [
    {
      id: "D-1",
      title: "All of them.",
      category: "correctness",
      severity: "high",
      method: "probe",
      added_at: "2026-11-10T00:00:00.000Z",
      entries: [{ run: "run-1", entry: "e1" }],
      findings: ["f1", "f2", "f9"].map((id) => ({ run: "run-1", session: "s1", finding: id })),
    },
  ],
});
const failing = {
  at: "2026-11-06T09:00:00.000Z",
  suite: DIGEST,
  categories: ["h1", "h2", "h3", "h4"].map((id) => ({ id, passed: id !== "h2" })),
};
const document = run({
  entries: [entry("e1", "alpha-1@high", { hidden: failing }), entry("e2", "beta-2@high")],
  council: {
    sessions: [
      session("s1", "j-alpha", [9, 7], {
        reviews: [review("A", 9, [finding("f1")]), review("B", 7, [finding("f2")])],
      }),
    ],
    revisions: [],
  },
});
const outlineOf = (each: CodeRun) => outlineWith(each, reportedFindings([REPORTED]));
const outlines = (...runs: CodeRun[]) => new Map(runs.map((each) => [each.id, outlineOf(each)]));
const defect = (change: Partial<Defect> = {}): Defect => ({
  id: "D-1",
  title: "Empty input overflows.",
  category: "correctness",
  severity: "high",
  method: "probe",
  probe: "empty.rs",
  added_at: "2026-11-10T00:00:00.000Z",
  entries: [{ run: "run-1", entry: "e1" }],
  findings: [{ run: "run-1", session: "s1", finding: "f1" }],
  ...change,
});
const found = (...list: Defect[]): string[] =>
  checkDefects(defects({ defects: list }), "coder", task(), outlines(document)).map(
    ({ code, pointer }) => `${code} ${pointer}`,
  );

describe("Methodology: Repeat runs (one brief)", () => {
  const other = { sha256: `sha256:${"0".repeat(64)}` };
  const found = (...runs: CodeRun[]): string[] =>
    checkBriefs(runs.map(outlineOf), (id) => `data/runs/${id}.json`).map(
      ({ code, path, pointer }) => `${code} ${path} ${pointer}`,
    );

  it("runs of one lead and task are from one brief, or they repeat nothing", () => {
    const again = run({ id: "run-2", replicate: 2 });
    expect(found(run(), again)).toEqual([]);
    expect(found(run(), { ...again, brief: other })).toEqual([
      "code-data-brief data/runs/run-2.json /brief/sha256",
    ]);
  });

  it("another lead, another task and an excluded run have briefs of their own", () => {
    const apart = { id: "run-2", brief: other };
    for (const each of [{ lead: "beta-2@high" }, { task: "decoder" }, { excluded: { reason: "The pilot." } }])
      expect(found(run(), run({ ...apart, ...each }))).toEqual([]);
  });
});

describe("Methodology: Verified defects", () => {
  it("a defect with its proof, in entries that exist, reported by findings about them, holds", () => {
    expect(found(defect())).toEqual([]);
    expect(found(defect({ method: "hidden-suite", hidden_category: "h2" }))).toEqual([]);
    expect(found(defect({ method: "inspection", category: "misleading-docs" }))).toEqual([]);
  });

  it.each<[string, Partial<Defect>, string]>([
    ["a probe without a program", { probe: undefined }, "code-defect-proof /defects/0/probe"],
    [
      "a hidden suite without a category",
      { method: "hidden-suite" },
      "code-defect-proof /defects/0/hidden_category",
    ],
    [
      "a category that the entry passed",
      { method: "hidden-suite", hidden_category: "h1" },
      "code-defect-hidden /defects/0/entries/0",
    ],
    [
      "a category that the task does not have",
      { method: "hidden-suite", hidden_category: "h9" },
      "code-hidden-categories /defects/0/hidden_category",
    ],
    ["reading as the proof of wrong code", { method: "inspection" }, "code-defect-proof /defects/0/method"],
    [
      "an entry that is not there",
      { entries: [{ run: "run-1", entry: "e9" }], findings: [] },
      "code-data-unknown-entry /defects/0/entries/0/entry",
    ],
    [
      "a run that is not there",
      { entries: [{ run: "run-9", entry: "e1" }], findings: [] },
      "code-data-unknown-run /defects/0/entries/0/run",
    ],
    [
      "a finding that is not there",
      { findings: [{ run: "run-1", session: "s1", finding: "f9" }] },
      "code-defect-unknown-finding /defects/0/findings/0",
    ],
    [
      "a finding about another entry",
      { findings: [{ run: "run-1", session: "s1", finding: "f2" }] },
      "code-defect-finding /defects/0/findings/0",
    ],
    [
      "a control that has the defect",
      { control: { run: "run-1", entry: "e1" } },
      "code-defect-control /defects/0/control",
    ],
  ])("%s does not enter the list", (_, change, expected) => {
    const made = { ...defect(), ...change };
    if (made.probe === undefined) delete made.probe;
    expect(found(made)).toContain(expected);
  });

  it("a defect of another task's run is refused", () => {
    const other = outlines(run({ task: "decoder" }));
    const findings = checkDefects(defects({ defects: [defect({ findings: [] })] }), "coder", task(), other);
    expect(findings.map(({ code }) => code)).toEqual(["code-data-other-task"]);
  });

  it("a revision is of something that is there", () => {
    const revision = {
      id: "r1",
      at: "2026-11-11T00:00:00.000Z",
      by: "owner",
      reason: "The probe was wrong.",
      defect: "D-1",
    };
    const check = (revisions: Parameters<typeof defects>[0]) =>
      checkDefects(defects({ defects: [defect()], ...revisions }), "coder", task(), outlines(document));
    expect(check({ revisions: [{ kind: "withdraw", ...revision }] })).toEqual([]);
    expect(
      check({ revisions: [{ kind: "entry", ...revision, remove: { run: "run-1", entry: "e2" } }] }),
    ).toMatchObject([{ code: "code-defect-revision", pointer: "/revisions/0" }]);
  });
});

describe("Methodology: Repeat runs", () => {
  const path = (id: string): string => `data/runs/${id}.json`;

  it("a batch shares a replicate's number and adds other configurations", () => {
    const batch = run({ id: "run-2", entries: [entry("e1", "gamma-3@high")] });
    expect(checkReplicates([outlineOf(run()), outlineOf(batch)], path)).toEqual([]);
  });

  it("a configuration appears once per lead, task and replicate", () => {
    const again = run({ id: "run-2", entries: [entry("e1", "gamma-3@high"), entry("e2", "beta-2@high")] });
    expect(checkReplicates([outlineOf(run()), outlineOf(again)], path)).toMatchObject([
      { code: "code-data-replicate", path: "data/runs/run-2.json", pointer: "/entries/1/configuration" },
    ]);
    for (const change of [{ replicate: 2 }, { lead: "beta-2@high" }, { excluded: { reason: "pilot" } }])
      expect(checkReplicates([outlineOf(run()), outlineOf({ ...again, ...change })], path)).toEqual([]);
  });
});

describe("Methodology: Council (anchors)", () => {
  it("an anchor is an entry of this task that finished", () => {
    const anchor = {
      id: "a1",
      run: "run-1",
      entry: "e1",
      level: "low" as const,
      added_at: "2026-11-10T00:00:00.000Z",
    };
    const unfinished = run({
      entries: [entry("e1", "alpha-1@high", { dnf: { reason: "timeout" } })],
      council: { sessions: [], revisions: [] },
    });
    expect(checkAnchors(anchors({ anchors: [anchor] }), "coder", outlines(document))).toEqual([]);
    expect(checkAnchors(anchors({ anchors: [anchor] }), "coder", outlines(unfinished))).toMatchObject([
      { code: "code-anchor-dnf", pointer: "/anchors/0/entry" },
    ]);
    expect(checkAnchors(anchors({ task: "parser" }), "coder", outlines(document))).toMatchObject([
      { code: "code-data-id", pointer: "/task" },
    ]);
  });
});
