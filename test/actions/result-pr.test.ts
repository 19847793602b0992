import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEngine } from "../../src/io/engine.ts";
import { judgeLocal } from "../../src/jobs/result-pr.ts";
import { documentDigest, resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type Report, reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { runAction, type StepOutcome } from "./bundle.ts";
import { type FileChange, git, makeProject, model, type Project } from "./pull-requests.ts";

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const ARRIVED = "2026-11-30T13:00:00Z";

interface Asked {
  readonly base?: string;
  readonly merge?: string;
  readonly remote?: boolean;
  readonly suites?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function validate(head: string, asked: Asked = {}): StepOutcome {
  return runAction(
    "validate-results",
    {
      "pull-request": "7",
      "base-sha": asked.base ?? project.base,
      "head-sha": head,
      "merge-sha": asked.merge ?? "",
      "arrived-at": ARRIVED,
      ...(asked.remote === true ? { remote: `file://${project.gitDir}` } : { repository: project.gitDir }),
    },
    asked.env === undefined ? {} : { env: asked.env },
  );
}

/** The whole pull request, as the workflow does it: validate, every part, join. */
function assay(
  head: string,
  asked: Asked = {},
): { report: Report; text: string; validated: StepOutcome; joined: StepOutcome } {
  const validated = validate(head, asked);
  expect(validated.stderr).toBe("");
  expect(validated.code).toBe(0);
  const { temp, outputs } = validated;
  const suites = asked.suites ?? project.checkout;
  for (const part of JSON.parse(outputs.matrix ?? "[]") as number[]) {
    const shard = `${part}/${outputs.shards}`;
    const outcome = runAction("recompute-scores", { mode: "part", shard, suites }, { temp });
    expect([outcome.code, outcome.stderr]).toEqual([0, ""]);
  }
  const joined = runAction("recompute-scores", { mode: "join", suites, "head-sha": head }, { temp });
  expect([joined.code, joined.stderr]).toEqual([0, ""]);
  const text = readFileSync(joined.outputs.report ?? "", "utf8");
  const report = reportSchema.parse(JSON.parse(text));
  expect(text).toBe(canonicalDocument(report));
  expect(joined.outputs.verdict).toBe(report.verdict);
  return { report, text, validated, joined };
}

const add = (document: ResultDocument): Record<string, FileChange> => ({
  [resultPath(document)]: { data: canonicalDocument(document) },
});
const codes = (report: Report): string[] => [...new Set(report.findings.map(({ code }) => code))];

describe("an honest pull request", () => {
  it("comes with the pages that it would change, which need nothing beside them", async () => {
    const document = await project.document(model("openai/gpt-4o"));
    const before = readdirSync(project.checkout, { recursive: true }).length;
    const { joined } = assay(project.commit(add(document)));
    const folder = joined.outputs.preview ?? "";
    const board = readFileSync(join(folder, `sheet/${document.suite.id}/index.html`), "utf8");
    expect(board).toContain("of this pull request");
    expect(board).toContain("It is not on the board.");
    const first = readFileSync(join(folder, "index.html"), "utf8");
    const [, page = ""] = /href="(sheet\/[^"]+\/results\/[^"]+)"/.exec(first) ?? [];
    expect(readFileSync(join(folder, page), "utf8")).toContain(documentDigest(document));
    const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".html"),
    );
    for (const name of pages)
      for (const [, link = ""] of readFileSync(join(folder, name), "utf8").matchAll(
        / (?:href|src)="([^"#]+)[^"]*"/g,
      ))
        if (!/^https?:/.test(link))
          expect([name, link, existsSync(join(folder, name, "..", link))]).toEqual([name, link, true]);
    // The base that judges is read, never written.
    expect(readdirSync(project.checkout, { recursive: true })).toHaveLength(before);
  });

  it("is valid, recomputed, ranked and compared with nothing it does not have", async () => {
    const document = await project.document(model("openai/gpt-4o"));
    const head = project.commit(add(document));
    const { report } = assay(head);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({
      verdict: "valid",
      mode: "head",
      pull_request: 7,
      head_sha: head,
      base_sha: project.base,
      merge_base_sha: project.base,
      commit_sha: head,
      changed_files: 1,
      engine: await readEngine(),
    });
    expect(report.tree_sha).toBe(git(project.gitDir, ["rev-parse", `${head}^{tree}`]));
    const [result] = report.results;
    expect(result).toMatchObject({
      path: resultPath(document),
      model: "openai/gpt-4o",
      recomputed: { composite: 1 },
      previous: null,
      rank: {
        before: null,
        after: 1,
        of: 2,
        neighbours: [
          { model: "openai/gpt-4o", rank: 1, composite: 1 },
          { model: "google/gemini-2.5-pro", rank: 2 },
        ],
      },
      levels: { scores: "recomputed", model: "declared" },
      duplicates: [],
    });
    // A private member's counts and rows stay inside.
    const bank = result!.members.find(({ id }) => id === "tt-bank");
    expect(bank).toMatchObject({ private: true, recomputed_status: "passed", mismatches: [] });
    expect(bank!.recomputed!.cell_match_rate).toEqual({ numerator: 1, denominator: 1, matched: 0, union: 0 });
  });

  it("gives the same bytes from a fork or a branch, fetched or local, in one part or four", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const local = assay(head).text;
    // A fork's head is on no branch of this repository; only its id is known.
    const fetched = assay(head, { remote: true, env: { ASSAY_READ_TOKEN: "not-needed-here" } });
    expect(fetched.text).toBe(local);
    const { temp, outputs } = validate(head);
    expect(outputs.shards).toBe("1");
    const plan = join(outputs.evidence ?? "", "plan.json");
    writeFileSync(plan, readFileSync(plan, "utf8").replace('"shards":1', '"shards":4'));
    for (const shard of ["4/4", "2/4", "1/4", "3/4"])
      runAction("recompute-scores", { mode: "part", shard, suites: project.checkout }, { temp });
    const joined = runAction("recompute-scores", { mode: "join", suites: project.checkout }, { temp });
    expect(readFileSync(joined.outputs.report ?? "", "utf8")).toBe(local);
    const all = validate(head);
    const once = runAction("recompute-scores", { mode: "all", suites: project.checkout }, { temp: all.temp });
    expect(readFileSync(once.outputs.report ?? "", "utf8")).toBe(local);
  });

  it("says on the submitter's own machine what it says here, but for the commits", async () => {
    const document = await project.document(model("openai/gpt-4o"), "region");
    const text = canonicalDocument(document).replace(`"composite":${document.composite}`, '"composite":0.99');
    const path = resultPath(document);
    const { report } = assay(project.commit({ [path]: { data: text } }));
    const local = await judgeLocal({
      root: project.checkout,
      files: [{ path, bytes: new TextEncoder().encode(text) }],
      arrivedAt: "2026-11-30T13:00:00.999Z",
    });
    const { mode, pull_request, head_sha, base_sha, merge_base_sha, commit_sha, tree_sha } = local;
    expect(mode).toBe("local");
    expect({
      ...report,
      mode,
      pull_request,
      head_sha,
      base_sha,
      merge_base_sha,
      commit_sha,
      tree_sha,
    }).toEqual(local);
  });

  it("never sees what main did meanwhile as its own change", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const moved = project.commit({ "docs/news.md": { data: "news" }, [project.committed]: null });
    const { report } = assay(head, { base: moved });
    expect(report).toMatchObject({
      verdict: "valid",
      changed_files: 1,
      base_sha: moved,
      merge_base_sha: project.base,
    });
  });

  it("F14: is judged against the merge of its ancestors when both sides have merged each other before", async () => {
    // main:   base ── one ── M1 (takes early work of the branch) ── later
    // branch: base ── two ── M2 (takes one) ── the result
    const notes = (text: string) => ({ "docs/notes.md": { data: text } });
    const one = project.commit({ ...notes("one"), "docs/one.md": { data: "1" } });
    const two = project.commit({ "docs/two.md": { data: "2" } });
    const onMain = project.merge(one, two);
    const onBranch = project.merge(two, one);
    const later = project.commit({ "docs/later.md": { data: "3" } }, onMain);
    const document = await project.document(model("openai/gpt-4o"));
    const head = project.commit(add(document), onBranch);
    expect(git(project.gitDir, ["merge-base", "--all", later, head]).split("\n")).toHaveLength(2);
    const { report } = assay(head, { base: later });
    expect(report).toMatchObject({ verdict: "valid", findings: [], changed_files: 1 });
    // What the branch itself does to a file that only one of the ancestors has is its own doing all the same.
    const undone = project.commit({ ...add(document), ...notes("mine"), "docs/one.md": null }, onBranch);
    const { report: other } = assay(undone, { base: later });
    expect(other.findings.map(({ code, path }) => [code, path])).toEqual([
      ["pr-other-files", "docs/notes.md"],
      ["pr-other-files", "docs/one.md"],
    ]);
  });

  it("is judged as the exact tree of a merge commit, and only of the merge that was asked for", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const moved = project.commit({ "docs/news.md": { data: "news" } });
    const merge = project.merge(moved, head);
    const { report } = assay(head, { base: moved, merge });
    expect(report).toMatchObject({
      verdict: "valid",
      mode: "merge",
      commit_sha: merge,
      head_sha: head,
      changed_files: 1,
    });
    expect(report.tree_sha).toBe(git(project.gitDir, ["rev-parse", `${merge}^{tree}`]));
    // A merge group names only base and result; the head is the merge's second parent.
    expect(assay("", { base: moved, merge }).text).toBe(assay(head, { base: moved, merge }).text);
    const wrong = assay(head, { base: project.base, merge });
    expect(wrong.report.verdict).not.toBe("valid");
    expect(codes(wrong.report)).toContain("grader-merge-commit");
  });

  it("is incomplete where a workbook is not at hand, and gets no rank", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const { report } = assay(head, { suites: project.bareCheckout });
    expect(report.verdict).toBe("incomplete");
    expect(report.results[0]).toMatchObject({ recomputed: null, rank: { after: null } });
    expect(report.results[0]!.members.find(({ id }) => id === "tt-bank")!.recomputed_status).toBe(
      "unverified",
    );
  });

  it("compares with the model's previous result", async () => {
    const head = project.commit(add(await project.document(model("google/gemini-2.5-pro"))));
    const { report } = assay(head);
    const [result] = report.results;
    expect(result!.previous!.composite).toBeLessThan(1);
    expect(result!.members.map(({ id, previous_status }) => [id, previous_status])).toEqual([
      ["tt-one", "passed"],
      ["tt-two", "partial"],
      ["tt-bank", "passed"],
    ]);
    expect(result!.rank).toMatchObject({ of: 1 });
    expect(result!.tags.find(({ tag }) => tag === "single_table")).toMatchObject({
      passed: 3,
      previous_passed: 2,
      total: 3,
    });
  });
});

describe("a tampered pull request", () => {
  it("shows claimed and recomputed numbers, whatever else it breaks", async () => {
    const honest = await project.document(model("openai/gpt-4o"), "region");
    const text = canonicalDocument(honest).replace(`"composite":${honest.composite}`, '"composite":0.99');
    const head = project.commit({ [resultPath(honest)]: { data: text } });
    const { report } = assay(head);
    expect(report.verdict).toBe("invalid");
    expect(report.results[0]).toMatchObject({
      claimed: { composite: 0.99 },
      recomputed: { composite: honest.composite },
      rank: { after: null },
    });
    const found = report.findings.find(({ code }) => code === "score-composite");
    expect(found).toMatchObject({
      pointer: "/composite",
      line: 1,
      expected: String(honest.composite),
      actual: "0.99",
    });
    expect(found!.column).toBeGreaterThan(1);
  });

  it("is caught when every dependent number is raised consistently", async () => {
    const honest = await project.document(model("openai/gpt-4o"), "region");
    const better = await project.document(model("openai/gpt-4o"));
    const raised = {
      ...honest,
      members: better.members.map((member, index) => ({ ...member, recipe: honest.members[index]!.recipe })),
      totals: better.totals,
      components: better.components,
      composite: better.composite,
    };
    const { report } = assay(project.commit(add(raised)));
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toEqual(
      expect.arrayContaining(["score-status", "score-metric", "score-composite"]),
    );
    expect(report.results[0]!.recomputed!.composite).toBe(honest.composite);
  });
});

describe("history", () => {
  it("is not edited", () => {
    const text = git(project.gitDir, ["cat-file", "blob", `${project.base}:${project.committed}`]);
    const head = project.commit({
      [project.committed]: { data: text.replace('"composite"', '"composite "') },
    });
    const { report, validated } = assay(head);
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toEqual(["pr-result-edited"]);
    expect(report.results).toEqual([]);
    expect(validated.outputs).toMatchObject({ verdict: "invalid", matrix: "[]", "has-results": "false" });
  });

  it("is not renamed: that is a deletion and an addition", () => {
    const text = git(project.gitDir, ["cat-file", "blob", `${project.base}:${project.committed}`]);
    const renamed = project.committed.replace(/[^/]+$/, "20261130t101500z-00000000.json");
    const { report } = assay(project.commit({ [project.committed]: null, [renamed]: { data: `${text}\n` } }));
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toEqual(expect.arrayContaining(["pr-result-deleted", "result-path"]));
  });

  it("is corrected by a document that names what it replaces, with a maintainer's agreement", async () => {
    const text = git(project.gitDir, ["cat-file", "blob", `${project.base}:${project.committed}`]);
    const { digestOf } = await import("../../src/lib/digest.ts");
    const supersedes = { digest: digestOf(`${text}\n`), reason: "The run used a wrong setting." };
    const right = await project.document({ ...model("google/gemini-2.5-pro"), supersedes });
    expect(assay(project.commit(add(right))).report).toMatchObject({ verdict: "needs-review" });
    const other = await project.document({ ...model("openai/gpt-4o"), supersedes });
    expect(codes(assay(project.commit(add(other))).report)).toEqual(["pr-supersedes-other"]);
    const unknown = await project.document({
      ...model("openai/gpt-4o"),
      supersedes: { ...supersedes, digest: digestOf("nothing") },
    });
    expect(codes(assay(project.commit(add(unknown))).report)).toEqual(["pr-supersedes-unknown"]);
  });
});

describe("hostile content", () => {
  const place = "benchmarks/results/temp-1/openai__gpt-4o-00000000";

  it("in names reaches no log as a command", () => {
    const evil = `${place}/x\n::error::owned\n::add-mask::a\r\u001b[2K-\u202e"'.json`;
    const { report, validated, joined } = assay(
      project.commit({ [evil]: { data: "{}" }, "-rf": { data: "" } }),
    );
    expect(codes(report)).toEqual(expect.arrayContaining(["pr-name-characters", "pr-other-files"]));
    expect(report.findings.some(({ path }) => path === evil)).toBe(true);
    for (const { stdout } of [validated, joined]) {
      const lines = stdout.split("\n");
      const [, token] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? "") ?? [];
      const end = lines.indexOf(`::${token}::`);
      expect(end).toBeGreaterThan(0);
      const quoted = lines.slice(1, end);
      expect(quoted.some((line) => line.startsWith("::"))).toBe(false);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested.
      expect(quoted.join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
      // What follows are our own annotations: known codes, no file that holds anything odd.
      for (const line of lines.slice(end + 1).filter((line) => line !== ""))
        expect(line).toMatch(/^::(error|warning|notice) title=(pr|result|json|score)-[a-z-]+(,|%2C|::)/);
      expect(stdout).not.toMatch(/^::(error|add-mask)::/m);
    }
  });

  it.each([301, 3001, 10_000, 10_001])(
    "F45: in numbers is counted from trees, far beyond what listings show: %i files",
    (count) => {
      const names = Array.from({ length: count }, (_, index) => `${place}/f${index}.json`);
      // One blob, many names: only the listing grows.
      const { report, validated } = assay(commitMany(names));
      expect(report).toMatchObject({ verdict: "invalid", changed_files: count });
      expect(codes(report)).toContain("pr-many-submissions");
      expect(report.findings.length).toBeLessThanOrEqual(500);
      expect(validated.milliseconds).toBeLessThan(10_000);
    },
    60_000,
  );

  it.each([10_000, 30_000])(
    "F45: hides no result among %i other files, and says that they are mixed",
    async (count) => {
      const document = await project.document(model("openai/gpt-4o"));
      const names = Array.from({ length: count }, (_, index) => `src/f${index % 100}/f${index}.ts`);
      const alone = assay(commitMany(names));
      expect(alone.report).toMatchObject({ verdict: "valid", findings: [], results: [] });
      expect(alone.validated.milliseconds).toBeLessThan(10_000);
      const mixed = assay(project.commit(add(document), commitMany(names)));
      expect(mixed.report.verdict).toBe("invalid");
      expect(codes(mixed.report)).toEqual(expect.arrayContaining(["pr-other-files", "pr-mixed"]));
      expect(codes(mixed.report).includes("pr-too-many-files")).toBe(count > 20_000);
      expect(mixed.report.findings.length).toBeLessThan(30);
      expect(mixed.report.results[0]).toMatchObject({ recomputed: { composite: 1 }, rank: { after: null } });
      expect(mixed.validated.milliseconds).toBeLessThan(10_000);
    },
    60_000,
  );

  it("beside a result is refused: results come alone, and one at a time", async () => {
    const [one, two] = [
      await project.document(model("openai/gpt-4o")),
      await project.document(model("qwen/qwen-2.5-72b-instruct")),
    ];
    const { report } = assay(project.commit({ ...add(one), "src/jobs/score.ts": { data: "export {}" } }));
    expect(report.verdict).toBe("invalid");
    expect(report.findings).toMatchObject([{ code: "pr-other-files", path: "src/jobs/score.ts" }]);
    expect(report.results[0]).toMatchObject({ recomputed: { composite: 1 }, rank: { after: null } });
    expect(codes(assay(project.commit({ ...add(one), ...add(two) })).report)).toContain(
      "pr-many-submissions",
    );
  });

  it("from the future, of an unknown suite, or a copy, is found out", async () => {
    const late = await project.document({
      ...model("openai/gpt-4o"),
      finished_at: "2026-11-30T14:00:00.000Z",
    });
    expect(codes(assay(project.commit(add(late))).report)).toEqual(["pr-finished-later"]);
    const honest = await project.document(model("openai/gpt-4o"));
    const lost = { ...honest, suite: { ...honest.suite, id: "nowhere-1" } };
    const unknown = assay(project.commit(add(lost))).report;
    expect(unknown.verdict).toBe("invalid");
    expect(codes(unknown)).toEqual(["pr-unknown-suite"]);
    const copy = await project.document(model("openai/gpt-4o"), "region");
    const copied = assay(project.commit(add(copy))).report;
    expect(copied).toMatchObject({ verdict: "needs-review", findings: [{ code: "pr-duplicate-evidence" }] });
    expect(copied.results[0]!.duplicates).toMatchObject([{ path: project.committed }]);
  });

  it("F24: is a copy whatever its model, times, cost and prompt, and the report says of what evidence", async () => {
    const copy = await project.document(
      {
        ...model("openai/gpt-4o"),
        finished_at: "2026-11-30T12:34:56.000Z",
        pacing: { min_interval_ms: 7 },
        runner: { ...(await project.document()).runner, name: "another runner" },
      },
      "region",
    );
    for (const member of copy.members)
      for (const attempt of member.attempts)
        Object.assign(attempt, { generation_id: null, finish_reason: "length" });
    const copied = assay(project.commit(add(copy))).report;
    expect(copied).toMatchObject({ verdict: "needs-review", findings: [{ code: "pr-duplicate-evidence" }] });
    expect(copied.results[0]!.evidence).toMatch(/^sha256:/);
    const own = assay(project.commit(add(await project.document(model("openai/gpt-4o"))))).report;
    expect(own.results[0]!.evidence).not.toBe(copied.results[0]!.evidence);
  });
});

describe("other pull requests and broken inputs", () => {
  it("without results get a report that says nothing", () => {
    const { report } = assay(project.commit({ "README.md": { data: "# hello" } }));
    expect(report).toMatchObject({
      verdict: "valid",
      findings: [],
      findings_total: 0,
      results: [],
      changed_files: 1,
    });
  });

  it.each([
    ["base-sha", "main"],
    ["base-sha", "--upload-pack=evil"],
    ["head-sha", "A".repeat(40)],
    ["pull-request", "1; rm"],
    ["arrived-at", "yesterday\n::error::x"],
  ])("%s = %s fails the step in one line", (input, value) => {
    const outcome = runAction("validate-results", {
      "base-sha": project.base,
      "head-sha": project.base,
      repository: project.gitDir,
      [input]: value,
    });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(new RegExp(`^::error::input ${input}: .+\n$`));
    expect(outcome.stderr).toBe("");
    expect(outcome.outputs).toEqual({});
  });

  it("a commit that is not to be had fails the step, and the report says whose fault it is", () => {
    const head = "12".repeat(20);
    const outcome = validate(head, { remote: true });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/^::error::git fetch .+\n$/);
    const joined = runAction("recompute-scores", {
      mode: "join",
      "pull-request": "7",
      "base-sha": project.base,
      "head-sha": head,
    });
    expect(joined.code).toBe(0);
    const report = reportSchema.parse(JSON.parse(readFileSync(joined.outputs.report ?? "", "utf8")));
    expect(report).toMatchObject({
      verdict: "error",
      pull_request: 7,
      head_sha: head,
      findings: [{ code: "grader-no-evidence" }],
    });
  });

  it("a part that is missing, or belongs to another plan, is an error and no verdict", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const { temp } = validate(head);
    const joined = runAction("recompute-scores", { mode: "join", suites: project.checkout }, { temp });
    expect(joined.outputs.verdict).toBe("error");
    const parts = mkdtempSync(join(tmpdir(), "assay-parts-"));
    writeFileSync(
      join(parts, "part-1.json"),
      canonicalDocument({
        schema_version: 1,
        shard: 1,
        of: 1,
        plan: `sha256:${"0".repeat(64)}`,
        submissions: [],
      }),
    );
    const foreign = runAction(
      "recompute-scores",
      { mode: "join", suites: project.checkout, parts },
      { temp },
    );
    expect(foreign.outputs.verdict).toBe("error");
  });

  it("evidence that was changed on the way is refused", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"), "region")));
    const { temp, outputs } = validate(head);
    const plan = JSON.parse(readFileSync(join(outputs.evidence ?? "", "plan.json"), "utf8"));
    const file = join(outputs.evidence ?? "", plan.submissions[0].file);
    writeFileSync(file, readFileSync(file, "utf8").replace('"region"', '"state"'));
    const outcome = runAction("recompute-scores", { mode: "part", suites: project.checkout }, { temp });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/^::error::[0-9a-f]{64}\.json is not what its name says\n$/);
  });
});

/** A commit that adds one content under many names. */
function commitMany(paths: readonly string[]): string {
  const index = join(mkdtempSync(join(tmpdir(), "assay-index-")), "index");
  git(project.gitDir, ["read-tree", project.base], "", index);
  const oid = git(project.gitDir, ["hash-object", "-w", "--stdin"], "{}");
  git(
    project.gitDir,
    ["update-index", "--index-info"],
    paths.map((path) => `100644 ${oid}\t${path}\n`).join(""),
    index,
  );
  const tree = git(project.gitDir, ["write-tree"], "", index);
  return git(project.gitDir, ["commit-tree", tree, "-p", project.base, "-m", "many"]);
}
