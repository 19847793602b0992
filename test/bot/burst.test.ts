import { describe, expect, it } from "vitest";
import { measureBurst } from "../../rehearsal/burst/measure.ts";
import { planBurst } from "../../rehearsal/burst/plan.ts";

describe("a burst of pull requests", () => {
  it("F18, F28, F41, F42, F43: ends right whatever is lost, doubled, overtaken, or dies in between", async () => {
    const burst = await measureBurst({
      seed: 11,
      events: 40,
      within: 5 * 60_000,
      faults: 0.08,
      crashEvery: 250,
    });
    expect(burst.failures).toEqual([]);
    expect(burst.wrong).toEqual([]);
    // It really was rough, and something came of it.
    expect(burst.lost).toBeGreaterThan(0);
    expect(burst.doubled).toBeGreaterThan(0);
    expect(burst.crashes).toBeGreaterThan(0);
    expect(burst.merged).toBeGreaterThan(0);
    expect(burst.pulls).toBeGreaterThan(5);
  }, 240_000);

  it("is the same for the same seed, with every kind of event", () => {
    const plan = planBurst(5, 400, 3_600_000);
    expect(planBurst(5, 400, 3_600_000)).toEqual(plan);
    expect(planBurst(6, 400, 3_600_000)).not.toEqual(plan);
    expect(new Set(plan.map(({ deed }) => deed.do))).toEqual(
      new Set(["open", "push", "merge", "chat", "close"]),
    );
    const opened = new Set<number>();
    for (const { deed } of plan) {
      if (deed.do === "open") opened.add(deed.pull);
      expect(opened.has(deed.pull)).toBe(true);
    }
  });
});
