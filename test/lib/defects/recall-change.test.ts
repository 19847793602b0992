import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { folderData } from "../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../src/jobs/code-data.ts";
import { indexData, scopeOf } from "../../../src/lib/code/aggregate/index-data.ts";
import { judgesTable } from "../../../src/lib/code/aggregate/judges.ts";
import { FIRST_SELECTION } from "../../../src/lib/code/aggregate/selection.ts";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import type { Defect, Defects } from "../../../src/lib/code/schema/defects-schema.ts";
import { recallChange } from "../../../src/lib/defects/recall-change.ts";
import { withDefects } from "../../../src/lib/defects/with-defects.ts";
import * as facts from "../code/facts.ts";
import { factFiles, writeFacts } from "../code/write-facts.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const defect = (id: string, change: Partial<Defect> = {}): Defect => ({
  id,
  title: "Overflows",
  category: "correctness",
  severity: "high",
  method: "probe",
  probe: "p.sh",
  added_at: "2026-11-20T09:00:00.000Z",
  entries: [
    { run: "run-1", entry: "e1" },
    { run: "run-1", entry: "e2" },
  ],
  findings: [{ run: "run-1", session: "s1", finding: "f1" }],
  ...change,
});

/** Judge j-alpha reports D-1 in e1, nobody in e2; D-2, in e2 only, is reported by j-beta. */
async function dataWith(change: Partial<Defects>): Promise<Data> {
  const run = facts.run({
    council: {
      sessions: [
        facts.session("s1", "j-alpha", [9, 7], {
          reviews: [facts.review("A", 9, [facts.finding("f1")]), facts.review("B", 7)],
        }),
        facts.session("s2", "j-beta", [8, 8], {
          reviews: [facts.review("A", 8), facts.review("B", 8, [facts.finding("f1")])],
        }),
      ],
      revisions: [],
    },
  });
  const folder = writeFacts(factFiles([run], { "data/defects/coder.json": facts.defects({ ...change }) }));
  folders.push(folder);
  const { data, findings } = await readCodeData(folderData(folder), {
    synthetic: false,
    deliverables: false,
  });
  expect(findings).toEqual([]);
  return data as Data;
}

const second = defect("D-2", {
  entries: [{ run: "run-1", entry: "e2" }],
  findings: [{ run: "run-1", session: "s2", finding: "f1" }],
});
const both = [
  { run: "run-1", entry: "e1" },
  { run: "run-1", entry: "e2" },
];

describe("how judge recall moves when a defect counts", () => {
  it("by entries that showed it: reported where it is, missed where it is not", async () => {
    const data = await dataWith({ defects: [defect("D-1"), second] });
    expect(recallChange(data, { task: "coder", defect: "D-1" }, both).task).toEqual([
      { judge: "j-alpha", name: "j-alpha", before: { found: 0, of: 1 }, after: { found: 1, of: 3 } },
      { judge: "j-beta", name: "j-beta", before: { found: 1, of: 1 }, after: { found: 1, of: 3 } },
    ]);
  });

  it("an entry that did not show it counts for nobody", async () => {
    const data = await dataWith({ defects: [defect("D-1"), second] });
    const { task, overall } = recallChange(data, { task: "coder", defect: "D-1" }, both.slice(1));
    expect(task).toEqual([
      { judge: "j-alpha", name: "j-alpha", before: { found: 0, of: 1 }, after: { found: 0, of: 2 } },
      { judge: "j-beta", name: "j-beta", before: { found: 1, of: 1 }, after: { found: 1, of: 2 } },
    ]);
    expect(overall).toEqual(task);
  });

  it("nothing moves when it was shown nowhere, or is withdrawn", async () => {
    const none = { task: [], overall: [] };
    const data = await dataWith({ defects: [defect("D-1"), second] });
    expect(recallChange(data, { task: "coder", defect: "D-1" }, [])).toEqual(none);
    const withdrawn = await dataWith({
      defects: [defect("D-1"), second],
      revisions: [
        { kind: "withdraw", id: "x", at: "2026-11-21T09:00:00.000Z", by: "m", defect: "D-1", reason: "r" },
      ],
    });
    expect(recallChange(withdrawn, { task: "coder", defect: "D-1" }, both)).toEqual(none);
  });

  it("when all of its entries showed it, the numbers are the board's", async () => {
    const data = await dataWith({ defects: [defect("D-1"), second] });
    const index = indexData(data);
    const board = judgesTable(scopeOf(index, FIRST_SELECTION), index).judges;
    const { overall } = recallChange(data, { task: "coder", defect: "D-1" }, both);
    expect(overall.length).toBe(2);
    for (const { judge, after } of overall)
      expect(board.find((row) => row.judge === judge)?.recall).toMatchObject(after);
  });
});

it("a document of defects that is not merged yet moves judge recall as it will when it is", async () => {
  const without = await dataWith({ defects: [] });
  const merged = await dataWith({ defects: [defect("D-1"), second] });
  const document = facts.defects({ defects: [defect("D-1"), second] });
  const asIf = withDefects(without, document);
  expect(asIf.defects).toEqual(merged.defects);
  expect(asIf.entries).toEqual(merged.entries);
  for (const id of ["D-1", "D-2"]) {
    const key = { task: "coder", defect: id };
    expect(recallChange(asIf, key, both)).toEqual(recallChange(merged, key, both));
  }
  expect(withDefects(merged, facts.defects({})).defects).toEqual([]);
});
