import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSheetSuites } from "../../src/jobs/sheet-site.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { readFixture, type Staged, stage, unstage } from "../site/sheet/stage.ts";

let staged: Staged;
beforeEach(async () => {
  staged = await stage([readFixture("honest-result.json")]);
});
afterEach(() => unstage(staged));

const board = () => {
  const found = staged.boards.find(({ suite }) => suite.id === "rehearsal-1");
  if (found === undefined) throw new Error("no board");
  return found;
};
const pathOfResult = (): string => join(staged.root, board().rows[0]?.result.path ?? "");

describe("what the sheet pages are made from", () => {
  it("has every suite, the board's documents, and the sheets of members that may be shown", async () => {
    expect(staged.suites.map(({ suite }) => suite.id)).toEqual(staged.boards.map(({ suite }) => suite.id));
    const own = staged.suites.find(({ suite }) => suite.id === "rehearsal-1");
    expect(own?.results.map(({ digest, standing }) => [digest, standing.kind])).toEqual([
      [board().rows[0]?.result.digest, "standing"],
    ]);
    expect(own?.evidence).toHaveLength(10);
    expect(own?.evidence.every(({ reference }) => reference !== null)).toBe(true);
    const differing = own?.evidence.flatMap(({ id, produced }) => (produced.length > 0 ? [id] : []));
    // Two of them give the reference's table, though they found headers another way.
    expect(differing).toEqual([
      "r4-stacked-states",
      "r5-side-by-side-years",
      "r6-pivot-fill",
      "r7-glued-footnotes",
      "r8-two-tables",
    ]);
  });

  it("a document that is not there, or not the one that the board names, is a finding", async () => {
    writeFileSync(pathOfResult(), "{}\n");
    expect(await readSheetSuites(staged.root, [board()])).toMatchObject({
      ok: false,
      findings: [{ code: "site-document", actual: digestOf("{}\n") }],
    });
    rmSync(pathOfResult());
    expect(await readSheetSuites(staged.root, [board()])).toMatchObject({
      ok: false,
      findings: [{ code: "site-document", expected: board().rows[0]?.result.digest }],
    });
  });

  it("a board of another version of the suite is a finding", async () => {
    expect(existsSync(pathOfResult())).toBe(true);
    const other = { ...board(), suite: { ...board().suite, digest: digestOf("other") } };
    expect(await readSheetSuites(staged.root, [other])).toMatchObject({
      ok: false,
      findings: [{ code: "site-other-suite", actual: digestOf("other") }],
    });
  });
});
