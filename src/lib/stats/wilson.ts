/** A share with an interval around it, all in 0 … 1. */
export interface ShareInterval {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The standard normal quantile at 97.5%: what a two-sided interval of 95% reaches to. */
const Z_95 = 1.959963984540054;

/**
 * Wilson's score interval of 95% for `hits` of `total`, without continuity correction (E. B. Wilson, Journal of the
 * American Statistical Association 22 (1927) 209–212; method 3 of R. G. Newcombe, Statistics in Medicine 17 (1998)
 * 857–872): with p = hits ÷ total, (p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) ÷ (1 + z²/n). Null when there is nothing to
 * take a share of. It never leaves 0 … 1, and is no point at 0 or 1.
 */
export function wilsonInterval(hits: number, total: number): ShareInterval | null {
  if (total <= 0) return null;
  const share = hits / total;
  const spread = Z_95 ** 2 / total;
  const centre = share + spread / 2;
  const half = Z_95 * Math.sqrt((share * (1 - share)) / total + spread / (4 * total));
  return {
    share,
    low: hits === 0 ? 0 : (centre - half) / (1 + spread),
    high: hits === total ? 1 : (centre + half) / (1 + spread),
  };
}
