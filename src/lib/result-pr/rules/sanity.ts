import { instantMs } from "../../benchmarks/instant.ts";
import type { ResultDocument } from "../../benchmarks/result-schema.ts";
import type { Finding } from "../../findings.ts";
import { OWN_CONTESTANTS } from "../contestants.ts";
import type { Rule } from "./rule.ts";

/** Members that must agree before an equal score is strange. */
const ENOUGH = 4;
/** Calls that must agree before an equal time is. */
const MANY = 8;
/** Between two clocks. */
const CLOCKS_MS = 1000;
/** Ten times what the fastest providers reach. */
const FASTEST_TOKENS_PER_MS = 30;
/** Interruptions that need no explanation. */
const INTERRUPTED = 3;

/** F55: numbers that are possible and yet hard to believe go to a person. */
export const sanity: Rule = {
  id: "sanity",
  title: "Numbers are believable.",
  check: ({ submissions }) =>
    submissions.flatMap(({ path, document }) =>
      document === null
        ? []
        : [
            ...equalScores(path, document),
            ...equalTimes(path, document),
            ...impossibleTime(path, document),
            ...impossibleSpeed(path, document),
            ...missingCalls(path, document),
          ],
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

/** Calls to a provider never last exactly as long as each other, to the millisecond. */
function equalTimes(path: string, { members }: ResultDocument): Finding[] {
  const durations = members.flatMap(({ attempts }) => attempts.map(({ duration_ms }) => duration_ms));
  const [first = 0] = durations;
  // Answers from one's own machine can all take a few milliseconds.
  if (durations.length < MANY || first < 50 || durations.some((duration) => duration !== first)) return [];
  return [
    {
      code: "pr-equal-times",
      severity: "warning",
      message: `All ${durations.length} calls are said to have lasted exactly the same.`,
      path,
      pointer: "/members",
      actual: `${first} ms`,
      hint: "Send the document as npm run bench:run wrote it.",
    },
  ];
}

/** A run makes one call after the other, so none lasts longer than the run, nor do all of them together. */
function impossibleTime(path: string, { started_at, finished_at, members }: ResultDocument): Finding[] {
  const [start, end] = [instantMs(started_at), instantMs(finished_at)];
  if (start === null || end === null) return [];
  const durations = members.flatMap(({ attempts }) => attempts.map(({ duration_ms }) => duration_ms));
  const longest = Math.max(0, ...durations);
  const together = durations.reduce((sum, duration) => sum + duration, 0);
  const impossible = (message: string, actual: number): Finding[] => [
    {
      code: "pr-impossible-time",
      severity: "warning",
      message,
      path,
      pointer: "/members",
      expected: `at most ${end - start} ms`,
      actual: `${actual} ms`,
      hint: "Send the document as npm run bench:run wrote it.",
    },
  ];
  // Instants and durations come from different clocks, read to the millisecond.
  if (longest > end - start + CLOCKS_MS)
    return impossible("One call is said to have lasted longer than the whole run.", longest);
  if (together > (end - start) * 1.01 + CLOCKS_MS + durations.length)
    return impossible("The calls are said to have lasted longer together than the whole run.", together);
  return [];
}

/** No provider writes that fast; answers from one's own machine, and short ones, say nothing. */
function impossibleSpeed(path: string, { model, members }: ResultDocument): Finding[] {
  if (OWN_CONTESTANTS.includes(model.id)) return [];
  const fast = members.flatMap(({ attempts }) =>
    attempts.filter(
      ({ usage, duration_ms }) =>
        usage !== null &&
        usage.completion_tokens >= 200 &&
        usage.completion_tokens > (duration_ms + 1) * FASTEST_TOKENS_PER_MS,
    ),
  );
  const [first] = fast;
  if (first === undefined || fast.length < ENOUGH) return [];
  return [
    {
      code: "pr-impossible-speed",
      severity: "warning",
      message: `${fast.length} answers are said to have been written faster than any provider writes.`,
      path,
      pointer: "/members",
      expected: `at most ${FASTEST_TOKENS_PER_MS * 1000} tokens a second`,
      actual: `${first.usage?.completion_tokens ?? 0} tokens in ${first.duration_ms} ms`,
      hint: "Send the document as npm run bench:run wrote it; if answers came from a cache, say so in the pull request.",
    },
  ];
}

/**
 * F58: a call that stands in no member was interrupted, and its member asked again. That happens when a run is stopped; more
 * of it looks like asking until the answer pleases.
 */
function missingCalls(path: string, { members, totals }: ResultDocument): Finding[] {
  const attempts = members.reduce((sum, member) => sum + member.attempts.length, 0);
  const missing = totals.calls - attempts;
  if (missing <= Math.max(INTERRUPTED, attempts / 10)) return [];
  return [
    {
      code: "pr-calls-missing",
      severity: "warning",
      message: `${missing} calls of this run stand in no member: they were made, and made again.`,
      path,
      pointer: "/totals/calls",
      expected: `about ${attempts}`,
      actual: `${totals.calls}`,
      hint: "Explain in the pull request why the run was interrupted so often; a maintainer decides.",
    },
  ];
}
