import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dealParts, dealShares } from "../../../src/lib/result-pr/deal.ts";

const shares = fc.uniqueArray(fc.record({ key: fc.string(), work: fc.nat(1_000_000) }), {
  selector: ({ key }) => key,
  maxLength: 40,
});

describe("dealShares", () => {
  it("gives each share to exactly one shard, whatever the order they come in", () => {
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 9 }), (given, of) => {
        const dealt = dealShares(given, of);
        expect([...dealt.keys()].sort()).toEqual(given.map(({ key }) => key).sort());
        for (const shard of dealt.values()) expect(shard >= 1 && shard <= of).toBe(true);
        expect(dealShares([...given].reverse(), of)).toEqual(dealt);
      }),
    );
  });

  it("leaves no shard longer than the mean and one share more", () => {
    // Graham's bound for dealing to whoever has least.
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 9 }), (given, of) => {
        const loads = Array.from({ length: of }, () => 0);
        const dealt = dealShares(given, of);
        for (const { key, work } of given) {
          const at = (dealt.get(key) ?? 0) - 1;
          loads[at] = (loads[at] ?? 0) + work;
        }
        const total = given.reduce((sum, { work }) => sum + work, 0);
        const largest = Math.max(0, ...given.map(({ work }) => work));
        expect(Math.max(...loads)).toBeLessThanOrEqual(total / of + largest * (1 - 1 / of) + 1e-6);
      }),
    );
  });

  it("puts one giant on a shard of its own", () => {
    const dealt = dealShares(
      [
        { key: "a", work: 1 },
        { key: "b", work: 2 },
        { key: "giant", work: 100 },
        { key: "c", work: 3 },
      ],
      2,
    );
    expect(Object.fromEntries(dealt)).toEqual({ giant: 1, c: 2, b: 2, a: 2 });
  });
});

describe("dealParts", () => {
  const placed = fc.uniqueArray(
    fc.record({ key: fc.string(), work: fc.nat(1_000_000), vault: fc.boolean() }),
    { selector: ({ key }) => key, maxLength: 40 },
  );

  it("gives what needs the vault to the last parts, the rest to the others, each once", () => {
    fc.assert(
      fc.property(
        placed,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (given, hosted, vault) => {
          const dealt = dealParts(given, { shards: hosted + vault, vault });
          expect([...dealt.keys()].sort()).toEqual(given.map(({ key }) => key).sort());
          for (const share of given) expect((dealt.get(share.key) ?? 0) > hosted).toBe(share.vault);
        },
      ),
    );
  });

  it("without a part beside the vault is dealShares", () => {
    fc.assert(
      fc.property(placed, fc.integer({ min: 1, max: 4 }), (given, shards) => {
        expect(dealParts(given, { shards, vault: 0 })).toEqual(dealShares(given, shards));
      }),
    );
  });
});
