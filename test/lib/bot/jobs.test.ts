import { describe, expect, it } from "vitest";
import { placeOf } from "../../../src/lib/bot/job-queue.ts";
import { chooseDefect, chooseEntry } from "../../../src/lib/bot/job-target.ts";
import {
  decideJob,
  formatJobNote,
  type JobNote,
  parseJobNote,
  parseRunTitle,
  phaseOf,
} from "../../../src/lib/bot/jobs.ts";
import { chooseFacts } from "../../../src/lib/bot/run-facts.ts";
import { decideJobTrust, type RunFacts } from "../../../src/lib/bot/trust.ts";
import { parseJobMemo } from "../../../src/lib/job/memo.ts";
import { JOB_WORKFLOWS } from "../../../src/lib/job/order-schema.ts";
import type { HostJob } from "../../../src/lib/job/progress.ts";
import { run as codeRun, entry } from "../code/facts.ts";

const HEAD = "1".repeat(40);
const T0 = Date.UTC(2026, 11, 1, 10);
const at = (minutes: number): string => new Date(T0 + minutes * 60_000).toISOString().replace(".000Z", "Z");

const note: JobNote = {
  kind: "perf",
  target: "run-1/e1",
  host: "m1",
  pull: 7,
  by: 3,
  login: "mia",
  comment: 9,
  at: T0 / 1000,
  sent: T0 / 1000,
  tries: 1,
};

const run = (changes: Partial<RunFacts> = {}): RunFacts => ({
  id: 50,
  attempt: 1,
  path: JOB_WORKFLOWS.perf,
  event: "workflow_dispatch",
  status: "in_progress",
  conclusion: null,
  repositoryId: 1,
  headRepositoryId: 1,
  headBranch: "main",
  headSha: "2".repeat(40),
  headOwner: "office",
  title: "perf run-1/e1 of #7 at x on m1, job 4711",
  url: "",
  createdAt: at(0),
  actorId: 8,
  startedAt: at(0),
  updatedAt: at(0),
  ...changes,
});

const hostJob = (changes: Partial<HostJob> = {}): HostJob => ({
  status: "queued",
  selfHosted: true,
  taken: false,
  createdAt: at(1),
  startedAt: null,
  steps: [],
  ...changes,
});

describe("what is kept of a job", () => {
  it("is read as it was written, and is what the guard reads", () => {
    const ended: JobNote = { ...note, end: "measured", run: 50 };
    for (const each of [note, ended]) expect(parseJobNote(formatJobNote(each))).toEqual(each);
    expect(parseJobMemo(formatJobNote(ended))).toMatchObject({ kind: "perf", target: "run-1/e1", by: 3 });
    expect(parseJobNote("result run=1")).toBeNull();
  });

  it("a run says in its name which order it carries out, and on which host", () => {
    expect(parseRunTitle(run().title)).toEqual({ nonce: 4711, host: "m1" });
    expect(parseRunTitle("perf, job 12x")).toBeNull();
  });
});

describe("whose runs count", () => {
  const rules = {
    workflows: Object.values(JOB_WORKFLOWS),
    repositoryId: 1,
    defaultBranch: "main",
    appUserId: 8,
  };
  it.each<[string, Partial<RunFacts>, boolean]>([
    ["our App's dispatch on the default branch", {}, true],
    ["a person's", { actorId: 9 }, false],
    ["nobody's", { actorId: null }, false],
    ["another branch's", { headBranch: "dev" }, false],
    ["a pull request's", { event: "pull_request_target" }, false],
    ["another workflow's", { path: ".github/workflows/x.yml" }, false],
    ["another repository's", { repositoryId: 2 }, false],
  ])("F05, F16: %s", (_, changes, trusted) => {
    expect(decideJobTrust(run(changes), rules).trusted).toBe(trusted);
  });
  it("nobody's while our own account is not known", () => {
    expect(decideJobTrust(run(), { ...rules, appUserId: null }).trusted).toBe(false);
  });
});

describe("what is done about a job", () => {
  const job = { status: "queued", note, headSha: HEAD };
  const decide = (changes: Partial<Parameters<typeof decideJob>[0]>) =>
    decideJob({
      job,
      head: HEAD,
      runs: [run()],
      jobs: [hostJob()],
      hostBusy: false,
      now: T0 + 5 * 60_000,
      ...changes,
    });

  it("nothing while it is on its way, and nothing once it is over", () => {
    expect(decide({})).toEqual({ do: "nothing" });
    expect(decide({ job: { ...job, status: "completed" }, head: "3".repeat(40) })).toEqual({ do: "nothing" });
  });
  it("F04: it is void as soon as the head is another, or the pull request is closed", () => {
    for (const head of ["3".repeat(40), null])
      expect(decide({ head })).toMatchObject({ do: "end", end: "void" });
  });
  it("it is sent again when GitHub shows no run of it for three minutes, and given up after the second time", () => {
    expect(decide({ runs: [], now: T0 + 2 * 60_000 })).toEqual({ do: "nothing" });
    expect(decide({ runs: [] })).toEqual({ do: "dispatch" });
    expect(decide({ runs: [], job: { ...job, note: { ...note, tries: 2 } } })).toMatchObject({
      do: "end",
      end: "ours",
    });
  });
  it("F67: half an hour untaken while the host does nothing else, it is stopped; while the host is busy it waits", () => {
    const now = T0 + 31 * 60_000;
    expect(decide({ now })).toMatchObject({ do: "cancel-runs" });
    expect(decide({ now, hostBusy: true })).toEqual({ do: "nothing" });
    expect(decide({ now, jobs: [hostJob({ status: "in_progress", taken: true })] })).toEqual({
      do: "nothing",
    });
    expect(decide({ now, jobs: [hostJob({ status: "waiting" })] })).toEqual({ do: "nothing" });
    const stopped = [run({ status: "completed", conclusion: "cancelled" })];
    const untaken = [hostJob({ status: "completed" })];
    expect(decide({ now, runs: stopped, jobs: untaken })).toEqual({ do: "dispatch" });
    expect(decide({ runs: stopped, jobs: untaken }), "stopped by a person").toMatchObject({ do: "take" });
    const again = { ...job, note: { ...note, tries: 2, sent: note.sent + 31 * 60 } };
    expect(decide({ now: now + 60_000, job: again, runs: stopped, jobs: untaken })).toEqual({
      do: "nothing",
    });
    expect(decide({ now: now * 2, job: again })).toMatchObject({ do: "end", end: "offline" });
  });
  it("its report is taken when no run of it is under way", () => {
    const runs = [
      run({ id: 51, status: "completed", conclusion: "success" }),
      run({ status: "completed", conclusion: "failure" }),
    ];
    expect(decide({ runs, jobs: [hostJob({ status: "completed", taken: true })] })).toEqual({
      do: "take",
      runs,
    });
  });

  it("where it is shows in the jobs of its run", () => {
    const guard = hostJob({ selfHosted: false, status: "completed", taken: true });
    expect(phaseOf(null, []).phase).toBe("sent");
    expect(phaseOf(run(), [{ ...guard, status: "in_progress" }]).phase).toBe("guarded");
    expect(phaseOf(run({ status: "waiting" }), []).phase).toBe("approval");
    expect(phaseOf(run(), [guard]).phase).toBe("queued");
    expect(phaseOf(run(), [guard, hostJob()]).phase).toBe("queued");
    expect(phaseOf(run(), [guard, hostJob({ status: "in_progress" })]).phase).toBe("running");
    expect(phaseOf(run(), [guard, hostJob({ status: "completed" })]).phase).toBe("reported");
  });
});

it("whoever waits hears how many are before it at the same host, and when its turn is, from how long such jobs took", () => {
  const done = [3, 5, 4].map((minutes, index) =>
    run({
      id: 10 + index,
      status: "completed",
      conclusion: "success",
      startedAt: at(0),
      updatedAt: at(minutes),
    }),
  );
  const own = run({ id: 60, title: "perf run-2/e1 of #8 at x on m1, job 5" });
  const other = run({ id: 55, title: "perf run-2/e1 of #8 at x on ryzen, job 6" });
  const gated = run({ id: 56, status: "waiting", title: "perf run-3/e1 of #9 at x on m1, job 7" });
  expect(placeOf(own, [own, gated, other, run(), ...done], T0 + 60_000)).toEqual({
    ahead: 1,
    expected: T0 + 5 * 60_000,
  });
  expect(placeOf(own, [own, run()], T0)).toEqual({ ahead: 1, expected: null });
  expect(placeOf(run(), [own, run(), ...done], T0).ahead).toBe(0);
});

describe("what a command can mean", () => {
  const given = codeRun({
    entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high", { perf: undefined })],
  });
  it("the only entry, or the only one that is not measured", () => {
    expect(chooseEntry([codeRun({ entries: given.entries.slice(0, 1) })], "perf")).toMatchObject({
      target: "run-1/e1",
    });
    expect(chooseEntry([given], "perf")).toMatchObject({ ok: true, target: "run-1/e2", task: "coder" });
    expect(chooseEntry([given, { ...given, id: "run-2" }], "perf")).toMatchObject({
      ok: false,
      could: { length: 4 },
    });
    expect(chooseEntry([given], "run")).toEqual({ ok: false, could: ["run-1/e1", "run-1/e2"] });
  });
  it("the only defect of that id; one that was found by reading has nothing to run", () => {
    const documents = [
      { task: "a", defects: [{ id: "D-1", method: "probe" as const }] },
      {
        task: "b",
        defects: [
          { id: "D-1", method: "probe" as const },
          { id: "D-2", method: "inspection" as const },
        ],
      },
    ];
    expect(chooseDefect(documents.slice(0, 1), null)).toMatchObject({ target: "a/D-1" });
    expect(chooseDefect(documents, "D-1")).toEqual({ ok: false, could: ["a/D-1", "b/D-1"] });
    expect(chooseDefect(documents, "D-2")).toEqual({ ok: false, could: [] });
  });
});

it("a pull request is made of one run and its deliverables, and of nothing else", () => {
  const bytes = new Uint8Array([1]);
  const choose = (...paths: string[]) => chooseFacts(new Map(paths.map((path) => [path, bytes])));
  expect(choose("report.json", "facts/data/runs/r.json", "facts/data/entries/r/e1/a.rs")).toMatchObject({
    ok: true,
    run: "r",
  });
  for (const bad of [
    [],
    ["facts/data/entries/r/e1/a.rs"],
    ["facts/data/runs/r.json", "facts/data/runs/s.json"],
    ["facts/data/runs/r.json", "facts/data/hosts.json"],
    ["facts/data/runs/r.json", "facts/data/pricing.json"],
    ["facts/data/runs/r.json", "facts/src/lib/x.ts"],
  ])
    expect(choose(...bad).ok, bad.join(" ")).toBe(false);
});
