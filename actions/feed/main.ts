import { fileURLToPath } from "node:url";
import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { feedInputs, publishFeed } from "../../src/jobs/action-feed.ts";

/** The site's scripts and styles lie beside the bundle. */
const CLIENT = fileURLToPath(new URL("./site", import.meta.url));

try {
  const outputs = await publishFeed(readInputs(feedInputs), CLIENT);
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
