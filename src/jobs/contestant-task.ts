import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readWhole } from "../io/files.ts";
import { segmentSchema } from "../lib/benchmarks/suite-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import type { TaskKit } from "../lib/task/kit.ts";
import type { ContestantTask } from "./run-contestant.ts";

const refuse = (task: string, message: string): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [
    {
      code: "code-run-task",
      severity: "error",
      message,
      path: `tasks/${task}`,
      expected: "tasks/<task>/ with SPEC.md, scaffold/ and kit.ts",
    },
  ],
});

/**
 * What a contestant gets of a task: its contract and its scaffold. The reference stays with leads (who write the brief from it): whoever is timed
 * against it must not begin from it. Hidden suites, flawed deliverables and probes are not even looked at.
 */
export async function readContestantTask(root: string, task: string): Promise<Outcome<ContestantTask>> {
  if (!segmentSchema.safeParse(task).success) return refuse(task, "This is no name of a task.");
  const folder = join(root, "tasks", task);
  const spec = await readWhole(join(folder, "SPEC.md")).catch(() => null);
  if (spec === null) return refuse(task, "There is no such task, or it has no contract.");
  const scaffold = join(folder, "scaffold");
  const found = await lstat(scaffold).catch(() => null);
  if (found?.isDirectory() !== true) return refuse(task, "The task has no scaffold.");
  const deliverable = await readRules(join(folder, "kit.ts"));
  if (deliverable === null) return refuse(task, "The task's kit does not say what a deliverable is.");
  return { ok: true, value: { spec, scaffold, deliverable, inputs: [], path: [] }, findings: [] };
}

async function readRules(path: string): Promise<TaskKit["deliverable"] | null> {
  try {
    const { kit } = (await import(pathToFileURL(path).href)) as { kit?: TaskKit };
    return kit?.deliverable ?? null;
  } catch {
    return null;
  }
}
