import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, it } from "vitest";
import { indexData } from "../../../src/lib/code/aggregate/index-data.ts";
import type { Data, FindingData } from "../../../src/lib/code/derive/data-schema.ts";
import { findingsByRun, slimData } from "../../../src/site/code/board-data.ts";
import { EntryDetails } from "../../../src/site/code/drawer.tsx";
import { LOCAL_SITE, type SiteInfo } from "../../../src/site/site-info.ts";
import { dataOf, type Given } from "../../lib/code/aggregate/small-data.ts";
import { parts, rowsIn, textOf } from "./html.ts";
import { syntheticData } from "./synthetic-data.ts";

const SITE: SiteInfo = {
  ...LOCAL_SITE,
  repository: "acme/assay",
  server: "https://hub.example",
  commit: "0123456789abcdef0123456789abcdef01234567",
};
const open = (
  data: Data,
  run: string,
  entry: string,
  findings: readonly FindingData[] | "failed" | null,
  site = LOCAL_SITE,
): string =>
  renderToString(
    <EntryDetails
      index={indexData(data)}
      site={site}
      run={run}
      entry={entry}
      findings={findings}
      entryHref={(of, id) => `?entry=${of}/${id}`}
    />,
  );
const small = (given: Given, rest: Partial<Data> = {}, site = LOCAL_SITE): string => {
  const data = dataOf([given], rest);
  const entry = data.entries[0]!;
  return open(data, entry.run, entry.id, entry.findings, site);
};

const GIVEN: Given = {
  configuration: "ash@high",
  council: 9,
  hidden: [11, 12],
  slop: 0.5,
  final: 8,
  defect_points: 1.5,
  seats: { a: 9.5, b: 8.5 },
  run: { panel: ["a"] },
  entry: { hidden: { passed: 11, total: 12, failed: ["h-7f"], level: "attested" } },
  findings: [
    { id: "f1", severity: "nit", category: "style", text: "A name." },
    {
      id: "f2",
      severity: "high",
      category: "correctness",
      file: "src/a.rs",
      line: 7,
      text: "Overflows.",
      defect: "D-1",
    },
    {
      id: "f3",
      severity: "high",
      category: "abi",
      text: "Wrong symbol.",
      false_positive: true,
      note: "Built: it is right.",
      classified_by: "keywords",
    },
  ],
};

describe("the drawer of one entry", () => {
  it("shows where the points went, from 10 to the final score", () => {
    const page = small(GIVEN);
    expect(
      rowsIn(page)
        .slice(0, 5)
        .map(([step, change, left]) => [step, change, left]),
    ).toEqual([
      ["Possible", "", "10.00"],
      ["Council", "−1.00", "9.00"],
      ["Hidden suite", "−0.75", "8.25"],
      ["Slop", "−0.25", "8.00"],
      ["Final score", "", "8.00"],
    ]);
  });

  it("shows every seat, on the panel or not, of the same vendor or not", () => {
    const seats = rowsIn(small(GIVEN)).filter(([name]) => name?.includes("Judge "));
    expect(seats.map((cells) => cells.slice(1, 4))).toEqual([
      ["9.50", "yes", "another"],
      ["8.50", "no", "another"],
    ]);
    const own = dataOf([GIVEN]);
    const entry = own.entries[0]!;
    const changed = {
      ...own,
      entries: [
        { ...entry, seats: entry.seats.map((seat) => ({ ...seat, same_vendor: seat.judge === "a" })) },
      ],
    };
    expect(textOf(open(changed, entry.run, entry.id, []))).toContain("9.50 yes the entry's own");
  });

  it("groups findings by severity with category, place, judge, note and defect, and strikes what is false", () => {
    const page = small(GIVEN);
    expect(parts(page, "h4").map(textOf)).toEqual(["high (2, weight 3.0 each)", "nit (1, weight 0.5 each)"]);
    const [first, second, third] = parts(page, "li").map(textOf);
    expect(first).toBe(
      "correctness (defects) src/a.rs:7 by Judge a Overflows. Reports the verified defect D-1.",
    );
    expect(second).toContain("abi (defects) no place named by Judge a, category set by keyword rules");
    expect(second).toContain("False positive, counts nowhere");
    expect(second).toContain("Note: Built: it is right.");
    expect(third).toContain("style (other)");
    expect(parts(page, "s").map(textOf)).toEqual(["Wrong symbol."]);
    expect(textOf(page)).toContain("3 findings, 1 of them shown to be wrong");
  });

  it("says that findings are loaded while they are, and counts them already", () => {
    const data = dataOf([GIVEN]);
    const { run, id } = data.entries[0]!;
    const page = open(slimData(data), run, id, null);
    expect(textOf(page)).toContain("3 findings, 1 of them shown to be wrong");
    expect(textOf(page)).toContain("Loading what they say");
    expect(page).not.toContain("Overflows.");
    expect(page).not.toContain("formula slop");
    expect(open(slimData(data), run, id, findingsByRun(data).get(run)![id]!)).toBe(
      open(data, run, id, data.entries[0]!.findings),
    );
  });

  it("says that the findings could not be loaded", () => {
    const data = dataOf([GIVEN]);
    const { run, id } = data.entries[0]!;
    expect(textOf(open(slimData(data), run, id, "failed"))).toContain("could not be loaded");
  });

  it("shows failed hidden categories by their opaque ids, and how well they are known", () => {
    const text = textOf(small(GIVEN));
    expect(text).toContain("Passes 11/12 categories. attested Failed: h-7f. What they test stays private.");
    // A final score is known no better than the hidden suite that is in it.
    expect(text).toMatch(/Final score 8\.00 attested/);
  });

  it("links to the run, the deliverable with its digest, and to itself", () => {
    const page = small(GIVEN, {}, SITE);
    const at = "0123456789abcdef0123456789abcdef01234567";
    expect(page).toContain(
      `href="https://hub.example/acme/assay/blob/${at}/data/runs/coder-lead-high-1.json"`,
    );
    expect(page).toContain(
      `href="https://hub.example/acme/assay/tree/${at}/data/entries/coder-lead-high-1/ash-high"`,
    );
    expect(page).toContain(`sha256:${"0".repeat(64)}`);
    expect(page).toContain('href="?entry=coder-lead-high-1/ash-high"');
    expect(textOf(small(GIVEN))).toContain("data/runs/coder-lead-high-1.json");
  });

  it("opens with the command that checks the final score", () => {
    const checks = parts(small(GIVEN), "details", 'class="check"');
    expect(checks.filter((check) => check.includes(" open")).map(textOf)).toEqual([
      expect.stringContaining(
        `final score 8.00 printf '%s' '{"council":9,"hidden":{"passed":11,"total":12},"slop":0.5}' | npm run -s bench -- formula final-score --input -`,
      ),
    ]);
  });

  it("shows cost by component with assumptions and earlier figures, as run and as recorded", () => {
    const data = dataOf([{ ...GIVEN, usd: 2, fast: true }]);
    const cost = data.entries[0]!.cost!;
    const text = textOf(
      small({
        ...GIVEN,
        fast: true,
        entry: {
          cost: {
            ...cost,
            recorded_usd: 0,
            assumptions: ["cache-write-lifetime-5m"],
            history: [{ rule: "rule-1", until: "2026-11-01T00:00:00.000Z", usd: 1.5 }],
          },
        },
      }),
    );
    expect(text).toContain("List price $2.00 declared As run $4.00, at the tier that each request ran on");
    expect(text).toContain("Recorded by the harness $0.00");
    expect(text).toContain("Output 50 $1.00 reasoning 10");
    expect(text).toContain("Assumed: cache-write-lifetime-5m");
    expect(text).toContain("Earlier figure, until 2026-11-01: $1.50 under rule-1");
  });

  it("shows speed by metric with flags, and a proxy as what it is", () => {
    const speed = {
      speedup: 2,
      reason: null,
      proxy: true,
      host: "desk",
      metrics: [{ id: "encode", speedup: 2, candidate: 5000, reference: 10_000 }],
      unit: "instructions",
      flags: ["noisy"],
      level: "declared",
    } as const;
    const text = textOf(
      small({ ...GIVEN, entry: { speed: { ...speed, metrics: [...speed.metrics], flags: ["noisy"] } } }),
    );
    expect(text).toContain("2.00× the reference");
    expect(text).toContain("Proxy: instructions counted in an emulator, comparable with no timing.");
    expect(text).toContain("Flags: noisy");
    expect(text).toContain("Encode 2.00× 5\u202f000 10\u202f000");
  });
});

describe("odd entries", () => {
  it("one that did not finish has a reason, cost and time, and no score, seats or checks of scores", () => {
    const page = small({ ...GIVEN, dnf: "out of time" });
    const text = textOf(page);
    expect(text).toContain("Did not finish: out of time It has cost and time, and no score.");
    expect(text).not.toContain("Where the points went");
    expect(page).not.toContain("formula final-score");
    expect(text).toContain("List price $1.00");
  });

  it("one without findings, cost, hidden suite, speed or code says so", () => {
    const text = textOf(small({ seats: { a: 8 }, usd: null, seconds: null, hidden: null, final: null }));
    for (const words of [
      "No judge found anything to report.",
      "no log of its tokens",
      "The hidden suite was not run.",
      "Speed Not measured.",
      "Code Not measured.",
    ])
      expect(text).toContain(words);
  });

  it("one that nobody reviewed says so", () => {
    const text = textOf(small({ council: null, final: null, slop: null, defect_points: null }));
    expect(text).toContain("No judge reviewed it.");
    expect(text).toContain("Nobody reviewed it.");
  });

  it("one that does not exist says so", () => {
    expect(textOf(open(dataOf([GIVEN]), "nowhere", "e1", null))).toBe(
      "No such entry There is no entry nowhere/e1 in these results, or its run is excluded.",
    );
  });

  it("keeps what strangers wrote from steering the page", () => {
    const page = small({
      ...GIVEN,
      findings: [{ text: "<script>alert(1)</script> \u202eabc", file: "a\u2066b.rs", note: "<b>" }],
    });
    expect(page).not.toMatch(/<script|<b>|\u202e|\u2066/);
  });
});

describe("every entry of a full-size round", () => {
  let data: Data;
  beforeAll(async () => {
    data = await syntheticData();
  });
  it("can be opened, and shows no number that is none", () => {
    const index = indexData(data);
    for (const { run, id, findings } of data.entries) {
      const page = renderToString(
        <EntryDetails
          index={index}
          site={LOCAL_SITE}
          run={run}
          entry={id}
          findings={findings}
          entryHref={() => "#"}
        />,
      );
      expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
    }
  });
});
