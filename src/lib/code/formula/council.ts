import { z } from "zod";
import { councilScore, crossVendorScore, panelOf } from "../score/council.ts";
import {
  meanOverSeats,
  SEVERITY_WEIGHTS,
  SLOP_CATEGORIES,
  seatDefectPoints,
  seatSlop,
  type WeighedFinding,
} from "../score/findings.ts";
import { defineFormula, type Worked, workedValue } from "./formula.ts";
import { findingInput, idInput, idsInput, listOf, scoreInput } from "./inputs.ts";
import { meanTerms, shown } from "./show.ts";

const seatsInput = listOf(z.strictObject({ judge: idInput, score: scoreInput }));
const SEATS = [
  { judge: "opus", score: 9.1 },
  { judge: "sol", score: 8.8 },
  { judge: "grok", score: 8.5 },
];

const panel = defineFormula({
  name: "panel",
  title: "Panel",
  section: "Council",
  formula: "panel = the judges who scored every live entry of the run (one that finished)",
  input: z.strictObject({ live_entries: listOf(z.strictObject({ entry: idInput, judges: idsInput })) }),
  example: {
    live_entries: [
      { entry: "e1", judges: ["opus", "sol", "grok"] },
      { entry: "e2", judges: ["opus", "sol"] },
    ],
  },
  compute({ live_entries }) {
    const result = panelOf(live_entries.map(({ judges }) => judges));
    const everybody = [...new Set(live_entries.flatMap(({ judges }) => judges))].sort();
    const steps = everybody.map((judge) => {
      const n = live_entries.filter(({ judges }) => judges.includes(judge)).length;
      return `${judge}: scored ${n} of ${live_entries.length} live entries${result.includes(judge) ? ": on the panel" : ""}`;
    });
    return { result: { panel: result }, steps: [...steps, `panel = ${result.join(", ") || "nobody"}`] };
  },
});

const council = defineFormula({
  name: "council-score",
  title: "Council score",
  section: "Council",
  formula: "council = mean of the panel's scores of the entry, 0 … 10",
  input: z.strictObject({ seats: seatsInput, panel: idsInput }),
  example: { seats: SEATS, panel: ["opus", "sol"] },
  compute({ seats, panel: judges }) {
    const used = seats.filter(({ judge }) => judges.includes(judge));
    const left = seats.filter(({ judge }) => !judges.includes(judge)).map(({ judge }) => judge);
    const steps = left.length === 0 ? [] : [`not on the panel: ${left.join(", ")}`];
    const mean = meanTerms(used.map(({ score }) => score));
    return workedValue(
      councilScore(seats, judges),
      steps,
      used.length === 0 ? "council" : `council = ${mean}`,
    );
  },
});

const crossVendor = defineFormula({
  name: "cross-vendor-score",
  title: "Cross-vendor score",
  section: "Council",
  formula: "cross-vendor = mean of the scores of the panel's judges whose vendor is not the entry's",
  input: z.strictObject({ seats: seatsInput, panel: idsInput, same_vendor: idsInput }),
  example: { seats: SEATS, panel: ["opus", "sol", "grok"], same_vendor: ["opus"] },
  compute({ seats, panel: judges, same_vendor }) {
    const others = judges.filter((judge) => !same_vendor.includes(judge));
    const used = seats.filter(({ judge }) => others.includes(judge)).map(({ score }) => score);
    return workedValue(
      crossVendorScore(seats, judges, new Set(same_vendor)),
      [`judges of other vendors: ${others.join(", ") || "nobody"}`],
      used.length === 0 ? "cross-vendor" : `cross-vendor = ${meanTerms(used)}`,
    );
  },
});

const reviewsInput = z.strictObject({
  seats: listOf(z.strictObject({ judge: idInput, findings: listOf(findingInput) })),
});
/** The methodology's own: two low-severity false comments, a nit dead branch, nothing; and what does not count. */
const REVIEWS: z.infer<typeof reviewsInput> = {
  seats: [
    { judge: "opus", findings: [{ severity: "low", category: "misleading-docs", false_positive: false }] },
    { judge: "sol", findings: [{ severity: "low", category: "misleading-docs", false_positive: false }] },
    {
      judge: "grok",
      findings: [
        { severity: "nit", category: "dead-code", false_positive: false },
        { severity: "high", category: "verbosity", false_positive: true },
      ],
    },
    { judge: "muse", findings: [{ severity: "medium", category: "correctness", false_positive: false }] },
  ],
};

const slop = defineFormula({
  name: "slop",
  title: "Slop score",
  section: "Slop score",
  formula:
    "slop = mean over all seats of Σ weights of valid findings in misleading-docs, dead-code, redundancy, verbosity; critical 4, high 3, medium 2, low 1, nit 0.5",
  input: reviewsInput,
  example: REVIEWS,
  compute: ({ seats }) => weighed("slop", seats, seatSlop, (category) => SLOP_CATEGORIES.has(category)),
});

const defectPoints = defineFormula({
  name: "defect-points",
  title: "Defect points",
  section: "Slop score",
  formula:
    "defect points = mean over all seats of Σ weights of valid findings of any category; weights as for slop",
  input: reviewsInput,
  example: REVIEWS,
  compute: ({ seats }) => weighed("defect points", seats, seatDefectPoints, () => true),
});

function weighed(
  name: string,
  seats: z.infer<typeof reviewsInput>["seats"],
  pointsOf: (findings: readonly WeighedFinding[]) => number,
  counts: (category: string) => boolean,
): Worked {
  const points = seats.map(({ findings }) => pointsOf(findings));
  const steps = seats.map(({ judge, findings }, index) => {
    const valid = findings.filter((each) => !each.false_positive && counts(each.category));
    const left = findings.length - valid.length;
    const parts = valid.map(
      ({ severity, category }) => `${severity} ${category} ${SEVERITY_WEIGHTS[severity]}`,
    );
    const total = valid.length === 1 ? "" : ` = ${shown(points[index] ?? 0)}`;
    return `${judge}: ${parts.join(" + ") || "nothing"}${total}${left > 0 ? ` (${left} not counted)` : ""}`;
  });
  return workedValue(
    meanOverSeats(points),
    steps,
    points.length === 0 ? name : `${name} = ${meanTerms(points)}`,
  );
}

export const COUNCIL_FORMULAS = [panel, council, crossVendor, slop, defectPoints];
