import { setOutput } from "@actions/core";
import { failStep, readInputs } from "../../src/io/action.ts";
import { feedInputs, publishFeed } from "../../src/jobs/action-feed.ts";

try {
  const outputs = await publishFeed(readInputs(feedInputs));
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
} catch (error) {
  failStep(error);
}
