import { type Analysis, type Estimate, percent } from "./analyse.ts";
import { LEVEL } from "./rule.ts";

const VERDICTS: Readonly<Record<Analysis["verdict"], string>> = {
  faster: "The candidate is faster.",
  slower: "The candidate is slower.",
  same: "Both are as fast, within 2%.",
  inconclusive: "It stays open which is faster.",
};

/** A measurement as a person reads it. Ratios above 1: the candidate is faster. */
export function showAnalysis(analysis: Analysis): string {
  const { pairs, metrics, speed, floor, verdict, flags, reasons } = analysis;
  const lines = metrics.map(
    ({ id, cv, outliers, ...own }) =>
      `  ${id}: ${show(own)}, spread ${percent(cv.candidate)} and ${percent(cv.reference)}, ${outliers} outliers\n`,
  );
  return [
    `${VERDICTS[verdict]}\n`,
    `  speed-up ${show(speed)} (${percent(LEVEL)} interval, ${pairs} pairs)\n`,
    `  the reference against itself ${show(floor)}\n`,
    ...(metrics.length > 1 || flags.length > 0 ? lines : []),
    ...(flags.length > 0 ? [`  ${flags.join(", ")}\n`] : []),
    ...reasons.map((reason) => `  ${reason}\n`),
  ].join("");
}

const show = ({ ratio, interval }: Estimate): string =>
  `${ratio.toFixed(4)} [${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}]`;
