import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { verifyDefects } from "../../src/jobs/action-verify-defect.ts";
import { hostJobInputs } from "../../src/jobs/host-job.ts";
import { TASKS } from "../../tasks/index.ts";

try {
  const outputs = await verifyDefects(readInputs(hostJobInputs), TASKS);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
