import { instantMs } from "../../benchmarks/instant.ts";
import type { ResultDocument } from "../../benchmarks/result-schema.ts";
import type { Finding } from "../../findings.ts";
import type { Rule } from "./rule.ts";

/** Members that must agree before an equal score is strange. */
const ENOUGH = 4;

/** F55: numbers that are possible and yet hard to believe go to a person. */
export const sanity: Rule = {
  id: "sanity",
  title: "Numbers are believable.",
  check: ({ submissions }) =>
    submissions.flatMap(({ path, document }) =>
      document === null ? [] : [...equalScores(path, document), ...impossibleTime(path, document)],
    ),
};

/** Different workbooks hardly give the same fraction that is neither nothing nor everything. */
function equalScores(path: string, { members }: ResultDocument): Finding[] {
  const partial = members.filter(({ status }) => status === "partial");
  const rates = new Set(
    partial.map(({ metrics }) => metrics.cell_match_rate.numerator / metrics.cell_match_rate.denominator),
  );
  const [rate] = rates;
  if (partial.length < ENOUGH || rates.size !== 1 || rate === undefined || rate === 0 || rate === 1)
    return [];
  return [
    {
      code: "pr-equal-scores",
      severity: "warning",
      message: `All ${partial.length} partial members claim the same cell match rate.`,
      path,
      pointer: "/members",
      actual: String(rate),
      hint: "If the run really came out like this, say so in the pull request; a maintainer decides.",
    },
  ];
}

/** No single call can last longer than the run. */
function impossibleTime(path: string, { started_at, finished_at, members }: ResultDocument): Finding[] {
  const [start, end] = [instantMs(started_at), instantMs(finished_at)];
  if (start === null || end === null) return [];
  const longest = Math.max(
    0,
    ...members.flatMap(({ attempts }) => attempts.map(({ duration_ms }) => duration_ms)),
  );
  // Clocks are read to the millisecond on both ends.
  if (longest <= end - start + 1000) return [];
  return [
    {
      code: "pr-impossible-time",
      severity: "warning",
      message: "One call is said to have lasted longer than the whole run.",
      path,
      pointer: "/members",
      expected: `at most ${end - start} ms`,
      actual: `${longest} ms`,
      hint: "Send the document as npm run bench:run wrote it.",
    },
  ];
}
