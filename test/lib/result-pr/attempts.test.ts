import { describe, expect, it } from "vitest";
import { attemptLimit, decideAttempt } from "../../../src/lib/result-pr/attempts.ts";

const facts = { event: "pull_request_target", runAttempt: 1, association: "NONE", runs: 1 };

describe("attempts in a day", () => {
  it("need no approval, and have an end for people without a role", () => {
    for (const association of [
      "NONE",
      "FIRST_TIMER",
      "FIRST_TIME_CONTRIBUTOR",
      "MANNEQUIN",
      "",
      "toString",
    ]) {
      expect(decideAttempt({ ...facts, association, runs: 1 })).toBeNull();
      expect(decideAttempt({ ...facts, association, runs: 20 })).toBeNull();
      expect(decideAttempt({ ...facts, association, runs: 21 })).toMatchObject({
        code: "pr-too-many-attempts",
        severity: "error",
        actual: "21",
      });
    }
    expect(decideAttempt({ ...facts, association: "CONTRIBUTOR", runs: 40 })).toBeNull();
    expect(decideAttempt({ ...facts, association: "CONTRIBUTOR", runs: 41 })).not.toBeNull();
  });

  it("are not limited for people with a role, nor what a maintainer asks for", () => {
    for (const association of ["OWNER", "MEMBER", "COLLABORATOR"]) {
      expect(attemptLimit(association)).toBe(Number.POSITIVE_INFINITY);
      expect(decideAttempt({ ...facts, association, runs: 100 })).toBeNull();
    }
    expect(decideAttempt({ ...facts, event: "workflow_dispatch", runs: 100 })).toBeNull();
    expect(decideAttempt({ ...facts, event: "merge_group", runs: 100 })).toBeNull();
    expect(decideAttempt({ ...facts, runAttempt: 2, runs: 100 })).toBeNull();
  });
});
