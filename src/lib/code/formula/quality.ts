import { z } from "zod";
import { COMPLEX_ABOVE, summarizeQuality } from "../quality/summary.ts";
import { defineFormula } from "./formula.ts";
import { listOf } from "./inputs.ts";
import { meanTerms, shown } from "./show.ts";

const complexity = defineFormula({
  name: "complexity",
  title: "Complexity of a deliverable's functions",
  section: "Code metrics",
  formula: "cyclomatic complexity per function: mean, maximum, and functions above 10",
  input: z.strictObject({
    functions: listOf(z.strictObject({ name: z.string().max(200), ccn: z.int().positive() })),
  }),
  example: {
    functions: [
      { name: "encode", ccn: 14 },
      { name: "decode", ccn: 11 },
      { name: "renormalise", ccn: 10 },
      { name: "flush", ccn: 1 },
    ],
  },
  compute({ functions }) {
    const { complexity: summary, complexity_reason } = summarizeQuality({
      at: "1970-01-01T00:00:00.000Z",
      tool: { name: "tree", version: "formula" },
      files: [],
      lines: { implementation: 0, comment: 0, significant: 0, duplicated: 0 },
      complexity: { functions: functions.map(({ name, ccn }) => [0, 1, ccn, name]), syntax_errors: 0 },
    });
    if (summary === null)
      return {
        result: { mean: null, reason: complexity_reason },
        steps: [`unknown, because ${complexity_reason}`],
      };
    const above = functions.filter(({ ccn }) => ccn > COMPLEX_ABOVE).map(({ name, ccn }) => `${name} ${ccn}`);
    const { mean, max, above_10 } = summary;
    return {
      result: { functions: summary.functions, mean, max, above_10 },
      steps: [
        `mean = ${meanTerms(functions.map(({ ccn }) => ccn))} = ${shown(mean)}`,
        `maximum = ${max}`,
        `above ${COMPLEX_ABOVE}: ${above.join(", ") || "none"}: ${above_10}`,
      ],
    };
  },
});

export const QUALITY_FORMULAS = [complexity];
