import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { runEntry } from "../../src/jobs/action-run-entry.ts";
import { hostJobInputs } from "../../src/jobs/host-job.ts";
import { TASKS } from "../../tasks/index.ts";

try {
  const outputs = await runEntry(readInputs(hostJobInputs), TASKS);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
