import { z } from "zod";
import { bestPer } from "../score/best.ts";
import { finalScore, SLOP_COST } from "../score/final.ts";
import { addHidden, hiddenShare, isEligible } from "../score/hidden.ts";
import { paretoFront } from "../score/pareto.ts";
import { DEFECT_COST, DOUBLING_COST, pickValue, topPicks } from "../score/value.ts";
import { defineFormula, workedValue } from "./formula.ts";
import { hiddenInput, idInput, listOf, scoreInput, usdInput } from "./inputs.ts";
import { shown } from "./show.ts";

const pointsInput = z.number().nonnegative();

const hidden = defineFormula({
  name: "hidden",
  title: "Hidden suite and eligibility",
  section: "Top overall picks",
  formula:
    "share = Σ passed ÷ Σ total over runs; eligible when 100 × Σ passed ≥ 98 × Σ total, in whole numbers",
  input: z.strictObject({ runs: listOf(hiddenInput) }),
  example: {
    runs: [
      { passed: 66, total: 67 },
      { passed: 66, total: 67 },
      { passed: 67, total: 67 },
      { passed: 67, total: 67 },
      { passed: 67, total: 67 },
    ],
  },
  compute({ runs }) {
    const sum = addHidden(runs);
    const eligible = isEligible(sum);
    if (sum === null || sum.total === 0)
      return {
        result: { passed: null, total: null, share: null, eligible },
        steps: ["nothing was measured: not eligible"],
      };
    return {
      result: { ...sum, share: hiddenShare(sum), eligible },
      steps: [
        `passed = ${runs.map(({ passed }) => passed).join(" + ")} = ${sum.passed}`,
        `total = ${runs.map(({ total }) => total).join(" + ")} = ${sum.total}`,
        `share = ${sum.passed} ÷ ${sum.total} = ${shown(hiddenShare(sum))}`,
        `100 × ${sum.passed} = ${100 * sum.passed} ${eligible ? "≥" : "<"} ${98 * sum.total} = 98 × ${sum.total}: ${eligible ? "" : "not "}eligible`,
      ],
    };
  },
});

const final = defineFormula({
  name: "final-score",
  title: "Final score",
  section: "Final score",
  formula: "final = council × passed ÷ total − 0.5 × slop; may be negative",
  input: z.strictObject({
    council: scoreInput.nullable(),
    hidden: hiddenInput.nullable(),
    slop: pointsInput.nullable(),
  }),
  example: { council: 9, hidden: { passed: 11, total: 12 }, slop: 0.625 },
  compute({ council, hidden: count, slop }) {
    const value = finalScore(council, count, slop);
    if (value.value === null) return workedValue(value, [], "final");
    return workedValue(
      value,
      [],
      `final = ${shown(council)} × ${count?.passed} ÷ ${count?.total} − ${SLOP_COST} × ${shown(slop)}`,
    );
  },
});

const value = defineFormula({
  name: "value",
  title: "Value of a pick",
  section: "Top overall picks",
  formula:
    "value = score − 0.2 × log2(cost in USD) − 0.5 × defect points; unknown when the cost is unknown or 0",
  input: z.strictObject({
    score: scoreInput.nullable(),
    cost: usdInput.nullable(),
    defect_points: pointsInput.nullable(),
  }),
  example: { score: 9.01, cost: 5.74, defect_points: 1.12 },
  compute({ score, cost, defect_points }) {
    const worth = pickValue(score, cost, defect_points);
    if (worth.value === null || cost === null) return workedValue(worth, [], "value");
    return workedValue(
      worth,
      [`log2(${shown(cost)}) = ${shown(Math.log2(cost))}`],
      `value = ${shown(score)} − ${DOUBLING_COST} × ${shown(Math.log2(cost))} − ${DEFECT_COST} × ${shown(defect_points)}`,
    );
  },
});

const candidateInput = z.strictObject({
  configuration: idInput,
  /** Under best per model its model, under best per lab its lab; null when every effort level stands for itself. */
  key: idInput.nullable(),
  council: scoreInput.nullable(),
  cost: usdInput.nullable(),
  defect_points: pointsInput.nullable(),
  hidden: hiddenInput.nullable(),
});

const picks = defineFormula({
  name: "top-picks",
  title: "Top overall picks",
  section: "Top overall picks",
  formula:
    "the eligible candidates with the highest values, at most six; each key once; ties within 1e-9 to the cheaper, then by id",
  input: z.strictObject({ candidates: listOf(candidateInput) }),
  example: {
    candidates: [
      {
        configuration: "gpt-6.1-sol@max",
        key: null,
        council: 8.43,
        cost: 0.44,
        defect_points: 1.72,
        hidden: { passed: 333, total: 335 },
      },
      {
        configuration: "opus-5.5@high",
        key: null,
        council: 8.77,
        cost: 2.75,
        defect_points: 1.3,
        hidden: { passed: 335, total: 335 },
      },
      {
        configuration: "opus-5.5@xhigh",
        key: null,
        council: 9.01,
        cost: 5.74,
        defect_points: 1.12,
        hidden: { passed: 335, total: 335 },
      },
      {
        configuration: "cheap@low",
        key: null,
        council: 8.4,
        cost: 0.05,
        defect_points: 1,
        hidden: { passed: 320, total: 335 },
      },
    ],
  },
  compute({ candidates }) {
    const best = topPicks(candidates, ({ key, configuration }) => key ?? configuration);
    const steps = candidates.map((each) => {
      const { value: worth, reason } = pickValue(each.council, each.cost, each.defect_points);
      const count = each.hidden === null ? "not run" : `${each.hidden.passed}/${each.hidden.total}`;
      const out = isEligible(each.hidden) ? "" : ": not eligible";
      return `${each.configuration}: value ${reason === null ? shown(worth) : `unknown (${reason})`}, hidden ${count}${out}`;
    });
    const list = best.map(({ candidate, value: worth }) => ({
      configuration: candidate.configuration,
      value: worth,
    }));
    return {
      result: { picks: list },
      steps: [
        ...steps,
        ...list.map((each, index) => `${index + 1}. ${each.configuration}: ${shown(each.value)}`),
      ],
    };
  },
});

const best = defineFormula({
  name: "best-per-model",
  title: "Best per model or lab",
  section: "Aggregation on the site",
  formula:
    "of each key the highest score; ties within 1e-9 to the lower cost, then to the smaller configuration id",
  input: z.strictObject({
    rows: listOf(
      z.strictObject({
        configuration: idInput,
        key: idInput,
        score: z.number().nullable(),
        cost: usdInput.nullable(),
      }),
    ),
  }),
  example: {
    rows: [
      { configuration: "opus-5.5@xhigh", key: "opus-5.5", score: 8.6, cost: 5.74 },
      { configuration: "opus-5.5@high", key: "opus-5.5", score: 8.6, cost: 2.75 },
      { configuration: "opus-5.5@low", key: "opus-5.5", score: 7.2, cost: 0.6 },
      { configuration: "gpt-6.1-sol@max", key: "gpt-6.1-sol", score: 8.1, cost: 0.44 },
      { configuration: "muse@default", key: "muse", score: null, cost: 0.1 },
    ],
  },
  compute({ rows }) {
    const kept = bestPer(
      rows,
      ({ key }) => key,
      ({ score }) => score,
    );
    return {
      result: { kept: kept.map(({ configuration }) => configuration) },
      steps: [
        ...rows
          .filter(({ score }) => score === null)
          .map(({ configuration }) => `${configuration}: no score, left out`),
        ...kept.map(
          ({ key, configuration, score }, index) =>
            `${index + 1}. ${key}: ${configuration} with ${shown(score)}`,
        ),
      ],
    };
  },
});

const pareto = defineFormula({
  name: "pareto-front",
  title: "Pareto front",
  section: "Aggregation on the site",
  formula:
    "on the front: nothing is at least as good in score and cost and better in one; equal points are all on it",
  input: z.strictObject({
    points: listOf(z.strictObject({ configuration: idInput, score: z.number(), cost: usdInput.nullable() })),
  }),
  example: {
    points: [
      { configuration: "a@max", score: 9, cost: 5 },
      { configuration: "b@max", score: 9, cost: 5 },
      { configuration: "a@low", score: 7, cost: 1 },
      { configuration: "c@low", score: 6.9, cost: 1.5 },
      { configuration: "d@low", score: 9.5, cost: null },
    ],
  },
  compute({ points }) {
    const { front, behind, unplaced } = paretoFront(points);
    const ids = (list: typeof points): string[] => list.map(({ configuration }) => configuration);
    return {
      result: { front: ids(front), behind: ids(behind), unplaced: ids(unplaced) },
      steps: [
        ...front.map(
          (each) => `${each.configuration}: ${shown(each.score)} for ${shown(each.cost)} USD, on the front`,
        ),
        ...behind.map((each) => {
          const by = front.find(
            (other) => other.score >= each.score && (other.cost ?? 0) <= (each.cost ?? 0),
          );
          return `${each.configuration}: ${shown(each.score)} for ${shown(each.cost)} USD, behind ${by?.configuration}`;
        }),
        ...unplaced.map((each) => `${each.configuration}: cost unknown, no place`),
      ],
    };
  },
});

export const SCORE_FORMULAS = [hidden, final, value, picks, best, pareto];
