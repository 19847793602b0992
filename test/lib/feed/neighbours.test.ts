import { describe, expect, it } from "vitest";
import type { BoardRow } from "../../../src/lib/feed/board-schema.ts";
import { compareExactMatches, neighboursOf } from "../../../src/lib/feed/neighbours.ts";

/** `1` for a member that was matched exactly. */
const members = (pattern: string): Pick<BoardRow, "by_member"> => ({
  by_member: [...pattern].map((sign, index) => ({
    id: `m${index}`,
    status: sign === "1" ? "passed" : "partial",
    components: {
      deterministic_pass_rate: 1,
      exact_output_match: Number(sign),
      cell_match_rate: 1,
      value_address_f1: 1,
      header_accuracy: 1,
    },
  })),
});

const row = (rank: number | null, model: string, pattern: string): BoardRow =>
  ({ rank, model, ...members(pattern) }) as BoardRow;

describe("two results of one suite", () => {
  it("are compared by the members that only one of them matched", () => {
    expect(compareExactMatches(members("1111100"), members("1000001"))).toEqual({
      onlyUpper: 4,
      onlyLower: 1,
      // 2·(1 + 5)/32
      p: expect.closeTo(0.375, 12),
      verdict: "unclear",
    });
  });

  it("are clearly different from six members to none on", () => {
    expect(compareExactMatches(members("11111"), members("00000")).verdict).toBe("unclear");
    const clear = compareExactMatches(members("111111"), members("000000"));
    expect(clear).toMatchObject({ p: expect.closeTo(0.03125, 12), verdict: "clear" });
    expect(compareExactMatches(members("000000"), members("111111")).verdict).toBe("reversed");
  });

  it("that matched the same members, or none, are not told apart", () => {
    for (const pattern of ["", "0000", "1010"])
      expect(compareExactMatches(members(pattern), members(pattern))).toMatchObject({
        p: 1,
        verdict: "unclear",
      });
  });
});

describe("a board's ranks", () => {
  it("are each compared with the one below, and rows without a rank with none", () => {
    const rows = [row(2, "b/b", "110"), row(1, "a/a", "111"), row(null, "x/x", "111"), row(3, "c/c", "000")];
    expect(neighboursOf(rows).map(({ upper, lower }) => [upper.model, lower.model])).toEqual([
      ["a/a", "b/b"],
      ["b/b", "c/c"],
    ]);
    expect(neighboursOf(rows.slice(0, 1))).toEqual([]);
    expect(neighboursOf([])).toEqual([]);
  });
});
