import { randomBytes } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { userPath, writeUserFile } from "../../src/io/user-files.ts";
import { type Graded, gradeCheck, gradeHidden } from "../../src/jobs/task-grade.ts";
import { type LoadedTask, loadSuite, loadTask } from "../../src/jobs/task-load.ts";
import { gradePerf } from "../../src/jobs/task-perf.ts";
import type { Finding, Outcome } from "../../src/lib/findings.ts";
import { faultExit } from "../../src/lib/task/fault.ts";
import {
  type CheckOutcome,
  checkOutcomeSchema,
  type HiddenOutcome,
  hiddenOutcomeSchema,
  type PerfOutcome,
  perfOutcomeSchema,
} from "../../src/lib/task/outcome-schema.ts";
import { TASKS } from "../../tasks/index.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { type Door, register } from "./command.ts";

const WHATS = ["check", "hidden", "perf"] as const;

interface GradeOptions {
  task: string;
  what: (typeof WHATS)[number];
  entry: string;
  json: string;
  seed?: string;
  core?: number;
}

/** What `tasks/<task>/bin/{check,hidden,perf}` run. */
export const taskGrade = register<GradeOptions>({
  words: ["task", "grade"],
  summary: "check a deliverable, run the hidden suite on it, or time it: what tasks/<task>/bin/* do",
  declare: (command) =>
    command
      .argument("<task>", "a folder of tasks/")
      .argument("<what>", "check, hidden or perf", what)
      .argument("<entry>", "the folder of the deliverable")
      .requiredOption("--json <file>", "where the outcome goes")
      .option("--seed <text>", "what random cases are drawn by (default: drawn anew)")
      .option("--core <n>", "the core that perf runs on (default: the last one that may be used)", core),
  action: grade,
  exitOf: faultExit,
});

type AnyOutcome = CheckOutcome | HiddenOutcome | PerfOutcome;

async function grade(options: GradeOptions, { stdout }: Door): Promise<Finding[]> {
  const task = await loadTask(REPOSITORY, options.task, TASKS);
  if (!task.ok) return task.findings;
  const graded = await gradeAs(task.value, options);
  if (!graded.ok) return graded.findings;
  const { outcome } = graded.value;
  stdout.write(`${show(outcome)}\n`);
  const written = await writeUserFile(options.json, `${JSON.stringify(outcome, null, 1)}\n`);
  return [...outcome.findings, ...written];
}

async function gradeAs(
  task: LoadedTask,
  { what: kind, entry, seed, core }: GradeOptions,
): Promise<Outcome<Graded<AnyOutcome>>> {
  const folder = userPath(entry);
  const drawn = seed ?? randomBytes(16).toString("hex");
  const done = (value: Graded<AnyOutcome>): Outcome<Graded<AnyOutcome>> => ({
    ok: true,
    value,
    findings: [],
  });
  if (kind === "check") {
    const { outcome, fault } = await gradeCheck(task, folder);
    return done({ outcome: checkOutcomeSchema.parse(outcome), fault });
  }
  if (kind === "perf") {
    const now = (): string => new Date().toISOString();
    const { outcome, fault } = await gradePerf(task, folder, { seed: drawn, core, now });
    return done({ outcome: perfOutcomeSchema.parse(outcome), fault });
  }
  const suite = await loadSuite(task, process.env);
  if (!suite.ok) return suite;
  const { outcome, fault } = await gradeHidden(task, suite.value, folder, drawn);
  return done({ outcome: hiddenOutcomeSchema.parse(outcome), fault });
}

/** In a line: what came of it. */
function show(outcome: AnyOutcome): string {
  const passed = (list: readonly { readonly passed: boolean }[]): string =>
    `${list.filter((each) => each.passed).length} of ${list.length}`;
  switch (outcome.kind) {
    case "check":
      return outcome.built
        ? `builds; examples ${passed(outcome.examples)}; warnings ${outcome.lint_warnings ?? "not counted"}`
        : "does not build";
    case "hidden":
      return outcome.categories.length === 0
        ? "hidden suite: not asked"
        : `hidden suite: ${passed(outcome.categories)} categories`;
    case "perf": {
      const analysis = outcome.raw?.attempts.at(-1)?.analysis ?? null;
      if (analysis === null) return outcome.facts?.proxy === true ? "instructions counted" : "no speed";
      const { ratio, interval } = analysis.speed;
      return `speed-up ${ratio.toFixed(3)} (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}), ${analysis.verdict}`;
    }
  }
}

function what(text: string): GradeOptions["what"] {
  const found = WHATS.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(`one of ${WHATS.join(", ")}`);
  return found;
}

function core(text: string): number {
  if (!/^[0-9]{1,4}$/.test(text)) throw new InvalidArgumentError("a whole number");
  return Number(text);
}
