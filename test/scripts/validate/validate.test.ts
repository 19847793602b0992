import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { reportSchema } from "../../../src/lib/result-pr/report-schema.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "../../jobs/temp-suite.ts";
import { runScript, type ScriptRun } from "../run-script.ts";

let repository: TempRepository;
let honest: ResultDocument;
beforeAll(async () => {
  repository = await tempRepository();
  honest = await honestDocument(
    repository.root,
    { "tt-one": recipe(), "tt-two": recipe({ stateName: "region" }), "tt-bank": recipe() },
    {
      model: {
        id: "openai/gpt-4o",
        parameters: { temperature: 0, max_tokens: null, response_format: "none" },
      },
    },
  );
  await repository.write("out/honest.json", canonicalDocument(honest));
  await repository.write("out/raised.json", canonicalDocument({ ...honest, composite: 0.99 }));
});
afterAll(() => repository.remove());

/** From the folder `out` of the temporary repository, as a person would type it. */
const validate = async (...args: string[]): Promise<ScriptRun> => {
  const run = await runScript("validate", ["--root", "..", ...args], join(repository.root, "out"));
  expect(run.out + run.err).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return run;
};

describe("npm run bench:validate", () => {
  it("says that an honest file is valid, where it stands, and where it must lie", async () => {
    const run = await validate("honest.json");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toContain("Verdict: valid");
    expect(run.out).toContain(`Its place in the repository: ${resultPath(honest)}`);
    expect(run.out).toMatch(/Composite\s+0\.\d{6}\s+0\.\d{6}\n/);
    expect(run.out).toContain("Rank: 1 of 1");
  });

  it("shows claimed and recomputed number of a raised score, at its line", async () => {
    const run = await validate("raised.json");
    expect(run.code).toBe(1);
    expect(run.out).toContain("Verdict: invalid");
    expect(run.out).toMatch(/Composite\s+0\.990000\s+0\.\d{6}\s+\*/);
    expect(run.err).toMatch(/raised\.json:1:\d+ score-composite/);
    expect(run.err).toContain("result-composite");
  });

  it("writes the report that a workflow would", async () => {
    const run = await validate("--report", "made/report.json", "honest.json");
    expect(run.code).toBe(0);
    const text = await readFile(join(repository.root, "out/made/report.json"), "utf8");
    const report = reportSchema.parse(JSON.parse(text));
    expect(report).toMatchObject({
      mode: "local",
      verdict: "valid",
      results: [{ path: resultPath(honest) }],
    });
    expect(canonicalDocument(report)).toBe(text);
    const printed = await validate("--json", "honest.json");
    expect(printed.out).toBe(text);
    // Private members: nothing of the bank's workbook is in it.
    const bank = report.results[0]!.members.find(({ id }) => id === "tt-bank");
    expect(bank).toMatchObject({
      private: true,
      mismatches: [],
      claimed: { cell_match_rate: { matched: 0, union: 0 } },
    });
  });

  it("answers a missing file, a folder and something that is no result with findings", async () => {
    await repository.write("out/broken.json", '{"schema_version": 1,\n "schema_version": 1}');
    await repository.write("out/empty.json", "{}");
    for (const [file, code] of [
      ["nothing.json", "file-missing"],
      [".", "file-is-directory"],
      ["broken.json", "json-"],
      ["empty.json", "result-"],
    ] as const) {
      const run = await validate(file);
      expect(run.code).toBe(1);
      expect(run.err).toContain(code);
    }
    const broken = await validate("broken.json");
    expect(broken.err).toMatch(/broken\.json:2:\d+ json-/);
    expect((await validate("--report", "r.json")).code).toBe(2);
  });

  it("judges what is committed, and says when it cannot", async () => {
    expect(await validate()).toMatchObject({ code: 0, out: expect.stringContaining("0 committed results") });
    await repository.write(resultPath(honest), canonicalDocument(honest));
    const good = await validate();
    expect(good).toMatchObject({ code: 0, err: "" });
    expect(good.out).toContain("1 committed results: 1 valid");
    const place = resultPath(honest).replace(/-[0-9a-f]{8}\.json$/, "-00000000.json");
    await repository.write(place, canonicalDocument({ ...honest, composite: 0.99 }));
    const bad = await validate();
    expect(bad.code).toBe(1);
    expect(bad.out).toContain("1 valid, 0 incomplete, 1 invalid");
    expect(bad.err).toContain(`${place}:1:1 result-path`);
  });
});
