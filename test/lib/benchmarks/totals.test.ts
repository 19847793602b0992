import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, totalsOf } from "../../../src/lib/benchmarks/totals.ts";
import { attempt, failedMember, passedMember, skippedMember } from "./documents.ts";

const costs = (...values: (number | null)[]) => [
  { attempts: values.map((cost_usd) => attempt({ cost_usd })) },
];

describe("cost", () => {
  it("adds decimals exactly: 0.1 and 0.2 are 0.3", () => {
    expect(costOf(costs(0.1, 0.2))).toEqual({ total_usd: 0.3, complete: true });
    expect(costOf(costs(0.1, 0.2, null))).toEqual({ total_usd: 0.3, complete: false });
  });

  it("unknown is null, never 0; no calls cost nothing", () => {
    expect(costOf(costs(null))).toEqual({ total_usd: null, complete: false });
    expect(costOf([])).toEqual({ total_usd: 0, complete: true });
    expect(costOf([], 1)).toEqual({ total_usd: null, complete: false });
    expect(costOf(costs(0.5), 1)).toEqual({ total_usd: 0.5, complete: false });
  });

  it("does not depend on the order of calls", () => {
    const cost = fc.nat(10_000_000).map((micros) => micros / 1e7);
    fc.assert(
      fc.property(fc.array(cost, { maxLength: 30 }), (values) => {
        expect(costOf(costs(...values))).toEqual(costOf(costs(...[...values].reverse())));
        const { total_usd } = costOf(costs(...values));
        if (values.length > 0)
          expect(total_usd).toBeCloseTo(
            values.reduce((sum, value) => sum + value, 0),
            9,
          );
      }),
    );
  });
});

describe("totals", () => {
  it("count members by status and calls by attempt", () => {
    const members = [passedMember("a"), failedMember("b"), skippedMember("c")];
    expect(totalsOf(members)).toEqual({
      members: 3,
      passed: 1,
      partial: 0,
      failed: 1,
      skipped: 1,
      calls: 3,
      prompt_tokens: 300,
      completion_tokens: 60,
    });
    expect(totalsOf(members, 2).calls).toBe(5);
  });

  it("tokens nobody reported are null", () => {
    expect(totalsOf([passedMember("a", { attempts: [attempt({ usage: null })] })]).prompt_tokens).toBeNull();
    expect(totalsOf([skippedMember("a")]).prompt_tokens).toBe(0);
  });
});
