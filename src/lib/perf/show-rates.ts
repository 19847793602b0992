import type { SimulatedRates } from "./simulate.ts";

const HEAD = [
  "Host",
  "True speed-up",
  "Runs",
  "Faster",
  "Slower",
  "Same",
  "Inconclusive",
  "Noisy",
  "Disturbed",
  "Rounds",
] as const;

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;

/** The head of the table of rates, as Markdown. */
export const RATES_HEAD: string = line(HEAD) + line(HEAD.map((_, index) => (index === 0 ? "---" : "--:")));

/** A line of the table: shares of the runs in percent, rounds on average. */
export function showRates({
  host,
  speedup,
  runs,
  verdicts,
  noisy,
  disturbed,
  rounds,
}: SimulatedRates): string {
  const share = (count: number): string => `${((100 * count) / runs).toFixed(1)}%`;
  const { faster, slower, same, inconclusive } = verdicts;
  return line([
    host,
    speedup.toFixed(2),
    String(runs),
    ...[faster, slower, same, inconclusive, noisy, disturbed].map(share),
    rounds.toFixed(1),
  ]);
}
