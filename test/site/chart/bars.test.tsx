import { describe, expect, it } from "vitest";
import type {
  SlopBar,
  SpeedBar,
  SpeedChart,
  TimeChartBar,
} from "../../../src/lib/code/aggregate/bar-charts.ts";
import type { Spread } from "../../../src/lib/code/aggregate/nest.ts";
import { planBars } from "../../../src/site/chart/bar-plan.ts";
import { Bars, barsTable } from "../../../src/site/chart/bars.tsx";
import { boxesOverlap } from "../../../src/site/chart/labels.ts";
import { LAYOUTS, NARROW, WIDE } from "../../../src/site/chart/layout.ts";
import { Slop, slopTable } from "../../../src/site/chart/slop.tsx";
import { Speed, SpeedProxies, speedNotes, speedTable } from "../../../src/site/chart/speed.tsx";
import { Time, timeNotes, timeTable } from "../../../src/site/chart/time.tsx";
import { speedTick } from "../../../src/site/chart/units.ts";
import { drawingOf, htmlOf, lookOf, numberOf, shapesOf, wordsOf } from "./drawn.ts";

const spread = (min: number, max: number): Spread => ({ n: 2, sd: 0.1, min, max, replicates: [] });

const speedBar = (configuration: string, speedup: number, range: Spread | null = null): SpeedBar => ({
  configuration,
  vendor: lookOf(configuration).vendor.id,
  speedup,
  range,
  n: 2,
  of: 3,
});
const SPEED: SpeedChart = {
  bars: [
    speedBar("aurum-1@high", 4, spread(3, 5)),
    speedBar("basalt-1@low", 1),
    speedBar("cobalt-1@max", 0.25),
  ],
  proxies: [speedBar("basalt-2@low", 1.5)],
  baselines: [
    {
      id: "asm",
      label: "Assembly *",
      speedup: 6,
      note: "needs an instruction set that contestants may not use",
    },
    { id: "c", label: "Plain C", speedup: 1.05, note: null },
  ],
  without: [{ configuration: "cobalt-2@max", reason: "the perf workload's output was wrong" }],
};
const speed = <Speed id="s" chart={SPEED} lookOf={lookOf} />;

describe("speed", () => {
  it("bars begin at 1×: faster ones go right, slower ones left, as far for a quarter as for four times", () => {
    for (const { id } of LAYOUTS) {
      const [fast, same, slow] = shapesOf(drawingOf(speed, id), "chart-bar");
      const one = numberOf(fast!, "x");
      expect(numberOf(slow!, "x") + numberOf(slow!, "width")).toBeCloseTo(one, 1);
      expect(numberOf(slow!, "width")).toBeCloseTo(numberOf(fast!, "width"), 1);
      expect(numberOf(same!, "x")).toBeCloseTo(one, 1);
      expect(numberOf(same!, "width")).toBe(1);
    }
  });
  it("the reference and every expert baseline is a rule with its words, none of which lies on others", () => {
    const words = wordsOf(drawingOf(speed));
    for (const said of ["reference 1×", "Assembly * 6.00×", "Plain C 1.05×"]) expect(words).toContain(said);
    for (const layout of LAYOUTS) {
      const rules = Array.from({ length: 9 }, (_, n) => ({
        key: String(n),
        value: 1 + n / 50,
        text: `Baseline ${n}`,
      }));
      const plan = planBars({ bars: [], rules, scale: "log", format: speedTick }, layout);
      for (const [index, { label }] of plan.rules.entries()) {
        expect(label.x + label.width).toBeLessThanOrEqual(layout.width);
        for (const other of plan.rules.slice(index + 1)) expect(boxesOverlap(label, other.label)).toBe(false);
      }
    }
  });
  it("what a * means is under the chart, and who has no speed and why", () => {
    expect(speedNotes({ chart: SPEED, lookOf })).toEqual([
      "Assembly *: needs an instruction set that contestants may not use",
      "Instruction counts have a chart of their own: they are not comparable with timings.",
      "cobalt-2 max: no speed, the perf workload's output was wrong",
    ]);
  });
  it("many without a speed are counted rather than listed under the chart", () => {
    const without = Array.from({ length: 6 }, (_, n) => ({
      configuration: `aurum-${n}@high`,
      reason: "not measured",
    }));
    expect(speedNotes({ chart: { ...SPEED, without }, lookOf }).at(-1)).toBe(
      "6 configurations have no speed; the table says why.",
    );
  });
  it("instruction counts have a chart of their own that says what they are; without any there is none", () => {
    expect(wordsOf(drawingOf(speed))).not.toContain("basalt-2");
    const proxies = htmlOf(<SpeedProxies id="p" chart={SPEED} lookOf={lookOf} />);
    expect(
      shapesOf(drawingOf(<SpeedProxies id="p" chart={SPEED} lookOf={lookOf} />), "chart-bar"),
    ).toHaveLength(1);
    expect(proxies).toContain('<p class="chart-heading">By instruction counts, which are not timings</p>');
    expect(htmlOf(<SpeedProxies id="p" chart={{ ...SPEED, proxies: [] }} lookOf={lookOf} />)).toBe("");
  });
  it("the table holds bars, baselines, instruction counts and who has none", () => {
    expect(speedTable({ chart: SPEED, lookOf }).rows).toEqual([
      ["aurum-1 high", "Aurum", "timings", "4.00×", "3.00× to 5.00× (2 runs)", "2/3"],
      ["basalt-1 low", "Basalt", "timings", "1.00×", "–", "2/3"],
      ["cobalt-1 max", "Cobalt", "timings", "0.25×", "–", "2/3"],
      [
        "Assembly *",
        "–",
        "expert baseline; needs an instruction set that contestants may not use",
        "6.00×",
        "–",
        "–",
      ],
      ["Plain C", "–", "expert baseline", "1.05×", "–", "–"],
      ["basalt-2 low", "Basalt", "instruction counts", "1.50×", "–", "2/3"],
      ["cobalt-2 max", "Cobalt", "the perf workload's output was wrong", "–", "–", "–"],
    ]);
  });
  it("nothing timed is said in words", () => {
    expect(htmlOf(<Speed id="s" chart={{ ...SPEED, bars: [] }} lookOf={lookOf} />)).toContain(
      "No configuration was timed",
    );
  });
});

const timeBar = (configuration: string, seconds: number, more: Partial<TimeChartBar> = {}): TimeChartBar => ({
  configuration,
  vendor: lookOf(configuration).vendor.id,
  seconds,
  extended: null,
  factor: null,
  basis: null,
  fast: false,
  range: null,
  hatched: false,
  unfinished: null,
  dnf: 0,
  ...more,
});
const TIME: readonly TimeChartBar[] = [
  timeBar("aurum-1@high", 600, {
    extended: 1200,
    factor: 2,
    basis: "assumed",
    fast: true,
    range: spread(500, 700),
  }),
  timeBar("basalt-1@low", 900, { extended: 1620, factor: 1.8, basis: "measured", fast: true }),
  timeBar("cobalt-1@max", 1200, { unfinished: 3600, dnf: 2 }),
  timeBar("cobalt-2@max", 60, { hatched: true, dnf: 1 }),
];
const time = <Time id="t" bars={TIME} lookOf={lookOf} />;

describe("time", () => {
  it("the measured part is filled, the part at the standard tier an outline from its end, with how it is known", () => {
    const drawing = drawingOf(time);
    const [assumed, measured] = shapesOf(drawing, "chart-extension");
    const [first, second] = shapesOf(drawing, "chart-bar");
    for (const [bar, extension] of [
      [first!, assumed!],
      [second!, measured!],
    ] as const)
      expect(numberOf(extension, "x")).toBeCloseTo(numberOf(bar, "x") + numberOf(bar, "width"), 1);
    expect(numberOf(assumed!, "width")).toBeCloseTo(numberOf(first!, "width"), 1);
    expect(wordsOf(drawing)).toContain("estimated ×2");
    expect(wordsOf(drawing)).toContain("measured ×1.8");
    expect(wordsOf(drawing)).toContain("⚡ 10 min 0 s");
    expect(timeNotes(TIME).join(" ")).toContain("is an assumption, not a measurement");
  });
  it("what did not finish is hatched, and every hatched bar says so in words", () => {
    for (const { id } of LAYOUTS) {
      const drawing = drawingOf(time, id);
      const hatched = shapesOf(drawing, "chart-hatched");
      expect(hatched).toHaveLength(2);
      for (const { attributes } of hatched) {
        const pattern = /url\(#(.+)\)/.exec(attributes.fill ?? "")?.[1] ?? "none";
        expect(drawing).toContain(`<pattern id="${pattern}"`);
      }
      expect(wordsOf(drawing).match(/did not finish/g)?.length).toBeGreaterThanOrEqual(2);
      const rows = drawing
        .split('class="chart-mark chart-row"')
        .filter((row) => row.includes("chart-hatched"));
      for (const row of rows) expect(row).toMatch(/<text class="chart-words[^>]*>did not finish/);
    }
  });
  it("patterns have ids that are unique on the page", () => {
    const ids = [...htmlOf(time).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
  it("longer is further right, and bars begin at 0", () => {
    const widths = shapesOf(drawingOf(time), "chart-bar").map((bar) => numberOf(bar, "width"));
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(widths[1]! / widths[0]!).toBeCloseTo(1.5, 2);
  });
  it("each row says its numbers and where it leads", () => {
    const rows = shapesOf(drawingOf(time), "chart-row");
    expect(rows.map(({ attributes }) => attributes["aria-label"])).toEqual([
      "aurum-1 high ⚡ 10 min 0 s estimated ×2: 10 min 0 s, on a faster service tier, at the standard tier 20 min 0 s, estimated ×2, range 8 min 20 s to 11 min 40 s over 2 runs",
      "basalt-1 low ⚡ 15 min 0 s measured ×1.8: 15 min 0 s, on a faster service tier, at the standard tier 27 min 0 s, measured ×1.8",
      "cobalt-1 max 20 min 0 s: 20 min 0 s, 2 runs did not finish",
      "cobalt-1 max, unfinished: 2 runs 1 h 0 min did not finish: did not finish, 1 h 0 min on average over 2 runs",
      "cobalt-2 max 1 min 0 s did not finish (1 run): 1 min 0 s, did not finish",
    ]);
    expect(rows[0]?.attributes.href).toBe("#row-aurum-1@high");
  });
  it("the table holds every datum", () => {
    expect(timeTable({ bars: TIME, lookOf }).rows).toEqual([
      [
        "aurum-1 high ⚡",
        "Aurum",
        "10 min 0 s",
        "8 min 20 s to 11 min 40 s (2 runs)",
        "20 min 0 s",
        "estimated ×2",
        "–",
        "–",
      ],
      ["basalt-1 low ⚡", "Basalt", "15 min 0 s", "–", "27 min 0 s", "measured ×1.8", "–", "–"],
      ["cobalt-1 max", "Cobalt", "20 min 0 s", "–", "–", "–", "2 runs", "1 h 0 min"],
      ["cobalt-2 max", "Cobalt", "–", "–", "–", "–", "1 run", "1 min 0 s"],
    ]);
  });
  it("when nothing finished, every bar is hatched", () => {
    const none = TIME.map((bar) => ({ ...bar, hatched: true, extended: null, unfinished: null, dnf: 1 }));
    const drawing = drawingOf(<Time id="t" bars={none} lookOf={lookOf} />);
    expect(shapesOf(drawing, "chart-bar")).toEqual([]);
    expect(shapesOf(drawing, "chart-hatched")).toHaveLength(4);
  });
  it("no times are said in words", () => {
    expect(htmlOf(<Time id="t" bars={[]} lookOf={lookOf} />)).toContain("No time is known");
  });
});

describe("slop", () => {
  const bars: SlopBar[] = [
    { configuration: "aurum-1@high", vendor: "aurum", slop: 0, range: spread(0, 0) },
    { configuration: "basalt-1@low", vendor: "basalt", slop: 1.5, range: spread(1, 2) },
  ];
  it("draws a bar for each and its range over it", () => {
    const drawing = drawingOf(<Slop id="l" bars={bars} lookOf={lookOf} />);
    expect(shapesOf(drawing, "chart-bar")).toHaveLength(2);
    const ranges = shapesOf(drawing, "chart-range-line").map(({ attributes }) => attributes.d ?? "");
    const [, from, to] = /^M(\S+) \S+H(\S+?)M/.exec(ranges[1] ?? "") ?? [];
    const bar = shapesOf(drawing, "chart-bar")[1]!;
    const end = numberOf(bar, "x") + numberOf(bar, "width");
    expect(Number(from)).toBeLessThan(end);
    expect(Number(to)).toBeGreaterThan(end);
  });
  it("the table holds every datum", () => {
    expect(slopTable({ bars, lookOf }).rows[1]).toEqual(["basalt-1 low", "Basalt", "1.50", "1.00 to 2.00"]);
  });
  it("slop of 0 alone leaves an axis", () => {
    expect(drawingOf(<Slop id="l" bars={bars.slice(0, 1)} lookOf={lookOf} />)).not.toContain("NaN");
  });
});

describe("plain bars", () => {
  const bars = [{ key: "a", look: lookOf("aurum-1@high"), value: 0.5, range: null }];
  it("take the text of their numbers from who draws them, in the chart and in the table", () => {
    const text = (value: number): string => `${value * 100}%`;
    const drawing = drawingOf(
      <Bars id="b" title="Rate" description="Solved." measure="rate" bars={bars} text={text} tick={text} />,
    );
    expect(wordsOf(drawing)).toContain("50%");
    expect(barsTable({ bars, measure: "rate", text }).rows[0]).toEqual(["aurum-1 high", "Aurum", "50%", "–"]);
  });
  it("below 0 they go left", () => {
    const low = [...bars, { key: "b", look: lookOf("basalt-1@low"), value: -0.5, range: null }];
    const [up, down] = shapesOf(
      drawingOf(<Bars id="b" title="T" description="D" measure="m" bars={low} />),
      "chart-bar",
    );
    expect(numberOf(down!, "x") + numberOf(down!, "width")).toBeCloseTo(numberOf(up!, "x"), 1);
  });
});

describe("rows", () => {
  it("a very long list is drawn as far as anybody reads it, says how many more there are, and is whole in the table", () => {
    const many: SlopBar[] = Array.from({ length: 1000 }, (_, n) => ({
      configuration: `aurum-${n}@high`,
      vendor: "aurum",
      slop: n,
      range: null,
    }));
    const drawing = drawingOf(<Slop id="l" bars={many} lookOf={lookOf} />);
    expect(shapesOf(drawing, "chart-bar")).toHaveLength(100);
    expect(wordsOf(drawing)).toContain("and 900 more bars, in the table");
    expect(slopTable({ bars: many, lookOf }).rows).toHaveLength(1000);
  });
  it("are at least 24 units high, and a long name never reaches its bar or number", () => {
    const name = "Very long name of a model ".repeat(8);
    for (const layout of [WIDE, NARROW]) {
      const bar = {
        key: "a",
        look: { ...lookOf("aurum-1@high"), name },
        part: null,
        value: 3,
        extended: null,
        range: null,
        hatched: false,
        words: null,
        text: "1 h 23 min",
        description: "",
        tip: [],
      };
      const [row] = planBars({ bars: [bar], rules: [], scale: "linear", format: String }, layout).rows;
      expect(row!.row.height).toBeGreaterThanOrEqual(24);
      expect(row!.name.text.length).toBeLessThan(45);
      expect(row!.name.text.endsWith("… high")).toBe(true);
    }
  });
  it("words that would leave the plot stand on the end of their bar", () => {
    const drawing = drawingOf(
      <Time id="t" bars={[timeBar("aurum-1@high", 5000, { hatched: true, dnf: 1 })]} lookOf={lookOf} />,
    );
    const [words] = shapesOf(drawing, "chart-words");
    const [bar] = shapesOf(drawing, "chart-hatched");
    expect(words?.attributes["text-anchor"]).toBe("end");
    expect(numberOf(words!, "x")).toBeLessThanOrEqual(numberOf(bar!, "x") + numberOf(bar!, "width"));
  });
});
