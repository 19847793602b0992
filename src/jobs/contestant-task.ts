import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readWhole } from "../io/files.ts";
import { findTools } from "../io/task/tools.ts";
import { segmentSchema } from "../lib/benchmarks/suite-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import type { SandboxInput } from "../lib/sandbox/order.ts";
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
      expected: "tasks/<task>/ with SPEC.md and scaffold/, and its kit in tasks/index.ts",
    },
  ],
});

/**
 * What a contestant gets of a task: its contract, its scaffold, and the compilers that it is built with. The reference stays with leads (who write
 * the brief from it): whoever is timed against it must not begin from it. Hidden suites, flawed deliverables and probes are not even looked at.
 */
export async function readContestantTask(
  root: string,
  task: string,
  kits: readonly TaskKit[],
): Promise<Outcome<ContestantTask>> {
  if (!segmentSchema.safeParse(task).success) return refuse(task, "This is no name of a task.");
  const folder = join(root, "tasks", task);
  const spec = await readWhole(join(folder, "SPEC.md")).catch(() => null);
  if (spec === null) return refuse(task, "There is no such task, or it has no contract.");
  const scaffold = join(folder, "scaffold");
  if (!(await isFolder(scaffold))) return refuse(task, "The task has no scaffold.");
  const kit = kits.find((each) => each.task === task);
  if (kit === undefined) return refuse(task, "The task is not listed in tasks/index.ts.");
  const tools = findInputs(kit, root);
  if (!tools.ok) return tools;
  const path = tools.value.map(({ to }) => `${to}/bin`);
  return {
    ok: true,
    value: { spec, scaffold, deliverable: kit.deliverable, inputs: tools.value, path },
    findings: [],
  };
}

/** Compilers and linters outside of the system's folders. What is missing is a reason to refuse: contestants have the same tools everywhere. */
function findInputs({ builds, lint }: TaskKit, root: string): Outcome<readonly SandboxInput[]> {
  const platform = `${process.platform}-${process.arch}`;
  const build = platform === "linux-x64" ? (builds["linux-x64"] ?? builds.proxy) : builds.proxy;
  const tools = findTools([...(build?.tools ?? []), ...(lint?.tools ?? [])], root);
  if (!tools.ok) return { ok: false, findings: [...tools.findings] };
  const byPlace = new Map(tools.inputs.map((input) => [input.to, input]));
  return { ok: true, value: [...byPlace.values()], findings: [] };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;
