import { z } from "zod";
import { announce, scratchFolder, workspace } from "../io/action.ts";
import type { HostWorld } from "../io/host/read.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { hostChanges } from "../lib/host/compare.ts";
import { fingerprintDigest } from "../lib/host/reading.ts";
import { finishResults } from "../lib/job/finish.ts";
import type { JobInputs, JobKind, Order } from "../lib/job/order-schema.ts";
import { disturb, type JobIdentity, reportWithout } from "../lib/job/report.ts";
import type { HostFacts, JobReport, JobResult } from "../lib/job/report-schema.ts";
import { holdHost, lookAtHost, now, openSigner } from "./host-check.ts";
import { type JobOutput, readHosts, readOrder, writeJob } from "./job-files.ts";

/** The frame of every job on a host: order, lock, guards, work, guards again, signature. What the work is comes in as an argument. */

export const hostJobInputs = z.object({ order: z.string(), tools: z.string(), out: z.string() });

/** What a job works with. */
export interface HostJob {
  readonly order: Order;
  /** Folder of the order: deliverables lie in `entries/<run>/<entry>/`. */
  readonly orderFolder: string;
  /** Folder with the base's `tasks/`. */
  readonly root: string;
  readonly host: HostFacts;
  readonly env: Environment;
}

/** What came of the work. */
export interface HostWork {
  /** Whose fault it is that there is no more; null when nothing is missing. `refused`: nothing was begun. */
  readonly fault: null | "candidate" | "ours" | "refused";
  readonly results: readonly JobResult[];
  readonly findings: readonly Finding[];
  /** Every sample of every attempt. */
  readonly raw?: unknown;
  readonly verification?: JobReport["verification"];
  /** Kind `run`: files of raw facts, and the digest that the report gives of them. */
  readonly facts?: JobOutput["facts"];
  readonly factsDigest?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Does one kind of work on this host and leaves `report.json` and what belongs to it in the folder `out`.
 * @returns the step's outputs
 * @throws when the order cannot be read at all; whatever else goes wrong is a report
 */
export async function runHostJob(
  kind: JobKind,
  inputs: z.output<typeof hostJobInputs>,
  work: (job: HostJob) => Promise<HostWork>,
  env: Environment = process.env,
  world?: HostWorld,
): Promise<Readonly<Record<string, string>>> {
  const orderFolder = inputs.order === "" ? scratchFolder("assay-order") : inputs.order;
  const root = inputs.tools === "" ? workspace() : inputs.tools;
  const out = inputs.out === "" ? scratchFolder("assay-measured") : inputs.out;
  const read = await readOrder(orderFolder);
  if (!read.ok || read.value.order.kind !== kind) throw new Error("there is no order for this kind of job");
  const { order, digest } = read.value;
  const job: JobIdentity = { kind, inputs: inputsOf(order) };
  const leave = async (output: JobOutput): Promise<Readonly<Record<string, string>>> => {
    announce(output.report.findings);
    await writeJob(out, output);
    return { outcome: output.report.outcome, out };
  };
  const refused = (findings: readonly Finding[], host: HostFacts | null = null) =>
    leave({ report: reportWithout(job, "refused", findings, { order: digest, host }) });

  const hosts = await readHosts(root);
  const host = hosts.ok ? hosts.value.hosts.find(({ id }) => id === order.host) : undefined;
  if (host === undefined) return refused(hosts.findings);
  const lock = await holdHost(host.id);
  if (lock.release === null) return refused(lock.findings);
  try {
    const before = await lookAtHost(host, world);
    const { signer, findings: keyFindings } = await openSigner(host, before, order, env);
    const first = [...before.findings, ...keyFindings];
    if (hasErrors(first)) return await refused(first, before.facts);
    const started = now();
    const done = await attempt(() => work({ order, orderFolder, root, host: before.facts, env }));
    const after = await lookAtHost(host, world);
    const changes = hostChanges(before.read, after.read);
    const other = fingerprintDigest(before.read.fingerprint) !== fingerprintDigest(after.read.fingerprint);
    const facts: HostFacts = { ...before.facts, after: after.facts.before };
    // What is not timed cannot be disturbed.
    const disturbed = kind === "perf" ? disturb(facts, changes) : [];
    const findings = [...keyFindings, ...done.findings, ...disturbed].slice(0, 100);
    // Another host than before is no host at all.
    const outcome = other ? "ours" : (done.fault ?? "measured");
    const results = other ? [] : finishResults(done.results, order, changes, signer);
    return await leave({
      report: {
        ...reportWithout(job, "ours", findings, {
          order: digest,
          host: facts,
          started_at: started,
          finished_at: now(),
        }),
        outcome,
        results,
        ...(done.verification === undefined || other ? {} : { verification: done.verification }),
        ...(done.factsDigest === undefined || other ? {} : { facts: done.factsDigest }),
      },
      ...(done.raw === undefined ? {} : { raw: done.raw }),
      ...(done.facts === undefined || other ? {} : { facts: done.facts }),
      ...(signer === null ? {} : { signer }),
    });
  } finally {
    await lock.release();
  }
}

export const inputsOf = (order: Order): JobInputs => ({
  pull_request: String(order.pull_request),
  head_sha: order.head_sha,
  nonce: order.nonce,
  target: order.target,
  host: order.host,
});

/** Work that fails by an exception is our failure, and says which. */
async function attempt(work: () => Promise<HostWork>): Promise<HostWork> {
  try {
    return await work();
  } catch (error) {
    return {
      fault: "ours",
      results: [],
      findings: [
        {
          code: "job-failed",
          severity: "error",
          message: "The office itself failed while it did the job.",
          actual: error instanceof Error ? error.message.slice(0, 500) : "no reason is known",
          hint: "This is not the deliverable's fault. A maintainer sees more in the run's log.",
        },
      ],
    };
  }
}
