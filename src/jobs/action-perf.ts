import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import type { HostWorld } from "../io/host/read.ts";
import type { Finding } from "../lib/findings.ts";
import type { Order } from "../lib/job/order-schema.ts";
import type { JobResult } from "../lib/job/report-schema.ts";
import type { Fault } from "../lib/task/fault.ts";
import type { TaskKit } from "../lib/task/kit.ts";
import { now } from "./host-check.ts";
import { type HostJob, type HostWork, type hostJobInputs, runHostJob } from "./host-job.ts";
import { gradeHidden } from "./task-grade.ts";
import { type LoadedSuite, type LoadedTask, loadSuite, loadTask } from "./task-load.ts";
import { gradePerf } from "./task-perf.ts";

/**
 * Runs the hidden suite and the timing of an order on this host.
 * @param kits those of the base's tasks
 * @returns the step's outputs
 * @throws when there is no such order
 */
export const measurePerf = (
  inputs: z.output<typeof hostJobInputs>,
  kits: readonly TaskKit[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  world?: HostWorld,
): Promise<Readonly<Record<string, string>>> =>
  runHostJob("perf", inputs, (job) => work(job, kits), env, world);

async function work(job: HostJob, kits: readonly TaskKit[]): Promise<HostWork> {
  const { order, root, env } = job;
  const task = await loadTask(root, order.task, kits);
  const suite = task.ok ? await loadSuite(task.value, env) : task;
  if (!task.ok || !suite.ok) return { fault: "ours", results: [], findings: suite.findings };
  const graded = [];
  for (const entry of order.entries) graded.push(await gradeEntry(job, task.value, suite.value, entry));
  const faults = graded.map(({ fault }) => fault);
  return {
    fault: faults.find((fault) => fault === "ours") ?? faults.find((fault) => fault !== null) ?? null,
    results: graded.map(({ result }) => result),
    findings: graded.flatMap(({ findings }) => [...findings]),
    raw: { entries: graded.map(({ raw }) => raw) },
  };
}

interface GradedEntry {
  readonly fault: Fault;
  readonly result: JobResult;
  readonly findings: readonly Finding[];
  readonly raw: unknown;
}

/** Seeds are drawn here and now: whoever wrote the deliverable cannot have known them. */
const drawSeed = (): string => randomBytes(16).toString("hex");

async function gradeEntry(
  { orderFolder, host }: HostJob,
  task: LoadedTask,
  suite: LoadedSuite,
  { run, entry, role }: Order["entries"][number],
): Promise<GradedEntry> {
  const folder = join(orderFolder, "entries", run, entry);
  const hidden = await gradeHidden(task, suite, folder, drawSeed());
  // What does not build is not built again to be timed.
  const perf = hidden.fault === null ? await gradePerf(task, folder, { seed: drawSeed(), now }) : null;
  const { categories } = hidden.outcome;
  const facts = perf?.outcome.facts ?? null;
  const at = now();
  const result: JobResult = {
    run,
    entry,
    role,
    ...(hidden.fault === "ours" || categories.length === 0
      ? {}
      : { hidden: { at, suite: suite.digest, categories: [...categories], host: host.id } }),
    ...(facts === null
      ? {}
      : { perf: { at, host: host.id, fingerprint: host.fingerprint_digest, ...facts } }),
  };
  return {
    fault: hidden.fault ?? (facts === null ? (perf?.fault ?? null) : null),
    result,
    findings: [...hidden.outcome.findings, ...(perf?.outcome.findings ?? [])],
    raw: { run, entry, deliverable: hidden.outcome.deliverable, perf: perf?.outcome.raw ?? null },
  };
}
