import { z } from "zod";
import type { Interval } from "../../stats/bootstrap.ts";
import { icc } from "../../stats/icc.ts";
import type { Known } from "../../stats/known.ts";
import { judgeAgreement } from "../judges/agreement.ts";
import { calibrationOffset } from "../judges/calibration.ts";
import { reviewCost } from "../judges/cost.ts";
import { sameJudgeTwice, selfPreference } from "../judges/preference.ts";
import { judgeTrial } from "../judges/recall.ts";
import { defineFormula } from "./formula.ts";
import { countInput, idInput, idsInput, listOf, scoreInput, secondsInput, usdInput } from "./inputs.ts";
import { meanTerms, shown } from "./show.ts";

const orReason = ({ value, reason }: Known): string =>
  reason === null ? shown(value) : `unknown (${reason})`;
const between = (interval: Interval | null): string =>
  interval === null ? "none" : `${shown(interval.low)} … ${shown(interval.high)}`;

const rows = (judges: readonly string[], matrix: readonly (readonly number[])[]) =>
  matrix.flatMap((row, entry) =>
    row.map((score, judge) => ({ entry: `e${entry + 1}`, judge: judges[judge] ?? "", score })),
  );

const agreement = defineFormula({
  name: "judge-agreement",
  title: "A judge's mean, median, offset and r",
  section: "Council judges",
  formula:
    "o = mean of the other judges' scores of an entry; offset = mean(s − o); r = Pearson(s, o), over entries that another judge scored too",
  input: z.strictObject({
    scores: listOf(z.strictObject({ entry: idInput, judge: idInput, score: scoreInput })),
  }),
  example: {
    scores: rows(
      ["a", "b", "c"],
      [
        [8, 7, 9],
        [6, 6, 7],
        [9, 8, 9],
        [5, 4, 6],
      ],
    ),
  },
  compute({ scores }) {
    const judges = judgeAgreement(scores);
    return {
      result: { judges },
      steps: judges.map(
        ({ judge, n, mean, median, compared, offset, r }) =>
          `${judge}: ${n} scores, mean ${shown(mean)}, median ${shown(median)}; over ${compared} shared entries offset ${orReason(offset)}, r ${orReason(r)}`,
      ),
    };
  },
});

const correlation = defineFormula({
  name: "icc",
  title: "Intraclass correlation ICC(2,1) and ICC(2,k)",
  section: "Council judges",
  formula:
    "ICC(2,1) = (MSR − MSE) ÷ (MSR + (k − 1)·MSE + k·(MSC − MSE)/n); ICC(2,k) = (MSR − MSE) ÷ (MSR + (MSC − MSE)/n)",
  input: z.strictObject({
    /** One row an entry, one column a judge. */
    scores: z
      .array(z.array(z.number()).max(100))
      .max(10_000)
      .refine(
        (all) => all.every((row) => row.length === all[0]?.length),
        "Every entry needs a score of every judge.",
      ),
  }),
  example: {
    scores: [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ],
  },
  compute({ scores }) {
    const { n, k, squares, single, average, singleInterval, averageInterval } = icc(scores);
    const steps = [`n = ${n} entries, k = ${k} judges`];
    if (squares !== null) {
      const { rows: msr, columns: msc, error: mse } = squares;
      const [r, c, e] = [shown(msr), shown(msc), shown(mse)];
      steps.push(
        `MSR = ${r}, MSC = ${c}, MSE = ${e}`,
        `ICC(2,1) = (${r} − ${e}) ÷ (${r} + ${k - 1}·${e} + ${k}·(${c} − ${e})/${n}) = ${orReason(single)}`,
        `95% interval of ICC(2,1): ${between(singleInterval)}`,
        `ICC(2,k) = (${r} − ${e}) ÷ (${r} + (${c} − ${e})/${n}) = ${orReason(average)}`,
        `95% interval of ICC(2,k): ${between(averageInterval)}`,
      );
    } else steps.push(`not defined: ${single.reason}`);
    return {
      result: {
        n,
        k,
        squares,
        single,
        single_interval: singleInterval,
        average,
        average_interval: averageInterval,
      },
      steps,
    };
  },
});

const calibration = defineFormula({
  name: "calibration-offset",
  title: "Calibration by anchors",
  section: "Council",
  formula:
    "offset = mean over anchors of (score − the earlier panel's mean); also against that panel without the judge; reported, not applied",
  input: z.strictObject({
    anchors: listOf(
      z.strictObject({
        score: scoreInput,
        panel: scoreInput.nullable(),
        panel_without: scoreInput.nullable(),
      }),
    ),
  }),
  example: {
    anchors: [
      { score: 8.1, panel: 7.8, panel_without: 7.9 },
      { score: 6.4, panel: 6.9, panel_without: 7 },
    ],
  },
  compute({ anchors }) {
    const result = calibrationOffset(anchors);
    const line = (
      name: string,
      pairs: readonly (readonly [number, number | null])[],
      offset: number | null,
    ): string => {
      const parts = pairs.flatMap(([score, panel]) =>
        panel === null ? [] : [`${shown(score)} − ${shown(panel)}`],
      );
      return parts.length === 0
        ? `${name}: no anchor`
        : `${name} = ((${parts.join(") + (")})) ÷ ${parts.length} = ${shown(offset)}`;
    };
    return {
      result: { ...result },
      steps: [
        line(
          "against the panel",
          anchors.map(({ score, panel }) => [score, panel]),
          result.against_panel.offset,
        ),
        line(
          "against the others on it",
          anchors.map(({ score, panel_without }) => [score, panel_without]),
          result.against_others.offset,
        ),
      ],
    };
  },
});

const trial = defineFormula({
  name: "judge-recall",
  title: "Verified defects found, and trials",
  section: "Verified defects",
  formula:
    "recall = (defect, entry) pairs reported ÷ pairs in entries that the judge reviewed; precision = findings that report a verified defect ÷ (those + false positives)",
  input: z.strictObject({
    defects: listOf(z.strictObject({ defect: idInput, entry: idInput })),
    reviewed: idsInput,
    findings: listOf(
      z.strictObject({ entry: idInput, defect: idInput.nullable(), false_positive: z.boolean() }),
    ),
  }),
  example: {
    defects: [
      { defect: "D-1", entry: "e1" },
      { defect: "D-1", entry: "e2" },
      { defect: "D-2", entry: "e1" },
      { defect: "D-3", entry: "e3" },
    ],
    reviewed: ["e1", "e2"],
    findings: [
      { entry: "e1", defect: "D-1", false_positive: false },
      { entry: "e1", defect: "D-2", false_positive: false },
      { entry: "e2", defect: null, false_positive: false },
      { entry: "e2", defect: null, false_positive: true },
    ],
  },
  compute({ defects, reviewed, findings }) {
    const result = judgeTrial(defects, new Set(reviewed), findings);
    const confirmed =
      result.precision.value === null ? "no finding was verified" : orReason(result.precision);
    return {
      result: { ...result },
      steps: [
        `pairs in the ${reviewed.length} entries reviewed: ${result.of}; reported: ${result.found}`,
        `recall = ${result.found} ÷ ${result.of} = ${orReason(result.share)}`,
        `findings ${result.findings}, false positives ${result.false_positives}; precision: ${confirmed}`,
      ],
    };
  },
});

const cost = defineFormula({
  name: "review-cost",
  title: "Review cost and time",
  section: "Council judges",
  formula:
    "cost per entry = Σ list price of the judge's sessions ÷ entries scored, anchors not counted; mean wall time of a session",
  input: z.strictObject({
    sessions: listOf(
      z.strictObject({ cost_usd: usdInput.nullable(), scored: countInput, seconds: secondsInput }),
    ),
  }),
  example: {
    sessions: [
      { cost_usd: 2, scored: 6, seconds: 900 },
      { cost_usd: 1, scored: 4, seconds: 600 },
    ],
  },
  compute({ sessions }) {
    const result = reviewCost(sessions);
    return {
      result: { ...result },
      steps: [
        `cost = ${sessions.map(({ cost_usd }) => shown(cost_usd)).join(" + ") || "nothing"} = ${orReason(result.cost)} USD`,
        `entries scored = ${result.scored}; cost per entry = ${orReason(result.cost_per_entry)} USD`,
        `wall time per session = ${sessions.length === 0 ? "unknown" : meanTerms(sessions.map(({ seconds }) => seconds))} = ${shown(result.seconds_per_session)} s`,
      ],
    };
  },
});

const preference = defineFormula({
  name: "self-preference",
  title: "Self-preference of a vendor's judges",
  section: "Council judges",
  formula:
    "d = score − mean of the other vendors' judges on the entry; preference = mean d over the vendor's own entries − mean d over all others",
  input: z.strictObject({
    scores: listOf(
      z.strictObject({ entry: idInput, entry_vendor: idInput, judge_vendor: idInput, score: scoreInput }),
    ),
  }),
  example: {
    scores: (
      [
        ["e1", "anthropic", { anthropic: 9, openai: 8, xai: 7 }],
        ["e2", "openai", { anthropic: 8, openai: 8, xai: 7 }],
        ["e3", "xai", { anthropic: 7, openai: 7, xai: 6 }],
      ] as const
    ).flatMap(([entry, entry_vendor, given]) =>
      Object.entries(given).map(([judge_vendor, score]) => ({ entry, entry_vendor, judge_vendor, score })),
    ),
  },
  compute({ scores }) {
    const vendors = selfPreference(scores);
    return {
      result: { vendors },
      steps: vendors.map(
        ({ vendor, preference: value, own, own_n, other, other_n }) =>
          `${vendor}: own ${shown(own)} (n = ${own_n}), others ${shown(other)} (n = ${other_n}); preference ${orReason(value)}`,
      ),
    };
  },
});

const twice = defineFormula({
  name: "same-judge-twice",
  title: "The same judge twice",
  section: "Council judges",
  formula:
    "mean |second − first| over entries that one judge scored in two sessions; the largest; the mean of second − first",
  input: z.strictObject({ pairs: listOf(z.strictObject({ first: scoreInput, second: scoreInput })) }),
  example: {
    pairs: [
      { first: 8, second: 8.5 },
      { first: 7, second: 6 },
      { first: 9, second: 9 },
    ],
  },
  compute({ pairs }) {
    const result = sameJudgeTwice(pairs.map(({ first, second }) => [first, second]));
    if (result === null)
      return { result: { mean_absolute: null, n: 0 }, steps: ["no entry was scored twice"] };
    const distances = pairs.map(({ first, second }) => Math.abs(second - first));
    return {
      result: { ...result },
      steps: [
        `mean absolute difference = ${meanTerms(distances)} = ${shown(result.mean_absolute)}`,
        `largest ${shown(result.largest)}; drift ${shown(result.drift)}`,
      ],
    };
  },
});

export const JUDGE_FORMULAS = [agreement, correlation, calibration, trial, cost, preference, twice];
