import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { type Report, reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { runAction } from "./bundle.ts";
import { type FileChange, git, makeProject, model, type Project } from "./pull-requests.ts";

/** What a hostile pull request may hold must come back as findings: never as a crash, never as a number. */

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

function judge(head: string, base = project.base, suites = project.checkout): Report {
  const validated = runAction("validate-results", {
    "pull-request": "7",
    "base-sha": base,
    "head-sha": head,
    "arrived-at": "2026-11-30T13:00:00Z",
    repository: project.gitDir,
  });
  expect([validated.code, validated.stderr]).toEqual([0, ""]);
  const { temp } = validated;
  const joined = runAction("recompute-scores", { mode: "all", suites, "head-sha": head }, { temp });
  expect([joined.code, joined.stderr]).toEqual([0, ""]);
  return reportSchema.parse(JSON.parse(readFileSync(joined.outputs.report ?? "", "utf8")));
}
const codes = (report: Report): Set<string> => new Set(report.findings.map(({ code }) => code));
const add = (document: ResultDocument): Record<string, FileChange> => ({
  [resultPath(document)]: { data: canonicalDocument(document) },
});

describe("a tampered document", () => {
  const cases: readonly (readonly [what: string, code: string, change: (d: ResultDocument) => void])[] = [
    ["a member twice", "result-duplicate-member", ({ members }) => members.splice(1, 1, members[0]!)],
    ["members in another order", "result-member-order", ({ members }) => members.reverse()],
    ["another suite's digest", "result-suite-digest", ({ suite }) => (suite.digest = digestOf("x"))],
    [
      "recipes swapped between members",
      "score-output",
      ({ members }) => {
        const [one, two] = [members[0]!, members[1]!];
        [one.recipe, two.recipe] = [two.recipe, { ...one.recipe, version: 1 }];
        [one.output, two.output] = [two.output, one.output];
      },
    ],
    [
      "a member that ran, called skipped",
      "score-status",
      ({ members }) => Object.assign(members[0]!, { status: "skipped" }),
    ],
    [
      "a member left out",
      "result-missing-member",
      (document) => Object.assign(document, { members: document.members.slice(0, 2) }),
    ],
  ];
  it.each(cases)("with %s is invalid and gets no rank", async (_, code, change) => {
    const document = structuredClone(await project.document(model("openai/gpt-4o")));
    change(document);
    const report = judge(project.commit(add(document)));
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain(code);
    expect(report.results[0]?.rank.after).toBeNull();
  });

  it.each<[string, string, (text: string) => string | Uint8Array]>([
    ["a key twice", "json-duplicate-key", (text) => text.replace("{", '{"composite":1,')],
    ["an escaped key twice", "json-duplicate-key", (text) => text.replace("{", '{"c\\u006fmposite":1,')],
    ["a prototype", "json-forbidden-key", (text) => text.replace("{", '{"__proto__":{"composite":1},')],
    ["a byte order mark", "json-bom", (text) => `\ufeff${text}`],
    [
      "minus zero",
      "result-not-canonical",
      (text) => text.replace('"min_interval_ms":0', '"min_interval_ms":-0'),
    ],
    [
      "an exponent",
      "result-not-canonical",
      (text) => text.replace('"schema_version":1', '"schema_version":1e0'),
    ],
    [
      "a number without bound",
      "json-number-range",
      (text) => text.replace('"composite":', '"composite":1e999,"x":'),
    ],
    [
      "a broken character",
      "json-not-utf8",
      (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc3])]),
    ],
    ["a line end of Windows", "result-not-canonical", (text) => text.replace("\n", "\r\n")],
    [
      "keys without end",
      "result-more",
      () => `{${Array.from({ length: 350_000 }, (_, i) => `"a${i}":0`).join()}}`,
    ],
    ["members without end", "result-too-big", () => `{"members":[${Array(1_900_000).fill(0).join()}]}`],
    [
      "a key as long as the file",
      "result-missing-key",
      () => `{"${"k".repeat(1_000_000)}":[${Array(1_000_000).fill(0).join()}]}`,
    ],
  ])("with %s is read by nobody", async (_, code, change) => {
    const document = await project.document(model("openai/gpt-4o"));
    const text = change(canonicalDocument(document));
    expect(text).not.toEqual(canonicalDocument(document));
    const report = judge(project.commit({ [resultPath(document)]: { data: text } }));
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain(code);
  });
});

describe("a branch", () => {
  const tree = (sha: string): string => git(project.gitDir, ["rev-parse", `${sha}^{tree}`]);
  const commitOf = (sha: string, ...parents: string[]): string =>
    git(project.gitDir, ["commit-tree", tree(sha), ...parents.flatMap((p) => ["-p", p]), "-m", "made"]);

  it("without changes says nothing", () => {
    expect(judge(commitOf(project.base, project.base))).toMatchObject({ verdict: "valid", results: [] });
    expect(judge(project.base)).toMatchObject({ verdict: "valid", changed_files: 0 });
  });

  it("without history in common is refused", () => {
    const report = judge(commitOf(project.base));
    expect(report).toMatchObject({ verdict: "invalid", merge_base_sha: null });
    expect([...codes(report)]).toEqual(["pr-unrelated-history"]);
  });

  it("that crosses main twice is judged the same each time, and nothing of it is lost", async () => {
    const [one, two, three] = await Promise.all(
      ["one", "two", "three"].map((name) => project.document(model(`x/${name}`), name)),
    );
    const [left, right] = [project.commit(add(one!)), project.commit(add(two!))];
    const both = project.merge(left, right);
    const head = project.commit(add(three!), commitOf(both, right, left));
    const report = judge(head, both);
    expect(judge(head, both)).toEqual(report);
    expect(report.results.map(({ model: id }) => id)).toContain("x/three");
    expect(judge(project.merge(both, head), both).verdict).toBe("valid");
  });

  it("that puts a folder in a committed result's place deletes it", () => {
    const report = judge(
      project.commit({ [project.committed]: null, [`${project.committed}/a.json`]: { data: "{}" } }),
    );
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain("pr-result-deleted");
  });

  it("with a folder of 150,000 files is refused", () => {
    const oid = git(project.gitDir, ["hash-object", "-w", "--stdin"], "{}");
    const lines = Array.from({ length: 150_000 }, (_, index) => `100644 blob ${oid}\tf${index}.json\n`);
    const wide = git(project.gitDir, ["mktree"], lines.join(""));
    const root = git(project.gitDir, ["ls-tree", project.base]).split("\n");
    const made = git(project.gitDir, ["mktree"], `${[...root, `040000 tree ${wide}\twide`].join("\n")}\n`);
    const head = git(project.gitDir, ["commit-tree", made, "-p", project.base, "-m", "wide"]);
    const report = judge(head);
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain("pr-too-many-files");
  });
});

describe("a recipe", () => {
  it("whose words are cut in half a character cannot stop the grader", async () => {
    const document = structuredClone(await project.document(model("openai/gpt-4o")));
    document.members[0]!.recipe = { version: 1, tables: "\u{1f600}".repeat(100) };
    const report = judge(project.commit(add(document)));
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain("recipe-wrong-type");
  });
});
