import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, it } from "vitest";
import { type DataIndex, indexData } from "../../../src/lib/code/aggregate/index-data.ts";
import { deriveRanks } from "../../../src/lib/code/aggregate/ranks.ts";
import { FIRST_SELECTION, type Selection } from "../../../src/lib/code/aggregate/selection.ts";
import { deriveView, type View } from "../../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import { slimData } from "../../../src/site/code/board-data.ts";
import { CodeMetricsSection } from "../../../src/site/code/code-metrics.tsx";
import { DefectsSection } from "../../../src/site/code/defects.tsx";
import { JudgeColumns } from "../../../src/site/code/judge-columns.tsx";
import { JudgesSection } from "../../../src/site/code/judges.tsx";
import { deriveStatements } from "../../../src/site/code/statements.ts";
import { StatementsSection } from "../../../src/site/code/statements.tsx";
import { TokensSection } from "../../../src/site/code/tokens.tsx";
import { dataOf, type Given } from "../../lib/code/aggregate/small-data.ts";
import { parts, rowsIn, textOf } from "./html.ts";
import { syntheticData } from "./synthetic-data.ts";

const entryHref = (run: string, entry: string): string => `?entry=${run}/${entry}`;
const html = (node: ComponentChildren): string => renderToString(<div>{node}</div>);

interface Shown {
  readonly index: DataIndex;
  readonly view: View;
}
function show(data: Data, selection: Partial<Selection> = {}): Shown {
  const index = indexData(data);
  return { index, view: deriveView(index, { ...FIRST_SELECTION, efforts: "all", ...selection }) };
}
const small = (
  given: readonly Given[],
  rest: Partial<Data> = {},
  selection: Partial<Selection> = {},
): Shown => show(dataOf(given, rest), selection);

const judgesOf = ({ index, view }: Shown): string =>
  html(<JudgesSection index={index} judges={view.judges} />);
const tokensOf = ({ index, view }: Shown): string => html(<TokensSection index={index} rows={view.rows} />);
const metricsOf = ({ index, view }: Shown): string =>
  html(<CodeMetricsSection index={index} rows={view.rows} />);
const defectsOf = ({ index, view }: Shown): string =>
  html(<DefectsSection index={index} defects={view.defects} entryHref={entryHref} />);
function statementsOf({ index, view }: Shown): string {
  const statements = deriveStatements(index, view, deriveRanks(index, view, { seed: "test" }));
  return html(<StatementsSection index={index} selection={view.selection} statements={statements} />);
}
const columnsOf = ({ index, view }: Shown): string => html(<JudgeColumns index={index} view={view} />);
const ALL = { judgesOf, tokensOf, metricsOf, defectsOf, statementsOf, columnsOf };

let data: Data;
let round: Shown;
beforeAll(async () => {
  data = await syntheticData();
  round = show(data);
});

describe("the table of judges", () => {
  it("has each judge's mean, median, n, offset, r, recall with its count, costs, time and sessions", () => {
    const rows = rowsIn(judgesOf(round));
    const [first] = round.view.judges.judges;
    expect(rows.slice(0, 4).map(([name]) => name)).toEqual(
      round.view.judges.judges.map(({ name }) => expect.stringContaining(name)),
    );
    expect(rows[0]).toHaveLength(15);
    expect(rows[0]?.[3]).toBe(String(first?.n));
    expect(rows[0]?.[6]).toMatch(new RegExp(`^\\d+% \\(${first?.recall.found}/${first?.recall.of}\\)$`));
    expect(textOf(judgesOf(round))).toContain(" missing)");
  });

  it("says the agreement in plain words, with its interval and from how many entries", () => {
    expect(textOf(judgesOf(round))).toMatch(
      /ICC\(2,1\), how well one judge agrees with another, is 0\.\d\d \(95% interval 0\.\d\d to 0\.\d\d\): (poor|moderate|good|excellent)\..*From the \d+ entries that all 4 judges of the selection scored\./,
    );
  });

  it("says why something is unknown, instead of 0", () => {
    const page = judgesOf(small([{ seats: { a: 8 } }]));
    const [row] = rowsIn(page);
    expect(row?.[4]).toContain("no entry was scored by another judge too");
    expect(row?.[6]).toContain("no verified defect in what it reviewed");
    expect(row?.[10]).toContain("no session");
    expect(row?.[14]).toContain("it scored no anchor");
    expect(textOf(page)).toContain("unknown (fewer than two");
  });

  it("reports calibration against earlier panels, with and without the judge", () => {
    const session = {
      id: "s1",
      judge: "a",
      scored: 1,
      anchors: [
        { anchor: "x", score: 8, panel_run: "r", panel: 7.5, panel_without: 7.25 },
        { anchor: "y", score: 8, panel_run: "r", panel: 7, panel_without: null },
      ],
      cost_usd: 1,
      seconds: 60,
      missing: null,
    };
    const [row] = rowsIn(judgesOf(small([{ seats: { a: 8 }, run: { sessions: [session] } }])));
    expect(row?.[14]).toContain("+0.75 (n = 2)");
    expect(row?.[14]).toContain("+0.75 against the earlier panels, from +0.50 to +1.00 over 2 anchors");
    expect(row?.[14]).toContain("+0.75 against them without this judge, from +0.75 to +0.75 over 1 anchor");
  });

  it("says that nobody judged", () => {
    expect(textOf(judgesOf(small([{}])))).toBe("No judge reviewed anything of this selection.");
  });
});

describe("verified defects", () => {
  const defect = {
    task: "coder",
    id: "D-1",
    title: "Overflows",
    category: "correctness",
    severity: "high",
    method: "hidden-suite",
    entries: [{ run: "coder-lead-high-1", entry: "ash-high" }],
    reports: [{ run: "coder-lead-high-1", entry: "ash-high", judge: "a", finding: "f0" }],
  } as const;

  it("say who reported them of those who reviewed, and lead to the entry", () => {
    const page = defectsOf(
      small([{ seats: { a: 8, b: 7 } }], {
        defects: [{ ...defect, entries: [...defect.entries], reports: [...defect.reports] }],
      }),
    );
    const [row] = rowsIn(page);
    expect(row?.slice(0, 5)).toEqual([
      "Overflows D-1",
      "Task coder",
      "high",
      "correctness",
      "failing hidden category",
    ]);
    expect(row?.[5]).toContain("brief by lead@high, run 1; reported by 1 of 2: Judge a");
    expect(row?.[6]).toBe("1 of 2: Judge a");
    expect(page).toContain('href="?entry=coder-lead-high-1/ash-high"');
  });

  it("show twelve of many, with how many there are, so that a page stays small", () => {
    const page = defectsOf(round);
    expect(rowsIn(page)).toHaveLength(12);
    expect(textOf(page)).toContain(`Show all ${round.view.defects.length} defects`);
    expect(page.length).toBeLessThan(60_000);
  });

  it("say that there are none", () => {
    expect(textOf(defectsOf(small([{}])))).toBe("No verified defect in the entries of this selection.");
  });
});

describe("tokens and cost", () => {
  it("give each component's tokens and price, the list price, as run, as recorded and the level", () => {
    const [row] = rowsIn(tokensOf(small([{ usd: 2, fast: true }])));
    expect(row?.[0]).toContain("on a faster service tier");
    expect(row?.slice(2, 6)).toEqual(["$0.50", "$0.50", "$0.00", "$1.00"]);
    expect(row?.[1]).toContain("$2.00");
    expect(row?.[7]).toContain("$4.00");
    expect(row?.[8]).toContain("its harness records no bill");
    expect(row?.[9]).toBe("declared");
    expect(row?.slice(12, 14)).toEqual(["100", "200"]);
  });

  it("show what was assumed, and earlier figures beside those of now", () => {
    const base = dataOf([{ usd: 2 }]);
    const cost = base.entries[0]!.cost!;
    const [row] = rowsIn(
      tokensOf(
        small([
          {
            entry: {
              cost: {
                ...cost,
                assumptions: ["cache-write-lifetime-5m"],
                history: [{ rule: "rule-1", until: "2026-11-01T00:00:00.000Z", usd: 1.5 }],
              },
            },
          },
        ]),
      ),
    );
    expect(row?.[10]).toContain("assumed: cache-write-lifetime-5m");
    expect(row?.[10]).toContain("earlier, until 2026-11-01 (rule-1): $1.50 over 1 entry, now $2.00");
  });

  it("say why a price is unknown, and show the spread over repeat runs", () => {
    const rows = rowsIn(
      tokensOf(
        small([
          { configuration: "ash@high", usd: 1, replicate: 1 },
          { configuration: "ash@high", usd: 3, replicate: 2 },
          { configuration: "elm@high", usd: null },
        ]),
      ),
    );
    expect(rows[0]?.[1]).toMatch(/^\$2\.00 ±\$1\.41/);
    expect(rows[0]?.[1]).toContain(
      "2 entries; from $1.00 to $3.00 over 2 repeat runs: run 1 $1.00, run 2 $3.00",
    );
    expect(rows[1]?.[1]).toContain("no log of its tokens");
    expect(textOf(tokensOf(round))).toContain("no price card for");
  });
});

describe("code metrics", () => {
  const quality = {
    implementation_lines: 1234,
    comment_share: 0.25,
    duplicated_share: 0.1,
    lint: 3,
    complexity: { functions: 5, mean: 4.25, max: 12, above_10: 1, tool: "t" },
    complexity_reason: null,
  };

  it("give lines, shares, lint and complexity", () => {
    const [row] = rowsIn(metricsOf(small([{ entry: { quality } }])));
    expect(row?.slice(1)).toEqual(["1", "1\u202f234", "25%", "10%", "3.0", "4.3", "12", "1.0"]);
  });

  it("say that a language cannot be parsed, and what was not measured", () => {
    const rows = rowsIn(
      metricsOf(
        small([
          {
            entry: {
              quality: { ...quality, complexity: null, complexity_reason: "cannot parse elixir", lint: null },
            },
          },
          { configuration: "elm@high", council: 1 },
        ]),
      ),
    );
    expect(rows[0]?.[6]).toContain("cannot parse elixir");
    expect(rows[0]?.[5]).toContain("not counted");
    expect(rows[1]?.[2]).toContain("not measured yet");
  });
});

describe("columns of judges", () => {
  it("give each judge's mean of a configuration", () => {
    const page = columnsOf(
      small([
        { seats: { a: 8, b: 6 }, council: 7, final: 6.5 },
        { seats: { a: 9 }, council: 9, final: 9, lead: "elm@high" },
      ]),
    );
    const [judges] = rowsIn(page);
    expect(judges?.[3]).toMatch(/^8\.50/);
    expect(judges?.[4]).toMatch(/^6\.00.*Mean of 1 entry/);
  });
});

describe("the Findings section", () => {
  it("says each statement's strength in a word, why, the caveats, and the command behind it", () => {
    const page = statementsOf(round);
    expect(parts(page, "li", 'id="says-leader"')[0]).toMatch(/(strong|moderate|weak|not clear)/);
    expect(textOf(page)).toContain("A generator made these data: they are no results.");
    expect(textOf(page)).toContain("npm run -s bench -- data view --efforts all");
  });

  it("says that there is nothing to say", () => {
    expect(textOf(statementsOf(show(dataOf([{}]), { task: "nowhere" })))).toMatch(
      /^These data say nothing yet\./,
    );
  });
});

describe("odd states, in every section", () => {
  const LONG = "x".repeat(200);
  const RTL = "\u202eנבדק\u202c";
  const names = (name: string): Partial<Data> => ({
    models: [{ id: "ash", name, vendor: "north", efforts: ["high"], price_card: null, log_names: [] }],
    judges: [
      {
        id: "a",
        name,
        configuration: "ash@high",
        harness: "x",
        joined_at: "2026-11-01T00:00:00.000Z",
        vendor: "north",
      },
    ],
  });
  const STATES: [string, () => Shown][] = [
    ["nothing selected that exists", () => small([{}], {}, { task: "nowhere" })],
    ["one result", () => small([{ seats: { a: 8 } }])],
    ["no judges", () => small([{ council: null, final: null, slop: null, defect_points: null }])],
    ["nobody finished", () => small([{ dnf: "time" }, { configuration: "elm@high", dnf: "time" }])],
    ["no cost", () => small([{ usd: null, seconds: null }])],
    ["a proxy only", () => small([{ speed: 3, proxy: true }])],
    ["a name of 200 characters", () => small([{ seats: { a: 8 } }], names(LONG))],
    ["a name from right to left", () => small([{ seats: { a: 8 } }], names(RTL))],
    ["markup in a name", () => small([{ seats: { a: 8 } }], names("<img src=x onerror=alert(1)>"))],
    ["a model that the catalogue lost", () => small([{}], { models: [], vendors: [], judges: [] })],
  ];

  it.each(STATES)("%s", (_, shown) => {
    for (const [name, section] of Object.entries(ALL)) {
      const page = section(shown());
      for (const wrong of ["NaN", "undefined", "Infinity", "[object", "null", "<img", "\u202e"])
        expect(page, `${name}: ${wrong}`).not.toContain(wrong);
    }
  });

  it("show the same from data whose findings have lost their texts", () => {
    const slim = show(slimData(data));
    for (const section of Object.values(ALL)) expect(section(slim)).toBe(section(round));
  });
});
