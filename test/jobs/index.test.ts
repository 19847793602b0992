import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSource, folderSource } from "../../src/io/files.ts";
import { computeFeed, type PublishedFiles, writePublished } from "../../src/jobs/feed.ts";
import { openIndex } from "../../src/jobs/published-index.ts";
import { folderResults, type ResultsTree } from "../../src/jobs/results-tree.ts";
import { documentDigest, resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type WithdrawalDocument, withdrawalPath } from "../../src/lib/feed/withdrawal.ts";
import { commit, honestDocument, recipe, type TempRepository, tempRepository } from "./temp-suite.ts";

let repository: TempRepository;
beforeEach(async () => {
  repository = await tempRepository();
});
afterEach(() => repository.remove());

const model = (id: string): Partial<ResultDocument> => ({
  model: { id, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
});
const recipes = { "tt-one": recipe(), "tt-two": recipe({ stateName: "region" }), "tt-bank": recipe() };
const finished = (minute: number): Partial<ResultDocument> => ({
  finished_at: `2026-11-30T10:${String(15 + minute).padStart(2, "0")}:00.250Z`,
});
const add = async (changes: Partial<ResultDocument>): Promise<ResultDocument> => {
  const document = await honestDocument(repository.root, recipes, changes);
  await commit(repository, document);
  return document;
};
const withdraw = async (document: ResultDocument, at = "2026-12-01T00:00:00.000Z"): Promise<string> => {
  const withdrawal: WithdrawalDocument = {
    schema_version: 1,
    kind: "withdrawal",
    suite: document.suite,
    model: document.model.id,
    withdraws: { digest: documentDigest(document), reason: "The run saw the reference." },
    withdrawn_at: at,
  };
  await repository.write(withdrawalPath(withdrawal), canonicalDocument(withdrawal));
  return withdrawalPath(withdrawal);
};

const fromFiles = ({ files }: PublishedFiles): FileSource => {
  const byPath = new Map(files.map(({ path, data }) => [path, new TextEncoder().encode(data)]));
  return async (path) => byPath.get(path) ?? null;
};

/** The folder's results, and which documents were read through them. */
async function watched(): Promise<{ results: ResultsTree; read: string[] }> {
  const results = await folderResults(repository.root);
  const read: string[] = [];
  return {
    read,
    results: {
      ...results,
      read: (files) => {
        read.push(...files.map(({ path }) => path));
        return results.read(files);
      },
    },
  };
}

async function compute(more: Partial<Parameters<typeof computeFeed>[0]> = {}): Promise<PublishedFiles> {
  const computed = await computeFeed({
    root: repository.root,
    sourceTree: "b".repeat(40),
    judgeAll: 0,
    ...more,
  });
  if (!computed.ok) throw new Error(JSON.stringify(computed.findings));
  return computed.value;
}

/** Everything that would lie in `published/` after this. */
const all = (published: PublishedFiles, before?: PublishedFiles): Record<string, string> => {
  const old = new Map(before?.files.map(({ path, data }) => [path, data]));
  return Object.fromEntries(
    [
      ...published.files.map(({ path, data }): [string, string] => [path, data]),
      ...published.kept.map((path): [string, string] => [path, old.get(path) ?? "?"]),
    ].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

describe("the index of results", () => {
  it("names the tree ids that its numbers are about, and every part by digest", async () => {
    await add(model("openai/gpt-4o"));
    const published = await compute();
    const results = await folderResults(repository.root);
    const index = await openIndex(fromFiles(published));
    const suite = await index?.suite("temp-1");
    expect(index?.manifest.results_tree).toBe(results.tree);
    expect(suite?.tree).toBe((await results.level()).folders[0]?.tree);
    const [row] = suite?.models ?? [];
    const part = row === undefined ? undefined : await index?.model("temp-1", row);
    expect(part?.tree).toBe((await results.level("temp-1")).folders[0]?.tree);
    expect(part?.results[0]?.blob).toBe((await results.level("temp-1", part?.folder ?? "")).files[0]?.blob);
    expect(await index?.suite("nobody")).toBeNull();
  });

  it("reads only what is new, and gives the bytes that deriving everything gives", async () => {
    for (const id of ["openai/gpt-4o", "baseline/heuristic", "x/y"])
      for (const minute of [0, 1, 2, 3]) await add({ ...model(id), ...finished(minute) });
    const first = await compute();
    const late = await add({ ...model("x/y"), ...finished(9) });
    const { results, read } = await watched();
    const second = await compute({ results, previous: fromFiles(first) });
    expect(second.notUsed).toBeNull();
    expect(all(second, first)).toEqual(all(await compute()));
    // The documents on the board, one of them new, and those they are compared with: not the seven others.
    expect(new Set(read)).toContain(resultPath(late));
    expect(new Set(read).size).toBe(6);
    expect(second.kept.length).toBeGreaterThan(1);
  });

  it("has the same bytes after any history of additions, corrections and withdrawals", async () => {
    const step = fc.record({
      model: fc.constantFrom("openai/gpt-4o", "baseline/heuristic", "x/y"),
      minute: fc.integer({ min: 0, max: 3 }),
      kind: fc.constantFrom("add", "add", "supersede", "withdraw"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        const own = await tempRepository();
        const outer = repository;
        repository = own;
        try {
          let previous: PublishedFiles | undefined;
          const standing: ResultDocument[] = [];
          for (const [number, { model: id, minute, kind }] of steps.entries()) {
            const index = standing.findLastIndex((document) => document.model.id === id);
            const target = standing[index];
            if (kind === "withdraw" && target !== undefined) {
              await withdraw(target, `2026-12-01T00:00:0${number}.000Z`);
              standing.splice(index, 1);
            } else {
              const supersedes =
                kind === "supersede" && target !== undefined
                  ? { supersedes: { digest: documentDigest(target), reason: "wrong" } }
                  : {};
              // Distinct prices make documents of the same minute distinct.
              const caps = { calls: 30 + number, attempts_per_member: 3 };
              const document = await add({ ...model(id), ...finished(minute), ...supersedes, caps });
              if ("supersedes" in supersedes) standing.splice(index, 1);
              standing.push(document);
            }
            const next = await compute(previous === undefined ? {} : { previous: fromFiles(previous) });
            const whole = await compute();
            expect(next.notUsed).toBeNull();
            expect(all(next, previous)).toEqual(all(whole));
            previous = whole;
          }
        } finally {
          repository = outer;
          await own.remove();
        }
      }),
      { numRuns: 6 },
    );
  });

  it("is written beside what is kept, and what no longer belongs goes", async () => {
    await add(model("openai/gpt-4o"));
    const folder = join(repository.root, "published");
    const first = await compute();
    await writePublished(folder, first);
    await repository.write("published/index/temp-1/gone.json", "{}");
    await add({ ...model("x/y"), ...finished(3) });
    const second = await compute({ previous: folderSource(folder) });
    await writePublished(folder, second, folderSource(folder));
    const whole = await compute();
    for (const { path, data } of whole.files) expect(await readFile(join(folder, path), "utf8")).toBe(data);
    await expect(readFile(join(folder, "index/temp-1/gone.json"))).rejects.toThrow();
    // Into another folder, the kept parts come along.
    const elsewhere = join(repository.root, "elsewhere");
    await writePublished(elsewhere, second, folderSource(folder));
    for (const { path, data } of whole.files)
      expect(await readFile(join(elsewhere, path), "utf8")).toBe(data);
  });
});

describe("an index that is not to be believed", () => {
  const lie = async (change: (path: string, data: string) => string): Promise<void> => {
    for (const minute of [0, 1]) await add({ ...model("openai/gpt-4o"), ...finished(minute) });
    const honest = await compute();
    const previous: PublishedFiles = {
      ...honest,
      files: honest.files.map(({ path, data }) => ({ path, data: change(path, data) })),
    };
    await add({ ...model("openai/gpt-4o"), ...finished(5) });
    const after = await compute({ previous: fromFiles(previous) });
    expect(after.notUsed).not.toBeNull();
    expect(all(after)).toEqual(all(await compute()));
  };

  it.each([
    [
      "a number changed in a part",
      (path: string) => path.startsWith("index/temp-1/openai"),
      /"solved":2/,
      '"solved":3',
    ],
    [
      "a number changed in the list of models",
      (path: string) => path === "index/temp-1.json",
      /"solved":2/,
      '"solved":3',
    ],
    [
      "a manifest of another form",
      (path: string) => path === "index.json",
      /"schema_version":3/,
      '"schema_version":2',
    ],
    ["no JSON", (path: string) => path === "index.json", /^\{/, ""],
  ] as const)("%s: everything is derived from the documents", async (_, chosen, pattern, replacement) => {
    await lie((path, data) => (chosen(path) ? data.replace(pattern, replacement) : data));
  });

  it("absent or empty: likewise, without a word", async () => {
    await add(model("openai/gpt-4o"));
    const published = await compute({ previous: async () => null });
    expect(published.notUsed).toBeNull();
    expect(all(published)).toEqual(all(await compute()));
  });

  it("consistent in itself but not what the documents say: an audit of its folder finds it", async () => {
    const { canonicalJson } = await import("../../src/lib/canonical-json.ts");
    const { digestOf } = await import("../../src/lib/digest.ts");
    await add({ ...model("openai/gpt-4o"), ...finished(0) });
    const honest = await compute();
    const content = new Map(
      honest.files
        .filter(({ path }) => path.startsWith("index"))
        .map(({ path, data }) => [path, JSON.parse(data)]),
    );
    const part = [...content.keys()].find((path) => path.startsWith("index/temp-1/openai")) ?? "";
    // Whoever could write the branch could write this: every digest fits, and the tree ids are right.
    content.get(part).results[0].composite = 1;
    const suite = content.get("index/temp-1.json");
    suite.models[0].latest.composite = 1;
    suite.models[0].sha256 = digestOf(`${canonicalJson(content.get(part))}\n`);
    content.get("index.json").suites[0].sha256 = digestOf(`${canonicalJson(suite)}\n`);
    const forged: PublishedFiles = {
      ...honest,
      files: [...content].map(([path, value]) => ({ path, data: `${canonicalJson(value)}\n` })),
    };
    const { updateIndex } = await import("../../src/jobs/update-index.ts");
    const results = await folderResults(repository.root);
    const update = async (audit: boolean) =>
      updateIndex({
        results,
        sourceTree: null,
        engine: null,
        previous: await openIndex(fromFiles(forged)),
        mergeOrder: async () => [],
        judge: null,
        audit: () => audit,
      });
    await expect(update(true)).rejects.toThrow(/is not what its documents give/);
    // Without the audit a folder's id says that the listing is about these bytes, and nothing about its numbers.
    await expect(update(false)).resolves.toMatchObject({ findings: [] });
    // The board does not repeat them even then: it is made from the documents themselves.
    const board = await compute({ previous: fromFiles(forged) });
    expect(board.boards[0]?.rows[0]?.composite).toBeLessThan(1);
    expect(board.notUsed).toMatch(/something else/);
  });
});

describe("a result that was withdrawn", () => {
  it("leaves the board, the one before it stands again, and the board says so", async () => {
    const first = await add({ ...model("openai/gpt-4o"), ...finished(0) });
    const second = await add({ ...model("openai/gpt-4o"), ...finished(1) });
    await withdraw(second);
    const { boards, feed } = await compute();
    expect(boards[0]?.rows).toMatchObject([{ result: { digest: documentDigest(first) }, previous: null }]);
    expect(boards[0]?.withdrawn).toMatchObject([
      { model: "openai/gpt-4o", result: documentDigest(second), reason: "The run saw the reference." },
    ]);
    await withdraw(first);
    const after = await compute();
    expect(after.boards[0]?.rows).toEqual([]);
    expect(feed.models.filter(({ benchmark }) => benchmark !== undefined)).toHaveLength(1);
    expect(after.feed.models.some(({ benchmark }) => benchmark !== undefined)).toBe(false);
  });

  it("twice, unknown, or of another form is fatal", async () => {
    const only = await add(model("openai/gpt-4o"));
    await withdraw(only);
    await withdraw(only, "2026-12-02T00:00:00.000Z");
    await withdraw({ ...only, caps: { calls: 99, attempts_per_member: 3 } }, "2026-12-03T00:00:00.000Z");
    const path = await withdraw(only, "2026-13-04T00:00:00.000Z");
    await repository.write(path.replace("20261304", "20261305"), "{}");
    const computed = await computeFeed({ root: repository.root, sourceTree: null });
    expect(computed.ok).toBe(false);
    expect([...new Set(computed.findings.map(({ code }) => code))].sort()).toEqual([
      "withdrawal-again",
      "withdrawal-missing-key",
      "withdrawal-time",
      "withdrawal-unknown",
    ]);
  });

  it("does not become another model's by a folder of the same name", async () => {
    const only = await add(model("openai/gpt-4o"));
    const other = { ...only, model: { ...only.model, id: "openai/gpt-4p" } };
    await repository.write(
      resultPath(other).replace(/[^/]+\/([^/]+)$/, `${resultPath(only).split("/")[3]}/$1`),
      canonicalDocument(other),
    );
    const computed = await computeFeed({ root: repository.root, sourceTree: null });
    expect(computed.findings.map(({ code }) => code)).toContain("result-path");
  });
});
