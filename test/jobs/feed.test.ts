import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { computeFeed, type PublishedFiles, writePublished } from "../../src/jobs/feed.ts";
import { documentDigest, resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { dataSchema } from "../../src/lib/code/derive/data-schema.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { modelIndexSchema } from "../../src/lib/feed/index-schema.ts";
import { committedRuns, dataFiles } from "./data-folder.ts";
import { commit, honestDocument, recipe, type TempRepository, tempRepository } from "./temp-suite.ts";

let repository: TempRepository;
beforeEach(async () => {
  repository = await tempRepository();
});
afterEach(() => repository.remove());

const model = (id: string): Partial<ResultDocument> => ({
  model: { id, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
});
const all = { "tt-one": recipe(), "tt-two": recipe(), "tt-bank": recipe() };
const tree = "b".repeat(40);
const compute = (more = {}) => computeFeed({ root: repository.root, sourceTree: tree, ...more });
const codes = async (): Promise<string[]> => (await compute()).findings.map(({ code }) => code);

/** What became of each result, by the index. */
const states = (published: PublishedFiles): string[] =>
  published.files
    .filter(({ path }) => /^index\/[^/]+\/.*__.*\.json$/.test(path))
    .flatMap(({ data }) => modelIndexSchema.parse(JSON.parse(data)).results.map(({ state }) => state))
    .sort();

describe("the feed of a tree", () => {
  it("without results is there, and holds no block", async () => {
    const computed = await compute();
    expect(computed.ok && computed.value.feed.models.every(({ benchmark }) => benchmark === undefined)).toBe(
      true,
    );
    expect(computed.ok && computed.value.index).toMatchObject({ results_tree: null, suites: [] });
    expect(computed.ok && computed.value.boards.map(({ rows }) => rows)).toEqual([[]]);
  });

  it("ranks curated models by recomputed results, and is the same bytes every time", async () => {
    await commit(repository, await honestDocument(repository.root, all, model("openai/gpt-4o")));
    const floor = { ...all, "tt-two": recipe({ stateName: "region" }) };
    await commit(repository, await honestDocument(repository.root, floor, model("baseline/heuristic")));
    await commit(repository, await honestDocument(repository.root, all, model("nobody/unlisted")));
    const [one, two] = [await compute(), await compute()];
    if (!one.ok || !two.ok) throw new Error(JSON.stringify(one.findings));
    expect(one.value.files).toEqual(two.value.files);
    const ranks = one.value.feed.models.flatMap(({ id, benchmark = [] }) =>
      benchmark.map(({ rank, composite }) => [id, rank.position, rank.of, composite]),
    );
    expect(ranks).toEqual([
      ["baseline/heuristic", 2, 2, expect.any(Number)],
      ["openai/gpt-4o", 1, 2, 1],
    ]);
    expect(one.value.feed.source_tree).toBe(tree);
    for (const { path, data } of one.value.files)
      if (path.endsWith(".json")) expect(canonicalDocument(JSON.parse(data))).toBe(data);
    await writePublished(join(repository.root, "published"), one.value);
    expect((await readdir(join(repository.root, "published"), { recursive: true })).sort()).toEqual(
      [
        "board",
        "board.md",
        "board/index.json",
        "board/temp-1.json",
        "feed.json",
        "index",
        "index.json",
        "index/temp-1",
        "index/temp-1.json",
        ...one.value.index.suites.flatMap(({ id }) =>
          one.value.files.flatMap(({ path }) => (path.startsWith(`index/${id}/`) ? [path] : [])),
        ),
      ].sort(),
    );
    expect(await readFile(join(repository.root, "published/feed.json"), "utf8")).toBe(
      one.value.files[0]!.data,
    );
  });

  it("a correction replaces what it names", async () => {
    const wrong = await honestDocument(repository.root, { "tt-one": recipe() }, model("openai/gpt-4o"));
    await commit(repository, wrong);
    const right = await honestDocument(repository.root, all, {
      ...model("openai/gpt-4o"),
      supersedes: { digest: documentDigest(wrong), reason: "Two members were skipped by mistake." },
    });
    await commit(repository, right);
    const computed = await compute();
    expect(computed.ok && states(computed.value)).toEqual(["latest", "superseded"]);
    expect(
      computed.ok && computed.value.feed.models.find(({ id }) => id === "openai/gpt-4o")?.benchmark,
    ).toMatchObject([{ result: documentDigest(right), solved: 3 }]);
  });
});

describe("F20: what does not hold is fatal", () => {
  it("a file that is no result", async () => {
    await repository.write("benchmarks/results/temp-1/x/notes.txt", "hello");
    await repository.write("benchmarks/results/temp-1/x/a.json", "{");
    expect((await codes()).sort()).toEqual([expect.stringMatching(/^json-/), "result-unexpected-file"]);
  });

  it("a result that was edited by hand", async () => {
    const document = await honestDocument(repository.root, all);
    await repository.write(resultPath(document), canonicalDocument({ ...document, composite: 0.5 }));
    expect(await codes()).toEqual(["result-composite", "result-path"]);
  });

  it("a result whose lie is consistent: executing it finds out", async () => {
    const document = await honestDocument(repository.root, all);
    document.members[1]!.recipe = { ...recipe({ values: "R2C2:R2C3" }) };
    await commit(repository, document);
    expect(await codes()).toContain("score-status");
    expect((await compute({ recompute: false })).ok).toBe(true);
  });

  it("a suite of another digest, an unknown suite, a lost correction", async () => {
    const document = await honestDocument(repository.root, all);
    await commit(repository, { ...document, suite: { ...document.suite, digest: digestOf("x") } });
    await commit(repository, { ...document, suite: { id: "other", digest: digestOf("x") } });
    await commit(repository, { ...document, supersedes: { digest: digestOf("x"), reason: "none" } });
    expect((await codes()).sort()).toEqual([
      "result-suite-digest",
      "result-supersedes-unknown",
      "suite-unknown",
    ]);
  });

  it("a broken registry", async () => {
    await repository.write("benchmarks/registry/openrouter.json", "{}");
    expect((await codes())[0]).toMatch(/^registry-/);
  });
});

describe("the public tree of the code benchmark", () => {
  const facts = async (change: Record<string, string> = {}): Promise<void> => {
    const files = dataFiles({ runs: committedRuns() });
    for (const [path, { data }] of Object.entries(files)) await repository.write(path, String(data));
    await repository.write("METHODOLOGY.md", "# Methodology\n");
    for (const [path, text] of Object.entries(change)) await repository.write(path, text);
  };

  it("comes with the feed once there is a run, the same bytes every time", async () => {
    await facts();
    const [one, two] = [await compute(), await compute()];
    if (!one.ok || !two.ok) throw new Error(JSON.stringify(one.findings));
    expect(one.value.code).toEqual(two.value.code);
    expect(one.value.code.map(({ path }) => path)).toEqual(["data.json", "METHODOLOGY.md", "pricing.json"]);
    const folder = join(repository.root, "published");
    await writePublished(folder, one.value);
    const data = dataSchema.parse(JSON.parse(await readFile(join(folder, "data.json"), "utf8")));
    expect(data.entries.map(({ run, id }) => `${run}/${id}`)).toEqual([
      "run-1/e1",
      "run-1/e2",
      "run-1/e3",
      "run-2/e1",
      "run-2/e2",
    ]);
    expect(await readFile(join(folder, "pricing.json"), "utf8")).toBe(
      await readFile(join(repository.root, "data/pricing.json"), "utf8"),
    );
  });

  it("is nothing while there is no run, whatever else lies in the folder", async () => {
    await repository.write("data/pricing.json", "{}");
    const computed = await compute();
    expect(computed.ok && computed.value.code).toEqual([]);
  });

  it("F20: with facts that do not hold, nothing is published at all", async () => {
    await facts({ "data/runs/run-2.json": "{}" });
    expect(await compute()).toMatchObject({ ok: false });
  });
});
