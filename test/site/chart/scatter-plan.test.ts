import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxesOverlap } from "../../../src/site/chart/labels.ts";
import { LAYOUTS, WIDE } from "../../../src/site/chart/layout.ts";
import { shortName } from "../../../src/site/chart/look.ts";
import type { ScatterPoint } from "../../../src/site/chart/scatter-input.ts";
import { planScatter } from "../../../src/site/chart/scatter-plan.ts";
import { textLength } from "../../../src/site/chart/text-length.ts";
import { lookOf } from "./drawn.ts";

const pointOf = (
  key: string,
  x: number | null,
  y: number,
  more: Partial<ScatterPoint> = {},
): ScatterPoint => ({
  key,
  look: lookOf(key),
  x,
  y,
  xRange: null,
  yRange: null,
  onFront: false,
  description: "",
  tip: [],
  ...more,
});

describe("the plan of a scatter", () => {
  const points = fc.uniqueArray(
    fc.record({
      key: fc
        .tuple(fc.constantFrom("aurum", "basalt", "cobalt"), fc.nat(9999))
        .map(([v, n]) => `${v}-${n}@xhigh`),
      x: fc.option(fc.double({ min: 1e-3, max: 1e3, noNaN: true })),
      y: fc.double({ min: 0, max: 10, noNaN: true }),
      onFront: fc.boolean(),
      spread: fc.double({ min: 0, max: 2, noNaN: true }),
    }),
    { selector: ({ key }) => key, maxLength: 30 },
  );
  it("labels never lie on each other, on the band's edge or outside; ranges hold their mark", () => {
    fc.assert(
      fc.property(
        points,
        fc.constantFrom(...LAYOUTS),
        fc.option(fc.double({ min: 1e-4, max: 1e4, noNaN: true })),
        (given, layout, budget) => {
          const plan = planScatter(
            {
              points: given.map(({ key, x, y, onFront, spread }) =>
                pointOf(key, x, y, {
                  onFront: onFront && x !== null,
                  yRange: { min: y - spread, max: y + spread },
                  xRange: x === null ? null : { min: x / (1 + spread), max: x * (1 + spread) },
                }),
              ),
              steps: [],
              budget,
            },
            layout,
          );
          for (const [index, { box }] of plan.labels.entries()) {
            expect(box.x).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(plan.width);
            expect(box.y).toBeGreaterThanOrEqual(plan.plot.y);
            for (const other of plan.labels.slice(index + 1))
              expect(boxesOverlap(box, other.box)).toBe(false);
          }
          expect(plan.labels.length + plan.unlabelled.length).toBe(given.length);
          for (const { x, y, vertical, horizontal } of plan.marks) {
            expect(y).toBeLessThanOrEqual(vertical!.y1 + 1e-6);
            expect(y).toBeGreaterThanOrEqual(vertical!.y2 - 1e-6);
            if (horizontal === null) continue;
            expect(x).toBeGreaterThanOrEqual(horizontal.x1 - 1e-6);
            expect(x).toBeLessThanOrEqual(horizontal.x2 + 1e-6);
          }
          if (plan.budget !== null) {
            expect(plan.budget.label.x).toBeGreaterThanOrEqual(plan.plot.x);
            expect(plan.budget.label.x + plan.budget.label.width).toBeLessThanOrEqual(
              plan.plot.x + plan.plot.width + 1e-6,
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });
  it("long ticks of the score make room for themselves, and none of the cost reaches over the edge", () => {
    for (const layout of LAYOUTS) {
      const points = [pointOf("aurum-1@high", 0.42, 0.6701), pointOf("basalt-1@high", 1.1, 0.6702)];
      const { plot, xAxis, yAxis } = planScatter({ points, steps: [], budget: null }, layout);
      for (const { text } of yAxis.ticks) expect(textLength(text, layout.tickSize)).toBeLessThan(plot.x);
      for (const { text, at } of xAxis.ticks)
        expect(at + textLength(text, layout.tickSize) / 2).toBeLessThanOrEqual(layout.width);
      expect(xAxis.ticks.length).toBeGreaterThan(1);
    }
  });
  it("the front has its labels before others", () => {
    const crowd = Array.from({ length: 60 }, (_, n) =>
      pointOf(`aurum-${n}@high`, 1 + n / 1000, 5 + (n % 7) / 1000),
    );
    const front = pointOf("cobalt-1@high", 1.03, 4.999, { onFront: true });
    const { labels, unlabelled } = planScatter({ points: [...crowd, front], steps: [], budget: null }, WIDE);
    expect(unlabelled.length).toBeGreaterThan(0);
    expect(labels[0]?.key).toBe(front.key);
  });
  it("the front is drawn last, so that it lies on top", () => {
    const { marks } = planScatter(
      {
        points: [pointOf("a-1@x", 1, 9, { onFront: true }), pointOf("b-1@x", 2, 8)],
        steps: [],
        budget: null,
      },
      WIDE,
    );
    expect(marks.at(-1)?.point.key).toBe("a-1@x");
  });
  it("of marks at one place those below are larger, so that none is hidden", () => {
    const { marks } = planScatter(
      { points: ["a", "b", "c"].map((key) => pointOf(key, 1, 5)), steps: [], budget: null },
      WIDE,
    );
    const sizes = marks.map(({ size }) => size);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(3);
    expect(new Set(marks.map(({ x, y }) => `${x} ${y}`)).size).toBe(1);
  });
  it("in the band, marks of one height stand side by side", () => {
    const { marks, band } = planScatter(
      { points: ["a", "b", "c"].map((key) => pointOf(key, null, 5)), steps: [], budget: null },
      WIDE,
    );
    expect(new Set(marks.map(({ x }) => x)).size).toBe(3);
    for (const { x } of marks) expect(x).toBeLessThan(band!.x + band!.width);
  });
});

describe("a name that is cut", () => {
  it("keeps the effort whole", () => {
    expect(shortName({ ...lookOf("aurum@xhigh"), name: "A very long name" }, 14)).toBe("A very … xhigh");
  });
  it("is cut with its effort where that leaves it no room", () => {
    expect(shortName({ ...lookOf("aurum@xhigh"), name: "A long name" }, 8)).toBe("A long …");
  });
  it("leaves a default effort out", () => {
    expect(shortName({ ...lookOf("aurum@default"), name: "Name" }, 20)).toBe("Name");
  });
});
