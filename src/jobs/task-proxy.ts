import type { Driver } from "../io/task/driver.ts";
import { buildCounter, countSample } from "../io/task/proxy.ts";
import { saltOf } from "../lib/perf/cases.ts";
import type { Failure } from "../lib/perf/failure.ts";
import type { PerfFacts } from "../lib/perf/perf-facts.ts";
import {
  type Counted,
  type CountedMetric,
  findDisagreement,
  PROXY_ITERATIONS,
  toProxyFacts,
} from "../lib/perf/proxy.ts";
import type { LoadedTask } from "./task-load.ts";

type Side = "candidate" | "reference";
type Drivers = Readonly<Record<Side, Driver>>;

class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Counts instructions of both sides where time would say nothing. @param scratch a folder for the plug-in */
export async function countTask(
  task: LoadedTask,
  drivers: Drivers,
  { seed, scratch }: { readonly seed: string; readonly scratch: string },
): Promise<{ readonly facts: PerfFacts | null; readonly failure: Failure | null }> {
  const counter = await buildCounter(task.root, scratch);
  const metrics: CountedMetric[] = [];
  try {
    for (const { id, caseOf } of task.kit.perf.metrics)
      metrics.push(await countMetric({ id, seed: `${seed}/${id}`, caseOf, drivers, counter }));
    return { facts: toProxyFacts(metrics, { seed, outputOk: true }), failure: null };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { failure } = error;
    // Wrong output is a measurement too: of a candidate that has no speed.
    const isWrong = failure.whose === "candidate" && failure.kind === "output";
    const facts = isWrong ? toProxyFacts([], { seed, outputOk: false, note: failure.message }) : null;
    return { facts, failure };
  }
}

interface MetricOrder {
  readonly id: string;
  readonly seed: string;
  readonly caseOf: (seed: string) => Uint8Array;
  readonly drivers: Drivers;
  readonly counter: string;
}

async function countMetric(order: MetricOrder): Promise<CountedMetric> {
  const expected = new Map<number, string>();
  const sides: Record<Side, [Counted, Counted]> = {
    reference: await countSide(order, "reference", expected),
    candidate: await countSide(order, "candidate", expected),
  };
  return { id: order.id, ...sides };
}

async function countSide(
  order: MetricOrder,
  side: Side,
  expected: Map<number, string>,
): Promise<[Counted, Counted]> {
  const whose = side === "candidate" ? "candidate" : "ours";
  const fail = (kind: Failure["kind"], message: string): Failed =>
    new Failed({ whose, kind, metric: order.id, message });
  const once = async (iterations: number): Promise<number> => {
    const work = { content: order.caseOf(order.seed), iterations, salt: saltOf(order.seed) };
    const { outcome, instructions } = await countSample(order.drivers[side], order.counter, work);
    if (!outcome.ok) throw fail(outcome.fault.kind, outcome.fault.message);
    const output = Buffer.from(outcome.sample.output).toString("hex");
    const known = expected.get(iterations);
    if (known === undefined) expected.set(iterations, output);
    else if (known !== output) throw fail("output", "its output is not that of the reference");
    if (instructions === null) throw fail("protocol", "the emulator did not say how much it counted");
    return instructions;
  };
  const count = async (): Promise<Counted> => ({
    once: await once(PROXY_ITERATIONS),
    twice: await once(2 * PROXY_ITERATIONS),
  });
  const counts: [Counted, Counted] = [await count(), await count()];
  const disagreement = findDisagreement(...counts);
  // A count that cannot be trusted is void, whoever's it is.
  if (disagreement !== null)
    throw new Failed({ whose: "ours", kind: "calibration", metric: order.id, message: disagreement });
  return counts;
}
