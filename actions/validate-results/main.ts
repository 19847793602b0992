import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { validateInputs, validateResults } from "../../src/jobs/action-validate.ts";

try {
  const outputs = await validateResults(readInputs(validateInputs));
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
