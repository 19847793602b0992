import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { recomputeInputs, recomputeScores } from "../../src/jobs/action-recompute.ts";

try {
  const outputs = await recomputeScores(readInputs(recomputeInputs));
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
