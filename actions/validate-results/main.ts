import { fileURLToPath } from "node:url";
import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { validateInputs, validateResults } from "../../src/jobs/action-validate.ts";

/** The site's scripts and styles lie beside the bundle: for the preview of pages. */
const CLIENT = fileURLToPath(new URL("./site", import.meta.url));

try {
  const outputs = await validateResults(readInputs(validateInputs), CLIENT);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
