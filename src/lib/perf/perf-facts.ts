import type { Perf } from "../code/schema/perf-schema.ts";
import type { Analysis } from "./analyse.ts";
import type { MetricSamples } from "./samples.ts";

/** What a measurement says of itself in the committed form; when, where and by whose signature it was made is added later. */
export type PerfFacts = Pick<
  Perf,
  "proxy" | "output_ok" | "unit" | "seed" | "metrics" | "noise" | "flags" | "note"
>;

const SAME_PROGRAM =
  "Both sides are the same program by digest: each sample of it stands for both, and the speed-up is 1.";

/** The samples of a measurement, all of them and in order, as `perf` of an entry holds them. */
export function toPerfFacts(
  metrics: readonly MetricSamples[],
  { flags, reasons }: Pick<Analysis, "flags" | "reasons">,
  { seed, outputOk }: { readonly seed: string; readonly outputOk: boolean },
): PerfFacts {
  const notes = [...(metrics.some(({ identical }) => identical) ? [SAME_PROGRAM] : []), ...reasons];
  const note = notes.join(" ").slice(0, 500);
  return {
    proxy: false,
    output_ok: outputOk,
    unit: "ns",
    seed,
    metrics: metrics.map(({ id, pairs }) => ({
      id,
      candidate: pairs.map((pair) => pair.candidate),
      reference: pairs.map((pair) => pair.reference),
    })),
    noise: metrics.map(({ id, noise }) => ({
      id,
      first: noise.map((pair) => pair.reference),
      second: noise.map((pair) => pair.candidate),
    })),
    flags: [...flags],
    ...(note === "" ? {} : { note }),
  };
}
