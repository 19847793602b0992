import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObjectReader, readMergeOrder } from "../../src/io/git.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { judge } from "../../src/jobs/result-pr.ts";
import { type PlanOptions, planPullRequest } from "../../src/jobs/result-pr-plan.ts";
import { openPullRequest } from "../../src/jobs/result-pr-source.ts";
import { gitResults } from "../../src/jobs/results-tree.ts";
import { documentDigest, resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument, canonicalJson } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { modelIndexSchema } from "../../src/lib/feed/index-schema.ts";
import { type WithdrawalDocument, withdrawalPath } from "../../src/lib/feed/withdrawal.ts";
import { git } from "../actions/pull-requests.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "./temp-suite.ts";

/** A base with results of several models, and the branch `published` with the index of an earlier state of it. */

let repository: TempRepository;
let gitDir = "";
let folder = "";
/** Commit of main, and the results on it. */
let main = "";
const documents = new Map<string, ResultDocument>();

const CURATED = "openai/gpt-4o";
const OTHER = "google/gemini-2.5-pro";
const UNLISTED = "nobody/unlisted";
const ENGINE = { version: "0.0.0", digest: digestOf("engine") };

const at = (minute: number): string =>
  `2026-11-30T1${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}:00.250Z`;
async function documentOf(
  model: string,
  minute: number,
  more: Partial<ResultDocument> = {},
  two = "state",
): Promise<ResultDocument> {
  return honestDocument(
    repository.root,
    { "tt-one": recipe(), "tt-two": recipe({ stateName: two }), "tt-bank": recipe() },
    {
      model: { id: model, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
      started_at: "2026-11-30T10:00:00.000Z",
      finished_at: at(minute + 20),
      ...more,
    },
  );
}
const withdrawalOf = (
  document: ResultDocument,
  more: Partial<WithdrawalDocument> = {},
): WithdrawalDocument => ({
  schema_version: 1,
  kind: "withdrawal",
  suite: document.suite,
  model: document.model.id,
  withdraws: { digest: documentDigest(document), reason: "The run saw the reference." },
  withdrawn_at: "2026-12-01T00:00:00.000Z",
  ...more,
});

/** A commit with these files added to a parent; `null` parent starts from nothing. */
function commitFiles(files: Readonly<Record<string, string>>, parent: string | null): string {
  const index = join(folder, `index-${Object.keys(files).length}-${Math.random()}`);
  if (parent !== null) git(gitDir, ["read-tree", parent], "", index);
  const lines = Object.entries(files).map(
    ([path, data]) => `100644 ${git(gitDir, ["hash-object", "-w", "--stdin"], data)}\t${path}\0`,
  );
  git(gitDir, ["update-index", "-z", "--index-info"], lines.join(""), index);
  const tree = git(gitDir, ["write-tree"], "", index);
  return git(gitDir, ["commit-tree", tree, "-m", "x", ...(parent === null ? [] : ["-p", parent])]);
}

async function publish(commit: string): Promise<Record<string, string>> {
  const reader = new ObjectReader(gitDir);
  const computed = await computeFeed({
    root: repository.root,
    sourceTree: git(gitDir, ["rev-parse", `${commit}^{tree}`]),
    results: await gitResults(reader, commit),
    recompute: false,
  });
  reader.close();
  if (!computed.ok) throw new Error(JSON.stringify(computed.findings));
  return Object.fromEntries(computed.value.files.map(({ path, data }) => [path, data]));
}
const setPublished = (files: Readonly<Record<string, string>>): void => {
  git(gitDir, ["update-ref", "refs/heads/published", commitFiles(files, null)]);
};

const fileOf = (document: ResultDocument): Record<string, string> => ({
  [resultPath(document)]: canonicalDocument(document),
});
const fileOfWithdrawal = (withdrawal: WithdrawalDocument): Record<string, string> => ({
  [withdrawalPath(withdrawal)]: canonicalDocument(withdrawal),
});

/** Plans the pull request that adds these files; also says which committed documents were read. */
async function plan(files: Readonly<Record<string, string>>, options: PlanOptions) {
  const head = commitFiles(files, main);
  const source = await openPullRequest(
    { pullRequest: 1, base: main, head, merge: null },
    { repository: gitDir },
  );
  const read: string[] = [];
  const results = {
    ...source.results,
    read: (wanted: readonly { path: string; blob: string }[]) => {
      read.push(...wanted.map(({ path }) => path));
      return source.results.read(wanted);
    },
  };
  const evidence = await planPullRequest({ ...source, results }, null, options);
  await source.close();
  return { evidence, read };
}

let early: Record<string, string> = {};
let current: Record<string, string> = {};

beforeAll(async () => {
  repository = await tempRepository();
  folder = await mkdtemp(join(tmpdir(), "assay-committed-"));
  gitDir = join(folder, "project.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", gitDir]);
  const seed = join(folder, "seed");
  git(gitDir, ["--work-tree", repository.root, "add", "--all", "--force", repository.root], "", seed);
  const start = git(gitDir, ["commit-tree", git(gitDir, ["write-tree"], "", seed), "-m", "suite"]);
  const add = async (name: string, ...rest: Parameters<typeof documentOf>): Promise<ResultDocument> => {
    const document = await documentOf(...rest);
    documents.set(name, document);
    return document;
  };
  const files: Record<string, string> = {};
  for (const model of [CURATED, OTHER, UNLISTED, "x/one", "x/two"])
    for (const minute of [0, 1, 2])
      Object.assign(
        files,
        fileOf(await add(`${model} ${minute}`, model, minute, {}, `${model[0]}${minute}`)),
      );
  const wrong = await add("wrong", CURATED, 50, {}, "wrong");
  const supersedes = { digest: documentDigest(wrong), reason: "A wrong setting." };
  Object.assign(files, fileOf(wrong), fileOf(await add("right", CURATED, 40, { supersedes }, "right")));
  const bad = await add("bad", OTHER, 55, {}, "bad");
  Object.assign(files, fileOf(bad));
  const before = commitFiles(files, start);
  early = await publish(before);
  main = commitFiles(
    {
      ...fileOfWithdrawal(withdrawalOf(bad)),
      ...fileOf(await add("late", OTHER, 30, {}, "late")),
      ...fileOf(await add("new", "y/new", 3, {}, "new")),
    },
    before,
  );
  git(gitDir, ["update-ref", "refs/heads/main", main]);
  current = await publish(main);
});
afterAll(async () => {
  await repository.remove();
  await rm(folder, { recursive: true, force: true });
});

const named = (name: string): ResultDocument => documents.get(name) ?? expect.fail(name);

/** Submissions that are compared with the base in every way there is. */
const CASES: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  "a new run": async () => fileOf(await documentOf(CURATED, 58, {}, "fresh")),
  "a run older than the newest": async () => fileOf(await documentOf(OTHER, 5, {}, "fresh")),
  "the first run of a model": async () => fileOf(await documentOf("z/first", 5, {}, "fresh")),
  "recipes of another model, indexed": async () => fileOf(await documentOf("z/copy", 5, {}, "x1")),
  "recipes of another model, merged since": async () => fileOf(await documentOf("z/copy", 5, {}, "new")),
  "recipes that were withdrawn": async () => fileOf(await documentOf(OTHER, 59, {}, "bad")),
  "a correction of the newest": async () =>
    fileOf(
      await documentOf(
        CURATED,
        10,
        { supersedes: { digest: documentDigest(named("right")), reason: "r" } },
        "f",
      ),
    ),
  "a correction of what was corrected": async () =>
    fileOf(
      await documentOf(
        CURATED,
        10,
        { supersedes: { digest: documentDigest(named("wrong")), reason: "r" } },
        "f",
      ),
    ),
  "a correction of another model's": async () =>
    fileOf(
      await documentOf(
        CURATED,
        10,
        { supersedes: { digest: documentDigest(named("x/two 1")), reason: "r" } },
        "f",
      ),
    ),
  "a correction of nothing": async () =>
    fileOf(await documentOf(CURATED, 10, { supersedes: { digest: digestOf("nothing"), reason: "r" } }, "f")),
  "a withdrawal": async () => fileOfWithdrawal(withdrawalOf(named("late"))),
  "a withdrawal of what is withdrawn": async () =>
    fileOfWithdrawal(withdrawalOf(named("bad"), { withdrawn_at: "2026-12-02T00:00:00.000Z" })),
  "a withdrawal of another model's": async () =>
    fileOfWithdrawal(withdrawalOf(named("late"), { model: CURATED })),
  "a withdrawal of nothing": async () =>
    fileOfWithdrawal(withdrawalOf({ ...named("late"), caps: { calls: 77, attempts_per_member: 3 } })),
};

describe("what a submission is compared with", () => {
  it.each(Object.keys(CASES))("%s: the index finds what reading everything finds", async (name) => {
    const files = (await CASES[name]?.()) ?? {};
    const whole = await plan(files, { direct: 1000 });
    for (const [state, published] of [
      ["current", current],
      ["older than the base", early],
    ] as const) {
      setPublished(published);
      const indexed = await plan(files, { direct: 0 });
      expect(indexed.evidence.note, state).toBeNull();
      expect(indexed.evidence.plan, state).toEqual(whole.evidence.plan);
      expect(new Set(indexed.read).size, state).toBeLessThan(new Set(whole.read).size);
    }
  });

  it("an index that is fetched gives the same", async () => {
    setPublished(early);
    // As GitHub allows it: any object by its id, and filtered fetches.
    git(gitDir, ["config", "uploadpack.allowAnySHA1InWant", "true"]);
    git(gitDir, ["config", "uploadpack.allowFilter", "true"]);
    const files = fileOf(await documentOf("z/copy", 5, {}, "x1"));
    const head = commitFiles(files, main);
    const whole = await plan(files, { direct: 1000 });
    const source = await openPullRequest(
      { pullRequest: 1, base: main, head, merge: null },
      { remote: { url: `file://${gitDir}` } },
    );
    const fetched = await planPullRequest(source, null, { direct: 0 });
    await source.close();
    expect(fetched.note).toBeNull();
    expect({ ...fetched.plan, identity: null }).toEqual({ ...whole.evidence.plan, identity: null });
  });

  it("without an index everything is read, and the plan is the same", async () => {
    git(gitDir, ["update-ref", "-d", "refs/heads/published"]);
    const files = fileOf(await documentOf(CURATED, 58, {}, "fresh"));
    const [whole, none] = [await plan(files, { direct: 1000 }), await plan(files, { direct: 0 })];
    expect(none.evidence.note).toBe("there is none");
    expect(none.evidence.plan).toEqual(whole.evidence.plan);
  });

  it.each([
    ["a changed number", /"composite":0\.\d+/, '"composite":0.999999'],
    ["a changed time", /"finished_at":"2026-11-30T11:00/, '"finished_at":"2026-11-30T09:00'],
    ["another blob for a file that is there", /"blob":"[0-9a-f]{40}"/, `"blob":"${"1".repeat(40)}"`],
    ["forgotten results", /"results":\[.*\],"schema_version"/s, '"results":[],"schema_version"'],
  ])("an index with %s, digests fitted to it, changes no verdict", async (_, pattern, replacement) => {
    const files = fileOf(await documentOf(CURATED, 58, {}, "fresh"));
    const whole = await plan(files, { direct: 1000 });
    const forged = { ...current };
    const part = Object.keys(forged).find((path) => path.startsWith("index/temp-1/openai__gpt-4o")) ?? "";
    forged[part] = (forged[part] ?? "").replace(pattern, replacement);
    expect(forged[part]).not.toBe(current[part]);
    const suite = JSON.parse(forged["index/temp-1.json"] ?? "");
    for (const row of suite.models)
      if (part.endsWith(`${row.folder}.json`)) row.sha256 = digestOf(forged[part] ?? "");
    forged["index/temp-1.json"] = `${canonicalJson(suite)}\n`;
    const manifest = JSON.parse(forged["index.json"] ?? "");
    manifest.suites[0].sha256 = digestOf(forged["index/temp-1.json"]);
    forged["index.json"] = `${canonicalJson(manifest)}\n`;
    setPublished(forged);
    const indexed = await plan(files, { direct: 0 });
    expect(indexed.evidence.plan).toEqual(whole.evidence.plan);
  });

  it("a part that is not the one that was named is not used", async () => {
    const files = fileOf(await documentOf(CURATED, 58, {}, "fresh"));
    setPublished({ ...current, "index/temp-1.json": "{}\n" });
    const { evidence } = await plan(files, { direct: 0 });
    expect(evidence.note).toMatch(/not the file that was named/);
    expect(evidence.plan).toEqual((await plan(files, { direct: 1000 })).evidence.plan);
  });
});

describe("a pull request", () => {
  const judged = async (files: Readonly<Record<string, string>>) => {
    const source = await openPullRequest(
      { pullRequest: 1, base: main, head: commitFiles(files, main), merge: null },
      { repository: gitDir },
    );
    const report = await judge({
      source,
      grader: { suites: repository.root },
      engine: ENGINE,
      arrivedAt: "2026-12-05T00:00:00.000Z",
    });
    await source.close();
    return { verdict: report.verdict, codes: report.findings.map(({ code }) => code), report };
  };
  const fileFor = async (name: string) => (await CASES[name]?.()) ?? {};

  it("that withdraws a result needs a maintainer's agreement, and recomputes nothing", async () => {
    const { verdict, codes, report } = await judged(await fileFor("a withdrawal"));
    expect({ verdict, codes }).toEqual({ verdict: "needs-review", codes: ["pr-withdraws"] });
    expect(report.results).toEqual([]);
    expect(report.findings[0]).toMatchObject({ line: 1, pointer: "/withdraws/digest" });
  });

  it.each([
    ["a withdrawal of what is withdrawn", ["pr-withdraws-again"]],
    ["a withdrawal of another model's", ["pr-withdraws-other"]],
    ["a withdrawal of nothing", ["pr-withdraws-unknown"]],
  ])("with %s is invalid", async (name, codes) => {
    const { verdict, codes: found } = await judged(await fileFor(name));
    expect(verdict).toBe("invalid");
    // One that names another model lies in that model's folder, and only the digest gives it away.
    expect(found).toEqual(codes);
  });

  it("with a withdrawal from the future, or beside a result, is invalid", async () => {
    const late = withdrawalOf(named("late"), { withdrawn_at: "2027-01-01T00:00:00.000Z" });
    expect((await judged(fileOfWithdrawal(late))).codes).toContain("pr-withdrawn-later");
    const both = { ...fileOfWithdrawal(withdrawalOf(named("late"))), ...(await fileFor("a new run")) };
    expect((await judged(both)).codes).toContain("pr-many-submissions");
  });

  it("with recipes that were withdrawn needs a look", async () => {
    const { verdict, codes } = await judged(await fileFor("recipes that were withdrawn"));
    expect({ verdict, codes }).toEqual({ verdict: "needs-review", codes: ["pr-withdrawn-evidence"] });
  });

  it("is ranked without what was withdrawn", async () => {
    const { report } = await judged(fileOf(await documentOf(OTHER, 57, {}, "fresh")));
    expect(report.results[0]?.previous?.document).toBe(documentDigest(named("late")));
  });
});

describe("results that finished in the same millisecond", () => {
  const tie = (two: string) => documentOf(OTHER, 45, {}, two);
  /** What the feed, the preview of a pull request, and its report say is the model's newest result. */
  async function newest(base: string): Promise<{ feed: string | undefined; previous: string | undefined }> {
    const reader = new ObjectReader(gitDir);
    const computed = await computeFeed({
      root: repository.root,
      sourceTree: git(gitDir, ["rev-parse", `${base}^{tree}`]),
      results: await gitResults(reader, base),
      mergeOrder: (paths) => readMergeOrder({ gitDir }, base, paths),
      recompute: false,
    });
    reader.close();
    if (!computed.ok) throw new Error(JSON.stringify(computed.findings));
    const part = computed.value.files.find(({ path }) => path.startsWith("index/temp-1/google__gemini"));
    const { results } = modelIndexSchema.parse(JSON.parse(part?.data ?? ""));
    const feed = results.find(({ state }) => state === "latest")?.digest;
    const commits = {
      pullRequest: 1,
      base,
      head: commitFiles(fileOf(await documentOf(OTHER, 57, {}, "fresh")), base),
      merge: null,
    };
    // Fetched as an action does it: every commit and tree, and of contents what is asked for.
    git(gitDir, ["config", "uploadpack.allowAnySHA1InWant", "true"]);
    git(gitDir, ["config", "uploadpack.allowFilter", "true"]);
    const previous: (string | undefined)[] = [];
    for (const where of [{ repository: gitDir }, { remote: { url: `file://${gitDir}` } }]) {
      const source = await openPullRequest(commits, where);
      const report = await judge({
        source,
        grader: { suites: repository.root },
        engine: ENGINE,
        arrivedAt: null,
      });
      await source.close();
      previous.push(report.results[0]?.previous?.document);
    }
    expect(previous[1]).toBe(previous[0]);
    return { feed, previous: previous[0] };
  }

  it.each([
    ["one way", ["t1", "t2"]],
    ["the other", ["t2", "t1"]],
  ])("go by first-parent merge order, %s, in the preview as in the feed", async (_, order) => {
    let base = main;
    for (const name of order) base = commitFiles(fileOf(await tie(name)), base);
    const last = documentDigest(await tie(order[1] ?? ""));
    expect(await newest(base)).toEqual({ feed: last, previous: last });
    // Once the newest is withdrawn, order decides between those before it.
    const third = commitFiles(fileOf(await tie("t3")), base);
    const gone = commitFiles(fileOfWithdrawal(withdrawalOf(await tie("t3"))), third);
    expect(await newest(third)).toEqual({
      feed: documentDigest(await tie("t3")),
      previous: documentDigest(await tie("t3")),
    });
    expect(await newest(gone)).toEqual({ feed: last, previous: last });
  });
});
