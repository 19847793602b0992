import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boardHistory,
  type HistoryCommit,
  type HistoryDocument,
  type SheetChange,
} from "../../../src/lib/feed/history.ts";

const SUITE = { id: "gold", digest: "sha256:aa" };
const MODELS = ["a/one", "b/two", "c/three"].map((id) => ({ id, name: id.toUpperCase() }));

const result = (
  path: string,
  model: string,
  composite: number,
  day: number,
  supersedes: string | null = null,
): HistoryDocument => ({
  kind: "result",
  path,
  digest: `sha256:${path}`,
  suite: SUITE,
  model,
  composite,
  finished_at: `2026-11-${String(day).padStart(2, "0")}T00:00:00.000Z`,
  supersedes,
});
const withdrawal = (path: string, model: string, withdraws: string): HistoryDocument => ({
  kind: "withdrawal",
  path,
  suite: SUITE,
  model,
  withdraws: `sha256:${withdraws}`,
  reason: "a wrong prompt",
});

/** One commit a document, in order. */
function replay(documents: readonly HistoryDocument[], followRanks = true): SheetChange[] {
  const commits: HistoryCommit[] = documents.map(({ path }, place) => ({
    sha: String(place).padStart(40, "0"),
    at: "2026-12-01T00:00:00.000Z",
    pull: place + 1,
    files: [{ status: "added", path }],
  }));
  const changes = boardHistory(
    commits,
    new Map(documents.map((document) => [document.path, document])),
    MODELS,
    followRanks,
  );
  return changes.reverse().flatMap(({ what }) => (what.board === "sheet" ? what : []));
}

describe("the history of a board", () => {
  it("tells first results, newer ones and what they move", () => {
    const [first, second, third] = replay([
      result("r1", "a/one", 0.5, 1),
      result("r2", "b/two", 0.7, 2),
      result("r3", "a/one", 0.9, 3),
    ]);
    expect(first).toMatchObject({ kind: "first", name: "A/ONE", rank: { before: null, after: 1 } });
    expect(second).toMatchObject({ kind: "first", rank: { before: null, after: 1 } });
    expect(third).toMatchObject({
      kind: "newer",
      rank: { before: 2, after: 1 },
      composite: { before: 0.5, after: 0.9 },
    });
  });

  it("says of a result older than the one that counts that it changes nothing", () => {
    const [, older] = replay([result("r1", "a/one", 0.5, 5), result("r2", "a/one", 0.9, 1)]);
    expect(older).toMatchObject({
      kind: "older",
      composite: { before: 0.5, after: 0.5 },
      rank: { before: 1, after: 1 },
    });
  });

  it("tells withdrawals with their reason, and what counts again after them", () => {
    const [, , back] = replay([
      result("r1", "a/one", 0.5, 1),
      result("r2", "a/one", 0.9, 2),
      withdrawal("w", "a/one", "r2"),
    ]);
    expect(back).toMatchObject({
      kind: "withdrawn",
      reason: "a wrong prompt",
      composite: { before: 0.9, after: 0.5 },
    });
    const [, gone] = replay([result("r1", "a/one", 0.5, 1), withdrawal("w", "a/one", "r1")]);
    expect(gone).toMatchObject({ composite: { before: 0.5, after: null }, rank: { before: 1, after: null } });
  });

  it("gives no rank to a model that is not curated, and orders ties by model id as boards do", () => {
    const [own, tie, other] = replay([
      result("r1", "c/three", 0.5, 1),
      result("r2", "a/one", 0.5, 1),
      result("r3", "x/unknown", 0.9, 1),
    ]);
    expect([own?.rank?.after, tie?.rank?.after, other?.rank?.after]).toEqual([1, 1, null]);
    expect(other?.name).toBeNull();
  });

  it("follows no ranks where it is told so", () => {
    expect(replay([result("r1", "a/one", 0.5, 1)], false)[0]?.rank).toBeNull();
  });

  it("ends at the ranks that the standing results give, however they came", () => {
    const given = fc.array(
      fc.tuple(
        fc.constantFrom(...MODELS.map(({ id }) => id)),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 28 }),
      ),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(given, (list) => {
        const documents = list.map(([model, score, day], place) =>
          result(`r${String(place).padStart(2, "0")}`, model, score / 4, day),
        );
        const last = replay(documents).at(-1)!;
        const standing = MODELS.flatMap(({ id }) => {
          const own = documents.filter(({ model }) => model === id) as (HistoryDocument & {
            kind: "result";
          })[];
          const newest = own.reduce<(typeof own)[number] | null>(
            (best, one) => (best === null || one.finished_at >= best.finished_at ? one : best),
            null,
          );
          return newest === null ? [] : [newest];
        }).sort((a, b) => b.composite - a.composite || (a.model < b.model ? -1 : 1));
        expect(last.rank?.after).toBe(standing.findIndex(({ model }) => model === last.model) + 1);
      }),
    );
  });
});

describe("the history of the code benchmark", () => {
  it("says in words what each commit brought, and nothing of other files", () => {
    const files: HistoryCommit["files"] = [
      { status: "added", path: "data/runs/coder-l1-r1.json" },
      { status: "changed", path: "data/defects/coder.json" },
      { status: "added", path: "data/entries/coder-l1-r1/e01/src/lib.rs" },
    ];
    const [change, ...more] = boardHistory(
      [{ sha: "f".repeat(40), at: "2026-12-01T00:00:00.000Z", pull: null, files }],
      new Map(),
      [],
      true,
    );
    expect(more).toEqual([]);
    expect(change?.what).toEqual({
      board: "code",
      brings: ["run coder-l1-r1 came", "verified defects of coder changed"],
    });
  });
});
