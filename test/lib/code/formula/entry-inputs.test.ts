import { beforeAll, describe, expect, it } from "vitest";
import { folderData } from "../../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../../src/jobs/code-data.ts";
import type { Data } from "../../../../src/lib/code/derive/data-schema.ts";
import { entryFormulas } from "../../../../src/lib/code/formula/entry-inputs.ts";
import { FORMULAS } from "../../../../src/lib/code/formula/registry.ts";
import { syntheticFiles } from "../../../../src/lib/code/synthetic/round.ts";
import { writeFacts } from "../write-facts.ts";

let data: Data;
beforeAll(async () => {
  const plan = { seed: 5, start: "2026-11-02T09:00:00.000Z", rounds: 1, deliverables: false };
  const files = new Map([...syntheticFiles(plan)].map(({ path, text }) => [path, text]));
  const read = await readCodeData(folderData(writeFacts(files)), { synthetic: true, deliverables: false });
  if (read.data === null) throw new Error("nothing was derived");
  data = read.data;
});

describe("the numbers of data.json", () => {
  it("are what their formulas give from the inputs that are shown with them, for every entry of a round", () => {
    const runs = new Map(data.runs.map((run) => [run.id, run]));
    const seen = new Map<string, number>();
    for (const entry of data.entries)
      for (const { formula, input, value } of entryFormulas(entry, runs.get(entry.run)!)) {
        const worked = FORMULAS.find(({ name }) => name === formula)!.compute(
          JSON.stringify(input),
          "x.json",
        );
        if (!worked.ok) throw new Error(JSON.stringify(worked.findings));
        expect(worked.value.result.value, `${formula} of ${entry.run}/${entry.id}`).toBeCloseTo(value, 10);
        seen.set(formula, (seen.get(formula) ?? 0) + 1);
      }
    expect([...seen.keys()].sort()).toEqual([
      "council-score",
      "cross-vendor-score",
      "defect-points",
      "final-score",
      "slop",
      "task-speed",
    ]);
    for (const count of seen.values()) expect(count).toBeGreaterThan(500);
  });

  it("of an entry that did not finish are none", () => {
    const unfinished = data.entries.filter(({ dnf }) => dnf !== null);
    expect(unfinished.length).toBeGreaterThan(0);
    for (const entry of unfinished)
      expect(entryFormulas(entry, data.runs.find(({ id }) => id === entry.run)!)).toEqual([]);
  });
});
