import { generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEngine } from "../../src/io/engine.ts";
import { judge, openPullRequest } from "../../src/jobs/result-pr.ts";
import type { CodeRun } from "../../src/lib/code/schema/run-schema.ts";
import { finishResults } from "../../src/lib/job/finish.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { type FileChange, git, makeProject, type Project } from "../actions/pull-requests.ts";
import {
  defects,
  entry,
  finding,
  hosts,
  judges,
  models,
  perf,
  pricing,
  run,
  session,
} from "../lib/code/facts.ts";
import { committedRuns, dataFiles, delivering, pretty, runFiles, runPath } from "./data-folder.ts";

/** Pull requests with facts of the code benchmark, against a real git repository. */

let project: Project;
let base: string;
let first: CodeRun;
let second: CodeRun;
beforeAll(async () => {
  project = await makeProject();
  const [one, two] = committedRuns();
  if (one === undefined || two === undefined) throw new Error("there are two runs");
  first = one;
  second = two;
  base = project.commit(dataFiles({ runs: [first, second] }));
});
afterAll(() => project.remove());

type Files = Record<string, FileChange | null>;

async function judged(
  files: Files,
  options: { base?: string; from?: string; merge?: string; fetched?: boolean } = {},
): Promise<Report> {
  const head = project.commit(files, options.from ?? base);
  return judgedHead(head, options);
}

async function judgedHead(
  head: string,
  options: { base?: string; merge?: string; fetched?: boolean } = {},
): Promise<Report> {
  const source = await openPullRequest(
    { pullRequest: 7, base: options.base ?? base, head, merge: options.merge ?? null },
    options.fetched === true
      ? { remote: { url: `file://${project.gitDir}` } }
      : { repository: project.gitDir },
  );
  try {
    return await judge({
      source,
      grader: { suites: project.checkout },
      engine: await readEngine(),
      arrivedAt: "2026-11-30T13:00:00.000Z",
    });
  } finally {
    await source.close();
  }
}

const codesOf = (report: Report): string[] => report.findings.map(({ code }) => code).sort();
const movementOf = (report: Report) => {
  const movement = report.code?.movement;
  if (movement == null) throw new Error(JSON.stringify(report.findings));
  return movement;
};
const changed = <T>(value: T, change: (copy: T) => void): T => {
  const copy = structuredClone(value);
  change(copy);
  return copy;
};
const file = (path: string, document: unknown): Files => ({ [path]: { data: pretty(document) } });

describe("a pull request that brings what a host signed", () => {
  it("needs nobody to accept it, and says that it is attested", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const ed25519 = publicKey.export({ format: "der", type: "spki" }).subarray(12).toString("hex");
    const record = hosts();
    for (const host of record.hosts)
      host.keys = [{ id: "k1", ed25519, valid_from: "2026-11-01T00:00:00.000Z" }];
    const unmeasured = {
      ...first,
      entries: first.entries.map(({ hidden: _hidden, perf: _perf, ...rest }) => rest),
    };
    const start = project.commit(
      { ...file("data/hosts.json", record), ...file(runPath(first.id), unmeasured) },
      base,
    );
    const at = "2026-11-29T10:00:00.000Z";
    const [target] = unmeasured.entries;
    if (target === undefined) throw new Error("there is an entry");
    const order = {
      task: first.task,
      entries: [{ run: first.id, entry: target.id, role: "judged" as const, files: target.deliverable }],
    };
    const [result] = finishResults(
      [{ run: first.id, entry: target.id, role: "judged", perf: perf({ at }) }],
      order,
      [],
      {
        host: "ryzen",
        key: "k1",
        fingerprint: perf().fingerprint,
        nonce: "900",
        commit: "a".repeat(40),
        sign: (message) => sign(null, Buffer.from(message), privateKey).toString("hex"),
      },
    );
    const measured = changed(unmeasured, (copy) => {
      const [entry_] = copy.entries;
      if (entry_ !== undefined && result?.perf !== undefined) Object.assign(entry_, { perf: result.perf });
    });
    const report = await judged(file(runPath(first.id), measured), { base: start, from: start });
    expect([report.verdict, codesOf(report), report.code?.levels.speed]).toEqual(["valid", [], "attested"]);
    const altered = changed(measured, (copy) => {
      const [entry_] = copy.entries;
      Object.assign(entry_ ?? {}, { perf: { ...result?.perf, output_ok: false } });
    });
    const other = await judged(file(runPath(first.id), altered), { base: start, from: start });
    expect([other.verdict, codesOf(other)]).toEqual(["invalid", ["code-attestation", "code-pr-declared"]]);
  });
});

describe("a pull request that brings a run", () => {
  const third = (): CodeRun =>
    delivering(
      run({ id: "run-3", replicate: 2, entries: [entry("e1", "alpha-1@low"), entry("e2", "beta-2@high")] }),
    );

  it("is judged by base code from git objects, and waits for a maintainer", async () => {
    const report = await judged(runFiles(third()));
    expect([report.verdict, codesOf(report)]).toEqual(["needs-review", ["code-pr-declared"]]);
    const { added, entries } = movementOf(report);
    expect(added.runs.rows).toEqual([
      { id: "run-3", task: "coder", lead: "alpha-1@high", replicate: 2, entries: 2, excluded: false },
    ]);
    expect(added.configurations.rows).toEqual(["alpha-1@low"]);
    expect(entries.rows.map(({ entry, state }) => [entry, state])).toEqual([
      ["e1", "new"],
      ["e2", "new"],
    ]);
    // (9 + 8 + 8.5) / 3 with every category passed and no slop.
    expect(entries.rows[0]?.values.final?.after).toBeCloseTo(8.5, 12);
    expect(report.code).toMatchObject({
      against: "base",
      deliverables: { files: 2 },
      levels: { reviews: "declared", hidden: "declared", scores: "recomputed" },
    });
  });

  it("F01: a fork's gives the bytes that a branch's gives", async () => {
    const head = project.commit(runFiles(third()), base);
    expect(await judgedHead(head, { fetched: true })).toEqual(await judgedHead(head));
  });

  it("F06: is refused with a deliverable that is not what it lists, at the line of the list", async () => {
    const files = runFiles(third());
    const path = "data/entries/run-3/e1/src/lib.rs";
    expect((await judged({ ...files, [path]: { data: "// other\n" } })).findings).toMatchObject([
      {
        code: "code-entry-digest",
        path: runPath("run-3"),
        pointer: "/entries/0/deliverable/0",
        line: expect.any(Number),
      },
      {},
    ]);
    const { [path]: _, ...without } = files;
    expect(codesOf(await judged(without))).toContain("code-entry-digest");
    const unlisted = { ...files, "data/entries/run-3/e1/src/more.rs": { data: "x" } };
    expect(codesOf(await judged(unlisted))).toContain("code-entry-unlisted");
    expect(codesOf(await judged({ ...files, [path]: { data: "x", mode: "100755" } }))).toContain(
      "code-pr-file-mode",
    );
  });

  it("is refused when a rule of all facts does not hold, at file, line and column", async () => {
    const again = delivering(run({ id: "run-3" }));
    const report = await judged(runFiles(again));
    expect(report.verdict).toBe("invalid");
    expect(report.findings[0]).toMatchObject({
      code: "code-data-replicate",
      path: runPath("run-3"),
      line: expect.any(Number),
    });
    expect(report.code?.movement).toBeNull();
  });

  it("F24: is looked at when an entry is another configuration's, byte for byte", async () => {
    const copied = changed(third(), (copy) => {
      for (const each of copy.entries)
        each.deliverable = structuredClone(first.entries[0]?.deliverable ?? []);
    });
    const content = { data: "// e1 of run-1\npub fn encode() {}\n" };
    const report = await judged({
      ...file(runPath("run-3"), copied),
      "data/entries/run-3/e1/src/lib.rs": content,
      "data/entries/run-3/e2/src/lib.rs": content,
    });
    expect(
      report.findings.filter(({ code }) => code === "code-pr-copied-deliverable").map(({ actual }) => actual),
    ).toEqual(["alpha-1@low", "beta-2@high"]);
  });
});

describe("a pull request that adds to what is committed", () => {
  it("one review session moves the scores of the entries that it reviewed, and no others", async () => {
    const more = changed(second, (copy) => copy.council.sessions.push(session("s3", "j-gamma", [5, 8])));
    const report = await judged(file(runPath("run-2"), more));
    expect([report.verdict, codesOf(report)]).toEqual(["needs-review", ["code-pr-declared"]]);
    const movement = movementOf(report);
    expect(movement.added.sessions.rows).toEqual([{ run: "run-2", id: "s3", judge: "j-gamma", scored: 2 }]);
    const council = Object.fromEntries(
      movement.entries.rows.map(({ run, entry, values }) => [`${run}/${entry}`, values.council]),
    );
    // The mean of two seats becomes that of three.
    expect(council["run-2/e1"]?.before).toBeCloseTo(8, 12);
    expect(council["run-2/e1"]?.after).toBeCloseTo(7, 12);
    expect(council["run-2/e2"]?.before).toBeCloseTo(7, 12);
    expect(council["run-2/e2"]?.after).toBeCloseTo(22 / 3, 12);
    expect(movement.entries.total).toBe(2);
    // Final scores follow, as every hidden category passed and nothing is slop: means over both leads.
    const overall = movement.views.find(({ task, lead }) => task === null && lead === null);
    const means = { "alpha-1@high": [(8.5 + 8) / 2, (8.5 + 7) / 2], "beta-2@high": [7, (7 + 22 / 3) / 2] };
    expect(overall?.ranks.rows.map(({ configuration }) => configuration).sort()).toEqual(Object.keys(means));
    for (const { configuration, rank, score } of overall?.ranks.rows ?? []) {
      const [before, after] = means[configuration as keyof typeof means];
      expect(score.before).toBeCloseTo(before ?? 0, 12);
      expect(score.after).toBeCloseTo(after ?? 0, 12);
      expect(rank.before).toBe(rank.after);
    }
    // The median over what ran from the lead's brief: (8 + 7) / 2, then (7 + 22/3) / 2.
    const leads =
      movement.views.find(({ task, lead }) => task === "coder" && lead === null)?.leads.rows ?? [];
    expect(leads.map(({ lead }) => lead)).toEqual(["beta-2@high"]);
    expect(leads[0]?.median.before).toBeCloseTo(7.5, 12);
    expect(leads[0]?.median.after).toBeCloseTo((7 + 22 / 3) / 2, 12);
    expect(movement.judges.rows.find(({ judge }) => judge === "j-gamma")?.scored).toEqual({
      before: 3,
      after: 5,
    });
  });

  it("one defect is listed with its entries and reports", async () => {
    const reviewed = changed(second, (copy) => {
      copy.council.sessions[0]?.reviews[0]?.findings.push(finding("f1"));
    });
    const withFinding = project.commit(file(runPath("run-2"), reviewed), base);
    const known = defects({
      defects: [
        {
          id: "D-1",
          title: "Overflows on empty input",
          category: "correctness",
          severity: "high",
          method: "probe",
          probe: "empty.rs",
          added_at: "2026-11-20T00:00:00.000Z",
          entries: [{ run: "run-2", entry: "e1" }],
          findings: [{ run: "run-2", session: "s1", finding: "f1" }],
        },
      ],
    });
    const report = await judged(file("data/defects/coder.json", known), {
      from: withFinding,
      base: withFinding,
    });
    expect([report.verdict, codesOf(report)]).toEqual(["needs-review", ["code-pr-declared"]]);
    const movement = movementOf(report);
    expect(movement.added.defects.rows).toMatchObject([{ id: "D-1", entries: 1, reports: 1 }]);
    // Both judges of the run reviewed the entry; one of them saw the defect.
    expect(Object.fromEntries(movement.judges.rows.map(({ judge, recall }) => [judge, recall]))).toEqual({
      "j-alpha": { before: null, after: 1 },
      "j-beta": { before: null, after: 0 },
    });
  });

  it("a revision keeps the value before, and gives its reason", async () => {
    const revised = changed(first, (copy) =>
      copy.council.revisions.push({
        kind: "score",
        id: "v1",
        at: "2026-11-20T00:00:00.000Z",
        by: "walt",
        session: "s1",
        letter: "A",
        from: 9,
        to: 6,
        reason: "One finding was overlooked.",
      }),
    );
    const report = await judged(file(runPath("run-1"), revised));
    expect([report.verdict, codesOf(report)]).toEqual(["needs-review", ["code-pr-revision"]]);
    const movement = movementOf(report);
    expect(movement.revisions.rows).toMatchObject([
      { id: "v1", from: "9", to: "6", reason: "One finding was overlooked." },
    ]);
    expect(movement.entries.rows[0]?.values.council).toEqual({ before: 8.5, after: 7.5 });
  });

  it("F22: an old score edited is refused: where, what it was, what it is", async () => {
    const edited = changed(first, (copy) => {
      Object.assign(copy.council.sessions[1]?.reviews[2] ?? {}, { score: 9.5 });
    });
    const report = await judged(file(runPath("run-1"), edited));
    expect(report.verdict).toBe("invalid");
    const text = pretty(edited).split("\n");
    const [found] = report.findings;
    expect(found).toMatchObject({
      code: "code-pr-edited",
      path: runPath("run-1"),
      pointer: "/council/sessions/1/reviews/2/score",
      expected: "5.5",
      actual: "9.5",
    });
    expect(text[(found?.line ?? 0) - 1]).toContain('"score": 9.5');
    expect(report.code?.movement).toBeNull();
  });

  it("F22: a run, an entry, a file of a deliverable taken away", async () => {
    expect(codesOf(await judged({ [runPath("run-2")]: null }))).toContain("code-pr-deleted");
    expect(codesOf(await judged({ "data/entries/run-1/e1/src/lib.rs": null }))).toContain("code-pr-deleted");
    expect(codesOf(await judged({ "data/entries/run-1/e1/src/lib.rs": { data: "x" } }))).toContain(
      "code-pr-deliverable-edited",
    );
    const fewer = changed(first, (copy) => copy.entries.pop());
    expect(codesOf(await judged(file(runPath("run-1"), fewer)))).toContain("code-pr-removed");
  });

  it("a judge, a model, a price", async () => {
    const judge = changed(judges(), (copy) =>
      copy.judges.push({ ...(copy.judges[0] as (typeof copy.judges)[number]), id: "j-new" }),
    );
    expect(await judged(file("data/judges.json", judge))).toMatchObject({
      verdict: "valid",
      code: { movement: { added: { judges: { rows: ["j-new"] } } } },
    });
    const renamed = changed(models(), (copy) => Object.assign(copy.models[0] ?? {}, { name: "Alpha One" }));
    expect((await judged(file("data/models.json", renamed))).findings).toMatchObject([
      { code: "code-pr-edited", severity: "warning", expected: '"alpha-1"', actual: '"Alpha One"' },
    ]);
    const [card] = pricing().cards;
    const cheaper = changed(pricing(), (copy) =>
      copy.cards[0]?.history.push({
        ...(card?.history[0] as NonNullable<typeof card>["history"][number]),
        recorded_at: "2026-11-20T00:00:00.000Z",
        input: 2,
        output: 10,
      }),
    );
    const report = await judged(file("data/pricing.json", cheaper));
    expect([report.verdict, codesOf(report)]).toEqual(["needs-review", ["code-pr-declared"]]);
    const cost = movementOf(report).entries.rows.filter(({ values }) => values.cost_usd !== undefined);
    expect(cost.map(({ run, entry }) => `${run}/${entry}`)).toContain("run-1/e1");
    for (const { values } of cost)
      expect(values.cost_usd?.after ?? 9).toBeLessThan(values.cost_usd?.before ?? 0);
  });
});

describe("what comes with it", () => {
  it("F53, F19: other files, results of the other benchmark, derived documents", async () => {
    const judge = file("data/judges.json", judges());
    const more = changed(judges(), (copy) => copy.judges.push({ ...copy.judges[0], id: "j-new" } as never));
    const files = { ...judge, ...file("data/judges.json", more) };
    expect(codesOf(await judged({ ...files, "src/x.ts": { data: "" } }))).toEqual(["code-pr-other-files"]);
    expect(codesOf(await judged({ ...files, "published/data.json": { data: "{}" } }))).toEqual([
      "code-pr-derived",
    ]);
    const mixed = await judged({ ...files, "benchmarks/results/temp-1/notes.txt": { data: "x" } });
    expect(codesOf(mixed)).toEqual(expect.arrayContaining(["code-pr-mixed", "pr-other-files"]));
    expect(mixed.verdict).toBe("invalid");
  });

  it("derived documents alone are refused; hosts and tasks alone are none of its business", async () => {
    expect(codesOf(await judged({ "published/data.json": { data: "{}" } }))).toEqual(["code-pr-derived"]);
    const report = await judged({ "tasks/coder/SPEC.md": { data: "x" }, "data/hosts.json": { data: "{}" } });
    expect([report.verdict, report.code, report.findings]).toEqual(["valid", undefined, []]);
  });

  it("F45: what no parser takes alike", async () => {
    const report = await judged({ [runPath("run-1")]: { data: '{"id":"run-1","id":"run-2"}' } });
    expect(codesOf(report)).toContain("json-duplicate-key");
    expect((await judged({ [runPath("run-9")]: { data: "not json" } })).verdict).toBe("invalid");
  });

  it("F52: nothing is quoted from a document that holds a credential", async () => {
    const key = `sk-or-v1-${"a".repeat(40)}`;
    const leaked = changed(first, (copy) => {
      Object.assign(copy.council.sessions[0]?.reviews[0] ?? {}, { summary: key, score: 1 });
    });
    const report = await judged(file(runPath("run-1"), leaked));
    expect(codesOf(report)).toContain("pr-secret");
    expect(JSON.stringify(report)).not.toContain(key);
  });
});

describe("a base that moves", () => {
  const more = (id: string, judge: string): CodeRun =>
    changed(second, (copy) => copy.council.sessions.push(session(id, judge, [5, 8])));

  it("F14: what others added meanwhile is not this pull request's", async () => {
    const other = delivering(run({ id: "run-9", lead: "gamma-3@low" }));
    const main = project.commit(runFiles(other), base);
    const report = await judged(file(runPath("run-2"), more("s3", "j-gamma")), { base: main });
    expect(report.code?.against).toBe("base");
    expect(movementOf(report).added.runs.total).toBe(0);
    expect(movementOf(report).entries.total).toBe(2);
  });

  it("the same document changed on both sides: compared with the start, and said so", async () => {
    const main = project.commit(
      file(
        runPath("run-2"),
        changed(second, (copy) => Object.assign(copy.brief, { usage: entry("x", "alpha-1@low").usage })),
      ),
      base,
    );
    const report = await judged(file(runPath("run-2"), more("s3", "j-gamma")), { base: main });
    expect(report.code?.against).toBe("merge-base");
    expect(codesOf(report)).toEqual(["code-pr-behind", "code-pr-declared"]);
    expect(movementOf(report).entries.total).toBe(2);
  });

  it("the same name taken meanwhile", async () => {
    const mine = delivering(run({ id: "run-9", lead: "gamma-3@low" }));
    const main = project.commit(runFiles({ ...mine, replicate: 2 }), base);
    const head = project.commit(runFiles(mine), base);
    expect(codesOf(await judgedHead(head, { base: main }))).toContain("code-pr-path-taken");
  });

  it("exactly the merged tree is judged before a merge", async () => {
    const other = delivering(run({ id: "run-9", lead: "gamma-3@low" }));
    const main = project.commit(runFiles(other), base);
    const head = project.commit(file(runPath("run-2"), more("s3", "j-gamma")), base);
    const merge = project.merge(main, head);
    const report = await judgedHead(head, { base: main, merge });
    expect(report).toMatchObject({
      mode: "merge",
      commit_sha: merge,
      tree_sha: git(project.gitDir, ["rev-parse", `${merge}^{tree}`]),
      verdict: "needs-review",
    });
    expect(movementOf(report).entries.total).toBe(2);
    // What a merge makes of it is judged again: here the merge lost a session.
    const lost = project.commit(
      file(
        runPath("run-2"),
        changed(second, (copy) => copy.council.sessions.pop()),
      ),
      main,
    );
    const tree = git(project.gitDir, ["rev-parse", `${lost}^{tree}`]);
    const forged = git(project.gitDir, ["commit-tree", tree, "-p", main, "-p", head, "-m", "m"]);
    expect(codesOf(await judgedHead(head, { base: main, merge: forged }))).toContain("code-pr-removed");
  });

  it("a base whose facts do not hold is not the submitter's fault", async () => {
    const broken = project.commit(file("data/judges.json", { schema_version: 1, judges: "none" }), base);
    const report = await judged(file(runPath("run-2"), more("s3", "j-gamma")), {
      from: broken,
      base: broken,
    });
    expect([report.verdict, codesOf(report)]).toEqual(["error", ["code-pr-declared", "grader-code-base"]]);
  });
});
