import { incompleteBeta } from "./beta.ts";

/**
 * Two-sided exact sign test of paired yes-or-no outcomes, the exact form of McNemar's test (Q. McNemar, Psychometrika 12
 * (1947) 153–157; S. Siegel, Nonparametric Statistics (1956), sections on the sign and McNemar tests): of the pairs that
 * differ, `first` favour one side and `second` the other; when neither side is better each way is as likely, so with
 * X ~ Binomial(first + second, ½) p = min(1, 2·P(X ≤ min(first, second))). Pairs with equal outcomes say nothing about it.
 *
 * Worked example: 1 against 9 gives 2·(1 + 10)/1024 = 0.021484375; 0 against 5 gives 2/32 = 0.0625.
 */
export function signTest(first: number, second: number): number {
  const total = first + second;
  const fewer = Math.min(first, second);
  if (2 * fewer >= total - 1) return 1;
  // P(X ≤ k) of a binomial variable is the incomplete beta function at 1 − p with n − k and k + 1.
  return Math.min(1, 2 * incompleteBeta(0.5, total - fewer, fewer + 1));
}
