import { describe, expect, it } from "vitest";
import { type Json, mutations } from "../../../src/lib/mutate/mutations.ts";
import { renderMutations, standingOf, tally } from "../../../src/lib/mutate/table.ts";

const list = (document: Json) =>
  [...mutations(document)].map(({ pointer, kind, document: changed }) => [
    pointer,
    kind,
    JSON.stringify(changed),
  ]);

describe("mutations", () => {
  it("change one thing at a time, in every way that fits", () => {
    expect(list({ a: [1, 2], b: "x" })).toEqual([
      ["", "added", '{"a":[1,2],"b":"x","unheard_of":1}'],
      ["/a", "removed", '{"b":"x"}'],
      ["/a", "dropped", '{"a":[1],"b":"x"}'],
      ["/a", "doubled", '{"a":[1,1,2],"b":"x"}'],
      ["/a", "swapped", '{"a":[2,1],"b":"x"}'],
      ["/a/0", "value", '{"a":[2,2],"b":"x"}'],
      ["/a/0", "elsewhere", '{"a":[2,2],"b":"x"}'],
      ["/a/1", "value", '{"a":[1,3],"b":"x"}'],
      ["/a/1", "elsewhere", '{"a":[1,1],"b":"x"}'],
      ["/b", "value", '{"a":[1,2],"b":"xx"}'],
      ["/b", "removed", '{"a":[1,2]}'],
    ]);
  });

  it("never touch the document itself, and always change it", () => {
    const document: Json = {
      digest: `sha256:${"1".repeat(64)}`,
      at: "2026-11-30T10:15:59.000Z",
      "a/b~c": [
        { n: null, t: true },
        { n: 0, t: false },
      ],
    };
    const before = JSON.stringify(document);
    const all = [...mutations(document)];
    expect(all.length).toBeGreaterThan(15);
    for (const { document: changed } of all) expect(JSON.stringify(changed)).not.toBe(before);
    expect(JSON.stringify(document)).toBe(before);
    expect(all.map(({ pointer }) => pointer)).toContain("/a~1b~0c/1/n");
    expect(all.map(({ field }) => field)).toContain("/a~1b~0c/#/n");
  });
});

describe("the table of mutations", () => {
  const rows = tally([
    { field: "/score", kind: "value", codes: ["score-composite", "score-component"] },
    { field: "/score", kind: "removed", codes: ["score-composite"] },
    { field: "/model", kind: "value", codes: [] },
    { field: "/members/#/recipe/tables", kind: "swapped", codes: [] },
  ]);

  it("counts by field and calls what is not caught declared, or evidence inside a recipe", () => {
    expect(rows.map(standingOf)).toEqual(["recomputed", "declared", "evidence"]);
    expect(rows[0]).toMatchObject({ tried: 2, caught: 2, codes: ["score-composite", "score-component"] });
  });

  it("says first what is not caught", () => {
    const text = renderMutations(rows).join("\n");
    expect(text).toContain("4 changes of 3 fields were tried; 2 were caught.");
    expect(text.indexOf("`/model`")).toBeLessThan(text.indexOf("`/score`"));
  });
});
