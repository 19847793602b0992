import type { Hidden, Perf } from "../code/schema/perf-schema.ts";
import { attested, type Signer, type Subject, subjectDigest } from "./attest.ts";
import type { Order } from "./order-schema.ts";
import type { JobResult } from "./report-schema.ts";

/** What becomes of results when a job ends: marks of a disturbed host, then signatures. Pure. */

const NOTE = 500;

/** The timing marked as disturbed, with what changed; as it was when nothing did. */
export function disturbedPerf(perf: Perf, changes: readonly string[]): Perf {
  if (changes.length === 0) return perf;
  const note = [...changes, ...(perf.note === undefined ? [] : [perf.note])].join(" ").slice(0, NOTE);
  return { ...perf, flags: [...new Set([...perf.flags, "disturbed" as const])], note };
}

/** Results as they leave the host. `signer` null: unsigned, on a rehearsal's host without a key. */
export function finishResults(
  results: readonly JobResult[],
  order: Pick<Order, "task" | "entries">,
  changes: readonly string[],
  signer: Signer | null,
): JobResult[] {
  return results.map((result) => {
    const entry = order.entries.find(({ run, entry: id }) => run === result.run && id === result.entry);
    const signed = <T extends Hidden | Perf>(kind: Subject["kind"], measured: T): T =>
      signer === null || entry === undefined
        ? measured
        : attested(
            measured,
            subjectDigest({
              kind,
              task: order.task,
              run: result.run,
              entry: result.entry,
              files: entry.files,
            }),
            signer,
          );
    return {
      ...result,
      ...(result.hidden === undefined ? {} : { hidden: signed("hidden", result.hidden) }),
      ...(result.perf === undefined ? {} : { perf: signed("perf", disturbedPerf(result.perf, changes)) }),
    };
  });
}
