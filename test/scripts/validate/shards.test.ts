import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeLocal } from "../../../src/jobs/result-pr.ts";
import { joinShards, judgeShard } from "../../../src/jobs/validate-shards.ts";
import { resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { type LocalPart, parseShard, partsFindings } from "../../../src/lib/result-pr/local-part.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "../../jobs/temp-suite.ts";
import { runScript, type ScriptRun } from "../run-script.ts";

let repository: TempRepository;
let honest: ResultDocument;
beforeAll(async () => {
  repository = await tempRepository();
  honest = await honestDocument(repository.root, {
    "tt-one": recipe(),
    "tt-two": recipe({ stateName: "region" }),
    "tt-bank": recipe(),
  });
  await repository.write("out/honest.json", canonicalDocument(honest));
  await repository.write("out/raised.json", canonicalDocument({ ...honest, composite: 0.99 }));
});
afterAll(() => repository.remove());

const validate = async (...args: string[]): Promise<ScriptRun> => {
  const run = await runScript("validate", ["--root", "..", ...args], join(repository.root, "out"));
  expect(run.out + run.err).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return run;
};
const read = (name: string): Promise<string> => readFile(join(repository.root, "out", name), "utf8");

/** Makes the parts of a document as the command does, and joins them. */
async function inParts(text: string, of: number, openBank = false, arrivedAt: string | null = null) {
  const file = { path: resultPath(honest), bytes: new TextEncoder().encode(text) };
  const parts: { name: string; part: LocalPart }[] = [];
  for (let index = 1; index <= of; index++)
    parts.push({
      name: `part-${index}.json`,
      part: await judgeShard({ root: repository.root, file, openBank }, { index, of }),
    });
  const joined = await joinShards({ root: repository.root, arrivedAt, parts: parts.reverse() });
  if (!joined.ok) throw new Error(JSON.stringify(joined.findings));
  return { report: canonicalDocument(joined.value.report), file, parts };
}

describe("a recomputation in parts", () => {
  it.each([1, 2, 3, 5])("gives in %i parts the bytes of a straight one", async (of) => {
    const text = await read("honest.json");
    const { report, file, parts } = await inParts(text, of);
    const straight = await judgeLocal({ root: repository.root, files: [file], arrivedAt: null });
    expect(report).toBe(canonicalDocument(straight));
    const members = parts.flatMap(({ part }) =>
      part.part.submissions.flatMap(({ members: own }) => own.map(({ id }) => id)),
    );
    expect(members.sort()).toEqual(honest.members.map(({ id }) => id).sort());
  });

  it.each([
    ["a changed score", { composite: 0.99 }],
    ["a time that has not come", { finished_at: "2999-01-01T00:00:00.000Z" }],
    ["another suite", { suite: { id: "nowhere", digest: `sha256:${"0".repeat(64)}` } }],
  ])("judges %s alike", async (_, change) => {
    const now = "2026-12-01T00:00:00.000Z";
    const { report, file } = await inParts(canonicalDocument({ ...honest, ...change }), 2, false, now);
    const straight = await judgeLocal({ root: repository.root, files: [file], arrivedAt: now });
    expect(straight.verdict).not.toBe("valid");
    expect(report).toBe(canonicalDocument(straight));
  });

  it.each(["", "{}", '{"schema_version": 1,', "\u0000\ufffd"])(
    "judges %j alike, which is no result",
    async (text) => {
      const { report, file } = await inParts(text, 2);
      const straight = await judgeLocal({ root: repository.root, files: [file], arrivedAt: null });
      expect(report).toBe(canonicalDocument(straight));
    },
  );

  it("judges bytes that are no text alike", async () => {
    const file = { path: resultPath(honest), bytes: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) };
    const part = await judgeShard({ root: repository.root, file }, { index: 1, of: 1 });
    const joined = await joinShards({
      root: repository.root,
      arrivedAt: null,
      parts: [{ name: "p", part: JSON.parse(JSON.stringify(part)) }],
    });
    if (!joined.ok) throw new Error(JSON.stringify(joined.findings));
    const straight = await judgeLocal({ root: repository.root, files: [file], arrivedAt: null });
    expect(canonicalDocument(joined.value.report)).toBe(canonicalDocument(straight));
  });

  it("keeps the option of the bank's owner", async () => {
    const { report, file } = await inParts(await read("honest.json"), 2, true);
    const open = await judgeLocal({ root: repository.root, files: [file], arrivedAt: null, openBank: true });
    const closed = await judgeLocal({ root: repository.root, files: [file], arrivedAt: null });
    expect(report).toBe(canonicalDocument(open));
    expect(report).not.toBe(canonicalDocument(closed));
  });
});

describe("npm run bench:validate -- --shard and --join", () => {
  it("writes parts and joins them into the report and the words of one run", async () => {
    const straight = await validate("--report", "straight.json", "honest.json");
    expect(straight.code).toBe(0);
    for (const index of [1, 2]) {
      const run = await validate("--shard", `${index}/2`, "--part", `p${index}.json`, "honest.json");
      expect(run).toMatchObject({ code: 0, err: "" });
      expect(run.out).toMatch(
        new RegExp(`^Part ${index} of 2: [12] members recomputed, written to p${index}.json`),
      );
      expect(run.out).not.toContain("Verdict");
    }
    const joined = await validate("--join", "p2.json", "p1.json", "--report", "joined.json");
    expect(joined).toMatchObject({ code: 0, err: "" });
    expect(joined.out).toBe(straight.out);
    expect(await read("joined.json")).toBe(await read("straight.json"));
  });

  it("exits with 1 when the joined document is not valid, and says where", async () => {
    await validate("--shard", "1/1", "--part", "r.json", "raised.json");
    const run = await validate("--join", "r.json");
    expect(run.code).toBe(1);
    expect(run.err).toContain("score-composite");
    expect(run.out).toContain("Verdict: invalid");
  });

  it("refuses parts that do not make one recomputation", async () => {
    await validate("--shard", "1/2", "--part", "a.json", "honest.json");
    await validate("--shard", "1/2", "--part", "b.json", "raised.json");
    await validate("--shard", "1/3", "--part", "c.json", "honest.json");
    const missing = await validate("--join", "a.json");
    expect(missing).toMatchObject({ code: 1, out: "" });
    expect(missing.err).toContain("Parts 2 of 2 are missing.");
    expect((await validate("--join", "a.json", "b.json")).err).toContain("b.json shard-parts-differ");
    expect((await validate("--join", "a.json", "c.json")).err).toContain("c.json shard-parts-differ");
    expect((await validate("--join", "a.json", "a.json")).err).toContain("shard-part-twice");
  });

  it("refuses a part that another version made, that was changed, or that is none", async () => {
    await validate("--shard", "1/1", "--part", "v.json", "honest.json");
    const part = JSON.parse(await read("v.json")) as LocalPart;
    const write = (value: unknown): Promise<void> =>
      writeFile(join(repository.root, "out/w.json"), canonicalDocument(value as never));
    await write({ ...part, engine: { version: "9", digest: `sha256:${"0".repeat(64)}` } });
    expect((await validate("--join", "w.json")).err).toContain("shard-engine-differs");
    await write({ ...part, document: Buffer.from("{}").toString("base64") });
    expect((await validate("--join", "w.json")).err).toContain("shard-base-differs");
    await write({ ...part, surprise: 1 });
    expect((await validate("--join", "w.json")).err).toContain("grader-evidence-unknown-key");
    expect((await validate("--join", "honest.json")).err).toContain("grader-evidence-");
    expect((await validate("--join", "nowhere.json")).code).toBe(1);
  });

  it.each([
    [["--shard", "1/2", "honest.json"]],
    [["--part", "p.json", "honest.json"]],
    [["--shard", "0/2", "--part", "p.json", "honest.json"]],
    [["--shard", "3/2", "--part", "p.json", "honest.json"]],
    [["--shard", "1/2", "--part", "p.json"]],
    [["--shard", "1/2", "--part", "p.json", "honest.json", "raised.json"]],
    [["--join", "p.json", "--open-bank"]],
  ])("explains %j", async (args) => {
    const run = await validate(...args);
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.err).toMatch(/--shard|--join/);
  });
});

describe("parseShard", () => {
  it.each([
    ["1/1", { index: 1, of: 1 }],
    ["64/64", { index: 64, of: 64 }],
    ["1/65", null],
    ["01/2", null],
    ["2/1", null],
    ["1/2/3", null],
    ["", null],
  ])("%j", (text, expected) => {
    expect(parseShard(text)).toEqual(expected);
  });

  it("has nothing to say about no parts", () => {
    expect(partsFindings([], [], { digest: "" })).toEqual([]);
  });
});
