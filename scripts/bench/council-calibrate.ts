import { folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { calibrateTask, calibrationText } from "../../src/lib/code/council/calibrate.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";
import { noFacts } from "./facts-root.ts";

interface CalibrateOptions {
  task: string;
  json?: boolean;
  synthetic?: boolean;
  root?: string;
}

/** Offsets of a task's judges by anchors. */
export const councilCalibrate = register<CalibrateOptions>({
  words: ["council", "calibrate"],
  summary: "how judges score a task's anchors against earlier panels; reported, never applied",
  declare: (command) =>
    command
      .argument("<task>", "id of the task")
      .option("--json", "print JSON")
      .option("--synthetic", "accept runs that a generator made")
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)"),
  async action({ task, json = false, synthetic = false, root }, { stdout }) {
    const folder = rootOf(root);
    const missing = await noFacts(folder);
    if (missing !== null) return [missing];
    const { data, findings } = await readCodeData(folderData(folder), {
      synthetic,
      deliverables: false,
    });
    if (data === null && findings.some(({ severity }) => severity === "error")) return [...findings];
    if (!data?.tasks.some(({ id }) => id === task))
      return [
        ...findings,
        {
          code: "code-data-unknown-task",
          severity: "error",
          message: "There is no run of such a task.",
          expected: data?.tasks.map(({ id }) => id).join(", ") ?? "a task with runs",
          actual: task,
        },
      ];
    const calibration = calibrateTask(data, task);
    stdout.write(json ? `${JSON.stringify(calibration, null, 2)}\n` : calibrationText(calibration));
    return [...findings];
  },
});
