import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change, Side } from "../../../src/lib/result-pr/change-set.ts";
import { changesFromBoth } from "../../../src/lib/result-pr/merge-bases.ts";

type Tree = Readonly<Record<string, string | undefined>>;
const NAMES = ["a", "b", "c", "d"];
const side = (oid: string | undefined): Side | null => (oid === undefined ? null : { mode: "100644", oid });

/** The slow and obvious way: every name, looked up on both sides. */
const diff = (before: Tree, after: Tree): Change[] =>
  NAMES.filter((name) => before[name] !== after[name]).map((path) => ({
    path,
    status: before[path] === undefined ? "added" : after[path] === undefined ? "deleted" : "modified",
    before: side(before[path]),
    after: side(after[path]),
  }));

/** A three-way merge by whole files; where both sides changed a file differently, the first one's stands. */
const merge = (common: Tree, first: Tree, second: Tree): Tree =>
  Object.fromEntries(NAMES.map((name) => [name, first[name] === common[name] ? second[name] : first[name]]));

const tree: fc.Arbitrary<Tree> = fc
  .array(fc.constantFrom(undefined, "1", "2", "3"), { minLength: 4, maxLength: 4 })
  .map((oids) => Object.fromEntries(NAMES.map((name, index) => [name, oids[index]])));

describe("what a branch changed against two ancestors", () => {
  it("F14: is what it changed against the merge of both", () => {
    fc.assert(
      fc.property(tree, tree, tree, tree, (common, first, second, head) => {
        expect(changesFromBoth(diff(first, head), diff(common, first), diff(common, second))).toEqual(
          diff(merge(common, first, second), head),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
