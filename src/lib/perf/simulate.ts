import { type Random, randomFrom } from "../stats/random.ts";
import { type Analysis, analyse, asksForRepeat, isSettled, type Verdict } from "./analyse.ts";
import { DRAWS, LOOKS, REPEATS } from "./rule.ts";
import { type MetricSamples, type Pair, type RoundOrder, roundOrders } from "./samples.ts";

/** A host that does not exist: how its samples differ from the true duration. */
export interface SimulatedHost {
  readonly name: string;
  /** Standard deviation of the logarithm of every sample. */
  readonly noise: number;
  /** Every sample is on average longer by a step of this standard deviation than the one before. */
  readonly walk?: number;
  /** How much longer a sample takes at the end of `LONGEST` samples than at the beginning. */
  readonly rise?: number;
  /** A share of samples that other work makes longer, by between `from` and `to`. */
  readonly spikes?: { readonly share: number; readonly from: number; readonly to: number };
  /** A share of samples on slow cores, which take `factor` times as long. */
  readonly modes?: { readonly share: number; readonly factor: number };
}

/** Samples of a measurement that goes to the last look: a drift is told per measurement. */
const LONGEST = 4 * (LOOKS.at(-1) ?? 0);

const SPIKES = { share: 0.05, from: 0.1, to: 0.3 } as const;

/** The hosts of the table in docs/perf.md. */
export const SIMULATED_HOSTS: readonly SimulatedHost[] = [
  { name: "noise 0.5%", noise: 0.005 },
  { name: "noise 1%", noise: 0.01 },
  { name: "noise 2%", noise: 0.02 },
  { name: "noise 1.5%, spikes", noise: 0.015, spikes: SPIKES },
  { name: "noise 2%, spikes", noise: 0.02, spikes: SPIKES },
  { name: "noise 1.5%, spikes, walk 0.2% a sample", noise: 0.015, spikes: SPIKES, walk: 0.002 },
  { name: "noise 1.5%, spikes, walk 0.5% a sample", noise: 0.015, spikes: SPIKES, walk: 0.005 },
  { name: "noise 1.5%, spikes, walk 1% a sample", noise: 0.015, spikes: SPIKES, walk: 0.01 },
  { name: "noise 1.5%, spikes, rise 3%", noise: 0.015, spikes: SPIKES, rise: 0.03 },
  { name: "noise 1.5%, spikes, rise 10%", noise: 0.015, spikes: SPIKES, rise: 0.1 },
  { name: "noise 3%", noise: 0.03 },
  { name: "noise 5%", noise: 0.05 },
  {
    name: "noise 1%, two modes, 30% of samples 2 times as long",
    noise: 0.01,
    modes: { share: 0.3, factor: 2 },
  },
];

/** Durations of successive samples on a simulated host, as multiples of the true duration. */
function* slowness(host: SimulatedHost, random: Random): Generator<number, never> {
  let walked = 0;
  for (let index = 0; ; index += 1) {
    walked += (host.walk ?? 0) * random.normal();
    let logarithm = host.noise * random.normal() + walked;
    if (host.rise !== undefined) logarithm += (Math.log1p(host.rise) * index) / LONGEST;
    if (host.spikes !== undefined && random.float() < host.spikes.share)
      logarithm += Math.log1p(host.spikes.from + (host.spikes.to - host.spikes.from) * random.float());
    if (host.modes !== undefined && random.float() < host.modes.share)
      logarithm += Math.log(host.modes.factor);
    yield Math.exp(logarithm);
  }
}

/** One measurement as the harness makes it. */
export interface SimulatedMeasurement {
  readonly analysis: Analysis;
  /** Rounds of all attempts together. */
  readonly rounds: number;
  readonly attempts: number;
}

export interface SimulationOptions {
  readonly seed: string;
  /** Bootstrap draws; default 10,000. */
  readonly draws?: number;
}

/**
 * Measures a candidate that is truly `speedup` times as fast on a simulated host, by the protocol: orders of rounds, looks, stopping
 * rule and repeats are the harness's own.
 */
export function simulateMeasurement(
  host: SimulatedHost,
  speedup: number,
  options: SimulationOptions,
): SimulatedMeasurement {
  const random = randomFrom(options.seed);
  const durations = slowness(host, random);
  let rounds = 0;
  for (let attempt = 1; ; attempt += 1) {
    const analysis = simulateAttempt(durations, speedup, roundOrders(random), {
      seed: `${options.seed}/${attempt}`,
      draws: options.draws ?? DRAWS,
    });
    rounds += analysis.pairs;
    if (attempt > REPEATS || !asksForRepeat(analysis)) return { analysis, rounds, attempts: attempt };
  }
}

function simulateAttempt(
  durations: Generator<number, never>,
  speedup: number,
  orders: Generator<RoundOrder, never>,
  options: Required<SimulationOptions>,
): Analysis {
  const pairs: Pair[] = [];
  const noise: Pair[] = [];
  const metric: MetricSamples = { id: "time", pairs, noise };
  const take = (order: RoundOrder[number]): Pair => {
    const times = new Map(order.map((role) => [role, durations.next().value]));
    const reference = times.get("reference") ?? Number.NaN;
    const candidate = times.get("candidate");
    return {
      reference,
      candidate: candidate === undefined ? (times.get("again") ?? 1) : candidate / speedup,
    };
  };
  for (;;) {
    for (const order of orders.next().value) (order.includes("again") ? noise : pairs).push(take(order));
    if (!LOOKS.includes(pairs.length)) continue;
    const analysis = analyse([metric], { ...options, seed: `${options.seed}/${pairs.length}` });
    if (analysis !== null && isSettled(analysis)) return analysis;
  }
}

/** What came of many measurements of one true speed-up on one host. */
export interface SimulatedRates {
  readonly host: string;
  readonly speedup: number;
  readonly runs: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly noisy: number;
  readonly disturbed: number;
  /** Rounds of a measurement, repeats included, on average. */
  readonly rounds: number;
}

/** Measures `runs` times, each with noise of its own. */
export function simulateRates(
  host: SimulatedHost,
  speedup: number,
  runs: number,
  { seed, ...options }: SimulationOptions,
): SimulatedRates {
  const verdicts = { faster: 0, slower: 0, same: 0, inconclusive: 0 };
  let [noisy, disturbed, rounds] = [0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const measured = simulateMeasurement(host, speedup, {
      ...options,
      seed: `${seed}/${host.name}/${speedup}/${run}`,
    });
    verdicts[measured.analysis.verdict] += 1;
    if (measured.analysis.flags.includes("noisy")) noisy += 1;
    if (measured.analysis.flags.includes("disturbed")) disturbed += 1;
    rounds += measured.rounds;
  }
  return { host: host.name, speedup, runs, verdicts, noisy, disturbed, rounds: rounds / runs };
}
