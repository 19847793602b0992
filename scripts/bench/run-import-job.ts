import { printable } from "../../src/io/terminal.ts";
import { importJob } from "../../src/jobs/job-import.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

/** Puts what a guarded job measured into its run. */
export const runImportJob = register<{ report: string; root?: string }>({
  words: ["run", "import-job"],
  summary: "put what a host measured into data/runs/<run>.json, with its signatures",
  declare: (command) =>
    command
      .argument("<report>", "report.json of the artifact assay-job")
      .option("--root <folder>", "the folder that holds data/ (default: this repository)"),
  async action({ report, root }, { stdout }) {
    const { done, findings } = await importJob(report, rootOf(root), new Date().toISOString());
    for (const line of done) stdout.write(`${printable(line)}\n`);
    return [...findings];
  },
});
