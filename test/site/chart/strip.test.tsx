import { describe, expect, it } from "vitest";
import type { LeadsCompared } from "../../../src/lib/code/aggregate/leads.ts";
import { LeadStrips, leadStripsTable } from "../../../src/site/chart/strip.tsx";
import { drawingOf, htmlOf, lookOf, shapesOf, wordsOf } from "./drawn.ts";

const COMPARED: LeadsCompared = {
  tasks: ["parser"],
  leads: [
    {
      lead: "aurum-1@high",
      median: 7,
      mean: 5.5,
      strip: [
        { configuration: "basalt-1@low", final: 9 },
        { configuration: "cobalt-1@max", final: 7 },
        { configuration: "cobalt-2@max", final: 0.5 },
      ],
    },
    { lead: "basalt-1@low", median: 6.5, mean: 6.5, strip: [{ configuration: "basalt-1@low", final: 6.5 }] },
    { lead: "cobalt-1@max", median: null, mean: null, strip: [] },
  ],
};
const strips = <LeadStrips id="l" compared={COMPARED} lookOf={lookOf} />;

/** Where the scores of a lead stand. */
const scoresOf = (lead: number): number[] =>
  [...(shapesOf(drawingOf(strips), "chart-score")[lead]?.attributes.d ?? "").matchAll(/M(\S+) /g)].map(
    ([, x]) => Number(x),
  );

describe("leads compared", () => {
  it("each configuration of each lead is a mark, better ones further right", () => {
    const places = scoresOf(0);
    expect(places).toHaveLength(3);
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    expect(scoresOf(1)).toHaveLength(1);
  });
  it("the median is a mark of its own, at its value, with its number", () => {
    const drawing = drawingOf(strips);
    const [first] = shapesOf(drawing, "chart-median");
    const at = Number(/^M(\S+) /.exec(first?.attributes.d ?? "")?.[1]);
    expect(at).toBe(scoresOf(0)[1]);
    expect(shapesOf(drawing, "chart-median")).toHaveLength(2);
    expect(wordsOf(drawing)).toContain("7.00");
  });
  it("the mean is said on hover and focus", () => {
    const [row] = shapesOf(drawingOf(strips), "chart-row");
    expect(row?.attributes["aria-label"]).toBe(
      "aurum-1 high 7.00: median 7.00, mean 5.50, 3 configurations from 0.50 to 9.00",
    );
    const tip = row?.attributes["data-tip"];
    expect(wordsOf(htmlOf(strips).split(`id="${tip}"`)[1] ?? "")).toContain("mean 5.50");
  });
  it("a lead without a score is there, and says so", () => {
    expect(wordsOf(drawingOf(strips))).toContain("no score yet");
    expect(shapesOf(drawingOf(strips), "chart-row")).toHaveLength(3);
  });
  it("the table holds medians, means and every score", () => {
    const { columns, rows } = leadStripsTable({ compared: COMPARED, lookOf });
    expect(columns.map(({ title }) => title)).toEqual([
      "Configuration",
      "aurum-1 high",
      "basalt-1 low",
      "cobalt-1 max",
    ]);
    expect(rows).toEqual([
      ["Median", "7.00", "6.50", "–"],
      ["Mean", "5.50", "6.50", "–"],
      ["Configurations", "3", "1", "0"],
      ["basalt-1 low", "9.00", "6.50", "–"],
      ["cobalt-1 max", "7.00", "–", "–"],
      ["cobalt-2 max", "0.50", "–", "–"],
    ]);
  });
  it("no leads, and no scores at all, are said in words", () => {
    expect(htmlOf(<LeadStrips id="l" compared={{ tasks: [], leads: [] }} lookOf={lookOf} />)).not.toContain(
      "<svg",
    );
    const silent = { tasks: [], leads: COMPARED.leads.slice(2) };
    expect(wordsOf(htmlOf(<LeadStrips id="l" compared={silent} lookOf={lookOf} />))).toContain(
      "no lead has a score yet",
    );
  });
});
