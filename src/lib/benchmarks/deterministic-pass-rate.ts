import type { Metric } from "./comparison.ts";

/**
 * 1 for a member whose recipe validated and executed, whatever its table says; else 0.
 *
 * Worked example: of four members one is passed, one partial, one failed and one skipped:
 * (1 + 1 + 0 + 0) / 4 = 0.5.
 */
export const deterministicPassRate: Metric<"deterministic_pass_rate"> = {
  id: "deterministic_pass_rate",
  title: "Deterministic pass rate",
  unit: "share",
  direction: "higher-is-better",
  range: [0, 1],
  weight: { numerator: 30, denominator: 100 },
  definition:
    "Share of members whose recipe validates and executes. Exact (passed) and executed-but-different (partial) results both count; every failure and skip stays in the denominator.",
  compute: () => ({ numerator: 1, denominator: 1 }),
  zero: { numerator: 0, denominator: 1 },
  consistent: ({ numerator, denominator }) => denominator === 1 && numerator <= 1,
};
