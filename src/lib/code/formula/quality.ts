import { z } from "zod";
import { known, unknown } from "../../stats/known.ts";
import { BLOCK_LINES, countDuplicatedLines } from "../quality/duplicates.ts";
import { COMPLEX_ABOVE, summarizeQuality } from "../quality/summary.ts";
import type { Quality } from "../schema/quality-schema.ts";
import { defineFormula, workedValue } from "./formula.ts";
import { listOf } from "./inputs.ts";
import { meanTerms, shown } from "./show.ts";

/** A measurement of nothing, for what a formula puts in. */
const NO_CODE: Quality = {
  at: "1970-01-01T00:00:00.000Z",
  tool: { name: "tree", version: "formula" },
  files: [],
  lines: { implementation: 0, comment: 0, significant: 0, duplicated: 0 },
  complexity: { functions: [], syntax_errors: 0 },
};

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
      ...NO_CODE,
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

const duplicatedLines = defineFormula({
  name: "duplicated-lines",
  title: "Duplicated lines of a deliverable",
  section: "Code metrics",
  formula: `significant lines in a block of ${BLOCK_LINES} or more consecutive ones that appears more than once ÷ significant lines`,
  input: z.strictObject({
    files: listOf(
      z.strictObject({ path: z.string().max(300), significant_lines: listOf(z.string().max(2000)) }),
    ),
  }),
  example: {
    files: [
      {
        path: "src/encode.rs",
        significant_lines: ["b.put(1);", "b.put(2);", "b.put(3);", "b.put(4);", "b.put(5);", "b.flush();"],
      },
      {
        path: "src/decode.rs",
        significant_lines: [
          "let b = open();",
          "b.put(1);",
          "b.put(2);",
          "b.put(3);",
          "b.put(4);",
          "b.put(5);",
          "b.flush();",
          "b.close();",
        ],
      },
    ],
  },
  compute({ files }) {
    const lines = files.map(({ significant_lines }) =>
      significant_lines.map((line) => line.trim().replace(/\s+/g, " ")),
    );
    const significant = lines.reduce((sum, each) => sum + each.length, 0);
    const duplicated = countDuplicatedLines(lines);
    const { duplicated_share: value } = summarizeQuality({
      ...NO_CODE,
      lines: { implementation: significant, comment: 0, significant, duplicated },
    });
    const steps = [
      `significant lines = ${significant}`,
      `of these in a block of ${BLOCK_LINES} or more that appears more than once, all copies counted: ${duplicated}`,
    ];
    return workedValue(
      value === null ? unknown("there is no significant line") : known(value),
      steps,
      value === null ? "duplicated" : `duplicated = ${duplicated} ÷ ${significant}`,
    );
  },
});

export const QUALITY_FORMULAS = [duplicatedLines, complexity];
