import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSchema } from "../../../src/lib/code/schema/run-schema.ts";
import { type CouncilRoot, council, makeCouncilRoot } from "./council-root.ts";

let root: CouncilRoot;
let runFile: string;
beforeAll(async () => {
  root = makeCouncilRoot(12);
  runFile = join(root.folder, "data/runs/new-run.json");
  await writeFile(runFile, (await readFile(runFile, "utf8")).replace('"basis": "spec"', '"basis": "brief"'));
});
afterAll(() => rm(root.folder, { recursive: true }));

/** Twelve reviews in one session: the time before packs knew no limit. */
const reviews = (): string =>
  [
    "# j-opus 2026-11-07T09:00:00.000Z 2026-11-07T10:00:00.000Z",
    ...Array.from({ length: 12 }, (_, index) => [
      `## entry-${index + 1} ${8 - index / 4}`,
      "- low: The comment on `encode` is wrong (`src/lib.rs:3`)",
      "- nit: Odd.",
    ]).flat(),
    "",
  ].join("\n");

describe("Methodology: Council, legacy reviews through the command line", () => {
  it("writes nothing while a finding has no category, then all of them at once", async () => {
    const file = join(root.folder, "reviews.md");
    await writeFile(file, reviews());
    const before = await readFile(runFile, "utf8");
    const args = ["import-legacy", file, "--run", "new-run", "--root", root.folder];
    const asked = await council(...args);
    expect(asked.code).toBe(1);
    expect(asked.err.match(/code-council-unclassified/g)).toHaveLength(12);
    expect(await readFile(runFile, "utf8")).toBe(before);

    const overrides = join(root.folder, "overrides.json");
    await writeFile(
      overrides,
      JSON.stringify({
        schema_version: 1,
        overrides: Array.from({ length: 12 }, (_, index) => ({
          ...{ judge: "j-opus", finding: `entry-${index + 1}-2`, category: "style" },
          reason: "Taste.",
        })),
      }),
    );
    const done = await council(...args, "--overrides", overrides);
    expect(done.code, done.err).toBe(0);
    const [session] = runSchema.parse(JSON.parse(await readFile(runFile, "utf8"))).council.sessions;
    expect(session?.reviews).toHaveLength(12);
    expect(
      session?.reviews[0]?.findings.map(({ category, classified_by }) => [category, classified_by]),
    ).toEqual([
      ["misleading-docs", "keywords"],
      ["style", "override"],
    ]);
    expect((await council(...args, "--overrides", overrides)).err).toContain("code-council-imported");
  }, 30_000);
});

describe("council calibrate", () => {
  it("sets a judge's scores of anchors against the panel that published them", async () => {
    const other = makeCouncilRoot(2);
    const file = join(other.folder, "data/runs/new-run.json");
    const text = await readFile(file, "utf8");
    const document = JSON.parse(text);
    const digest = `sha256:${"0".repeat(64)}`;
    document.council.sessions.push({
      ...{
        id: "s1",
        judge: "j-sol",
        started_at: "2026-11-20T09:00:00.000Z",
        finished_at: "2026-11-20T10:00:00.000Z",
      },
      pack: { sha256: digest, seed: "1", rubric: digest },
      order: [
        { letter: "K", anchor: "top" },
        { letter: "B", anchor: "bottom" },
        { letter: "C", entry: "entry-1" },
        { letter: "D", entry: "entry-2" },
      ],
      reviews: ["K", "B", "C", "D"].map((letter, index) => ({
        letter,
        score: [8.1, 3, 7, 7][index],
        findings: [],
      })),
    });
    await writeFile(file, JSON.stringify(document));
    const shown = await council("calibrate", "coder", "--root", other.folder);
    expect(shown.code, shown.err).toBe(0);
    // Panels: 7.8 and 3.5; without j-sol 8 and 3.
    expect(shown.out).toContain("against the panel  -0.10, n = 2, from -0.50 to +0.30");
    expect(shown.out).toContain("without the judge  +0.05, n = 2");
    expect(shown.out).toContain("new-run: -0.10, n = 2, from -0.50 to +0.30; panel of old-run");
    const json = JSON.parse((await council("calibrate", "coder", "--json", "--root", other.folder)).out);
    expect(json.judges[0].against_panel.offset).toBeCloseTo(-0.1, 12);
    expect((await council("calibrate", "nothing", "--root", other.folder)).err).toContain(
      "code-data-unknown-task",
    );
    // Reported, not applied: nothing in the data changed.
    expect(await readFile(file, "utf8")).toBe(JSON.stringify(document));
    await rm(other.folder, { recursive: true });
  }, 20_000);
});
