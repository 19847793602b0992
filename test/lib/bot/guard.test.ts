import { describe, expect, it } from "vitest";
import { decideGuard, type GuardFacts, JOBS_A_DAY } from "../../../src/lib/bot/guard.ts";
import { formatJobMemo, type JobMemo, parseJobMemo } from "../../../src/lib/job/memo.ts";

const HEAD = "a".repeat(40);
const memo: JobMemo = {
  kind: "perf",
  target: "run-1/e1",
  host: "ryzen",
  pull: 7,
  by: 11,
  login: "mia",
  comment: 5,
  at: 1_764_590_000,
};

/** All that the guard may look at, for a job that nothing speaks against. */
const facts = (change: Partial<GuardFacts> = {}): GuardFacts => ({
  kind: "perf",
  inputs: { pull_request: "7", head_sha: HEAD, nonce: "900", target: "run-1/e1", host: "ryzen" },
  appId: 3,
  run: { attempt: 1, event: "workflow_dispatch", ref: "refs/heads/main", defaultBranch: "main" },
  check: {
    name: "assay/perf run-1/e1 on ryzen",
    headSha: HEAD,
    appId: 3,
    status: "queued",
    externalId: formatJobMemo(memo),
  },
  permission: { userId: 11, roleName: "write", permission: "write" },
  pull: { open: true, headSha: HEAD, baseRef: "main" },
  changes: { paths: ["data/runs/run-1.json", "data/entries/run-1/e1/src/lib.rs"], truncated: false },
  hostKnown: true,
  asked: 0,
  running: false,
  ...change,
});
const codes = (change: Partial<GuardFacts>): string[] => decideGuard(facts(change)).map(({ code }) => code);
const check = (change: Partial<NonNullable<GuardFacts["check"]>>): Partial<GuardFacts> => ({
  check: { ...(facts().check as NonNullable<GuardFacts["check"]>), ...change },
});
const run = (change: Partial<GuardFacts["run"]>): Partial<GuardFacts> => ({
  run: { ...facts().run, ...change },
});

describe("what the App remembers of a job", () => {
  it("comes back as it was written, and nothing else is one", () => {
    expect(parseJobMemo(formatJobMemo(memo))).toEqual(memo);
    expect(parseJobMemo(`${formatJobMemo(memo)} tries=2`)).toEqual(memo);
    for (const text of [
      null,
      "",
      "job",
      formatJobMemo(memo).replace("perf", "paint"),
      formatJobMemo(memo).replace("run-1/e1", "../e1"),
      ` ${formatJobMemo(memo)}`,
    ])
      expect(parseJobMemo(text)).toBeNull();
  });
});

describe("the guard", () => {
  it("lets a job pass that the App ordered, for a head that is still the one", () => {
    expect(decideGuard(facts())).toEqual([]);
  });

  it("F04, F12: a push between order and job refuses it, and both commits are named", () => {
    const moved = "b".repeat(40);
    const [finding] = decideGuard(facts({ pull: { open: true, headSha: moved, baseRef: "main" } }));
    expect(finding).toMatchObject({ code: "guard-moved", expected: HEAD, actual: moved });
  });

  it("F07: runs for nobody but the App, on the default branch, once", () => {
    for (const change of [
      run({ event: "pull_request" }),
      run({ event: "repository_dispatch" }),
      run({ ref: "refs/heads/evil" }),
      run({ defaultBranch: "" }),
    ])
      expect(codes(change)).toEqual(["guard-workflow"]);
    expect(codes({ appId: null })).toEqual(["guard-app"]);
    for (const change of [
      { check: null },
      check({ appId: 4 }),
      check({ appId: null }),
      check({ headSha: "c".repeat(40) }),
      check({ name: "assay/perf run-1/e2 on ryzen" }),
      check({ externalId: "" }),
      check({ externalId: formatJobMemo({ ...memo, pull: 8 }) }),
      check({ externalId: formatJobMemo({ ...memo, host: "m1" }) }),
      check({ externalId: formatJobMemo({ ...memo, target: "run-1/e2" }) }),
      check({ externalId: formatJobMemo({ ...memo, kind: "run" }) }),
    ])
      expect(codes(change)).toEqual(["guard-nonce"]);
    expect(codes(check({ status: "completed" }))).toEqual(["guard-used"]);
    expect(codes(run({ attempt: 2 }))).toEqual(["guard-running"]);
    expect(codes({ running: true })).toEqual(["guard-running"]);
  });

  it("asks for the permission anew: a reader, another account, or no answer refuses", () => {
    for (const permission of [
      null,
      { userId: 11, roleName: "read", permission: "read" },
      { userId: 11, roleName: "triage", permission: "read" },
      { userId: 12, roleName: "admin", permission: "admin" },
      { userId: 11, roleName: "release-helper", permission: "read" },
    ])
      expect(codes({ permission })).toEqual(["guard-permission"]);
    for (const role of ["write", "maintain", "admin"])
      expect(codes({ permission: { userId: 11, roleName: role, permission: role } })).toEqual([]);
  });

  it("keeps count, and refuses when it cannot", () => {
    expect(codes({ asked: JOBS_A_DAY - 1 })).toEqual([]);
    expect(codes({ asked: JOBS_A_DAY })).toEqual(["guard-quota"]);
    expect(codes({ asked: null })).toEqual(["guard-quota"]);
  });

  it("wants an open pull request against the default branch", () => {
    expect(codes({ pull: null })).toEqual(["guard-closed"]);
    expect(codes({ pull: { open: false, headSha: HEAD, baseRef: "main" } })).toEqual(["guard-closed"]);
    expect(codes({ pull: { open: true, headSha: HEAD, baseRef: "next" } })).toEqual(["guard-closed"]);
  });

  it("takes deliverables only without anything that builds or judges them", () => {
    for (const path of [
      "tasks/coder/hidden/suite.ts",
      "src/lib/perf/rule.ts",
      "data/hosts.json",
      ".github/workflows/perf.yml",
    ])
      expect([path, codes({ changes: { paths: ["data/runs/run-1.json", path], truncated: false } })]).toEqual(
        [path, ["guard-other-files"]],
      );
    expect(codes({ changes: null })).toEqual(["guard-changes"]);
    expect(codes({ changes: { paths: [], truncated: true } })).toEqual(["guard-changes"]);
  });

  it("F62: knows the host", () => {
    expect(codes({ hostKnown: false })).toEqual(["guard-host"]);
  });
});
