import { join } from "node:path";
import { readHostNote, readHostSettings } from "../io/perf/host.ts";
import { type Measurement, measure } from "../io/perf/measure.ts";
import { choosePinning } from "../io/perf/process-facts.ts";
import type { Driver } from "../io/task/driver.ts";
import { launchDrivers } from "../io/task/launch.ts";
import { failureFinding } from "../lib/perf/failure.ts";
import { changesBetween } from "../lib/perf/host-changes.ts";
import { type PerfFacts, toPerfFacts } from "../lib/perf/perf-facts.ts";
import type { Fault } from "../lib/task/fault.ts";
import type { PerfOutcome } from "../lib/task/outcome-schema.ts";
import { type Graded, withBuilt } from "./task-grade.ts";
import type { LoadedTask } from "./task-load.ts";
import { countTask } from "./task-proxy.ts";

export interface PerfOptions {
  /** What the cases are drawn by; not known to any contestant. */
  readonly seed: string;
  /** The core to run on; the last one that may be used when absent. */
  readonly core?: number | undefined;
  /** The clock: ISO 8601, UTC. */
  readonly now: () => string;
  /** Longest warm-up; default 60 s. */
  readonly warmUpNs?: number;
}

const MAX_OUTPUT = 64 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/**
 * `bin/perf`: times a deliverable against the task's reference, both in the sandbox, by the protocol of docs/perf.md. The harness,
 * which takes the time, stays outside.
 */
export async function gradePerf(
  task: LoadedTask,
  entry: string,
  options: PerfOptions,
): Promise<Graded<PerfOutcome>> {
  const head = { schema_version: 1, task: task.id, kind: "perf" } as const;
  const nothing = { facts: null, raw: null } as const;
  const graded = await withBuilt(task, entry, async (candidate) => {
    const reference = await withBuilt(task, join(task.folder, "reference"), ({ driver }) => {
      const drivers = { candidate: candidate.driver, reference: driver };
      return task.proxy
        ? count(task, drivers, { seed: options.seed, scratch: candidate.scratch })
        : time(task, drivers, options);
    });
    const { digest } = candidate.deliverable;
    if (reference.ok) return { ...reference.value, digest };
    return { fault: "ours" as const, findings: reference.findings, ...nothing, digest };
  });
  if (!graded.ok) {
    const { deliverable, findings, fault } = graded;
    return { outcome: { ...head, deliverable, ...nothing, findings: [...findings] }, fault };
  }
  const { fault, findings, facts, raw, digest } = graded.value;
  return { outcome: { ...head, deliverable: digest, facts, raw, findings: [...findings] }, fault };
}

interface Timed {
  readonly fault: Fault;
  readonly findings: PerfOutcome["findings"];
  readonly facts: PerfOutcome["facts"];
  readonly raw: PerfOutcome["raw"];
}

/** Instructions in place of time, where the task's processor is emulated. */
async function count(...order: Parameters<typeof countTask>): Promise<Timed> {
  const { facts, failure } = await countTask(...order);
  const findings = failure === null ? [] : [failureFinding(failure)];
  return { fault: failure?.whose ?? null, findings, facts, raw: null };
}

async function time(
  task: LoadedTask,
  drivers: { readonly candidate: Driver; readonly reference: Driver },
  { seed, core: wanted, now, warmUpNs }: PerfOptions,
): Promise<Timed> {
  const started = now();
  const pinning = choosePinning(wanted);
  const [note, settings] = [await readHostNote(), await readHostSettings()];
  const program = (role: "candidate" | "reference") => ({ argv: [role], digest: drivers[role].digest });
  const sides = { candidate: program("candidate"), reference: program("reference") };
  const measured = await measure({
    metrics: task.kit.perf.metrics.map((metric) => ({ ...metric, ...sides })),
    seed,
    surroundings: {
      cwd: "/",
      env: {},
      core: pinning.core,
      limits: {
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MAX_OUTPUT,
        maxMemoryBytes: drivers.reference.limits.memoryBytes,
      },
      launch: launchDrivers(new Map(Object.entries(drivers))),
    },
    readChanges: async () => changesBetween(settings, await readHostSettings()),
    ...(warmUpNs === undefined ? {} : { warmUpNs }),
  });
  const { load: after } = await readHostNote();
  const { failure } = measured;
  return {
    fault: failure === null ? null : failure.whose,
    findings: failure === null ? [] : [failureFinding(failure)],
    facts: factsOf(measured, seed),
    raw: {
      started_at: started,
      finished_at: now(),
      candidate: sides.candidate.digest,
      reference: sides.reference.digest,
      host: { ...note, load: { before: note.load, after }, core: pinning.core, not_pinned: pinning.reason },
      iterations: { ...measured.iterations },
      attempts: structuredClone(measured.attempts) as NonNullable<PerfOutcome["raw"]>["attempts"],
      failure,
    },
  };
}

/** Wrong output is a measurement too: of a candidate that has no speed. */
function factsOf({ metrics, analysis, failure }: Measurement, seed: string): PerfFacts | null {
  if (analysis !== null) return toPerfFacts(metrics, analysis, { seed, outputOk: true });
  if (failure?.whose !== "candidate" || failure.kind !== "output") return null;
  return toPerfFacts(metrics, { flags: [], reasons: [failure.message] }, { seed, outputOk: false });
}
