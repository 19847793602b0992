import { folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { hasErrors } from "../../src/lib/findings.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface CheckOptions {
  root?: string;
  synthetic?: boolean;
}

/** Every rule over the facts of the code benchmark, deliverables included. */
export const dataCheck = register<CheckOptions>({
  words: ["data", "check"],
  summary: "check the facts of the code benchmark: data/ and every tasks/<task>/task.json",
  declare: (command) =>
    command
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)")
      .option("--synthetic", "accept runs that a generator made"),
  async action({ root, synthetic = false }, { stdout }) {
    const { runs, findings } = await readCodeData(folderData(rootOf(root)), {
      synthetic,
      deliverables: true,
    });
    if (!hasErrors(findings))
      stdout.write(runs === 0 ? "No run is committed; the rest holds.\n" : `${runs} runs hold.\n`);
    return [...findings];
  },
});
