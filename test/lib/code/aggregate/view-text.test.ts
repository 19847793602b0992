import { describe, expect, it } from "vitest";
import { indexData } from "../../../../src/lib/code/aggregate/index-data.ts";
import { durationText, usdText } from "../../../../src/lib/code/aggregate/numbers-text.ts";
import { deriveRanks } from "../../../../src/lib/code/aggregate/ranks.ts";
import { FIRST_SELECTION, type Selection } from "../../../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../../../src/lib/code/aggregate/view.ts";
import { viewText } from "../../../../src/lib/code/aggregate/view-text.ts";
import { type Data, dataSchema } from "../../../../src/lib/code/derive/data-schema.ts";
import { dataOf, type Given } from "./small-data.ts";

function text(given: readonly Given[], selection: Partial<Selection> = {}, rest: Partial<Data> = {}): string {
  const index = indexData(dataSchema.parse(dataOf(given, rest)));
  const view = deriveView(index, { ...FIRST_SELECTION, efforts: "all", ...selection });
  return viewText(view, deriveRanks(index, view, { seed: 1, draws: 50 }));
}

const TWO: Given[] = [
  {
    configuration: "ash@high",
    final: 7.9375,
    council: 9,
    hidden: [12, 12],
    usd: 0.625,
    seconds: 600,
    fast: true,
    slop: 0.625,
    defect_points: 1.12,
    seats: { a: 9, b: 9 },
  },
  { configuration: "elm@max", dnf: "time limit", seconds: 5400, usd: 0.5 },
];

describe("a view as text", () => {
  it("shows ranking, picks, leads and judges of a selection, rounded for people", () => {
    expect(
      text(TWO, { task: "coder" }),
    ).toBe(`all leads, coder, all effort levels, runs combined, by final score
1 task, 1 lead, 1 run, 2 entries, 1 did not finish

Ranking
rank  configuration  final  council  cross-vendor  hidden   cost        time                  standard tier  slop  defects  tasks  did not finish
   1  ash@high        7.94     9.00          9.00   12/12  $0.63  10 min 0 s  ⚡ 20 min 0 s (2.00×, assumed)  0.63     1.12    1/1
   –  elm@max            –        –             –       –  $0.50  1 h 30 min                                    –        –    0/1               1

Top overall picks
    configuration  value  council   cost  price part  defect points  defect part  hidden
1.  ash@high        8.58     9.00  $0.63        0.14           1.12        -0.56   12/12
Fewer than six: 1 of 2 configurations pass at least 98% of the hidden categories.

Leads compared
lead       median final  mean  lowest  highest  configurations
lead@high          7.94  7.94    7.94     7.94               1
over coder

Council judges
judge  entries  mean  median  offset  false positives
a            1  9.00    9.00    0.00                0
b            1  9.00    9.00    0.00                0
ICC(2,1): fewer than two entries; ICC(2,k): fewer than two entries (n = 1 entries, k = 2 judges)
`);
  });

  it("says at once that data are synthetic", () => {
    expect(text(TWO, {}, { synthetic: true })).toMatch(/^SYNTHETIC DATA.*no results/);
    expect(text(TWO)).not.toContain("SYNTHETIC");
  });

  it("shows ranges of ranks when runs allow them, and no groups when they do not", () => {
    expect(text(TWO)).not.toContain("group");
    const runs = [1, 2, 3].flatMap((replicate): Given[] => [
      { configuration: "ash@high", replicate, council: 9, final: 9, seats: { a: 9, b: 9 } },
      { configuration: "cedar@low", replicate, council: 5, final: 5, seats: { a: 5, b: 5 } },
    ]);
    expect(text(runs)).toMatch(/^ *1 +1–1 +1 +ash@high/m);
    expect(text(runs)).toMatch(/^ *2 +2–2 +2 +cedar@low/m);
  });

  it("lets no name steer the terminal", () => {
    expect(text([{ lead: "one\u001b[2J@high" }])).not.toContain("\u001b");
  });

  it("is there for nothing", () => {
    expect(text([])).toContain("Ranking\n  (nothing)");
  });
});

describe("numbers for people", () => {
  it("shows durations in the two largest units, without carrying 60", () => {
    expect([0, 59.4, 59.6, 3599.4, 3599.6, 3630, 7199].map(durationText)).toEqual([
      "0 s",
      "59 s",
      "1 min 0 s",
      "59 min 59 s",
      "1 h 0 min",
      "1 h 1 min",
      "2 h 0 min",
    ]);
  });

  it("shows small prices with more digits, and an unknown one never as 0", () => {
    expect([null, 0, 0.0042, 0.44, 5.735].map(usdText)).toEqual(["–", "$0.00", "$0.0042", "$0.44", "$5.74"]);
  });
});
