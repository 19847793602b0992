import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Axis,
  linearAxis,
  linearDomain,
  logAxis,
  logDomain,
  timeAxis,
} from "../../../src/site/chart/scale.ts";
import { textLength } from "../../../src/site/chart/text-length.ts";
import { moneyTick, secondsTick, speedText, speedTick } from "../../../src/site/chart/units.ts";

const extent = { from: 50, to: 700 };
const money = { extent, format: moneyTick, fontSize: 12 };
const texts = (axis: Axis): string[] => axis.ticks.map(({ text }) => text);

describe("ticks are what people would choose", () => {
  it("money on a log axis at 1, 2 and 5 of each power of ten", () => {
    expect(texts(logAxis([0.04, 3], money))).toEqual(["$0.05", "$0.10", "$0.20", "$0.50", "$1", "$2"]);
  });
  it("fewer ticks over many powers of ten", () => {
    const shown = texts(logAxis([1e-6, 1e9], money));
    expect(shown.length).toBeGreaterThanOrEqual(3);
    expect(shown.length).toBeLessThan(16);
  });
  it("round ticks in between when a log axis is less than a power of ten", () => {
    expect(texts(logAxis([0.4, 0.5], money)).length).toBeGreaterThanOrEqual(3);
  });
  it("enough ticks when values are within a power of ten", () => {
    expect(texts(logAxis([0.65, 3.9], { ...money, format: speedTick }))).toEqual([
      "0.8×",
      "1×",
      "1.5×",
      "2×",
      "3×",
    ]);
  });
  it("time in round seconds, minutes and hours", () => {
    const time = { extent, format: secondsTick, fontSize: 12 };
    expect(texts(timeAxis([0, 45], time))).toContain("30 s");
    expect(texts(timeAxis([0, 1500], time))).toContain("10 min");
    expect(texts(timeAxis([0, 7300], time))).toEqual([
      "0",
      "15 min",
      "30 min",
      "45 min",
      "1 h",
      "1 h 15",
      "1 h 30",
      "1 h 45",
      "2 h",
    ]);
    expect(texts(timeAxis([0, 3 * 86_400], time))).toContain("1 d");
  });
  it("numbers are short and keep what they mean", () => {
    expect([0.05, 0.1, 0.425, 1, 1.5, 20, 1000, 2_500_000].map(moneyTick)).toEqual([
      "$0.05",
      "$0.10",
      "$0.425",
      "$1",
      "$1.50",
      "$20",
      "$1,000",
      "$2.5M",
    ]);
    expect([0.1 + 0.2, 0.5, 10].map(speedTick)).toEqual(["0.3×", "0.5×", "10×"]);
    expect([1.234, 0.01234, null].map(speedText)).toEqual(["1.23×", "0.012×", "–"]);
  });
});

describe("domains of odd values", () => {
  it("of nothing are there all the same", () => {
    expect(logDomain([])).toEqual([0.1, 10]);
    expect(linearDomain([])).toEqual([0, 1]);
    expect(linearDomain([Number.NaN])).toEqual([0, 1]);
  });
  it("of one value have it in the middle", () => {
    expect(logDomain([3, 3])).toEqual([1.5, 6]);
    expect(linearDomain([7, 7])).toEqual([6.3, 7.7]);
    expect(linearDomain([0])).toEqual([-0.5, 0.5]);
  });
  it("of zeros alone bars still have room", () => {
    const [low, high] = linearDomain([0, 0], true);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(0);
  });
  it("a log axis leaves 0 and what is below it out", () => {
    expect(logDomain([0, -4, 2])).toEqual([1, 4]);
  });
});

const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const positive = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

describe("for any values", () => {
  const cases = [
    { name: "linear", values: finite, axisOf: (values: number[]) => linearAxis(linearDomain(values), money) },
    { name: "log", values: positive, axisOf: (values: number[]) => logAxis(logDomain(values), money) },
    {
      name: "time",
      values: fc.double({ min: 0, max: 1e7, noNaN: true }),
      axisOf: (values: number[]) => timeAxis(linearDomain(values, true), money),
    },
  ];
  it.each(cases)("a $name axis is monotone and shows every value within its extent", ({ values, axisOf }) => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 20 }), (given) => {
        const axis = axisOf(given);
        const places = given.toSorted((a, b) => a - b).map(axis.at);
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(extent.from);
          expect(place).toBeLessThanOrEqual(extent.to);
          expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? extent.from) - 1e-6);
        }
      }),
    );
  });
  it.each(cases)(
    "ticks of a $name axis stand within it, at their values, and leave each other room",
    ({ values, axisOf }) => {
      fc.assert(
        fc.property(fc.array(values, { minLength: 1, maxLength: 20 }), (given) => {
          const { ticks, domain, at } = axisOf(given);
          expect(ticks.length).toBeGreaterThan(0);
          for (const [index, tick] of ticks.entries()) {
            expect(tick.value).toBeGreaterThanOrEqual(domain[0]);
            expect(tick.value).toBeLessThanOrEqual(domain[1]);
            expect(tick.at).toBe(at(tick.value));
            const before = ticks[index - 1];
            if (before === undefined) continue;
            const room = (textLength(before.text, 12) + textLength(tick.text, 12)) / 2;
            expect(tick.at - before.at).toBeGreaterThan(room);
          }
        }),
      );
    },
  );
});
