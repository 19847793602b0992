import { type Analysis, analyse, asksForRepeat, isSettled } from "../../lib/perf/analyse.ts";
import { type CaseSource, saltOf } from "../../lib/perf/cases.ts";
import type { Failure } from "../../lib/perf/failure.ts";
import { type Attempt, pairsOf, type RawSample, switchesOf } from "../../lib/perf/record.ts";
import { LOOKS, MIN_BATCH_NS, REPEATS, WARM_UP } from "../../lib/perf/rule.ts";
import { type MetricSamples, type Role, roundOrders } from "../../lib/perf/samples.ts";
import { isWarm } from "../../lib/perf/warm-up.ts";
import { randomFrom } from "../../lib/stats/random.ts";
import { runSample, type Sample, type Surroundings } from "./sample.ts";

/** A program that speaks the protocol of docs/perf.md. */
export interface Program {
  readonly argv: readonly string[];
  /** SHA-256 of everything that it runs; null when that is not known. Equal digests are 1.00 without timing the candidate. */
  readonly digest: string | null;
}

export interface MetricPrograms {
  readonly id: string;
  readonly caseOf: CaseSource;
  readonly candidate: Program;
  readonly reference: Program;
}

export interface MeasureOptions {
  readonly metrics: readonly MetricPrograms[];
  /** Not known to any program before it is measured. */
  readonly seed: string;
  readonly surroundings: Surroundings;
  /** What changed on the host since the measurement began, one sentence each. */
  readonly readChanges: () => Promise<readonly string[]>;
  /** Shortest batch of the reference; default 0.2 s. */
  readonly minBatchNs?: number;
  /** Longest warm-up; default 60 s. */
  readonly warmUpNs?: number;
}

export interface Measurement {
  /** Iterations of a batch, by metric; the same for both sides. */
  readonly iterations: Readonly<Record<string, number>>;
  /** All of them; the last one counts. */
  readonly attempts: readonly Attempt[];
  /** The pairs of the last attempt. */
  readonly metrics: readonly MetricSamples[];
  readonly analysis: Analysis | null;
  readonly failure: Failure | null;
}

/** Measures candidate against reference by the protocol of docs/perf.md. Starts nothing but the programs; writes nothing. */
export async function measure(options: MeasureOptions): Promise<Measurement> {
  const run = new Run(options);
  try {
    await run.calibrate();
    for (let attempt = 0; attempt <= REPEATS; attempt += 1) {
      const analysis = await run.attempt(attempt);
      if (analysis === null || !asksForRepeat(analysis)) break;
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return run.result(error.failure);
  }
  return run.result(null);
}

class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface OpenAttempt {
  readonly samples: RawSample[];
  warm: boolean;
  analysis: Analysis | null;
}

/** A round's case and who has answered it. */
interface Round {
  readonly metric: MetricPrograms;
  readonly part: RawSample["part"];
  readonly number: number;
  readonly content: Uint8Array;
  readonly salt: Uint8Array;
  /** The reference's answer, and candidates' answers that wait for it. */
  expected: Uint8Array | null;
  waiting: Uint8Array[];
}

class Run {
  readonly #options: MeasureOptions;
  readonly #identical: ReadonlySet<string>;
  readonly #iterations: Record<string, number> = {};
  readonly #attempts: OpenAttempt[] = [];

  constructor(options: MeasureOptions) {
    this.#options = options;
    const same = options.metrics.filter(
      ({ candidate, reference }) => candidate.digest !== null && candidate.digest === reference.digest,
    );
    this.#identical = new Set(same.map(({ id }) => id));
  }

  /** Finds for each metric the iterations with which a batch of the reference is long enough. */
  async calibrate(): Promise<void> {
    const least = this.#options.minBatchNs ?? MIN_BATCH_NS;
    for (const metric of this.#options.metrics) {
      let iterations = 1;
      for (;;) {
        this.#iterations[metric.id] = iterations;
        const ns = await this.#shortest(metric, least);
        if (ns >= least) break;
        if (iterations >= MOST_ITERATIONS)
          throw failed(
            "ours",
            "calibration",
            metric.id,
            `${iterations} iterations take no more than ${ns} ns`,
          );
        // A tenth more than is needed, since batches vary; never a leap from a tiny batch.
        const factor = Math.min(100, Math.max(1.1, (1.1 * least) / ns));
        iterations = Math.min(MOST_ITERATIONS, Math.ceil(iterations * factor));
      }
    }
  }

  /** The shortest of three batches; of fewer, when one is shorter than `least`: other work can only make a batch longer. */
  async #shortest(metric: MetricPrograms, least: number): Promise<number> {
    const round = this.#round(metric, "warm-up", 0, "calibration");
    let shortest = Number.POSITIVE_INFINITY;
    for (let taken = 0; taken < 3 && (taken === 0 || shortest >= least); taken += 1)
      shortest = Math.min(shortest, (await this.#sample(round, "reference")).ns);
    return shortest;
  }

  /** One measurement, from warm-up to the look that ends it. */
  async attempt(number: number): Promise<Analysis | null> {
    const { metrics, seed, readChanges } = this.#options;
    const attempt: OpenAttempt = { samples: [], warm: false, analysis: null };
    this.#attempts.push(attempt);
    attempt.warm = await this.#warmUp(attempt, number);
    const orders = roundOrders(randomFrom(`${seed}/${number}/orders`));
    for (let index = 0; ; index += 1) {
      const order = orders.next().value;
      for (const metric of metrics)
        for (const pair of order) {
          const isNoise = pair.includes("again");
          if (!isNoise && this.#identical.has(metric.id)) continue;
          const round = this.#round(metric, isNoise ? "noise" : "judged", index, String(number));
          for (const role of pair) attempt.samples.push(await this.#take(round, role));
        }
      if (!LOOKS.includes(index + 1)) continue;
      attempt.analysis = analyse(
        this.#pairs(attempt),
        { seed: `${seed}/${number}/${index + 1}` },
        { switches: switchesOf(attempt.samples), changes: await readChanges() },
      );
      if (attempt.analysis === null || isSettled(attempt.analysis)) return attempt.analysis;
    }
  }

  result(failure: Failure | null): Measurement {
    const last = this.#attempts.at(-1);
    return {
      iterations: this.#iterations,
      attempts: this.#attempts,
      metrics: last === undefined ? [] : this.#pairs(last),
      analysis: failure === null ? (last?.analysis ?? null) : null,
      failure,
    };
  }

  /** Takes samples that are discarded until the host is warm. Their outputs are checked like all others. */
  async #warmUp(attempt: OpenAttempt, number: number): Promise<boolean> {
    const { metrics, warmUpNs = WARM_UP.mostNs } = this.#options;
    const end = process.hrtime.bigint() + BigInt(warmUpNs);
    for (let index = 0; ; index += 1) {
      for (const metric of metrics) {
        const round = this.#round(metric, "warm-up", index, String(number));
        attempt.samples.push(await this.#take(round, "reference"));
        if (!this.#identical.has(metric.id)) attempt.samples.push(await this.#take(round, "candidate"));
      }
      if (index + 1 < WARM_UP.block) continue;
      if (isWarm(sidesOf(attempt.samples))) return true;
      if (process.hrtime.bigint() > end) return false;
    }
  }

  #pairs({ samples }: OpenAttempt): MetricSamples[] {
    return pairsOf(
      samples,
      this.#options.metrics.map(({ id }) => id),
      this.#identical,
    );
  }

  #round(metric: MetricPrograms, part: RawSample["part"], number: number, attempt: string): Round {
    // Both pairs of a round have one case: only the programs differ.
    const shared = part === "warm-up" ? "warm-up" : "round";
    const seed = `${this.#options.seed}/${attempt}/${shared}/${number}/${metric.id}`;
    const content = metric.caseOf(seed);
    return { metric, part, number, content, salt: saltOf(seed), expected: null, waiting: [] };
  }

  async #take(round: Round, role: Role): Promise<RawSample> {
    const { ns, switches } = await this.#sample(round, role);
    return { metric: round.metric.id, part: round.part, round: round.number, role, ns, switches };
  }

  async #sample(round: Round, role: Role): Promise<Sample> {
    const { metric, content, salt } = round;
    const whose = role === "candidate" ? "candidate" : "ours";
    const { argv } = whose === "candidate" ? metric.candidate : metric.reference;
    const iterations = this.#iterations[metric.id] ?? 1;
    const outcome = await runSample(argv, { content, iterations, salt }, this.#padded(metric, argv));
    if (!outcome.ok) throw failed(whose, outcome.fault.kind, metric.id, outcome.fault.message);
    checkOutput(round, role, outcome.sample.output);
    return outcome.sample;
  }

  /** Arguments and environment of both sides take the same space on the stack: it can shift timings. */
  #padded({ candidate, reference }: MetricPrograms, argv: readonly string[]): Surroundings {
    const { surroundings } = this.#options;
    const size = (words: readonly string[]): number => words.join("\0").length;
    const longest = Math.max(size(candidate.argv), size(reference.argv));
    const pad = "x".repeat(longest - size(argv));
    return { ...surroundings, env: { ...surroundings.env, ASSAY_PERF_PAD: pad } };
  }
}

const MOST_ITERATIONS = 2 ** 32 - 1;

const failed = (
  whose: Failure["whose"],
  kind: Failure["kind"],
  metric: string,
  message: string,
): FailureError => new FailureError({ whose, kind, metric, message });

/** Compares an answer with the reference's to the same case; the candidate's may have to wait for it. */
function checkOutput(round: Round, role: Role, output: Uint8Array): void {
  const { id } = round.metric;
  if (role === "candidate") round.waiting.push(output);
  else if (round.expected === null) round.expected = output;
  else if (!isEqual(round.expected, output))
    throw failed("ours", "output", id, "the reference gave two outputs for one case");
  const { expected } = round;
  if (expected === null) return;
  const wrong = round.waiting.find((given) => !isEqual(given, expected));
  round.waiting = [];
  if (wrong !== undefined)
    throw failed("candidate", "output", id, "its output is not that of the reference for the same case");
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Samples side by side: one list for each metric and role. */
function sidesOf(samples: readonly RawSample[]): number[][] {
  const sides = new Map<string, number[]>();
  for (const { metric, role, ns } of samples) {
    const key = `${metric}/${role}`;
    sides.set(key, [...(sides.get(key) ?? []), ns]);
  }
  return [...sides.values()];
}
