import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseRegistry, REGISTRY_PATH } from "../../src/lib/feed/schema.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import { readHonest } from "./corpus.ts";
import { codesOf, expectSafeWords, judged, judgedByBundles } from "./judged.ts";
import { makeScene, type Scene } from "./scene.ts";

/** Honest pull requests, however odd they look: none is blocked, and a person is asked only where the design wants it. */

const registry = parseRegistry(readFileSync(join(REPOSITORY, REGISTRY_PATH)));
const isCurated = (model: string): boolean =>
  registry.ok && registry.value.models.some(({ id }) => id === model);

let scene: Scene;
beforeAll(async () => {
  scene = await makeScene();
});
afterAll(() => scene.project.remove());

const cases = await readHonest();

it.each(cases.map(({ name, case: honest }) => [honest.title, name, honest] as const))(
  "%s (%s)",
  async (_title, _name, honest) => {
    const seen = await judged(scene, await honest.make(scene));
    const { report, comment, check } = seen;
    expect([report.verdict, codesOf(report)]).toEqual([honest.verdict, honest.codes]);
    expectSafeWords(seen);
    expect(comment).not.toMatch(/❌|⚠️ Assay failed/);
    expect(check.conclusion).toBe(
      honest.verdict !== "valid"
        ? "action_required"
        : report.results.length > 0 || report.code !== undefined
          ? "success"
          : "neutral",
    );
    for (const result of report.results) {
      // What is claimed is what is shown, and a curated model gets its rank.
      if (honest.verdict !== "incomplete") expect(result.recomputed).toEqual(result.claimed);
      expect(result.rank.after !== null).toBe(honest.verdict !== "incomplete" && isCurated(result.model));
    }
  },
);

it("there are enough of them, each with a title and a reason of its own", () => {
  expect(cases.length).toBeGreaterThanOrEqual(20);
  for (const words of [cases.map((each) => each.case.title), cases.map((each) => each.case.why)])
    expect(new Set(words).size).toBe(cases.length);
});

it("F01: a fork's pull request gives the bytes that a branch's gives, and the bundles say the same", async () => {
  const pull = { head: scene.project.commit({ "docs/x.md": { data: "x\n" } }, scene.base) };
  const withResult = await cases.find(({ name }) => name === "plain")?.case.make(scene);
  for (const each of [pull, withResult ?? pull]) {
    const { text } = await judged(scene, each);
    expect((await judged(scene, { ...each, fetched: true })).text).toBe(text);
    expect(judgedByBundles(scene, each)).toBe(text);
  }
});

it("F25: equal scores are ordered by the models' names, whoever comes first", async () => {
  const tie = await cases.find(({ name }) => name === "tie")?.case.make(scene);
  if (tie === undefined) throw new Error("there is no tie");
  const { report } = await judged(scene, tie);
  const standings = report.results[0]?.rank.neighbours ?? [];
  const equal = standings.filter(({ composite }) => composite === report.results[0]?.claimed.composite);
  expect(equal.length).toBeGreaterThan(1);
  expect(equal.map(({ model }) => model)).toEqual(equal.map(({ model }) => model).sort());
});
