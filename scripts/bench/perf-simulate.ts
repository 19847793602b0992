import { InvalidArgumentError } from "commander";
import { DRAWS } from "../../src/lib/perf/rule.ts";
import { RATES_HEAD, showRates } from "../../src/lib/perf/show-rates.ts";
import { SIMULATED_HOSTS, simulateRates } from "../../src/lib/perf/simulate.ts";
import { register } from "./command.ts";

interface SimulateOptions {
  runs: number;
  seed: string;
  change: number;
}

/** How often the protocol is wrong, and how often it finds a change, on hosts whose truth is known. */
export const perfSimulate = register<SimulateOptions>({
  words: ["perf", "simulate"],
  summary: "false alarms and power of the protocol on simulated hosts, as a table",
  declare: (command) =>
    command
      .option("--runs <n>", "measurements for each line", wholeNumber, 1000)
      .option("--seed <text>", "what the noise is drawn by", "1")
      .option("--change <percent>", "the true change that is to be found", percentage, 3),
  async action({ runs, seed, change }, { stdout }) {
    stdout.write(RATES_HEAD);
    for (const host of SIMULATED_HOSTS)
      for (const speedup of [1, 1 + change / 100, 1 / (1 + change / 100)])
        stdout.write(showRates(simulateRates(host, speedup, runs, { seed, draws: DRAWS })));
    return [];
  },
});

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,6}$/.test(text) || value < 1) throw new InvalidArgumentError("a whole number from 1 on");
  return value;
}

function percentage(text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,3}(\.[0-9]{1,3})?$/.test(text) || value <= 0)
    throw new InvalidArgumentError("a number above 0, in percent");
  return value;
}
