import { componentsOf, compositeOf } from "./composite.ts";
import { instantMs } from "./instant.ts";
import { METRIC_LIST } from "./metrics.ts";
import type { ResultFindings } from "./result-findings.ts";
import type { ResultDocument } from "./result-schema.ts";
import { costOf, totalsOf } from "./totals.ts";

/** Durations come from another clock than instants; an end computed from both may be off by this much. */
const CLOCK_TOLERANCE_MS = 1000;

/** Start, attempts and finish are moments, in order. */
export function checkTimes(document: ResultDocument, report: ResultFindings): void {
  const moment = (text: string, pointer: string): number => {
    const value = instantMs(text);
    if (value === null) report.error("result-time", pointer, "This is no moment in time.", { actual: text });
    return value ?? Number.NaN;
  };
  const start = moment(document.started_at, "/started_at");
  const finish = moment(document.finished_at, "/finished_at");
  if (finish < start)
    report.error("result-time-order", "/finished_at", "The run finished before it started.", {
      expected: `not before ${document.started_at}`,
      actual: document.finished_at,
    });
  for (const [index, member] of document.members.entries()) {
    let earliest = start;
    for (const [number, attempt] of member.attempts.entries()) {
      const pointer = `/members/${index}/attempts/${number}/started_at`;
      const at = moment(attempt.started_at, pointer);
      if (at < earliest)
        report.error(
          "result-time-order",
          pointer,
          number === 0
            ? "An attempt starts after the run does."
            : "A revision starts after the attempt that it revises has ended.",
          { actual: attempt.started_at },
        );
      if (at + attempt.duration_ms > finish + CLOCK_TOLERANCE_MS)
        report.error("result-time-order", pointer, "An attempt ends before the run does.", {
          expected: `ended by ${document.finished_at}`,
          actual: `${attempt.started_at} and ${attempt.duration_ms} ms`,
        });
      earliest = Math.max(at, at + attempt.duration_ms - CLOCK_TOLERANCE_MS);
    }
  }
}

/** Totals, cost, components and composite follow from the members. */
export function checkNumbers(document: ResultDocument, report: ResultFindings): void {
  const { members, totals, cost } = document;
  const attempts = members.reduce((sum, member) => sum + member.attempts.length, 0);
  if (totals.calls < attempts)
    report.error(
      "result-totals",
      "/totals/calls",
      "Every attempt is a call; there are fewer calls than attempts.",
      {
        expected: `at least ${attempts}`,
        actual: String(totals.calls),
      },
    );
  if (totals.calls > document.caps.calls)
    report.error("result-call-cap", "/totals/calls", "The run made more calls than its cap allows.", {
      expected: `at most ${document.caps.calls}`,
      actual: String(totals.calls),
    });
  const interrupted = Math.max(0, totals.calls - attempts);
  const derived = totalsOf(members, interrupted);
  for (const key of Object.keys(derived) as (keyof typeof derived)[])
    if (key !== "calls")
      report.differs(
        "result-totals",
        `/totals/${key}`,
        `The total ${key} is not what the members add up to.`,
        derived[key],
        totals[key],
      );
  const derivedCost = costOf(members, interrupted);
  report.differs(
    "result-cost",
    "/cost/total_usd",
    "The cost is not the sum of the costs that attempts report.",
    derivedCost.total_usd,
    cost.total_usd,
  );
  report.differs(
    "result-cost",
    "/cost/complete",
    "The cost is complete when every call's cost is known, and only then.",
    derivedCost.complete,
    cost.complete,
  );
  checkScores(document, report);
}

function checkScores(document: ResultDocument, report: ResultFindings): void {
  const components = componentsOf(document.members);
  for (const { id, title } of METRIC_LIST)
    report.differs(
      "result-component",
      `/components/${id}`,
      `${title}: the component is not the mean of the members' fractions.`,
      components[id],
      document.components[id],
      "Components are exact means over all members, rounded once, half away from zero, to six decimals.",
    );
  report.differs(
    "result-composite",
    "/composite",
    "The composite is not the weighted sum of the components.",
    compositeOf(document.members),
    document.composite,
    "0.30, 0.30, 0.15, 0.15 and 0.10 of the exact means, rounded once, half away from zero, to six decimals.",
  );
}
