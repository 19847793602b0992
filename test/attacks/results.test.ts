import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObjectReader } from "../../src/io/git.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { gitResults } from "../../src/jobs/results-tree.ts";
import { mergeable } from "../../src/lib/bot/merge.ts";
import { git } from "../actions/pull-requests.ts";
import type { Attack } from "../fixtures/attacks/attack.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import { KINDS, readAttacks, readHonest } from "./corpus.ts";
import { codesOf, expectSafeWords, judged, judgedByBundles, ownWords } from "./judged.ts";
import { makeScene, type Scene } from "./scene.ts";

/**
 * Forged and hostile pull requests, each against a real git repository: it comes back as exactly the findings that its
 * file names; nothing crashes, nothing moves, and nothing that the bot would write says anything but that.
 */

let scene: Scene;
let before: string;
beforeAll(async () => {
  scene = await makeScene();
  before = await board();
});
afterAll(() => scene.project.remove());

/** Heads of the attacks that were made already. */
const heads = new Map<Attack, string>();

/** What would be published of a commit. */
async function feedOf(commit: string) {
  const { gitDir, checkout } = scene.project;
  const reader = new ObjectReader(gitDir);
  const computed = await computeFeed({
    root: checkout,
    sourceTree: git(gitDir, ["rev-parse", `${commit}^{tree}`]),
    results: await gitResults(reader, commit),
  });
  reader.close();
  return computed;
}

/** Everything that is published of main, and where main stands. */
async function board(): Promise<string> {
  const main = git(scene.project.gitDir, ["rev-parse", "refs/heads/main"]);
  const computed = await feedOf(main);
  if (!computed.ok) throw new Error(JSON.stringify(computed.findings));
  return JSON.stringify([main, computed.value.files]);
}

const corpus = await Promise.all(KINDS.map(async (kind) => ({ kind, attacks: await readAttacks(kind) })));

describe.each(corpus)("$kind", ({ attacks }) => {
  it.each(attacks.map(({ name, case: attack }) => [attack.title, name, attack] as const))(
    "%s (%s)",
    async (_title, _name, attack) => {
      const pull = await attack.make(scene);
      heads.set(attack, pull.head);
      const seen = await judged(scene, pull);
      const { report, comment, check } = seen;
      expect([report.verdict, codesOf(report)]).toEqual([attack.verdict, [...attack.codes].sort()]);
      expectSafeWords(seen);
      // Nobody is told that it holds, and no command merges it before a person has looked.
      expect(mergeable(report.verdict, false)).toBe(false);
      expect(check.conclusion).not.toBe("success");
      const said = [comment, check.summary].map(ownWords).join("\n");
      expect(`${check.title}\n${said}`).not.toMatch(/✅|\bValid\b|Accepted/);
      if (attack.verdict === "invalid") {
        expect(mergeable(report.verdict, true)).toBe(false);
        expect(comment).toMatch(/^<!-- assay:result head=[0-9a-f]{40} kind=verdict -->\n## ❌ Invalid/);
        for (const { rank } of report.results) expect(rank.after).toBeNull();
      }
      if (attack.never !== undefined)
        expect(seen.text + comment + JSON.stringify(check)).not.toContain(attack.never);
    },
  );

  it("the bundles that ship say the same", async () => {
    for (const { case: attack } of attacks.slice(0, 1)) {
      const pull = await attack.make(scene);
      expect(judgedByBundles(scene, pull)).toBe((await judged(scene, pull)).text);
    }
  });
});

it("the board is what it was", async () => {
  expect(await board()).toBe(before);
});

it("there are enough of them, each with a title and a hope of its own", () => {
  const all = corpus.flatMap(({ attacks }) => attacks.map(({ case: attack }) => attack));
  expect(all.length).toBeGreaterThanOrEqual(60);
  for (const words of [all.map(({ title }) => title), all.map(({ hope }) => hope)])
    expect(new Set(words).size).toBe(all.length);
});

describe("even if it came to main without a verdict", () => {
  const dishonest = corpus
    .filter(({ kind }) => kind === "scores" || kind === "recipes")
    .flatMap(({ attacks }) => attacks)
    .filter(({ case: attack }) => attack.verdict === "invalid");

  it.each(dishonest.map(({ name, case: attack }) => [attack.title, name, attack] as const))(
    "F20: no feed is made of it: %s (%s)",
    async (_title, _name, attack) => {
      const head = heads.get(attack) ?? (await attack.make(scene)).head;
      expect((await feedOf(head)).ok).toBe(false);
    },
  );

  it("F20: no feed is made of ten thousand files that are no results, and nothing falls over", async () => {
    const many = corpus
      .flatMap(({ attacks }) => attacks)
      .find(({ name }) => name === "ten-thousand-files")?.case;
    const pull = await many?.make(scene);
    expect((await feedOf(pull?.head ?? "")).ok).toBe(false);
  });
});

/** Codes that no pull request of this corpus can set off: what they guard against is caught before. */
const UNREACHABLE = new Set(["result-suite-id"]);

it("every rule about pull requests and results is set off by some of them, or by an honest one", async () => {
  const cases = [...corpus.flatMap(({ attacks }) => attacks), ...(await readHonest())];
  const met = new Set(cases.flatMap((each) => each.case.codes));
  const lib = join(REPOSITORY, "src/lib");
  const rules = ["rules", "code-rules"].flatMap((folder) =>
    readdirSync(join(lib, "result-pr", folder)).map((name) => join("result-pr", folder, name)),
  );
  const files = [
    ...rules,
    ...["member", "run", "suite"].map((what) => `benchmarks/result-${what}-rules.ts`),
    "strict-json/scan.ts",
    "strict-json/parse.ts",
    "result-pr/code-copies.ts",
  ];
  const codes = files.flatMap((file) =>
    [
      ...readFileSync(join(lib, file), "utf8").matchAll(
        /"((?:pr|code-pr|code-entry|result|json)-[a-z0-9-]+)"/g,
      ),
    ].map(([, code = ""]) => code),
  );
  expect(codes.length).toBeGreaterThan(60);
  expect([...new Set(codes)].filter((code) => !met.has(code) && !UNREACHABLE.has(code))).toEqual([]);
});
