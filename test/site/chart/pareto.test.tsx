import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Spread } from "../../../src/lib/code/aggregate/nest.ts";
import type { ParetoChart, ParetoDot } from "../../../src/lib/code/aggregate/pareto-chart.ts";
import { paretoFront } from "../../../src/lib/code/score/pareto.ts";
import { LAYOUTS } from "../../../src/site/chart/layout.ts";
import { fullName } from "../../../src/site/chart/look.ts";
import { Pareto, paretoNotes, paretoTable } from "../../../src/site/chart/pareto.tsx";
import { cornersOf } from "../../../src/site/chart/scatter-notes.ts";
import { drawingOf, htmlOf, lookOf, paintOf, placeOf, shapesOf, wordsOf } from "./drawn.ts";

const spread = (min: number, max: number): Spread => ({ n: 3, sd: 0.1, min, max, replicates: [] });

interface Given {
  readonly configuration: string;
  readonly score: number;
  readonly cost: number | null;
  readonly score_range?: Spread;
  readonly cost_range?: Spread;
}

/** A chart as the aggregation gives it. */
function chartOf(given: readonly Given[]): ParetoChart {
  const { front, behind, unplaced } = paretoFront(given);
  const dotOf = (each: Given, on_front: boolean): ParetoDot => ({
    score_range: null,
    cost_range: null,
    vendor: lookOf(each.configuration).vendor.id,
    ...each,
    on_front,
  });
  return {
    dots: [...front.map((each) => dotOf(each, true)), ...behind.map((each) => dotOf(each, false))].toSorted(
      (a, b) => (a.cost ?? 0) - (b.cost ?? 0),
    ),
    steps: cornersOf(front.map(({ cost, score }) => ({ x: cost ?? 0, y: score }))).map(({ x, y }) => ({
      cost: x,
      score: y,
    })),
    band: unplaced.map((each) => dotOf(each, false)),
  };
}

const pareto = (given: readonly Given[], budget: number | null = null) => (
  <Pareto id="p" chart={chartOf(given)} lookOf={lookOf} column="final" budget={budget} />
);

const SOME: readonly Given[] = [
  {
    configuration: "aurum-1@high",
    score: 8,
    cost: 2,
    score_range: spread(7.5, 8.4),
    cost_range: spread(1.5, 2.5),
  },
  { configuration: "basalt-1@low", score: 6, cost: 0.1 },
  { configuration: "cobalt-1@max", score: 5, cost: 0.5 },
  { configuration: "basalt-2@max", score: 7, cost: null },
];

describe("score against cost", () => {
  it("draws one mark a configuration, in its vendor's colour and shape", () => {
    for (const { id } of LAYOUTS) {
      const drawing = drawingOf(pareto(SOME), id);
      const markers = shapesOf(drawing, "chart-marker");
      expect(markers.map(({ attributes }) => attributes.fill).toSorted()).toEqual(
        SOME.map(({ configuration }) => paintOf(configuration)).toSorted(),
      );
      expect(new Set(markers.map(({ attributes }) => attributes.d)).size).toBeGreaterThanOrEqual(3);
    }
  });

  it("each mark says its configuration, score, cost, ranges and whether it is on the front, and leads to its row", () => {
    const dots = shapesOf(drawingOf(pareto(SOME)), "chart-dot");
    const of = (configuration: string) =>
      dots.find(({ attributes }) => attributes.href === `#row-${configuration}`)?.attributes["aria-label"];
    expect(dots).toHaveLength(SOME.length);
    expect(of("aurum-1@high")).toBe(
      "aurum-1 high, Aurum: score 8.00, range 7.50 to 8.40 (3 runs); cost $2.00, range $1.50 to $2.50 (3 runs); on the front",
    );
    expect(of("cobalt-1@max")).toBe("cobalt-1 max, Cobalt: score 5.00; cost $0.50; not on the front");
    expect(of("basalt-2@max")).toContain("cost unknown or 0; not compared by cost");
  });

  it("the front is a step line: every part level or upright, through the corners", () => {
    const [steps] = shapesOf(drawingOf(pareto(SOME)), "chart-steps");
    const corners = [...(steps?.attributes.d ?? "").matchAll(/[ML](\S+) ([^LM]+)/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(corners).toHaveLength(3);
    for (const [index, [x, y]] of corners.slice(1).entries())
      expect(x === corners[index]![0] || y === corners[index]![1]).toBe(true);
    const markers = shapesOf(drawingOf(pareto(SOME)), "chart-shape").map(placeOf);
    const [first, last] = [corners[0]!, corners[2]!];
    expect(markers).toContainEqual({ x: first[0], y: first[1] });
    expect(markers).toContainEqual({ x: last[0], y: last[1] });
  });

  it("ranges are drawn upright for the score and level for the cost", () => {
    const ranges = shapesOf(drawingOf(pareto(SOME)), "chart-range").map(
      ({ attributes }) => attributes.d ?? "",
    );
    expect(ranges).toHaveLength(2);
    expect(ranges[0]).toMatch(/^M\S+ \S+V/);
    expect(ranges[1]).toMatch(/^M\S+ \S+H/);
  });

  it("a cost unknown or 0 stands in the marked band, right of everything with a cost", () => {
    const drawing = drawingOf(pareto(SOME));
    expect(wordsOf(drawing)).toContain("cost unknown or 0");
    const [, x, width] = /<g class="chart-band"><rect x="(\S+)" y="\S+" width="(\S+)"/.exec(drawing) ?? [];
    const places = shapesOf(drawing, "chart-shape").map(placeOf);
    const inBand = places.filter((place) => place.x > Number(x) && place.x < Number(x) + Number(width));
    expect(inBand).toHaveLength(1);
    expect(places.filter((place) => place.x < Number(x))).toHaveLength(3);
  });

  it("without such costs there is no band", () => {
    expect(wordsOf(drawingOf(pareto(SOME.slice(0, 3))))).not.toContain("cost unknown");
  });

  it("a budget is a line with its sum; one far away is named at the edge it lies beyond", () => {
    expect(drawingOf(pareto(SOME, 1))).toMatch(/<g class="chart-budget"><line .*budget \$1</);
    const far = drawingOf(pareto(SOME, 1_000_000));
    expect(far).toContain("budget $1M →");
    expect(far).not.toContain('<g class="chart-budget"><line');
  });

  it("is labelled by title and description, with ids of its own for each layout", () => {
    const html = htmlOf(pareto(SOME));
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/aria-(?:labelledby|describedby)="([^"]+)"/g))
      expect(ids).toContain(id);
    for (const [, id] of html.matchAll(/data-tip="([^"]+)"/g)) expect(ids).toContain(id);
    expect(wordsOf(html)).toContain(
      "On the front, where nothing else is as good for less: basalt-1 low (6.00 at $0.10), aurum-1 high (8.00 at $2.00).",
    );
  });

  it("the table holds every datum", () => {
    const { rows } = paretoTable({ chart: chartOf(SOME), lookOf, column: "final" });
    expect(rows).toContainEqual([
      "aurum-1 high",
      "Aurum",
      "8.00",
      "7.50 to 8.40 (3 runs)",
      "$2.00",
      "$1.50 to $2.50 (3 runs)",
      "yes",
    ]);
    expect(rows).toContainEqual(["basalt-2 max", "Basalt", "7.00", "–", "unknown or 0", "–", "–"]);
    expect(rows).toHaveLength(SOME.length);
  });
});

describe("for any configurations", () => {
  const some = fc.uniqueArray(
    fc.record({
      configuration: fc
        .tuple(fc.constantFrom("aurum", "basalt", "cobalt"), fc.nat(999))
        .map(([v, n]) => `${v}-${n}@high`),
      score: fc.double({ min: -5, max: 10, noNaN: true }),
      cost: fc.option(fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
    }),
    { selector: ({ configuration }) => configuration, minLength: 1, maxLength: 30 },
  );
  it("dearer is never further left, better never lower, and every mark is inside the drawing", () => {
    fc.assert(
      fc.property(some, fc.constantFrom(...LAYOUTS), (given, layout) => {
        const drawing = drawingOf(pareto(given), layout.id);
        const placed = new Map(
          [
            ...drawing.matchAll(
              /aria-label="(\S+) high, [^>]*><circle class="chart-target" cx="(\S+)" cy="(\S+)"/g,
            ),
          ].map(([, name, x, y]) => [`${name}@high`, { x: Number(x), y: Number(y) }]),
        );
        expect(placed.size).toBe(given.length);
        for (const a of given) {
          const at = placed.get(a.configuration)!;
          expect(at.x).toBeGreaterThan(0);
          expect(at.x).toBeLessThan(layout.width);
          expect(at.y).toBeGreaterThan(0);
          expect(at.y).toBeLessThan(layout.scatter.height);
          for (const b of given) {
            const other = placed.get(b.configuration)!;
            if (a.score > b.score) expect(at.y).toBeLessThanOrEqual(other.y);
            if (a.cost !== null && b.cost !== null && a.cost > b.cost)
              expect(at.x).toBeGreaterThanOrEqual(other.x);
            if (a.cost === null && b.cost !== null) expect(at.x).toBeGreaterThan(other.x);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("odd states", () => {
  it("nothing at all is said in words, without a drawing", () => {
    const html = htmlOf(pareto([]));
    expect(html).not.toContain("<svg");
    expect(html).toContain("No configuration has a score yet.");
    expect(paretoNotes({ chart: chartOf([]), lookOf, budget: null })).toEqual([]);
  });
  it("one dot is drawn, on the front", () => {
    const drawing = drawingOf(pareto([SOME[1]!]));
    expect(shapesOf(drawing, "chart-marker")).toHaveLength(1);
    expect(drawing).not.toContain("NaN");
  });
  it("costs that are all unknown leave the axis without sums", () => {
    const drawing = drawingOf(pareto([{ configuration: "aurum-1@high", score: 8, cost: null }]));
    expect(drawing).not.toContain("$");
    expect(shapesOf(drawing, "chart-steps")).toEqual([]);
    expect(wordsOf(htmlOf(pareto([{ configuration: "aurum-1@high", score: 8, cost: null }])))).toContain(
      "there is no front",
    );
  });
  it("marks at the very same place name each other, and both have a label", () => {
    const tied = ["aurum-1@high", "basalt-1@high"].map((configuration) => ({
      configuration,
      score: 7,
      cost: 1,
    }));
    const drawing = drawingOf(pareto(tied));
    const words = shapesOf(drawing, "chart-dot").map(({ attributes }) => attributes["aria-label"]);
    expect(words[0]).toContain("at the same place as basalt-1 high");
    expect(words[1]).toContain("at the same place as aurum-1 high");
    expect(shapesOf(drawing, "on-front")).toHaveLength(2);
  });
  it("a range over replicates of which one cost nothing ends at the axis", () => {
    const free = [
      {
        configuration: "aurum-1@high",
        score: 7,
        cost: 1,
        cost_range: spread(0, 2),
        score_range: spread(0, 10),
      },
    ];
    const drawing = drawingOf(pareto(free));
    expect(drawing).not.toMatch(/NaN|Infinity/);
    expect(shapesOf(drawing, "chart-range")).toHaveLength(2);
  });
  it("a name of 200 characters is cut in the drawing and whole in words and table", () => {
    const name = "n".repeat(200);
    const look = { ...lookOf("aurum-1@high"), name };
    const chart = chartOf([{ configuration: "aurum-1@high", score: 7, cost: 1 }]);
    const drawing = drawingOf(
      <Pareto id="p" chart={chart} lookOf={() => look} column="final" budget={null} />,
    );
    expect(/<text [^>]*>n+… high<\/text>/.test(drawing)).toBe(true);
    expect(shapesOf(drawing, "chart-dot")[0]?.attributes["aria-label"]).toContain(name);
    expect(paretoTable({ chart, lookOf: () => look, column: "final" }).rows[0]?.[0]).toBe(`${name} high`);
  });
  it("characters that would turn the text around do not get in", () => {
    expect(fullName({ name: "a\u202eb", effort: "high" })).toBe("a\ufffdb high");
  });
  it("of 1,000 marks only the front has labels and is reached by keyboard; that is said, and the table has all", () => {
    const many = Array.from({ length: 1000 }, (_, n) => ({
      configuration: `${["aurum", "basalt", "cobalt"][n % 3]}-${n}@high`,
      score: 5 + 4 * Math.sin(n * 12.9),
      cost: Math.exp(3 * Math.sin(n * 7.7)),
    }));
    const chart = chartOf(many);
    const front = chart.dots.filter(({ on_front }) => on_front).length;
    const drawing = drawingOf(pareto(many));
    expect(shapesOf(drawing, "chart-marker")).toHaveLength(1000);
    expect(shapesOf(drawing, "chart-dot")).toHaveLength(front);
    expect(shapesOf(drawing, "chart-label").length).toBeLessThanOrEqual(front);
    expect(paretoNotes({ chart, lookOf, budget: null }).join(" ")).toContain(
      "only those of the front are labelled",
    );
    expect(paretoTable({ chart, lookOf, column: "final" }).rows).toHaveLength(1000);
  });
});
