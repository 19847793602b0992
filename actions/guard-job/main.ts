import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { guardInputs, guardJob } from "../../src/jobs/action-guard.ts";

try {
  const outputs = await guardJob(readInputs(guardInputs));
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
