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

/** The table of rates as Markdown: shares of the runs in percent, rounds on average. */
export function showRates(rates: readonly SimulatedRates[]): string {
  const rows = rates.map(({ host, speedup, runs, verdicts, noisy, disturbed, rounds }) => {
    const share = (count: number): string => `${((100 * count) / runs).toFixed(1)}%`;
    return [
      host,
      speedup.toFixed(2),
      String(runs),
      ...[verdicts.faster, verdicts.slower, verdicts.same, verdicts.inconclusive, noisy, disturbed].map(
        share,
      ),
      rounds.toFixed(1),
    ];
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return [line(HEAD), line(HEAD.map((_, index) => (index === 0 ? "---" : "--:"))), ...rows.map(line)].join(
    "",
  );
}
