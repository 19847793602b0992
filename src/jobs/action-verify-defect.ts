import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import type { HostWorld } from "../io/host/read.ts";
import type { TaskKit } from "../lib/task/kit.ts";
import { type HostJob, type HostWork, type hostJobInputs, runHostJob } from "./host-job.ts";
import { verifyDefect } from "./verify-defect.ts";

/**
 * Looks for the defect of an order, on this host.
 * @param kits those of the base's tasks
 * @returns the step's outputs
 * @throws when there is no such order
 */
export const verifyDefects = (
  inputs: z.output<typeof hostJobInputs>,
  kits: readonly TaskKit[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  world?: HostWorld,
): Promise<Readonly<Record<string, string>>> =>
  runHostJob("verify", inputs, (job) => work(job, kits), env, world);

async function work({ order, orderFolder, root, env }: HostJob, kits: readonly TaskKit[]): Promise<HostWork> {
  const { defect, task, entries } = order;
  if (defect === undefined) throw new Error("the order names no defect");
  const verified = await verifyDefect({
    defect,
    task,
    root,
    kits,
    env,
    entries: entries.map(({ run, entry, role }) => ({ run, entry, role })),
    entriesFolder: join(orderFolder, "entries"),
    seed: randomBytes(16).toString("hex"),
  });
  const { outcome, results, verification, findings } = verified;
  return {
    fault: outcome === "measured" ? null : outcome,
    results,
    findings,
    ...(verification === null ? {} : { verification }),
  };
}
