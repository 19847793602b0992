import { type Command, InvalidArgumentError, Option } from "commander";
import { untilStopped } from "../../src/io/stop-signal.ts";
import { readUserFile, userPath } from "../../src/io/user-files.ts";
import { chooseHarness } from "../../src/jobs/contestant-harness.ts";
import { CONTESTANT_BOUNDS, contestantLimits } from "../../src/jobs/contestant-limits.ts";
import { readContestantTask } from "../../src/jobs/contestant-task.ts";
import {
  checkStart,
  makeContestantFolder,
  modelNameOf,
  readKnownFacts,
  runNew as runAndRecord,
  workRoot,
} from "../../src/jobs/run-new.ts";
import { type ContestantPlan, entryIdOf, runIdOf } from "../../src/lib/code/contestant/plan.ts";
import { HARNESS_NAMES } from "../../src/lib/code/harness/registry.ts";
import { parseConfiguration } from "../../src/lib/code/schema/names.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { EGRESS_LIMITS } from "../../src/lib/egress/policy.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { TASKS } from "../../tasks/index.ts";
import { rootOf } from "../benchmarks/root.ts";
import { type Door, register } from "./command.ts";

interface RunNewOptions {
  task: string;
  configuration: string;
  lead: string;
  brief: string;
  replicate: number;
  run?: string;
  root?: string;
  harness: string;
  harnessCommand?: string;
  harnessName?: string;
  harnessFolder?: string;
  api?: string;
  minutes: number;
  memory: number;
  processes: number;
  folder: number;
}

/** No brief is longer. */
const MAX_BRIEF = 4 * 1024 * 1024;

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value < 1_000_000)) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
};
const whole = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
};

const declare = (command: Command): Command =>
  command
    .requiredOption("--task <task>", "a folder of tasks/")
    .requiredOption("--configuration <model@effort>", "the contestant")
    .requiredOption("--lead <model@effort>", "who wrote the brief")
    .requiredOption("--brief <file>", "the lead's brief")
    .requiredOption("--replicate <n>", "which repeat of this lead and task it is", whole)
    .option("--run <id>", "the run that it belongs to (default: task, lead and replicate)")
    .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)")
    .addOption(
      new Option("--harness <name>", "what the model works in")
        .choices([...HARNESS_NAMES, "command"])
        .default("claude-code"),
    )
    .option("--harness-command <line>", "with --harness command: what /bin/sh runs")
    .option("--harness-name <name>", "with --harness command: how the facts call it", "command")
    .option("--harness-folder <folder>", "where the harness is installed, when not below /usr")
    .option("--api <origin>", "the one API that it may ask (default: the harness's own)")
    .option("--minutes <n>", "after which it did not finish", positive, CONTESTANT_BOUNDS.minutes)
    .option("--memory <GiB>", "of all its processes", positive, CONTESTANT_BOUNDS.memoryGib)
    .option("--processes <n>", "at one time", whole, CONTESTANT_BOUNDS.processes)
    .option("--folder <GiB>", "room for its files", positive, CONTESTANT_BOUNDS.folderGib);

/** Runs one contestant in a folder and a sandbox of its own, and writes the raw facts. */
export const runNew = register<RunNewOptions>({
  words: ["run", "new"],
  summary: "run one contestant from a lead's brief, and write the raw facts (docs/running.md)",
  declare,
  action: (options, door) => act(options, door, process.env),
});

async function act(
  options: RunNewOptions,
  { stdout }: Door,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  if (env.CI !== undefined && env.CI !== "") return [IN_CI];
  const root = rootOf(options.root);
  const task = await readContestantTask(root, options.task, TASKS);
  if (!task.ok) return task.findings;
  const brief = await readUserFile(options.brief, MAX_BRIEF);
  if (!brief.ok) return brief.findings;
  const chosen = chooseHarness(
    {
      harness: options.harness,
      line: options.harnessCommand,
      name: options.harnessName,
      folder: options.harnessFolder === undefined ? undefined : userPath(options.harnessFolder),
      origin: options.api,
    },
    env,
  );
  if (!chosen.ok) return chosen.findings;
  const known = await readKnownFacts(root);
  if (!known.ok) return known.findings;
  const plan = planOf(options, digestOf(brief.value));
  const refused = checkStart(plan, known.value);
  if (hasErrors(refused)) return refused;
  const folder = await makeContestantFolder(workRoot(env), plan, root);
  if (!folder.ok) return folder.findings;
  const { minutes, memory: memoryGib, processes, folder: folderGib } = options;
  stdout.write(
    `${plan.configuration} works on ${plan.task}, at most ${minutes} minutes, in\n  ${folder.value}\n`,
  );
  return untilStopped((signal) =>
    runAndRecord(root, {
      ...chosen.value,
      ...contestantLimits({ minutes, memoryGib, processes, folderGib }),
      plan,
      task: task.value,
      brief: brief.value,
      model: modelNameOf(plan.configuration, known.value.models),
      effort: parseConfiguration(plan.configuration).effort,
      egress: EGRESS_LIMITS,
      folder: folder.value,
      signal,
    }),
  );
}

function planOf({ task, configuration, lead, replicate, run }: RunNewOptions, brief: string): ContestantPlan {
  const plan = { task, configuration, lead, brief, replicate };
  return { ...plan, run: run ?? runIdOf(plan), entry: entryIdOf(configuration) };
}

const IN_CI: Finding = {
  code: "code-run-in-ci",
  severity: "error",
  message: "A contestant is not run where CI is set: runs are paid for, and start when a maintainer asks.",
  hint: "On your own machine, unset CI. On GitHub, comment /assay run <run>/<entry>.",
};
