import { describe, expect, it } from "vitest";
import {
  CostQuality,
  type CostQualityProps,
  costQualityNotes,
  costQualityTable,
} from "../../../src/site/chart/cost-quality.tsx";
import { drawingOf, htmlOf, lookOf, shapesOf, wordsOf } from "./drawn.ts";

const point = (configuration: string, quality: number, cost: number | null) => ({
  key: configuration,
  look: lookOf(configuration),
  quality,
  cost,
});
const PROPS: CostQualityProps = {
  id: "q",
  quality: "Composite",
  cost: "Cost per solved sheet",
  points: [
    point("aurum-1@high", 0.9, 1),
    point("basalt-1@low", 0.5, 0.1),
    point("cobalt-1@max", 0.4, 2),
    point("cobalt-2@max", 0.95, 0),
    point("basalt-2@max", 0.3, null),
  ],
};

describe("quality against cost", () => {
  it("draws every result, and joins the front by steps", () => {
    const drawing = drawingOf(<CostQuality {...PROPS} />);
    expect(shapesOf(drawing, "chart-marker")).toHaveLength(5);
    expect(shapesOf(drawing, "chart-steps")[0]?.attributes.d?.match(/L/g)).toHaveLength(2);
    expect(shapesOf(drawing, "chart-range")).toEqual([]);
  });
  it("a cost of 0 never makes a result the cheapest of the front", () => {
    expect(costQualityTable(PROPS).rows).toEqual([
      ["basalt-1 low", "Basalt", "0.50", "$0.10", "yes"],
      ["aurum-1 high", "Aurum", "0.90", "$1.00", "yes"],
      ["cobalt-1 max", "Cobalt", "0.40", "$2.00", "no"],
      ["cobalt-2 max", "Cobalt", "0.95", "unknown or 0", "–"],
      ["basalt-2 max", "Basalt", "0.30", "unknown or 0", "–"],
    ]);
    expect(wordsOf(htmlOf(<CostQuality {...PROPS} />))).toContain("2 more have no known cost or cost 0");
  });
  it("numbers are shown as who draws them wants", () => {
    const text = (value: number): string => `${value * 100}%`;
    expect(wordsOf(drawingOf(<CostQuality {...PROPS} text={text} tick={text} />))).toContain(
      "composite 90%".slice(10),
    );
    expect(costQualityTable({ ...PROPS, text }).rows[1]?.[2]).toBe("90%");
  });
  it("nothing is said in words", () => {
    expect(htmlOf(<CostQuality {...PROPS} points={[]} />)).toContain("No result has a score yet.");
    expect(costQualityNotes({ ...PROPS, points: [] })).toEqual([]);
  });
});
