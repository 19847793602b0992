import { randomBytes } from "node:crypto";
import { checkTask } from "../../src/jobs/task-check.ts";
import { loadTask } from "../../src/jobs/task-load.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { faultExit } from "../../src/lib/task/fault.ts";
import type { Proof } from "../../src/lib/task/proof.ts";
import { TASKS } from "../../tasks/index.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { type Door, register } from "./command.ts";

interface CheckOptions {
  task: string;
  quick?: boolean;
  seed?: string;
}

/** Shows that a task holds what it promises. */
export const taskCheck = register<CheckOptions>({
  words: ["task", "check"],
  summary:
    "prove a task: its reference passes, its scaffold fails, flawed deliverables fail as they should, speed is 1",
  declare: (command) =>
    command
      .argument("<task>", "a folder of tasks/")
      .option("--quick", "leave speed out")
      .option("--seed <text>", "what random cases are drawn by (default: drawn anew)"),
  action: check,
  exitOf: faultExit,
});

async function check({ task: id, quick, seed }: CheckOptions, { stdout }: Door): Promise<Finding[]> {
  const task = await loadTask(REPOSITORY, id, TASKS);
  if (!task.ok) return task.findings;
  const { findings } = await checkTask(task.value, {
    quick: quick === true,
    seed: seed ?? randomBytes(16).toString("hex"),
    env: process.env,
    now: () => new Date().toISOString(),
    tell: (proof) => stdout.write(`${show(proof)}\n`),
  });
  return [...findings];
}

const show = ({ of, holds, seen }: Proof): string => `${holds ? "ok  " : "FAIL"} ${of.padEnd(24)} ${seen}`;
