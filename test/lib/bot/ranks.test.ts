import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankOnBoard } from "../../../src/lib/bot/ranks.ts";
import { LATER_RESULT } from "../../../src/lib/result-pr/report.ts";
import { result } from "../words/reports.ts";
import { board } from "./boards.ts";

const others = [
  ["acme/inkwell", 0.94],
  ["baseline/heuristic", 0.61],
] as const;

describe("F21: the rank of an open result on the published board", () => {
  it("follows what others brought", () => {
    expect(rankOnBoard(result(), board([["acme/newcomer", 0.92], ...others]))).toMatchObject({
      before: null,
      after: 3,
      of: 4,
      neighbours: [
        { model: "acme/inkwell", rank: 1 },
        { model: "acme/newcomer", rank: 2 },
        { model: "acme/quill", composite: 0.9125, rank: 3 },
        { model: "baseline/heuristic", rank: 4 },
      ],
    });
  });
  it("takes the place of the model's own older result", () => {
    const own = board([
      ["acme/inkwell", 0.94],
      ["acme/quill", 0.5],
      ["baseline/heuristic", 0.61],
    ]);
    expect(rankOnBoard(result(), own)).toMatchObject({ before: 3, after: 2, of: 3 });
  });
  it("is none where the model's newest is newer, and comes back when that goes", () => {
    const newer = board([["acme/quill", 0.5]]);
    for (const row of newer.rows) row.finished_at = "2027-01-01T00:00:00.000Z";
    const rank = rankOnBoard(result(), newer);
    expect(rank).toMatchObject({ after: null, reason: LATER_RESULT });
    expect(rankOnBoard(result({ rank }), board([...others]))).toMatchObject({ after: 2, of: 3 });
  });
  it("stays what it is on a board of another suite, without recomputed scores, or for another reason", () => {
    const full = board([...others]);
    const other = { ...full, suite: { ...full.suite, digest: `sha256:${"9".repeat(64)}` } };
    expect(rankOnBoard(result(), other)).toEqual(result().rank);
    expect(rankOnBoard(result({ recomputed: null }), full)).toEqual(result().rank);
    const rank = { before: null, after: null, of: 3, neighbours: [], reason: "not curated" };
    expect(rankOnBoard(result({ rank }), full)).toEqual(rank);
  });
  it("is one more than the number of better ones, ties by name", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 8 }), (scores) => {
        const standings = scores.map((value) => [`acme/z${value}`, 0.9085 + value / 1000] as const);
        const better = standings.filter(([, composite]) => composite > 0.9125).length;
        expect(rankOnBoard(result(), board(standings)).after).toBe(better + 1);
      }),
    );
  });
});
