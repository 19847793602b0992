import { describe, expect, it } from "vitest";
import { effectiveRun } from "../../../../src/lib/code/derive/effective.ts";
import { DIGEST, entry, finding, perf, review, run, session } from "../facts.ts";

const log = { at: "2026-11-08T00:00:00.000Z", by: "owner", reason: "Measured again." };
const judged = { ...log, session: "s1" };
const withFinding = session("s1", "j-alpha", [9, 7], {
  reviews: [review("A", 9, [finding("f1")]), review("B", 7)],
});

describe("Methodology: Council (revisions and false positives)", () => {
  it("a run without a log is the run itself", () => {
    const document = run();
    expect(effectiveRun(document)).toBe(document);
  });

  it("scores take the last revision; what the judge said stays in the facts", () => {
    const document = run({
      council: {
        sessions: [withFinding],
        revisions: [
          { kind: "score", id: "r1", ...judged, letter: "A", from: 9, to: 8 },
          { kind: "score", id: "r2", ...judged, letter: "A", from: 8, to: 6.5 },
        ],
      },
    });
    const { sessions } = effectiveRun(document).council;
    expect(sessions[0]?.reviews.map(({ score }) => score)).toEqual([6.5, 7]);
    expect(document.council.sessions[0]?.reviews[0]?.score).toBe(9);
  });

  it("a finding shown to be wrong keeps its words and gains the reason", () => {
    const document = run({
      council: {
        sessions: [withFinding, session("s2", "j-beta", [8, 8])],
        revisions: [
          { kind: "status", id: "r1", ...judged, finding: "f1", from: "valid", to: "false_positive" },
          { kind: "severity", id: "r2", ...judged, finding: "f1", from: "low", to: "nit" },
        ],
      },
    });
    expect(effectiveRun(document).council.sessions[0]?.reviews[0]?.findings).toEqual([
      { ...finding("f1"), status: "false_positive", severity: "nit", note: "Measured again." },
    ]);
  });

  it("measured facts are replaced by the log, entry by entry", () => {
    const again = perf({ at: "2026-11-09T00:00:00.000Z" });
    const hidden = { at: log.at, suite: DIGEST, categories: [{ id: "h1", passed: false }] };
    const document = run({
      entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high", { dnf: { reason: "timeout" } })],
      revisions: [
        { kind: "perf", id: "r1", ...log, entry: "e1", to: again },
        { kind: "hidden", id: "r2", ...log, entry: "e1", to: hidden },
        { kind: "dnf", id: "r3", ...log, entry: "e2", to: null },
      ],
    });
    const [first, second] = effectiveRun(document).entries;
    expect(first).toMatchObject({ perf: again, hidden });
    expect(second).not.toHaveProperty("dnf");
    expect(effectiveRun(document).revisions).toHaveLength(3);
  });
});
